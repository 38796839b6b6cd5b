package mo

import (
	"errors"
	"fmt"
	"iter"
	"log/slog"

	"github.com/hone-go/hone/internal/memory/optional"
)

// Result holds a T (Ok) or an error (Err). The zero value is Ok with T's zero value.
type Result[T any] struct {
	isErr bool
	value T
	err   error
}

// ErrNil is the error of the Result that Err(nil) returns.
var ErrNil = errors.New(optional.NilError)

// Ok returns a Result that holds value.
func Ok[T any](value T) Result[T] { return Result[T]{value: value} }

// Err returns a Result that holds err. If err is nil, the Result holds [ErrNil].
func Err[T any](err error) Result[T] {
	if err == nil {
		err = ErrNil
	}
	return Result[T]{isErr: true, err: err}
}

// Errf returns a Result that holds the error of fmt.Errorf(format, a...). It allocates the error.
func Errf[T any](format string, a ...any) Result[T] { return Err[T](fmt.Errorf(format, a...)) }

// TupleToResult returns Err(err) if err is not nil, and Ok(value) otherwise.
func TupleToResult[T any](value T, err error) Result[T] {
	if err != nil {
		return Err[T](err)
	}
	return Ok(value)
}

// OptionToResult returns Ok with the value of o, or Err(err) if o holds nothing.
func OptionToResult[T any](o Option[T], err error) Result[T] {
	if !o.isPresent {
		return Err[T](err)
	}
	return Ok(o.value)
}

// EitherToResult returns Ok with the R of e, or Err with the result of wrap for the L.
func EitherToResult[L, R any](e Either[L, R], wrap func(L) error) Result[R] {
	if e.isLeft {
		return Err[R](wrap(e.left))
	}
	return Ok(e.right)
}

// Try calls f and returns its result and error as a Result.
func Try[T any](f func() (T, error)) Result[T] { return TupleToResult(f()) }

// IsOk reports whether the Result holds a value.
func (r Result[T]) IsOk() bool { return !r.isErr }

// IsError reports whether the Result holds an error.
func (r Result[T]) IsError() bool { return r.isErr }

// Error returns the error, or nil if the Result holds a value. To compare it with a target use
// errors.Is(r.Error(), target), or [Result.Is].
func (r Result[T]) Error() error { return r.err }

// Is reports whether the Result holds an error for which errors.Is with target returns true.
func (r Result[T]) Is(target error) bool { return r.isErr && errors.Is(r.err, target) }

// As calls errors.As with the error. It returns false if the Result holds a value.
func (r Result[T]) As(target any) bool { return r.isErr && errors.As(r.err, target) }

// Get returns the value and nil, or T's zero value and the error.
func (r Result[T]) Get() (T, error) { return r.value, r.err }

// MustGet returns the value. If the Result holds an error, it panics with the error.
func (r Result[T]) MustGet() T {
	if r.isErr {
		panic(r.err)
	}
	return r.value
}

// OrElse returns the value, or fallback if there is none.
func (r Result[T]) OrElse(fallback T) T {
	if r.isErr {
		return fallback
	}
	return r.value
}

// OrElseGet returns the value, or the result of fallback for the error.
func (r Result[T]) OrElseGet(fallback func(error) T) T {
	if r.isErr {
		return fallback(r.err)
	}
	return r.value
}

// OrEmpty returns the value, or T's zero value if there is none.
func (r Result[T]) OrEmpty() T { return r.value }

// ToEither returns Left with the error, or Right with the value.
func (r Result[T]) ToEither() Either[error, T] {
	if r.isErr {
		return Left[error, T](r.err)
	}
	return Right[error](r.value)
}

// All returns a sequence that yields the value, if there is one.
func (r Result[T]) All() iter.Seq[T] { return ResultToOption(r).All() }

// ForEach calls onValue with the value, if there is one.
func (r Result[T]) ForEach(onValue func(value T)) {
	if !r.isErr {
		onValue(r.value)
	}
}

// Match returns the result of onSuccess for the value, or of onError for the error.
func (r Result[T]) Match(onSuccess func(value T) (T, error), onError func(err error) (T, error)) Result[T] {
	if r.isErr {
		return TupleToResult(onError(r.err))
	}
	return TupleToResult(onSuccess(r.value))
}

// Map returns the result of mapper for the value. If r holds an error, it returns r. To map to
// another type use result.Map.
func (r Result[T]) Map(mapper func(value T) (T, error)) Result[T] {
	if r.isErr {
		return r
	}
	return TupleToResult(mapper(r.value))
}

// MapValue returns Ok with the result of mapper for the value. If r holds an error, it returns r.
func (r Result[T]) MapValue(mapper func(value T) T) Result[T] {
	if r.isErr {
		return r
	}
	return Ok(mapper(r.value))
}

// MapErr returns the result of mapper for the error. If r holds a value, it returns r.
func (r Result[T]) MapErr(mapper func(error) (T, error)) Result[T] {
	if r.isErr {
		return TupleToResult(mapper(r.err))
	}
	return r
}

// FlatMap returns the result of mapper for the value. If r holds an error, it returns r.
func (r Result[T]) FlatMap(mapper func(value T) Result[T]) Result[T] {
	if r.isErr {
		return r
	}
	return mapper(r.value)
}

// String returns "Ok(value)" or "Err(message)". It allocates the string, and package fmt allocates.
func (r Result[T]) String() string {
	if r.isErr {
		return fmt.Sprintf("Err(%v)", r.err)
	}
	return fmt.Sprintf("Ok(%v)", r.value)
}

// LogValue implements slog.LogValuer. It returns the value or the error. Converting the value to an
// interface allocates, except for small integers.
func (r Result[T]) LogValue() slog.Value {
	if r.isErr {
		return slog.AnyValue(r.err)
	}
	return slog.AnyValue(r.value)
}

func (r Result[T]) hasLeftValue() bool { return r.isErr }

func (r Result[T]) leftValue() error { return r.err }

func (r Result[T]) rightValue() T { return r.value }
