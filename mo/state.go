package mo

// State is a computation that takes a state, and returns a result and the new state.
type State[S any, A any] struct {
	run func(state S) (A, S)
}

// NewState returns a State that runs f.
func NewState[S any, A any](f func(state S) (A, S)) State[S, A] { return State[S, A]{run: f} }

// ReturnState returns a State with the result x, which does not change the state.
func ReturnState[S any, A any](x A) State[S, A] {
	return NewState(func(state S) (A, S) { return x, state })
}

// Run runs the computation with the given state, and returns its result and the new state.
func (s State[S, A]) Run(state S) (A, S) { return s.run(state) }

// Get returns a State whose result is the current state.
func (s State[S, A]) Get() State[S, S] {
	return NewState(func(state S) (S, S) { return state, state })
}

// Modify returns a State that replaces the state by the result of f for the old state. The
// result of this State is A's zero value.
func (s State[S, A]) Modify(f func(state S) S) State[S, A] {
	return NewState(func(state S) (a A, _ S) { return a, f(state) })
}

// Put returns a State that replaces the state by the given one. The result of this State is A's
// zero value.
func (s State[S, A]) Put(state S) State[S, A] {
	return NewState(func(S) (a A, _ S) { return a, state })
}
