// Package option contains functions that map an mo.Option to an Option of another type, and
// functions that apply several of them in sequence.
//
//	name := option.Pipe2(
//		mo.Some(42),
//		option.Map(strconv.Itoa),
//		option.FlatMap(lookUp),
//	)
package option

import "github.com/hone-go/hone/mo"

// Map returns a function that applies f to the value of an Option, and returns None for None.
func Map[I, O any](f func(I) O) func(opt mo.Option[I]) mo.Option[O] {
	return func(opt mo.Option[I]) mo.Option[O] {
		if v, ok := opt.Get(); ok {
			return mo.Some(f(v))
		}
		return mo.None[O]()
	}
}

// FlatMap returns a function that returns f's result for the value of an Option, and None for None.
func FlatMap[I, O any](f func(I) mo.Option[O]) func(opt mo.Option[I]) mo.Option[O] {
	return func(opt mo.Option[I]) mo.Option[O] {
		if v, ok := opt.Get(); ok {
			return f(v)
		}
		return mo.None[O]()
	}
}

// Match returns a function that returns the result of onValue for the value of an Option, and the
// result of onNone for None. If onValue or onNone returns false, the resulting Option is None.
func Match[I, O any](onValue func(I) (O, bool), onNone func() (O, bool)) func(opt mo.Option[I]) mo.Option[O] {
	return func(opt mo.Option[I]) mo.Option[O] {
		if v, ok := opt.Get(); ok {
			return mo.TupleToOption(onValue(v))
		}
		return mo.TupleToOption(onNone())
	}
}

// FlatMatch returns a function that returns the result of onValue for the value of an Option, and
// the result of onNone for None.
func FlatMatch[I, O any](onValue func(I) mo.Option[O], onNone func() mo.Option[O]) func(opt mo.Option[I]) mo.Option[O] {
	return func(opt mo.Option[I]) mo.Option[O] {
		if v, ok := opt.Get(); ok {
			return onValue(v)
		}
		return onNone()
	}
}

// Sequence returns the values of all options, or None if one of them is None. It allocates the
// slice.
func Sequence[T any](options []mo.Option[T]) mo.Option[[]T] {
	return Traverse(options, func(o mo.Option[T]) mo.Option[T] { return o })
}

// Traverse calls f for each item and returns the values of the results. It stops and returns None
// at the first result that is None. It allocates the slice.
func Traverse[I, O any](items []I, f func(I) mo.Option[O]) mo.Option[[]O] {
	values := make([]O, 0, len(items))
	for _, item := range items {
		v, ok := f(item).Get()
		if !ok {
			return mo.None[[]O]()
		}
		values = append(values, v)
	}
	return mo.Some(values)
}
