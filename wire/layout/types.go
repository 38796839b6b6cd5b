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
)

// A Type is one way to lay out a T. The functions named after a type lay out
// fields with it, as [Varchar] does with [VarcharType].
type Type[T any] struct {
	spec *program.Spec
	err  string // why there is none
}

// An Order is an order of bytes.
type Order uint8

// The orders: least significant byte first, or last.
const (
	LE Order = iota
	BE
)

// of returns the length of n's width with that order; n is little-endian.
func (o Order) of(n Len) Len {
	if o == BE {
		return n + 1
	}
	return n
}

func made[T any](s program.Spec) Type[T] {
	s.Type = reflect.TypeFor[T]()
	s.Size = s.Type.Size()
	return Type[T]{spec: &s}
}

func refused[T any](format string, args ...any) Type[T] {
	return Type[T]{err: fmt.Sprintf(format, args...)}
}

// The types without a byte order.
var (
	BoolType  = made[bool](program.Spec{Form: program.FormBool})
	Int8Type  = made[int8](program.Spec{Form: program.FormByte, Width: 1, Signed: true})
	Uint8Type = made[uint8](program.Spec{Form: program.FormByte, Width: 1})

	SmallVarcharType = StringType(LenU8)    // up to 255 bytes, behind one
	VarcharType      = StringType(LenU16LE) // up to 65,535 bytes, behind two

	// TimeUTCType is 64-bit Unix nanoseconds, little-endian; a time reads back in
	// UTC. Only years 1678 to 2261 can be written, and the zero time.
	TimeUTCType = made[time.Time](program.Spec{Form: program.FormTimeUTC})

	// TimeLocationType is that, and a flagged SmallVarchar with the name of the
	// location. A zone that is not in the time zone database has its offset
	// behind its name, as in "X-01:02".
	TimeLocationType = made[time.Time](program.Spec{Form: program.FormTimeZone})
)

func number[T any](o Order, width uint8, signed, float bool) Type[T] {
	if o > BE {
		return refused[T]("there is no byte order %d", o)
	}
	return made[T](program.Spec{Form: program.FormFixed, Width: width, Signed: signed, Float: float, Big: o == BE})
}

// Int16Type is 2 bytes.
func Int16Type(o Order) Type[int16] { return number[int16](o, 2, true, false) }

// Uint16Type is 2 bytes.
func Uint16Type(o Order) Type[uint16] { return number[uint16](o, 2, false, false) }

// Int32Type is 4 bytes.
func Int32Type(o Order) Type[int32] { return number[int32](o, 4, true, false) }

// Uint32Type is 4 bytes.
func Uint32Type(o Order) Type[uint32] { return number[uint32](o, 4, false, false) }

// Int64Type is 8 bytes.
func Int64Type(o Order) Type[int64] { return number[int64](o, 8, true, false) }

// Uint64Type is 8 bytes.
func Uint64Type(o Order) Type[uint64] { return number[uint64](o, 8, false, false) }

// IntType is 8 bytes on every platform.
func IntType(o Order) Type[int] { return number[int](o, 8, true, false) }

// UintType is 8 bytes on every platform.
func UintType(o Order) Type[uint] { return number[uint](o, 8, false, false) }

// Float32Type is the 4 bytes of the IEEE 754 form.
func Float32Type(o Order) Type[float32] { return number[float32](o, 4, true, true) }

// Float64Type is the 8 bytes of the IEEE 754 form.
func Float64Type(o Order) Type[float64] { return number[float64](o, 8, true, true) }

func noLen[T any](n Len) Type[T] { return refused[T]("there is no length %d", n) }

// StringType is a length in bytes, and those.
func StringType(n Len) Type[string] {
	if !n.Valid() {
		return noLen[string](n)
	}
	return made[string](program.Spec{Form: program.FormText, Len: n})
}

// VarcharOrderType is [VarcharType] with the order of its length.
func VarcharOrderType(o Order) Type[string] { return StringType(o.of(LenU16LE)) }

// TextType is a string behind a length of 4 bytes.
func TextType(o Order) Type[string] { return StringType(o.of(LenU32LE)) }

// LongTextType is a string behind a length of 8 bytes.
func LongTextType(o Order) Type[string] { return StringType(o.of(LenU64LE)) }

// BlobType is a length and that many bytes.
func BlobType(n Len) Type[[]byte] {
	if !n.Valid() {
		return noLen[[]byte](n)
	}
	return made[[]byte](program.Spec{Form: program.FormBytes, Len: n, Empty: true})
}

