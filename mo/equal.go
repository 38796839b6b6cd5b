package mo

import (
	"reflect"
	"sync/atomic"

	"github.com/hone-go/hone/internal/memory/mem"
)

// equal compares two values of one type; see [Option.Equal].
func equal[T any](a, b *T) bool {
	// Testing the two most common types here makes their cases 25 % faster.
	if x, ok := any(a).(*int); ok {
		return *x == *any(b).(*int)
	}
	if x, ok := any(a).(*string); ok {
		return *x == *any(b).(*string)
	}
	if same, basic := equalBasic(a, b); basic {
		return same
	}
	c := comparisonOf(reflect.TypeFor[T]())
	if c == byOperator {
		return any(*a) == any(*b)
	}
	return equalOther(c, *a, *b)
}

// equalBasic compares the values at two pointers of one type. basic is false, and the values are not
// compared, if their type is not one of the basic types below.
func equalBasic(a, b any) (same, basic bool) {
	switch x := a.(type) {
	case *bool:
		return *x == *b.(*bool), true
	case *int32:
		return *x == *b.(*int32), true
	case *int64:
		return *x == *b.(*int64), true
	case *uint8:
		return *x == *b.(*uint8), true
	case *uint32:
		return *x == *b.(*uint32), true
	case *uint64:
		return *x == *b.(*uint64), true
	case *float64:
		return *x == *b.(*float64), true
	}
	return false, false
}

// equalOther implements equal for the comparisons other than byOperator. It takes copies of the
// values, because a variable that is converted to an interface escapes to the heap, and equal must
// not allocate for scalars.
//
//go:noinline
func equalOther[T any](c comparison, a, b T) bool {
	switch c {
	case byMethod:
		return any(a).(interface{ Equal(T) bool }).Equal(b)
	case byPointerMethod:
		return any(&a).(interface{ Equal(T) bool }).Equal(b)
	}
	return reflect.DeepEqual(a, b)
}

// A comparison is a way to compare two values of one type.
type comparison uint8

const (
	byMethod        comparison = iota // the method Equal of the type
	byPointerMethod                   // the method Equal of a pointer to the type
	byOperator                        // the operator ==
	byDepth                           // reflect.DeepEqual
)

// comparisons caches how to compare the values of a type, indexed by a hash of the type's ID. Types
// with equal hashes replace each other, and are then examined again.
var comparisons [256]atomic.Pointer[knownComparison]

type knownComparison struct {
	id  uintptr
	how comparison
}

// comparisonOf returns the comparison for values of type t, from the cache if possible.
func comparisonOf(t reflect.Type) comparison {
	id := mem.TypeID(t)
	place := &comparisons[uint64(id)*0x9e3779b97f4a7c15>>56]
	known := place.Load()
	if known == nil || known.id != id {
		known = &knownComparison{id, compareBy(t)}
		place.Store(known)
	}
	return known.how
}

// compareBy implements comparisonOf without the cache.
func compareBy(t reflect.Type) comparison {
	switch {
	case t.Kind() == reflect.Interface:
		return byDepth
	case hasEqual(t, t):
		return byMethod
	case hasEqual(reflect.PointerTo(t), t):
		return byPointerMethod
	case flat(t):
		return byOperator
	}
	return byDepth
}

// hasEqual reports whether t has a method Equal(arg) bool.
func hasEqual(t, arg reflect.Type) bool {
	m, ok := t.MethodByName("Equal")
	return ok && m.Type.NumIn() == 2 && m.Type.In(1) == arg && m.Type.NumOut() == 1 && m.Type.Out(0).Kind() == reflect.Bool
}

// flat reports whether == and reflect.DeepEqual agree for values of type t, because the values
// contain no pointers.
func flat(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return k == reflect.String || k >= reflect.Bool && k <= reflect.Complex128
	}
}
