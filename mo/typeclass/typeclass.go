// Package typeclass contains the interfaces of samber/mo's package typeclass, for programs that use
// them. Package mo itself does not use them.
package typeclass

// Filterable is a container whose elements a predicate can filter.
type Filterable[T any] interface {
	Filter(predicate func(T) bool) T
}

// Foldable is a container that can be reduced to one value.
type Foldable[T any, R any] interface {
	FoldLeft(f func(T) R) R
	FoldRight(f func(T) R) R
	Map(f func(T) R) R
}

// Monadic is a container whose values can be mapped.
type Monadic[T any] interface {
	FlatMap(f func(T) Monadic[T]) T
	ForEach(f func(T))
	Map(f func(T) T) T
}

// Monoid is any type.
type Monoid[T any] interface{}
