package schema

import (
	"errors"
	"fmt"
)

// A DecodeError reports bytes, or JSON, that do not match a schema. For bytes its cause is one of
// the causes of a wire.DecodeError.
type DecodeError struct {
	Offset int    // bytes from the start of the input
	Path   string // ".Items[3].Price", after "record 5" in a stream; "" at the root
	Err    error  // the cause; never nil
}

func (e *DecodeError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("byte %d: %s: %v", e.Offset, e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// An EncodeError reports a value that has no encoding by a schema: it is not of the Go type of
// the schema's kind, is out of range, or has a duplicate map key.
type EncodeError struct {
	Path string // ".Items[3].Price"; "" at the root
	Err  error  // the cause; never nil
}

func (e *EncodeError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("encode: %v", e.Err)
	}
	return fmt.Sprintf("encode %s: %v", e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *EncodeError) Unwrap() error { return e.Err }

// ErrValue is the cause of an [EncodeError] about a value that is not of the Go type of the
// schema's kind.
var ErrValue = errors.New("not a value of this kind")

var errNoType = errors.New("the schema has no type here; call Schema.Check first")
