package mo

// Foldable is the argument of [Fold]: an Either, an Option or a Result. The failure of an
// Option or a Result is an error.
type Foldable[T, U any] interface {
	leftValue() T
	rightValue() U
	hasLeftValue() bool
}

// Fold returns the result of successFunc for f's value, or the result of failureFunc for f's
// failure. The failure of an Option that is None is an error with a fixed text.
func Fold[T, U, R any](f Foldable[T, U], successFunc func(U) R, failureFunc func(T) R) R {
	if f.hasLeftValue() {
		return failureFunc(f.leftValue())
	}
	return successFunc(f.rightValue())
}
