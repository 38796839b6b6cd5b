//go:build go1.27

package mo

// MapLeftTo returns Left with the result of mapper for the L. If e holds an R, the Either holds the
// same R. It is the method for either.MapLeft. It allocates nothing.
func (e Either[L, R]) MapLeftTo[M any](mapper func(L) M) Either[M, R] {
	if e.isLeft {
		return Left[M, R](mapper(e.left))
	}
	return Right[M](e.right)
}

// MapRightTo returns Right with the result of mapper for the R. If e holds an L, the Either holds
// the same L. It is the method for either.MapRight. It allocates nothing.
func (e Either[L, R]) MapRightTo[S any](mapper func(R) S) Either[L, S] {
	if e.isLeft {
		return Left[L, S](e.left)
	}
	return Right[L](mapper(e.right))
}

// FlatMapLeftTo returns the result of mapper for the L. If e holds an R, the Either holds the same
// R. It is the method for either.FlatMapLeft. It allocates nothing.
func (e Either[L, R]) FlatMapLeftTo[M any](mapper func(L) Either[M, R]) Either[M, R] {
	if e.isLeft {
		return mapper(e.left)
	}
	return Right[M](e.right)
}

// FlatMapRightTo returns the result of mapper for the R. If e holds an L, the Either holds the same
// L. It is the method for either.FlatMapRight. It allocates nothing.
func (e Either[L, R]) FlatMapRightTo[S any](mapper func(R) Either[L, S]) Either[L, S] {
	if e.isLeft {
		return Left[L, S](e.left)
	}
	return mapper(e.right)
}

// MatchTo returns Left with the result of onLeft for the L, or Right with the result of onRight for
// the R. It is the method for either.Match. It allocates nothing.
func (e Either[L, R]) MatchTo[M, S any](onLeft func(L) M, onRight func(R) S) Either[M, S] {
	if e.isLeft {
		return Left[M, S](onLeft(e.left))
	}
	return Right[M](onRight(e.right))
}

// FoldTo returns the result of onLeft for the L, or of onRight for the R. It is the method for
// [Fold], which takes the function for the R first. It allocates nothing.
func (e Either[L, R]) FoldTo[U any](onLeft func(L) U, onRight func(R) U) U {
	if e.isLeft {
		return onLeft(e.left)
	}
	return onRight(e.right)
}
