//go:build go1.27

package mo

// MapTo returns Ok with the result of mapper for the value. If r holds an error, the Result holds
// the same error. It is the method for result.Map. It allocates nothing.
func (r Result[T]) MapTo[U any](mapper func(value T) U) Result[U] {
	if r.isErr {
		return Err[U](r.err)
	}
	return Ok(mapper(r.value))
}

// FlatMapTo returns the result of mapper for the value. If r holds an error, the Result holds the
// same error. It is the method for result.FlatMap. It allocates nothing.
func (r Result[T]) FlatMapTo[U any](mapper func(value T) Result[U]) Result[U] {
	if r.isErr {
		return Err[U](r.err)
	}
	return mapper(r.value)
}

// ThenTo returns the result and the error of mapper for the value. If r holds an error, the Result
// holds the same error. It is the method for result.Then. It allocates nothing.
func (r Result[T]) ThenTo[U any](mapper func(value T) (U, error)) Result[U] {
	if r.isErr {
		return Err[U](r.err)
	}
	return TupleToResult(mapper(r.value))
}

// MatchTo returns the result of onSuccess for the value, or of onError for the error. It is the
// method for result.Match, which passes no error. It allocates nothing.
func (r Result[T]) MatchTo[U any](onSuccess func(value T) (U, error), onError func(err error) (U, error)) Result[U] {
	if r.isErr {
		return TupleToResult(onError(r.err))
	}
	return TupleToResult(onSuccess(r.value))
}

// FlatMatchTo returns the result of onSuccess for the value, or of onError for the error. It is the
// method for result.FlatMatch, which passes no error. It allocates nothing.
func (r Result[T]) FlatMatchTo[U any](onSuccess func(value T) Result[U], onError func(err error) Result[U]) Result[U] {
	if r.isErr {
		return onError(r.err)
	}
	return onSuccess(r.value)
}

// FoldTo returns the result of onSuccess for the value, or of onError for the error. It is the
// method for [Fold]. It allocates nothing.
func (r Result[T]) FoldTo[U any](onSuccess func(value T) U, onError func(err error) U) U {
	if r.isErr {
		return onError(r.err)
	}
	return onSuccess(r.value)
}
