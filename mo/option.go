package mo

import (
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"reflect"
)

// Option holds a T (Some), or nothing (None). The zero value is None.
//
// If a program converts an Option[T] to an interface, the compiler compiles all methods of Option[T],
// and all methods of the types in their signatures. So no method of Option returns a Result or an
// Either.
type Option[T any] struct {
	isPresent bool
	value     T
}

var errAbsent = errors.New("no such element")

// Some returns an Option that holds value.
func Some[T any](value T) Option[T] { return Option[T]{isPresent: true, value: value} }

// None returns an Option that holds nothing.
func None[T any]() Option[T] { return Option[T]{} }

// TupleToOption returns Some(value) if ok is true, and None otherwise.
func TupleToOption[T any](value T, ok bool) Option[T] {
	if ok {
		return Some(value)
	}
	return None[T]()
}

// EmptyableToOption returns None if value is T's zero value, and Some(value) otherwise.
func EmptyableToOption[T any](value T) Option[T] {
	if reflect.ValueOf(&value).Elem().IsZero() {
		return None[T]()
	}
	return Some(value)
}

// PointerToOption returns Some of a copy of *value, or None if value is nil.
func PointerToOption[T any](value *T) Option[T] {
	if value == nil {
		return None[T]()
	}
	return Some(*value)
}

// ResultToOption returns Some with the value of r, or None if r holds an error.
func ResultToOption[T any](r Result[T]) Option[T] { return TupleToOption(r.value, !r.isErr) }

// IsPresent reports whether the Option holds a value.
func (o Option[T]) IsPresent() bool { return o.isPresent }

// IsSome reports whether the Option holds a value, like IsPresent.
func (o Option[T]) IsSome() bool { return o.isPresent }

// IsAbsent reports whether the Option holds nothing.
func (o Option[T]) IsAbsent() bool { return !o.isPresent }

// IsNone reports whether the Option holds nothing, like IsAbsent.
func (o Option[T]) IsNone() bool { return !o.isPresent }

// IsZero reports whether the Option is None or holds a zero value. A nil value is zero. For other
// values it calls the value's method IsZero() bool, or if there is none, compares with T's zero
// value. encoding/json calls IsZero for a field with the tag option "omitzero", which therefore
// omits Some(0); to avoid this, use [Nullable]. Values other than scalars may be copied to the
// heap.
func (o Option[T]) IsZero() bool {
	if !o.isPresent {
		return true
	}
	switch v := any(&o.value).(type) {
	case *bool:
		return !*v
	case *int:
		return *v == 0
	case *int64:
		return *v == 0
	case *uint64:
		return *v == 0
	case *string:
		return *v == ""
	}
	return isZero(o.value)
}

//go:noinline
func isZero(value any) bool {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return true
	}
	if z, ok := value.(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// Size returns 1 if the Option holds a value, and 0 otherwise.
func (o Option[T]) Size() int {
	if o.isPresent {
		return 1
	}
	return 0
}

// Get returns the value and true. Without a value, it returns T's zero value and false.
func (o Option[T]) Get() (T, bool) { return o.OrEmpty(), o.isPresent }

// MustGet returns the value. It panics if there is none.
func (o Option[T]) MustGet() T {
	if !o.isPresent {
		panic(errAbsent)
	}
	return o.value
}

// OrElse returns the value, or fallback if there is none.
func (o Option[T]) OrElse(fallback T) T {
	if !o.isPresent {
		return fallback
	}
	return o.value
}

// OrElseGet returns the value. If there is none, it calls fallback and returns the result.
func (o Option[T]) OrElseGet(fallback func() T) T {
	if !o.isPresent {
		return fallback()
	}
	return o.value
}

// OrEmpty returns the value, or T's zero value if there is none.
func (o Option[T]) OrEmpty() (value T) {
	if o.isPresent {
		value = o.value
	}
	return value
}

// Or returns o if it holds a value, and other otherwise.
func (o Option[T]) Or(other Option[T]) Option[T] {
	if o.isPresent {
		return o
	}
	return other
}

// Filter returns o if it holds a value for which keep returns true, and None otherwise.
func (o Option[T]) Filter(keep func(value T) bool) Option[T] {
	if o.isPresent && keep(o.value) {
		return o
	}
	return None[T]()
}

// ToPointer returns a pointer to a copy of the value, or nil if there is none. It allocates the
// copy.
func (o Option[T]) ToPointer() *T {
	if !o.isPresent {
		return nil
	}
	value := o.value
	return &value
}

// All returns a sequence that yields the value, if there is one.
func (o Option[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		if o.isPresent {
			yield(o.value)
		}
	}
}

// ForEach calls onValue with the value, if there is one.
func (o Option[T]) ForEach(onValue func(value T)) {
	if o.isPresent {
		onValue(o.value)
	}
}

// Match returns the result of onValue for the value, or the result of onNone if there is none.
func (o Option[T]) Match(onValue func(value T) (T, bool), onNone func() (T, bool)) Option[T] {
	if o.isPresent {
		return TupleToOption(onValue(o.value))
	}
	return TupleToOption(onNone())
}

// Map returns the result of mapper for the value, or None if there is none. To map to another type
// use option.Map.
func (o Option[T]) Map(mapper func(value T) (T, bool)) Option[T] {
	if o.isPresent {
		return TupleToOption(mapper(o.value))
	}
	return None[T]()
}

// MapValue returns Some with the result of mapper for the value, or None if there is none.
func (o Option[T]) MapValue(mapper func(value T) T) Option[T] {
	if o.isPresent {
		return Some(mapper(o.value))
	}
	return None[T]()
}

// MapNone returns o if it holds a value, and otherwise the result of mapper.
func (o Option[T]) MapNone(mapper func() (T, bool)) Option[T] {
	if o.isPresent {
		return o
	}
	return TupleToOption(mapper())
}

// FlatMap returns the result of mapper for the value, or None if there is none.
func (o Option[T]) FlatMap(mapper func(value T) Option[T]) Option[T] {
	if o.isPresent {
		return mapper(o.value)
	}
	return None[T]()
}

// Equal reports whether both Options are None, or both hold equal values. It compares values with
// T's method Equal(T) bool if there is one, with == if T is comparable and contains no pointers,
// and otherwise with reflect.DeepEqual. It allocates nothing for ==. For the method and for
// reflect.DeepEqual it copies the values to the heap.
func (o Option[T]) Equal(other Option[T]) bool {
	if !o.isPresent || !other.isPresent {
		return o.isPresent == other.isPresent
	}
	return equal(&o.value, &other.value)
}

// String returns "Some(value)", with the value formatted by %v, or "None". It allocates the string,
// and package fmt allocates.
func (o Option[T]) String() string {
	if !o.isPresent {
		return "None"
	}
	return fmt.Sprintf("Some(%v)", o.value)
}

// LogValue implements slog.LogValuer. It returns the value, or nil if there is none, so that logs
// contain the value itself. Converting the value to an interface allocates, except for small
// integers.
func (o Option[T]) LogValue() slog.Value {
	if !o.isPresent {
		return slog.AnyValue(nil)
	}
	return slog.AnyValue(o.value)
}

func (o Option[T]) hasLeftValue() bool { return !o.isPresent }

func (o Option[T]) leftValue() error { return errAbsent }

func (o Option[T]) rightValue() T { return o.value }
