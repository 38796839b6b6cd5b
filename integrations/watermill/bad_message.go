package watermill

import (
	"errors"
	"fmt"
)

// A DecodeError reports a message that cannot be decoded into the type.
type DecodeError struct {
	UUID string // the identifier of the message
	Err  error
}

func (e *DecodeError) Error() string { return fmt.Sprintf("watermill: message %q: %v", e.UUID, e.Err) }

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// IsBad reports whether a handler failed because its message could not be decoded. It is for
// middleware.PoisonQueueWithFilter.
func IsBad(err error) bool {
	var bad *DecodeError
	return errors.As(err, &bad)
}
