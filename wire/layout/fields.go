package layout

import (
	"reflect"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/internal/program"
)

// Field lays out *p, which lies in the prototype, as t.
func Field[T any](l *Fields, p *T, t Type[T]) {
	l.add(reflect.TypeFor[T](), address(p), t.spec, t.err)
}

// Property lays out what has no address in the prototype, by a getter and a
// setter. Decoding hands the setter a value that is its own.
func Property[T, V any](l *Fields, prototype *T, get func(*T) V, set func(*T, V), t Type[V]) {
	if get == nil || set == nil {
		l.fail(reflect.TypeFor[V](), "", "a property needs a getter and a setter")
		return
	}
	s := program.PropertyOf(get, set, t.spec)
	off := address(prototype) - l.base
	switch {
	case address(prototype) < l.base || off > l.size || s.Size > l.size-off:
		l.fail(s.Type, "", "the property is not one of the prototype's")
	case t.err != "":
		l.fail(reflect.TypeFor[V](), "", "%s", t.err)
	case t.spec == nil:
		l.fail(reflect.TypeFor[V](), "", "the zero Type lays out nothing")
	default:
		l.fields = append(l.fields, program.Field{Name: "()", Off: off, Spec: s})
	}
}

// Bool lays out a bool: a byte, 0 or 1.
func Bool[T ~bool](l *Fields, p *T) { Field(l, p, As[T](BoolType)) }

// Int8 lays out an int8: a byte.
func Int8[T ~int8](l *Fields, p *T) { Field(l, p, As[T](Int8Type)) }

// Uint8 lays out a uint8: a byte.
func Uint8[T ~uint8](l *Fields, p *T) { Field(l, p, As[T](Uint8Type)) }

// Int16 lays out an int16: 2 bytes.
func Int16[T ~int16](l *Fields, p *T, o Order) { Field(l, p, As[T](Int16Type(o))) }

// Uint16 lays out a uint16: 2 bytes.
func Uint16[T ~uint16](l *Fields, p *T, o Order) { Field(l, p, As[T](Uint16Type(o))) }

// Int32 lays out an int32: 4 bytes.
func Int32[T ~int32](l *Fields, p *T, o Order) { Field(l, p, As[T](Int32Type(o))) }

// Uint32 lays out a uint32: 4 bytes.
func Uint32[T ~uint32](l *Fields, p *T, o Order) { Field(l, p, As[T](Uint32Type(o))) }

// Int64 lays out an int64: 8 bytes.
func Int64[T ~int64](l *Fields, p *T, o Order) { Field(l, p, As[T](Int64Type(o))) }

// Uint64 lays out a uint64: 8 bytes.
func Uint64[T ~uint64](l *Fields, p *T, o Order) { Field(l, p, As[T](Uint64Type(o))) }

// Int lays out an int: 8 bytes on every platform.
func Int[T ~int](l *Fields, p *T, o Order) { Field(l, p, As[T](IntType(o))) }

// Uint lays out a uint: 8 bytes on every platform.
func Uint[T ~uint](l *Fields, p *T, o Order) { Field(l, p, As[T](UintType(o))) }

// Float32 lays out a float32: the 4 bytes of its IEEE 754 form.
func Float32[T ~float32](l *Fields, p *T, o Order) { Field(l, p, As[T](Float32Type(o))) }

// Float64 lays out a float64: the 8 bytes of its IEEE 754 form.
func Float64[T ~float64](l *Fields, p *T, o Order) { Field(l, p, As[T](Float64Type(o))) }

// String lays out a string of up to as many bytes as n can say.
func String[T ~string](l *Fields, p *T, n Len) { Field(l, p, As[T](StringType(n))) }

// SmallVarchar lays out a string of up to 255 bytes, behind a byte.
func SmallVarchar[T ~string](l *Fields, p *T) { String(l, p, LenU8) }

// Varchar lays out a string of up to 65,535 bytes, behind two.
func Varchar[T ~string](l *Fields, p *T) { String(l, p, LenU16LE) }

// VarcharOrder is [Varchar] with the order of the two bytes.
func VarcharOrder[T ~string](l *Fields, p *T, o Order) { String(l, p, o.of(LenU16LE)) }

// Text lays out a string behind a length of 4 bytes.
func Text[T ~string](l *Fields, p *T, o Order) { String(l, p, o.of(LenU32LE)) }

// LongText lays out a string behind a length of 8 bytes.
func LongText[T ~string](l *Fields, p *T, o Order) { String(l, p, o.of(LenU64LE)) }

// Blob lays out bytes behind a length. Empty and nil ones read back empty.
func Blob[T ~[]byte](l *Fields, p *T, n Len) { Field(l, p, As[T](BlobType(n))) }

// TimeUTC is [TimeUTCType] as a field.
func TimeUTC(l *Fields, p *time.Time) { Field(l, p, TimeUTCType) }

// TimeLocation is [TimeLocationType] as a field.
func TimeLocation(l *Fields, p *time.Time) { Field(l, p, TimeLocationType) }

// Optional lays out what a pointer may point to: a bool, and if it is set the
// value.
func Optional[T any](l *Fields, p **T, t Type[T]) { Field(l, p, OptionalType(t)) }

// Option lays out an [mo.Option] as Optional does a pointer.
func Option[T any](l *Fields, p *mo.Option[T], t Type[T]) { Field(l, p, OptionType(t)) }

// Slice lays out a slice: its length, and its elements. Empty and nil ones read
// back empty.
func Slice[S ~[]E, E any](l *Fields, p *S, n Len, elem Type[E]) {
	Field(l, p, As[S](SliceType(n, elem)))
}

// Array lays out the elements of an array, and nothing else; it is handed over
// as a slice of the whole array in the prototype, as in
//
//	wire.Array(l, u.Flags[:], layout.BoolType)
func Array[E any](l *Fields, array []E, elem Type[E]) {
	t := reflect.TypeFor[E]()
	if len(array) == 0 {
		return
	}
	s := &program.Spec{Form: program.FormArray, Type: reflect.ArrayOf(len(array), t), Elem: elem.spec, Count: len(array), Size: uintptr(len(array)) * t.Size()}
	err := elem.err
	if elem.spec == nil && err == "" {
		err = "the zero Type lays out nothing"
	}
	l.add(s.Type, address(&array[0]), s, err)
}

// List lays out a slice of always n elements, without a length. Encoding another
// number of them is an error that wraps [ErrCount].
func List[S ~[]E, E any](l *Fields, p *S, n int, elem Type[E]) { Field(l, p, As[S](ListType(n, elem))) }

// Map lays out a map: the number of its entries, and each one's key and element
// in any order. Empty and nil ones read back empty.
func Map[M ~map[K]E, K comparable, E any](l *Fields, p *M, n Len, key Type[K], elem Type[E]) {
	Field(l, p, As[M](MapType(n, key, elem)))
}

// Struct lays out a part of the prototype by a codec of its own: another layout,
// or a derived one.
func Struct[T any](l *Fields, p *T, c *wire.Codec[T]) { Field(l, p, StructType(c)) }
