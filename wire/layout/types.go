package layout

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A Type is an encoding of a T.
type Type[T any] struct{ part }

// A part is a Type without its type parameter.
type part struct {
	spec *spec.Spec
	err  string // the reason why there is no spec, or ""
}

// fault returns the reason why p is not a valid type, or "".
func (p part) fault() string {
	if p.spec == nil && p.err == "" {
		return "the zero Type lays out nothing; use a type of package layout, such as Uint8"
	}
	return p.err
}

// made returns the Type with the spec s. parts are its element types.
func made[T any](s spec.Spec, parts ...part) Type[T] {
	for _, p := range parts {
		if fault := p.fault(); fault != "" {
			return refused[T]("%s", fault)
		}
	}
	if !s.Len.Valid() {
		return refused[T]("%d is not a valid Len; use LenU8 to LenI64BE, or LenVarint", s.Len)
	}
	s.Type = reflect.TypeFor[T]()
	s.Size = s.Type.Size()
	return Type[T]{part{spec: &s}}
}

// refused returns an invalid type, with the reason.
func refused[T any](format string, args ...any) Type[T] {
	return Type[T]{part{err: fmt.Sprintf(format, args...)}}
}

// The types without a byte order and without a choice of length.
var (
	Bool  = made[bool](spec.Spec{Form: spec.FormBool}) // a byte, 0 or 1
	Int8  = made[int8](spec.Spec{Form: spec.FormByte, Width: 1, Signed: true})
	Uint8 = made[uint8](spec.Spec{Form: spec.FormByte, Width: 1})

	SmallVarchar = String(LenU8)    // up to 255 bytes, after a length of one byte
	Varchar      = String(LenU16LE) // up to 65,535 bytes, after a length of two bytes

	// TimeUTC is 64-bit Unix nanoseconds, little-endian. A time is decoded in UTC. Only the years
	// 1678 to 2261 and the zero time have an encoding.
	TimeUTC = made[time.Time](spec.Spec{Form: spec.FormTimeUTC})

	// TimeLocation is TimeUTC, a flag, and a SmallVarchar with the name of the location. If the
	// zone is not in the time zone database, its offset follows its name, as in "X-01:02".
	TimeLocation = made[time.Time](spec.Spec{Form: spec.FormTimeZone})
)

// An Order is a byte order.
type Order uint8

// The byte orders: the least significant byte comes first, or last.
const (
	LE Order = iota
	BE
)

// number returns a type of a number with width bytes.
func number[T any](o Order, width uint8, signed, float bool) Type[T] {
	if o > BE {
		return refused[T]("%d is not a valid Order", o)
	}
	return made[T](spec.Spec{Form: spec.FormFixed, Width: width, Signed: signed, Float: float, Big: o == BE})
}

// Int16 is 2 bytes.
func Int16(o Order) Type[int16] { return number[int16](o, 2, true, false) }

// Uint16 is 2 bytes.
func Uint16(o Order) Type[uint16] { return number[uint16](o, 2, false, false) }

// Int32 is 4 bytes.
func Int32(o Order) Type[int32] { return number[int32](o, 4, true, false) }

// Uint32 is 4 bytes.
func Uint32(o Order) Type[uint32] { return number[uint32](o, 4, false, false) }

// Int64 is 8 bytes.
func Int64(o Order) Type[int64] { return number[int64](o, 8, true, false) }

// Uint64 is 8 bytes.
func Uint64(o Order) Type[uint64] { return number[uint64](o, 8, false, false) }

// Int is 8 bytes on every platform.
func Int(o Order) Type[int] { return number[int](o, 8, true, false) }

// Uint is 8 bytes on every platform.
func Uint(o Order) Type[uint] { return number[uint](o, 8, false, false) }

// Float32 is the 4 bytes of the IEEE 754 form.
func Float32(o Order) Type[float32] { return number[float32](o, 4, true, true) }

// Float64 is the 8 bytes of the IEEE 754 form.
func Float64(o Order) Type[float64] { return number[float64](o, 8, true, true) }

