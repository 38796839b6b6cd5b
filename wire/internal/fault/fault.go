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
	ErrDepth      = errors.New("nested deeper than the limit allows")
	ErrTag        = errors.New("unknown tag of a union")
	ErrCanonical  = errors.New("not the canonical form of the value")
	ErrBudget     = fmt.Errorf("%w; set Limits.Bytes where it is encoded and where it is decoded", ErrLimit)
	ErrUnsorted   = fmt.Errorf("%w: map keys out of order", ErrCanonical)
)

// The causes of an encoding error. ErrDepth, ErrTime and ErrDuplicate are causes of encoding
// errors too.
var (
	ErrTooLong = errors.New("longer than its length prefix can represent")
	ErrCount   = errors.New("the number of elements differs from the layout's")
)

// The causes of errors about a type or an id: it was not registered, or another one was
// registered for it.
var (
	ErrUnregistered = errors.New("not registered")
	ErrRegistered   = errors.New("registered already")
)

// ErrTruncated is the cause for input that ends too early.
var ErrTruncated = io.ErrUnexpectedEOF

// ErrNoCodec is the cause of an error about a zero codec, which no function of package wire or
// wire/layout has made.
var ErrNoCodec = errors.New("a zero codec has no type")

// ErrNilValue is the cause of an error about a nil pointer to a value.
var ErrNilValue = errors.New("v is nil")
