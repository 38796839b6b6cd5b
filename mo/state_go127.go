//go:build go1.27

package mo

// MapTo returns a State that runs s, and whose result is the result of mapper for the result of s.
// MapTo allocates the function of this State.
func (s State[S, A]) MapTo[B any](mapper func(A) B) State[S, B] {
	return NewState(func(state S) (B, S) {
		result, next := s.run(state)
		return mapper(result), next
	})
}

// FlatMapTo returns a State that runs s, and then the State that mapper returns for the result of s.
// FlatMapTo allocates the function of this State.
func (s State[S, A]) FlatMapTo[B any](mapper func(A) State[S, B]) State[S, B] {
	return NewState(func(state S) (B, S) {
		result, next := s.run(state)
		return mapper(result).run(next)
	})
}
