// Package result contains functions that map an mo.Result to a Result of another type, and
// functions that apply several of them in sequence.
package result

import "github.com/hone-go/hone/mo"

// Map returns a function that applies f to the value of a Result, and returns an error unchanged.
func Map[I, O any](f func(I) O) func(result mo.Result[I]) mo.Result[O] {
	return func(result mo.Result[I]) mo.Result[O] {
		v, err := result.Get()
		if err != nil {
			return mo.Err[O](err)
		}
		return mo.Ok(f(v))
	}
}

// FlatMap returns a function that returns f's result for the value of a Result, and returns an
// error unchanged.
func FlatMap[I, O any](f func(I) mo.Result[O]) func(result mo.Result[I]) mo.Result[O] {
	return func(result mo.Result[I]) mo.Result[O] {
		v, err := result.Get()
		if err != nil {
			return mo.Err[O](err)
		}
		return f(v)
	}
}

// Then returns a function that applies f to the value of a Result, and returns an error unchanged.
// If f fails, the Result holds its error. The function f may be strconv.Atoi, for example.
func Then[I, O any](f func(I) (O, error)) func(result mo.Result[I]) mo.Result[O] {
	return func(result mo.Result[I]) mo.Result[O] {
		v, err := result.Get()
		if err != nil {
			return mo.Err[O](err)
		}
		return mo.TupleToResult(f(v))
	}
}

// Match returns a function that returns the result of onValue for the value of a Result, and the
// result of onError for an error.
func Match[I, O any](onValue func(I) (O, error), onError func() (O, error)) func(result mo.Result[I]) mo.Result[O] {
	return func(result mo.Result[I]) mo.Result[O] {
		v, err := result.Get()
		if err != nil {
			return mo.TupleToResult(onError())
		}
		return mo.TupleToResult(onValue(v))
	}
}

// FlatMatch returns a function that returns the result of onValue for the value of a Result, and
// the result of onError for an error.
func FlatMatch[I, O any](onValue func(I) mo.Result[O], onError func() mo.Result[O]) func(result mo.Result[I]) mo.Result[O] {
	return func(result mo.Result[I]) mo.Result[O] {
		v, err := result.Get()
		if err != nil {
			return onError()
		}
		return onValue(v)
	}
}

// Sequence returns the values of all results, or the first error among them. It allocates the
// slice.
func Sequence[T any](results []mo.Result[T]) mo.Result[[]T] {
	return Traverse(results, func(r mo.Result[T]) mo.Result[T] { return r })
}

// Traverse calls f for each item and returns the values of the results. It stops and returns the
// error at the first result that holds an error. It allocates the slice.
func Traverse[I, O any](items []I, f func(I) mo.Result[O]) mo.Result[[]O] {
	values := make([]O, 0, len(items))
	for _, item := range items {
		v, err := f(item).Get()
		if err != nil {
			return mo.Err[[]O](err)
		}
		values = append(values, v)
	}
	return mo.Ok(values)
}
