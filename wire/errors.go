package wire

import "github.com/hone-go/hone/wire/internal/program"

// A TypeError reports a type that has no encoding: its Root is the type that was
// asked for, its Path leads from there to the culprit (such as ".Items[].Done";
// "" if it is Root), Type is the culprit and Reason says what is wrong with it.
type TypeError = program.TypeError

// An EncodeError reports a value that has no encoding though its type does: it
// is nested too deeply (perhaps without end), or a marshal method failed. Path
// is where (".Items[3].Price"; "" at the root), Type is of what is there and Err
// is the cause, which is never nil. Unwrap returns it.
type EncodeError = program.EncodeError

// A DecodeError reports input that does not match its type. Offset counts the
// bytes from the start of the input, Path says where in the value
// (".Items[3].Price"; "" at the root), Type is of what is there and Err is the
// cause, which is never nil. Unwrap returns it.
type DecodeError = program.DecodeError

// The causes of a [DecodeError] that are wire's own. Input that ends too early
// is io.ErrUnexpectedEOF.
var (
	ErrTrailing   = program.ErrTrailing   // bytes after the end of the value
	ErrOverflow   = program.ErrOverflow   // a number too large for its type
	ErrNonMinimal = program.ErrNonMinimal // a number written longer than it needs to be
	ErrFlag       = program.ErrFlag       // a byte that must be 0 or 1 is neither
	ErrDuplicate  = program.ErrDuplicate  // a map key written twice
	ErrKey        = program.ErrKey        // a map key of a type that Go cannot compare
	ErrTime       = program.ErrTime       // not a time
	ErrLimit      = program.ErrLimit      // more memory than Limits allow
	ErrDepth      = program.ErrDepth      // nested deeper than Limits allow
	ErrTag        = program.ErrTag        // a tag of none of the cases
	ErrCanonical  = program.ErrCanonical  // not the canonical form of the value
	ErrUnsorted   = program.ErrUnsorted   // map keys out of order, which wraps ErrCanonical
)

// ErrTooLong is the cause of an [EncodeError] about what is longer than its
// length can say. ErrDepth, ErrTime and ErrDuplicate are causes of one too.
var ErrTooLong = program.ErrTooLong

// ErrNoCodec is the cause of an error about a zero [Codec] or [AnyCodec].
var ErrNoCodec = program.ErrNoCodec

// The causes of errors about a type or an id: it was not registered, or another
// was registered for it.
var (
	ErrUnregistered = program.ErrUnregistered
	ErrRegistered   = program.ErrRegistered
)
