package mo

// Foldable is the type of [Fold]'s argument: an Either, an Option or a Result. For an Option or a
// Result, T is error.
type Foldable[T, U any] interface {
	leftValue() T
	rightValue() U
	hasLeftValue() bool
}

// Fold returns the result of successFunc for f's value, or the result of failureFunc for f's L or
// error. For an Option that is None, the error has a fixed message.
func Fold[T, U, R any](f Foldable[T, U], successFunc func(U) R, failureFunc func(T) R) R {
	if f.hasLeftValue() {
		return failureFunc(f.leftValue())
	}
	return successFunc(f.rightValue())
}
