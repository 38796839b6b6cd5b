package mo

// Foldable is the argument of [Fold]: an Either, or an Option or a Result,
// whose failure is an error.
type Foldable[T, U any] interface {
	leftValue() T
	rightValue() U
	hasLeftValue() bool
}

// Fold returns the result of successFunc for f's success, or failureFunc of its
// failure. The failure of an Option is an error: it has no element.
func Fold[T, U, R any](f Foldable[T, U], successFunc func(U) R, failureFunc func(T) R) R {
	if f.hasLeftValue() {
		return failureFunc(f.leftValue())
	}
	return successFunc(f.rightValue())
}
