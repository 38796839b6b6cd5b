//go:build purego

package mem

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
)

// CastMaps reports whether [MapAt] works in this build.
const CastMaps = false

// RawWords reports whether, in this build, [Load] can read a part of a value as a number of the
// same size. Such a part is the pointer or the length of a string.
const RawWords = false

// A Pointer is the address of a Go value: a base value and an offset. The offset is resolved by a
// typed access, which knows the type to look for.
type Pointer struct {
	base reflect.Value // addressable, or a slice if seq is set
	off  uintptr
	seq  bool // off is an offset into the elements of base, a slice
}

// fields returns pointers to the unexported fields of a struct; see Open.
var fields func(pointer any) []any

// Open registers a function that gives access to unexported fields of structs of another package.
// f receives a pointer to a struct and returns pointers to its fields in order, or nil if f does
// not know the struct. Package mo calls Open once, from init.
func Open(f func(pointer any) []any) { fields = f }

func Of[T any](v *T) Pointer { return Pointer{base: reflect.ValueOf(v).Elem()} }

func OfPointer(v reflect.Value) Pointer {
	if v.IsNil() {
		return Pointer{}
	}
	return Pointer{base: v.Elem()}
}

func OfAny(v any) Pointer { return OfPointer(reflect.ValueOf(v)) }

func OfData(x any) Pointer { return copyOf(x) }

func AnyFloat(p *float64) any { return *p }

type AddressType struct{ typ reflect.Type }

func AddressTypeOf(t reflect.Type) AddressType { return AddressType{t} }

func (t AddressType) Any(a Pointer, off uintptr) any { return a.Addr(off, t.typ) }

type Dynamic struct{ in, typ reflect.Type }

func DynamicOf(in, t reflect.Type) Dynamic { return Dynamic{in, t} }

func (d *Dynamic) New() Pointer {
	t := d.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return Pointer{base: reflect.New(t).Elem()}
}

func (d *Dynamic) Set(a Pointer, off uintptr, v Pointer) {
	value := v.base
	if d.typ.Kind() == reflect.Pointer {
		value = value.Addr().Convert(d.typ)
	}
	a.Value(off, d.in).Set(value)
}

func OfWord(x *any) Pointer { return copyOf(*x) }

func copyOf(x any) Pointer {
	v := reflect.New(reflect.TypeOf(x)).Elem()
	v.Set(reflect.ValueOf(x))
	return Pointer{base: v}
}

func TypeID(t reflect.Type) uintptr { return reflect.ValueOf(t).Pointer() }

func (a Pointer) IsNil() bool { return !a.base.IsValid() }

func (a Pointer) Add(off uintptr) Pointer { a.off += off; return a }

// find returns the value at a+off for which the function match returns true. Several values may
// have this offset: a struct and its first field, or fields of size zero.
func (a Pointer) find(off uintptr, want string, match func(reflect.Value) bool) reflect.Value {
	v := reflect.Value{}
	if a.seq {
		v = search(element(a.base, &a.off, off), a.off, match)
	} else if a.base.IsValid() {
		v = search(a.base, a.off+off, match)
	}
	if !v.IsValid() {
		panic(fmt.Sprintf("mem: no %s at offset %d of %v", want, a.off+off, a.base))
	}
	return v
}

// element returns the element of v, a slice or an array, that contains the offset *at+off. It sets
// *at to the offset in the element.
func element(v reflect.Value, at *uintptr, off uintptr) reflect.Value {
	*at += off
	size := v.Type().Elem().Size()
	switch {
	case size == 0 && v.Len() > 0:
		return v.Index(0)
	case size > 0 && *at/size < uintptr(v.Len()):
		i := *at / size
		*at %= size
		return v.Index(int(i))
	}
	return reflect.Value{}
}

func search(v reflect.Value, off uintptr, is func(reflect.Value) bool) reflect.Value {
	if !v.IsValid() || off == 0 && is(v) {
		return v
	}
	switch v.Kind() {
	case reflect.Array:
		return search(element(v, &off, 0), off, is)
	case reflect.Struct:
		var open []any
		if fields != nil && v.CanAddr() && v.Addr().CanInterface() {
			open = fields(v.Addr().Interface())
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if off < f.Offset || off-f.Offset >= max(f.Type.Size(), 1) {
				continue
			}
			field := v.Field(i)
			if open != nil {
				field = reflect.ValueOf(open[i]).Elem()
			}
			if found := search(field, off-f.Offset, is); found.IsValid() {
				return found
			}
		}
	}
	return reflect.Value{}
}

func (a Pointer) kind(off uintptr, k reflect.Kind) reflect.Value {
	return a.find(off, k.String(), func(v reflect.Value) bool { return v.Kind() == k })
}

