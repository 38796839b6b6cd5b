package mo

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// A PanicError is a panic that [Do] or a Future has recovered from a callback.
type PanicError struct {
	Value any    // the argument of panic
	Stack []byte // the stack of the goroutine at the panic
}

// Error returns Value as a string.
func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// caught returns the PanicError for a recovered panic, with the current stack.
func caught(value any) error { return &PanicError{Value: value, Stack: debug.Stack()} }

// Do calls fn and returns Ok with its result. If fn panics with an error, as MustGet does, it
// returns Err with this error. For any other panic, and for a runtime error, it returns Err with a
// [*PanicError], which contains the value and the stack. To find a runtime error, use errors.As
// with a runtime.Error.
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
