package mo

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// A PanicError is a panic that was caught: in [Do], or in a callback of a
// Future.
type PanicError struct {
	Value any    // the argument of panic
	Stack []byte // of the goroutine at that time
}

// Error returns the value's text.
func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// caught returns the error for a recovered panic.
func caught(value any) error { return &PanicError{Value: value, Stack: debug.Stack()} }

// Do runs fn and returns its result as Ok. If fn panics with an error, as MustGet does, the
// Result holds that error itself. Any other panic becomes a [*PanicError] with its value and
// stack. Runtime errors are among them; find them by errors.As with a runtime.Error.
func Do[T any](fn func() T) (result Result[T]) {
	defer func() {
		switch value := recover().(type) {
		case nil:
		case runtime.Error:
			result = Err[T](caught(value))
		case error:
			result = Err[T](value)
		default:
			result = Err[T](caught(value))
		}
	}()
	return Ok(fn())
}
