package pgx

import "github.com/hone-go/hone/mo"

// option is the container mo.Option. None stands for NULL.
type option[T any] struct{}

func (option[T]) get(o mo.Option[T]) (T, bool, error) { v, ok := o.Get(); return v, ok, nil }
func (option[T]) null() (mo.Option[T], bool)          { return mo.None[T](), true }
func (option[T]) scanned(v T, err error) (mo.Option[T], error) {
	return mo.Some(v), err
}

// nullable is the container mo.Nullable. NULL is scanned as null. As a parameter, null and absent are NULL.
type nullable[T any] struct{}

func (nullable[T]) get(n mo.Nullable[T]) (T, bool, error) { v, ok := n.Get(); return v, ok, nil }
func (nullable[T]) null() (mo.Nullable[T], bool)          { return mo.Null[T](), true }
func (nullable[T]) scanned(v T, err error) (mo.Nullable[T], error) {
	return mo.Value(v), err
}

// result is the container mo.Result. An error of a scan becomes the error of the Result. A Result with an error
// as a parameter is an error of the statement.
type result[T any] struct{}

func (result[T]) get(r mo.Result[T]) (T, bool, error) { v, err := r.Get(); return v, err == nil, err }
func (result[T]) null() (r mo.Result[T], ok bool)     { return r, false }
func (result[T]) scanned(v T, err error) (mo.Result[T], error) {
	return mo.TupleToResult(v, err), nil
}