func (a Pointer) typed(off uintptr, t reflect.Type) reflect.Value {
	return a.find(off, t.String(), func(v reflect.Value) bool { return v.Type() == t })
}

func plainAt[T Plain](a Pointer, off uintptr) reflect.Value {
	t := reflect.TypeFor[T]()
	return a.find(off, t.String(), func(v reflect.Value) bool { return sameKind(v.Type(), t) })
}

// sameKind reports whether a and b have the same kind. int counts as int32 or
// int64, whichever has its size on this platform, and uint and uintptr count as uint32 or uint64.
func sameKind(a, b reflect.Type) bool {
	if a.Kind() == b.Kind() {
		return true
	}
	if a.Size() != b.Size() {
		return false
	}
	signed := func(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Int64 }
	unsigned := func(k reflect.Kind) bool { return k >= reflect.Uint && k <= reflect.Uintptr }
	return signed(a.Kind()) && signed(b.Kind()) || unsigned(a.Kind()) && unsigned(b.Kind())
}

func Load[T Plain](a Pointer, off uintptr) T {
	return plainAt[T](a, off).Convert(reflect.TypeFor[T]()).Interface().(T)
}

func Store[T Plain](a Pointer, off uintptr, x T) {
	v := plainAt[T](a, off)
	v.Set(reflect.ValueOf(x).Convert(v.Type()))
}

func isBytes(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8
}

func (a Pointer) Bytes(off uintptr) []byte { return a.find(off, "bytes", isBytes).Bytes() }

func (a Pointer) SetBytes(off uintptr, b []byte) { a.find(off, "bytes", isBytes).SetBytes(b) }

func (a Pointer) bytes(off uintptr, n int) reflect.Value {
	return a.find(off, "array of bytes", func(v reflect.Value) bool {
		return v.Kind() == reflect.Array && v.Len() == n && v.Type().Elem().Kind() == reflect.Uint8
	})
}

func (a Pointer) Array(off uintptr, n int) []byte {
	v := a.bytes(off, n)
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	return b
}

func (a Pointer) PutArray(off uintptr, b []byte) {
	v := a.bytes(off, len(b))
	for i, c := range b {
		v.Index(i).SetUint(uint64(c))
	}
}

func (a Pointer) Any(off uintptr) any { return a.kind(off, reflect.Interface).Interface() }

func (a Pointer) SetAny(off uintptr, x any) {
	if v := a.kind(off, reflect.Interface); x == nil {
		v.SetZero()
	} else {
		v.Set(reflect.ValueOf(x))
	}
}

func (a Pointer) Elem(off uintptr) Pointer { return OfPointer(a.kind(off, reflect.Pointer)) }

func (a Pointer) SetNil(off uintptr) {
	a.find(off, "pointer or map", func(v reflect.Value) bool {
		return v.Kind() == reflect.Pointer || v.Kind() == reflect.Map
	}).SetZero()
}

func (a Pointer) IsZero(t reflect.Type) bool { return a.typed(0, t).IsZero() }

func (a Pointer) SetNew(off uintptr, elem reflect.Type) Pointer {
	v := a.find(off, "*"+elem.String(), func(v reflect.Value) bool {
		return v.Kind() == reflect.Pointer && v.Type().Elem() == elem
	})
	v.Set(reflect.New(elem).Convert(v.Type()))
	return Pointer{base: v.Elem()}
}

func (a Pointer) MapIsNil(off uintptr) bool { return a.kind(off, reflect.Map).IsNil() }

func (a Pointer) MapLen(off uintptr) int { return a.kind(off, reflect.Map).Len() }

func (a Pointer) SliceIsNil(off uintptr) bool { return a.kind(off, reflect.Slice).IsNil() }

func (a Pointer) Slice(off uintptr) (Pointer, int) {
	v := a.kind(off, reflect.Slice)
	return Pointer{base: v, seq: true}, v.Len()
}

func (a Pointer) Cap(off uintptr) int { return a.kind(off, reflect.Slice).Cap() }

func (a Pointer) SetLen(off uintptr, n int) { a.kind(off, reflect.Slice).SetLen(n) }

func (a Pointer) ClearSlice(off uintptr) { a.kind(off, reflect.Slice).SetZero() }

func (a Pointer) SetEmptySlice(off uintptr) {
	v := a.kind(off, reflect.Slice)
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
}

func sliceOf[T Plain](a Pointer, off uintptr) reflect.Value {
	t := reflect.TypeFor[T]()
	return a.find(off, "[]"+t.String(), func(v reflect.Value) bool {
		return v.Kind() == reflect.Slice && sameKind(v.Type().Elem(), t)
	})
}

