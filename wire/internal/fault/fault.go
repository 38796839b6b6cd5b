// Package fault defines the causes of errors that programs, schemas and layouts share. Package
// wire exports most of them.
package fault

import (
	"errors"
	"fmt"
	"io"
)

// The causes of a decoding error. The cause for input that ends too early is ErrTruncated.
var (
	ErrTrailing   = errors.New("bytes after the end of the value")
	ErrOverflow   = errors.New("number too large for its type")
	ErrNonMinimal = errors.New("number with a longer encoding than necessary")
	ErrFlag       = errors.New("a byte that must be 0 or 1 is neither")
	ErrDuplicate  = errors.New("map key written twice")
	ErrKey        = errors.New("a value that cannot be a map key")
	ErrTime       = errors.New("not a time")
	ErrLimit      = errors.New("value takes more memory than the limit allows")
	ErrDepth      = errors.New("nested deeper than Limits.Depth allows, or cyclic")
	ErrTag        = errors.New("unknown tag of a union")
	ErrCanonical  = errors.New("not the canonical form of the value")
	ErrBudget     = fmt.Errorf("%w; set Limits.Bytes for encoding and for decoding", ErrLimit)
	ErrUnsorted   = fmt.Errorf("%w: map keys out of order", ErrCanonical)
)

// The causes of an encoding error. ErrDepth, ErrTime and ErrDuplicate are causes of encoding
// errors too.
var (
	ErrTooLong = errors.New("longer than its length prefix can represent")
	ErrCount   = errors.New("the number of elements differs from the number in the layout")
)

// The causes of errors about registration: a type or an id is not registered, or is registered
// already.
var (
	ErrUnregistered = errors.New("not registered")
	ErrRegistered   = errors.New("registered already")
)

// TooLong returns an ErrTooLong for a value of length n. limit is the largest length that the length
// prefix can represent.
func TooLong(n int, limit uint64) error {
	return fmt.Errorf("%w: the length is %d, and at most %d with this Len; use a longer Len", ErrTooLong, n, limit)
}

// Count returns an ErrCount for n elements if the layout has count elements.
func Count(n, count int) error { return fmt.Errorf("%w: %d, not %d", ErrCount, n, count) }

// Unregistered returns an ErrUnregistered for a value of a type that a codec does not know. name is the
// name of the type.
func Unregistered(name string) error {
	return fmt.Errorf("%w: call RegisterType[%s] with the codec's Types before For makes the codec; later registrations have no effect on it", ErrUnregistered, name)
}

// UnknownID returns an ErrUnregistered for an encoded id that no registered type has.
func UnknownID(id uint64) error {
	return fmt.Errorf("%w: the id %d; register the types of the writer in the codec's Types before For makes the codec", ErrUnregistered, id)
}

// Undeclared returns an ErrUnregistered for a value of the named type. The interface type iface has
// cases declared by package union, and this type is not one of them.
func Undeclared(name, iface string) error {
	return fmt.Errorf("%w: %s is not a case of %s; add it to the declaration of the interface (package union)", ErrUnregistered, name, iface)
}

// UnknownCase returns an ErrUnregistered for an encoded number that no case of the interface type
// iface has.
func UnknownCase(number uint64, iface string) error {
	return fmt.Errorf("%w: the number %d is not a case of %s; the writer may have a newer declaration", ErrUnregistered, number, iface)
}

// ErrTruncated is the cause for input that ends too early.
var ErrTruncated = io.ErrUnexpectedEOF

// ErrShort is the cause for a value that does not end within its record. It is not ErrTruncated,
// since the stream continues after the record.
var ErrShort = errors.New("the record ends within the value")

// ErrNoCodec is the cause of an error about a zero codec, which no function of package wire or
// wire/layout has made.
var ErrNoCodec = errors.New("the codec is nil or a zero value; create it with For or layout.New")

// ErrNilValue is the cause of an error about a nil pointer to a value.
var ErrNilValue = errors.New("v is nil; pass the address of a value")
