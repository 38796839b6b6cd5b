// Package typeclass holds the interfaces by which samber/mo names the methods that its types
// have in common. They are here for programs that mention them; none of mo's
// functions asks for one.
package typeclass

// Filterable keeps the values for which a predicate is true.
type Filterable[T any] interface {
	Filter(predicate func(T) bool) T
}

// Foldable is reduced to one value.
type Foldable[T any, R any] interface {
	FoldLeft(f func(T) R) R
	FoldRight(f func(T) R) R
	Map(f func(T) R) R
}

// Monadic maps in place.
type Monadic[T any] interface {
	FlatMap(f func(T) Monadic[T]) T
	ForEach(f func(T))
	Map(f func(T) T) T
}

// Monoid is any type.
type Monoid[T any] interface{}