func SliceAt[T Plain](a Pointer, off uintptr) []T {
	v := sliceOf[T](a, off)
	if v.IsNil() {
		return nil
	}
	s := make([]T, v.Len(), v.Cap())
	for i := range s {
		s[i] = v.Index(i).Convert(reflect.TypeFor[T]()).Interface().(T)
	}
	return s
}

func SetSlice[T Plain](a Pointer, off uintptr, s []T) {
	v := sliceOf[T](a, off)
	if s == nil {
		v.SetZero()
		return
	}
	n := reflect.MakeSlice(v.Type(), len(s), cap(s))
	for i, x := range s {
		n.Index(i).Set(reflect.ValueOf(x).Convert(v.Type().Elem()))
	}
	v.Set(n)
}

func (a Pointer) Value(off uintptr, t reflect.Type) reflect.Value { return a.typed(off, t) }

func (a Pointer) Addr(off uintptr, t reflect.Type) any { return a.typed(off, t).Addr().Interface() }

func At[T any](a Pointer, off uintptr) *T {
	return a.typed(off, reflect.TypeFor[T]()).Addr().Interface().(*T)
}

func MapAt[K Key, V Elem](Pointer, uintptr) *map[K]V {
	panic("mem: MapAt needs CastMaps")
}

// Bulk is false, because this build does not access memory as bytes.
var Bulk = false

func bitsAt(a Pointer, size uintptr) reflect.Value {
	return a.find(0, "number", func(v reflect.Value) bool {
		k := v.Kind()
		return k >= reflect.Int && k <= reflect.Float64 && v.Type().Size() == size
	})
}

func bits(v reflect.Value) uint64 {
	switch k := v.Kind(); {
	case v.CanInt():
		return uint64(v.Int())
	case v.CanUint():
		return v.Uint()
	case k == reflect.Float32:
		return uint64(math.Float32bits(v.Convert(reflect.TypeFor[float32]()).Interface().(float32)))
	}
	return math.Float64bits(v.Float())
}

func setBits(v reflect.Value, b uint64) {
	switch k := v.Kind(); {
	case v.CanInt():
		unused := 64 - v.Type().Bits()
		v.SetInt(int64(b) << unused >> unused)
	case v.CanUint():
		v.SetUint(b)
	case k == reflect.Float32:
		v.Set(reflect.ValueOf(math.Float32frombits(uint32(b))).Convert(v.Type()))
	default:
		v.SetFloat(math.Float64frombits(b))
	}
}

func Bits8(a Pointer) uint8   { return uint8(bits(bitsAt(a, 1))) }
func Bits16(a Pointer) uint16 { return uint16(bits(bitsAt(a, 2))) }
func Bits32(a Pointer) uint32 { return uint32(bits(bitsAt(a, 4))) }
func Bits64(a Pointer) uint64 { return bits(bitsAt(a, 8)) }

func SetBits8(a Pointer, v uint8)   { setBits(bitsAt(a, 1), uint64(v)) }
func SetBits16(a Pointer, v uint16) { setBits(bitsAt(a, 2), uint64(v)) }
func SetBits32(a Pointer, v uint32) { setBits(bitsAt(a, 4), uint64(v)) }
func SetBits64(a Pointer, v uint64) { setBits(bitsAt(a, 8), v) }

func Put8(b []byte, i int, v uint8)   { b[i] = v }
func Put16(b []byte, i int, v uint16) { binary.LittleEndian.PutUint16(b[i:], v) }
func Put32(b []byte, i int, v uint32) { binary.LittleEndian.PutUint32(b[i:], v) }
func Put64(b []byte, i int, v uint64) { binary.LittleEndian.PutUint64(b[i:], v) }

func Get32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
func Word(s string, i int) uint64  { return binary.LittleEndian.Uint64([]byte(s[i : i+8])) }
func HalfWord(s string, i int) uint32 {
	return binary.LittleEndian.Uint32([]byte(s[i : i+4]))
}
func Get64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

func Copy16(b []byte, i int, s string, j int) { copy(b[i:i+16], s[j:]) }

func NoEscape[T any](p *T) *T { return p }

func Uncleared(n int) []byte { return make([]byte, n) }

func String(b []byte) string { return string(b) }

// Direct returns false, because [OfData] and [OfWord] are equivalent in this build.
func Direct(reflect.Type) bool { return false }

// Erased returns f as a function whose last parameter is the address of a T.
func Erased[A, B, S, T any](f func(A, B, S, *T) S) func(A, B, S, Pointer) S {
	return func(a A, b B, s S, at Pointer) S { return f(a, b, s, At[T](at, 0)) }
}
