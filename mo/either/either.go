// Package either contains functions that map an mo.Either to an Either of other types, and
// functions that apply several of them in sequence.
package either

import "github.com/hone-go/hone/mo"

// MapLeft returns a function that applies f to an L, and returns an R unchanged.
func MapLeft[Lin, R, Lout any](f func(Lin) Lout) func(either mo.Either[Lin, R]) mo.Either[Lout, R] {
	return FlatMapLeft(func(l Lin) mo.Either[Lout, R] { return mo.Left[Lout, R](f(l)) })
}

// MapRight returns a function that applies f to an R, and returns an L unchanged.
func MapRight[L, Rin, Rout any](f func(Rin) Rout) func(either mo.Either[L, Rin]) mo.Either[L, Rout] {
	return FlatMapRight(func(r Rin) mo.Either[L, Rout] { return mo.Right[L](f(r)) })
}

// FlatMapLeft returns a function that returns f's result for an L, and returns an R unchanged.
func FlatMapLeft[Lin, R, Lout any](f func(Lin) mo.Either[Lout, R]) func(either mo.Either[Lin, R]) mo.Either[Lout, R] {
	return func(either mo.Either[Lin, R]) mo.Either[Lout, R] {
		if l, ok := either.Left(); ok {
			return f(l)
		}
		return mo.Right[Lout](either.MustRight())
	}
}

// FlatMapRight returns a function that returns f's result for an R, and returns an L unchanged.
func FlatMapRight[L, Rin, Rout any](f func(Rin) mo.Either[L, Rout]) func(either mo.Either[L, Rin]) mo.Either[L, Rout] {
	return func(either mo.Either[L, Rin]) mo.Either[L, Rout] {
		if r, ok := either.Right(); ok {
			return f(r)
		}
		return mo.Left[L, Rout](either.MustLeft())
	}
}

// Match returns a function that applies onLeft to an L or onRight to an R.
func Match[Lin, Rin, Lout, Rout any](onLeft func(Lin) Lout, onRight func(Rin) Rout) func(either mo.Either[Lin, Rin]) mo.Either[Lout, Rout] {
	return func(either mo.Either[Lin, Rin]) mo.Either[Lout, Rout] {
		if l, ok := either.Left(); ok {
			return mo.Left[Lout, Rout](onLeft(l))
		}
		return mo.Right[Lout](onRight(either.MustRight()))
	}
}

// Swap returns a function that exchanges the types of an Either; see [mo.Either.Swap].
func Swap[I, O any]() func(either mo.Either[I, O]) mo.Either[O, I] {
	return func(either mo.Either[I, O]) mo.Either[O, I] { return either.Swap() }
}
