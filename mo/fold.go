package mo

// Foldable is what [Fold] takes apart: an Either, or an Option or a Result,
// whose failure is an error.
type Foldable[T, U any] interface {
	leftValue() T
	rightValue() U
	hasLeftValue() bool
}

// Fold returns what successFunc makes of f's success, or failureFunc of its
// failure. An Option fails with an error that says that there is no element.
func Fold[T, U, R any](f Foldable[T, U], successFunc func(U) R, failureFunc func(T) R) R {
	if f.hasLeftValue() {
		return failureFunc(f.leftValue())
	}
	return successFunc(f.rightValue())
}
