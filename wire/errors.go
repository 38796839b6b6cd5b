package wire

import (
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/program"
)

// A TypeError reports a type that has no encoding. Root is the type of the codec, Path is the
// path from there to the part that has no encoding (such as ".Items[].Done"; "" for Root), Type
// is the type of that part, and Reason says why.
type TypeError = program.TypeError

// An EncodeError reports a value that has no encoding though its type has one: the value is
// nested too deeply (perhaps it contains itself), or a method of its type failed. Path is the
// place in the value (".Items[3].Price"; "" at the root), Type is the type there, and Err is the
// cause, which is never nil. Unwrap returns it.
type EncodeError = program.EncodeError

// A DecodeError reports input that does not match its type. Offset is the number of bytes from
// the start of the input, Path is the place in the value (".Items[3].Price"; "" at the root),
// Type is the type there, and Err is the cause, which is never nil. Unwrap returns it.
type DecodeError = program.DecodeError

// The causes of a [DecodeError] that package wire defines. The cause for input that ends too early
// is io.ErrUnexpectedEOF.
var (
	ErrTrailing   = fault.ErrTrailing   // bytes after the end of the value
	ErrOverflow   = fault.ErrOverflow   // a number too large for its type
	ErrNonMinimal = fault.ErrNonMinimal // a number with a longer encoding than necessary
	ErrFlag       = fault.ErrFlag       // a byte that must be 0 or 1 is neither
	ErrDuplicate  = fault.ErrDuplicate  // a duplicate map key
	ErrKey        = fault.ErrKey        // a map key of a type that Go cannot compare
	ErrTime       = fault.ErrTime       // not a time
	ErrLimit      = fault.ErrLimit      // more memory than Limits allow
	ErrDepth      = fault.ErrDepth      // nested deeper than Limits allow
	ErrTag        = fault.ErrTag        // an unknown tag of a union
	ErrCanonical  = fault.ErrCanonical  // not the canonical form of the value
	ErrUnsorted   = fault.ErrUnsorted   // map keys out of order; wraps ErrCanonical
	ErrShort      = fault.ErrShort      // a record in a stream ends within its value
)

// ErrTooLong is the cause of an [EncodeError] about a value whose length prefix cannot represent
// its length. ErrDepth, ErrTime and ErrDuplicate are causes of EncodeErrors too.
var ErrTooLong = fault.ErrTooLong

// ErrNoCodec is the cause of an error about a zero [Codec] or [AnyCodec].
var ErrNoCodec = fault.ErrNoCodec

// The causes of errors about registration: a type or an id is not registered, or is registered
// already.
var (
	ErrUnregistered = fault.ErrUnregistered
	ErrRegistered   = fault.ErrRegistered
)
