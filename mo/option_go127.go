//go:build go1.27

package mo

// MapTo returns Some with the result of mapper for the value, or None if there is none. It is the
// method for option.Map. It allocates nothing.
func (o Option[T]) MapTo[U any](mapper func(value T) U) Option[U] {
	if o.isPresent {
		return Some(mapper(o.value))
	}
	return None[U]()
}

// FlatMapTo returns the result of mapper for the value, or None if there is none. It is the method
// for option.FlatMap. It allocates nothing.
func (o Option[T]) FlatMapTo[U any](mapper func(value T) Option[U]) Option[U] {
	if o.isPresent {
		return mapper(o.value)
	}
	return None[U]()
}

// MatchTo returns the result of onValue for the value, or the result of onNone if there is none. If
// the function returns false, the Option is None. MatchTo is the method for option.Match. It
// allocates nothing.
func (o Option[T]) MatchTo[U any](onValue func(value T) (U, bool), onNone func() (U, bool)) Option[U] {
	if o.isPresent {
		return TupleToOption(onValue(o.value))
	}
	return TupleToOption(onNone())
}

// FlatMatchTo returns the result of onValue for the value, or the result of onNone if there is none.
// It is the method for option.FlatMatch. It allocates nothing.
func (o Option[T]) FlatMatchTo[U any](onValue func(value T) Option[U], onNone func() Option[U]) Option[U] {
	if o.isPresent {
		return onValue(o.value)
	}
	return onNone()
}

// FoldTo returns the result of onValue for the value, or the result of onNone if there is none. It
// is the method for [Fold]. It allocates nothing.
func (o Option[T]) FoldTo[U any](onValue func(value T) U, onNone func() U) U {
	if o.isPresent {
		return onValue(o.value)
	}
	return onNone()
}