// String is a length in bytes, and the bytes.
func String(n Len) Type[string] {
	return made[string](spec.Spec{Form: spec.FormText, Len: n})
}

// Blob is a length and as many bytes. A nil slice is decoded as an empty one.
func Blob(n Len) Type[[]byte] {
	return made[[]byte](spec.Spec{Form: spec.FormBytes, Len: n, Empty: true})
}

// Optional is a pointer: a bool and, if it is true, the target as t.
func Optional[T any](t Type[T]) Type[*T] {
	return made[*T](spec.Spec{Form: spec.FormPointer, Elem: t.spec}, t.part)
}

// Option is like [Optional], for an [mo.Option].
func Option[T any](t Type[T]) Type[mo.Option[T]] {
	s := shape.For[mo.Option[T]]()
	return made[mo.Option[T]](spec.Spec{Form: spec.FormOption, Elem: t.spec, Value: s.Value - s.Present}, t.part)
}

// Slice is a length and as many elements. A nil slice is decoded as an empty one.
func Slice[E any](n Len, elem Type[E]) Type[[]E] {
	return made[[]E](spec.Spec{Form: spec.FormSlice, Elem: elem.spec, Len: n, Empty: true}, elem.part)
}

// List is a slice of exactly n elements, without a length. To encode a slice with a different
// number of elements is an error that wraps [ErrCount].
func List[E any](n int, elem Type[E]) Type[[]E] {
	if n < 0 || n > math.MaxInt32 {
		return refused[[]E]("cannot have %d elements", n)
	}
	return made[[]E](spec.Spec{Form: spec.FormList, Elem: elem.spec, Count: n, Empty: true}, elem.part)
}

// Array is the elements of an array A, without a length, as in
//
//	layout.Field(l, &u.Flags, layout.Array[[5]bool](layout.Bool))
func Array[A, E any](elem Type[E]) Type[A] {
	a, e := reflect.TypeFor[A](), reflect.TypeFor[E]()
	if a.Kind() != reflect.Array || a.Elem() != e {
		return refused[A]("%v is not an array of %v", a, e)
	}
	return made[A](spec.Spec{Form: spec.FormArray, Elem: elem.spec, Count: a.Len()}, elem.part)
}

// Map is the number of entries, and the key and the element of each, in any order. A nil map is
// decoded as an empty one.
func Map[K comparable, E any](n Len, key Type[K], elem Type[E]) Type[map[K]E] {
	return made[map[K]E](spec.Spec{Form: spec.FormMap, Key: key.spec, Elem: elem.spec, Len: n, Empty: true}, key.part, elem.part)
}

// Struct is the encoding of a T by c, which is another layout or a derived codec.
func Struct[T any](c *wire.Codec[T]) Type[T] {
	if c == nil {
		return refused[T]("the codec is nil; make it with New or wire.For")
	}
	return Type[T]{part{spec: runnerOf(c).Root}}
}

func runnerOf[T any](c *wire.Codec[T]) *program.Runner { return (*program.Codec[T])(c).Runner() }

// As converts t to a Type of N, which must have the same underlying type as T.
func As[N, T any](t Type[T]) Type[N] {
	n, from := reflect.TypeFor[N](), reflect.TypeFor[T]()
	switch {
	case t.spec == nil || n == from:
		return Type[N](t)
	case n.Kind() != from.Kind() || !from.ConvertibleTo(n) || !sameUnderlying(n, from):
		return refused[N]("%v does not have the underlying type of %v", n, from)
	}
	s := *t.spec
	s.Type = n
	return Type[N]{part{spec: &s}}
}

// sameUnderlying reports whether two types of the same kind have the same underlying type.
func sameUnderlying(a, b reflect.Type) bool {
	switch a.Kind() {
	case reflect.Slice, reflect.Pointer:
		return a.Elem() == b.Elem()
	case reflect.Array:
		return a.Elem() == b.Elem() && a.Len() == b.Len()
	case reflect.Map:
		return a.Elem() == b.Elem() && a.Key() == b.Key()
	case reflect.Struct:
		return a.NumField() == b.NumField() && a.Size() == b.Size() // convertible structs have the same fields
	}
	return true
}