// OptionalType is a bool, and if it is set what t is; nil if it is not.
func OptionalType[T any](t Type[T]) Type[*T] {
	return wrap[*T](t.err, program.Spec{Form: program.FormPointer, Elem: t.spec}, t.spec)
}

// OptionType is [OptionalType] for an Option.
func OptionType[T any](t Type[T]) Type[mo.Option[T]] {
	s := shape.For[mo.Option[T]]()
	return wrap[mo.Option[T]](t.err, program.Spec{Form: program.FormOption, Elem: t.spec, Value: s.Value - s.Present}, t.spec)
}

// wrap makes a type of others, unless one of them has an error.
func wrap[T any](err string, s program.Spec, parts ...*program.Spec) Type[T] {
	if err != "" {
		return Type[T]{err: err}
	}
	for _, p := range parts {
		if p == nil {
			return refused[T]("the zero Type lays out nothing")
		}
	}
	if !s.Len.Valid() {
		return noLen[T](s.Len)
	}
	return made[T](s)
}

// SliceType is a length and that many elements.
func SliceType[E any](n Len, elem Type[E]) Type[[]E] {
	return wrap[[]E](elem.err, program.Spec{Form: program.FormSlice, Elem: elem.spec, Len: n, Empty: true}, elem.spec)
}

// ListType is always n elements.
func ListType[E any](n int, elem Type[E]) Type[[]E] {
	if n < 0 || n > math.MaxInt32 {
		return refused[[]E]("cannot have %d elements", n)
	}
	return wrap[[]E](elem.err, program.Spec{Form: program.FormList, Elem: elem.spec, Count: n, Empty: true}, elem.spec)
}

// ArrayType is the elements of an array, which elements returns the whole of, as
// in
//
//	layout.ArrayType(func(a *[5]bool) []bool { return a[:] }, layout.BoolType)
func ArrayType[A, E any](elements func(*A) []E, elem Type[E]) Type[A] {
	a, e := reflect.TypeFor[A](), reflect.TypeFor[E]()
	if a.Kind() != reflect.Array || a.Elem() != e {
		return refused[A]("%v is not an array of %v", a, e)
	}
	all := new(A)
	if s := elements(all); len(s) != a.Len() || len(s) > 0 && address(&s[0]) != address(all) {
		return refused[A]("the function does not return all of the %v", a)
	}
	return wrap[A](elem.err, program.Spec{Form: program.FormArray, Elem: elem.spec, Count: a.Len()}, elem.spec)
}

// MapType is the number of entries, and each one's key and element.
func MapType[K comparable, E any](n Len, key Type[K], elem Type[E]) Type[map[K]E] {
	err := key.err
	if err == "" {
		err = elem.err
	}
	return wrap[map[K]E](err, program.Spec{Form: program.FormMap, Key: key.spec, Elem: elem.spec, Len: n, Empty: true}, key.spec, elem.spec)
}

// StructType is what c, another layout or a derived codec, makes of a T.
func StructType[T any](c *wire.Codec[T]) Type[T] {
	if c == nil {
		return Type[T]{}
	}
	return Type[T]{spec: runnerOf(c).Root}
}

func runnerOf[T any](c *wire.Codec[T]) *program.Runner { return (*program.Codec[T])(c).Runner() }

// As is t for the type N, which has the same underlying type as T.
func As[N, T any](t Type[T]) Type[N] {
	n, from := reflect.TypeFor[N](), reflect.TypeFor[T]()
	switch {
	case t.spec == nil:
		return Type[N]{err: t.err}
	case n == from:
		return Type[N]{spec: t.spec}
	case n.Kind() != from.Kind() || !from.ConvertibleTo(n) || !sameUnderlying(n, from):
		return refused[N]("%v is not of the kind of %v", n, from)
	}
	s := *t.spec
	s.Type = n
	return Type[N]{spec: &s}
}

// sameUnderlying reports whether two types of one kind differ in their names
// only.
func sameUnderlying(a, b reflect.Type) bool {
	switch a.Kind() {
	case reflect.Slice, reflect.Pointer:
		return a.Elem() == b.Elem()
	case reflect.Array:
		return a.Elem() == b.Elem() && a.Len() == b.Len()
	case reflect.Map:
		return a.Elem() == b.Elem() && a.Key() == b.Key()
	case reflect.Struct:
		return a.NumField() == b.NumField() && a.Size() == b.Size() // convertible, so alike
	}
	return true
}
