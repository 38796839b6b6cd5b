package mo

import "errors"

// Either holds an L (Left) or an R (Right). The zero value is Right with R's zero value.
type Either[L any, R any] struct {
	isLeft bool

	left  L
	right R
}

var (
	errNoLeft  = errors.New("no such Left value")
	errNoRight = errors.New("no such Right value")
)

// Left returns an Either that holds value as its L.
func Left[L any, R any](value L) Either[L, R] { return Either[L, R]{isLeft: true, left: value} }

// Right returns an Either that holds value as its R.
func Right[L any, R any](value R) Either[L, R] { return Either[L, R]{right: value} }

// IsLeft reports whether the Either holds an L.
func (e Either[L, R]) IsLeft() bool { return e.isLeft }

// IsRight reports whether the Either holds an R.
func (e Either[L, R]) IsRight() bool { return !e.isLeft }

// Left returns the L and true. If e holds an R, it returns L's zero value and false.
func (e Either[L, R]) Left() (L, bool) { return e.left, e.isLeft }

// Right returns the R and true. If e holds an L, it returns R's zero value and false.
func (e Either[L, R]) Right() (R, bool) { return e.right, !e.isLeft }

// MustLeft returns the L. It panics if e holds an R.
func (e Either[L, R]) MustLeft() L {
	if !e.isLeft {
		panic(errNoLeft)
	}
	return e.left
}

// MustRight returns the R. It panics if e holds an L.
func (e Either[L, R]) MustRight() R {
	if e.isLeft {
		panic(errNoRight)
	}
	return e.right
}

// LeftOrElse returns the L, or fallback if e holds an R.
func (e Either[L, R]) LeftOrElse(fallback L) L {
	if e.isLeft {
		return e.left
	}
	return fallback
}

// RightOrElse returns the R, or fallback if e holds an L.
func (e Either[L, R]) RightOrElse(fallback R) R {
	if e.isLeft {
		return fallback
	}
	return e.right
}

// LeftOrEmpty returns the L, or L's zero value if e holds an R.
func (e Either[L, R]) LeftOrEmpty() L { return e.left }

// RightOrEmpty returns the R, or R's zero value if e holds an L.
func (e Either[L, R]) RightOrEmpty() R { return e.right }

// Unpack returns the L and the R. The one that e does not hold is a zero value.
func (e Either[L, R]) Unpack() (L, R) { return e.left, e.right }

// Swap returns an Either with L and R exchanged.
func (e Either[L, R]) Swap() Either[R, L] {
	return Either[R, L]{isLeft: !e.isLeft, left: e.right, right: e.left}
}

// ForEach calls leftCb with the L or rightCb with the R, depending on which one e holds.
func (e Either[L, R]) ForEach(leftCb func(L), rightCb func(R)) {
	if e.isLeft {
		leftCb(e.left)
	} else {
		rightCb(e.right)
	}
}

// Match returns the result of onLeft for the L or of onRight for the R, depending on which one e
// holds.
func (e Either[L, R]) Match(onLeft func(L) Either[L, R], onRight func(R) Either[L, R]) Either[L, R] {
	if e.isLeft {
		return onLeft(e.left)
	}
	return onRight(e.right)
}

// MapLeft returns the result of mapper for the L. If e holds an R, it returns e.
func (e Either[L, R]) MapLeft(mapper func(L) Either[L, R]) Either[L, R] {
	if e.isLeft {
		return mapper(e.left)
	}
	return e
}

// MapRight returns the result of mapper for the R. If e holds an L, it returns e.
func (e Either[L, R]) MapRight(mapper func(R) Either[L, R]) Either[L, R] {
	if e.isLeft {
		return e
	}
	return mapper(e.right)
}

func (e Either[L, R]) hasLeftValue() bool { return e.isLeft }

func (e Either[L, R]) leftValue() L { return e.left }

func (e Either[L, R]) rightValue() R { return e.right }
