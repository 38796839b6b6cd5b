// Package option contains functions that map an mo.Option to other types, and pipes of such
// functions.
//
//	name := option.Pipe2(
//		mo.Some(42),
//		option.Map(strconv.Itoa),
//		option.FlatMap(lookUp),
//	)
package option

import "github.com/hone-go/hone/mo"

// Map returns a function that maps a value by f, and None to None.
func Map[I, O any](f func(I) O) func(opt mo.Option[I]) mo.Option[O] {
	return func(opt mo.Option[I]) mo.Option[O] {
		if v, ok := opt.Get(); ok {
			return mo.Some(f(v))
		}
		return mo.None[O]()
	}
}

// FlatMap returns a function that returns the result of f for a value, and None for None.
func FlatMap[I, O any](f func(I) mo.Option[O]) func(opt mo.Option[I]) mo.Option[O] {
	return func(opt mo.Option[I]) mo.Option[O] {
		if v, ok := opt.Get(); ok {
			return f(v)
		}
		return mo.None[O]()
	}
}

// Match returns a function that returns the result of onValue for a value, and the result of
// onNone for None.
func Match[I, O any](onValue func(I) (O, bool), onNone func() (O, bool)) func(opt mo.Option[I]) mo.Option[O] {
	return func(opt mo.Option[I]) mo.Option[O] {
		if v, ok := opt.Get(); ok {
			return mo.TupleToOption(onValue(v))
		}
		return mo.TupleToOption(onNone())
	}
}

// FlatMatch returns a function that returns the Option of onValue for a value, and the Option
// of onNone for None.
func FlatMatch[I, O any](onValue func(I) mo.Option[O], onNone func() mo.Option[O]) func(opt mo.Option[I]) mo.Option[O] {
	return func(opt mo.Option[I]) mo.Option[O] {
		if v, ok := opt.Get(); ok {
			return onValue(v)
		}
		return onNone()
	}
}

// Sequence returns the values of all options, or None if one of them is None.
// It allocates the slice.
func Sequence[T any](options []mo.Option[T]) mo.Option[[]T] {
	return Traverse(options, func(o mo.Option[T]) mo.Option[T] { return o })
}

// Traverse returns the results of f for all items. At the first item for which f returns None
// it stops and returns None. It allocates the slice.
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
