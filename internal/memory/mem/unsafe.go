//go:build !purego

package mem

import (
	"encoding/binary"
	"reflect"
	"strings"
	"unsafe"
)

// CastMaps reports whether [MapAt] works in this build.
const CastMaps = true

// RawWords reports whether, in this build, [Load] can read a part of a value as a number of the
// same size. Such a part is the pointer or the length of a string.
const RawWords = true

// A Pointer is the address of a Go value.
type Pointer struct{ p unsafe.Pointer }

// Of returns the address of *v.
func Of[T any](v *T) Pointer { return Pointer{unsafe.Pointer(v)} }

// OfPointer returns the address in v, a value of Kind Pointer.
func OfPointer(v reflect.Value) Pointer { return Pointer{v.UnsafePointer()} }

// OfAny returns the address in v, a pointer.
func OfAny(v any) Pointer { return Pointer{(*eface)(unsafe.Pointer(&v)).data} }

// OfData returns the address of the dynamic value of x. The type of this value must not be
// [Direct], so the data word of the interface is a pointer to the value. The value must not be
// modified.
func OfData(x any) Pointer { return Pointer{(*eface)(unsafe.Pointer(&x)).data} }

// AnyFloat returns *p as an interface without copying it: the interface refers to *p. So the caller
// must not change *p.
func AnyFloat(p *float64) any {
	var x any = float64(0)
	(*eface)(unsafe.Pointer(&x)).data = unsafe.Pointer(p)
	return x
}

// An AddressType converts addresses to interfaces that contain pointers to values of one type.
type AddressType struct{ typ unsafe.Pointer }

// AddressTypeOf returns the AddressType for t.
func AddressTypeOf(t reflect.Type) AddressType {
	x := reflect.Zero(reflect.PointerTo(t)).Interface()
	return AddressType{(*eface)(unsafe.Pointer(&x)).typ}
}

// Any returns the address a+off as a pointer to the type, like [Pointer.Addr].
func (t AddressType) Any(a Pointer, off uintptr) any {
	x := eface{t.typ, unsafe.Add(a.p, off)}
	return *(*any)(unsafe.Pointer(&x))
}

// A Dynamic stores values of one dynamic type in interfaces of one type with methods, without
// reflection.
type Dynamic struct {
	in, typ, new reflect.Type
	tab          unsafe.Pointer
	direct       bool // an interface stores the value in its data word
}

// DynamicOf returns the Dynamic for values of type t. The argument in is the type of the
// interfaces, which t must implement.
func DynamicOf(in, t reflect.Type) Dynamic {
	x := reflect.New(in)
	x.Elem().Set(reflect.Zero(t))
	d := Dynamic{in: in, typ: t, new: t, tab: (*eface)(x.UnsafePointer()).typ, direct: Direct(t)}
	if t.Kind() == reflect.Pointer {
		d.new = t.Elem()
	}
	return d
}

// New returns the address of a new zero value of d's dynamic type, or of its target if the type is
// a pointer.
func (d *Dynamic) New() Pointer { return Pointer{reflect.New(d.new).UnsafePointer()} }

// Set sets the interface at a+off to the value at v, an address that New returned. The value belongs to
// the interface then and must not be modified, unless the type is a pointer.
func (d *Dynamic) Set(a Pointer, off uintptr, v Pointer) {
	if d.direct && d.new == d.typ {
		a.Value(off, d.in).Set(v.Value(0, d.typ))
		return
	}
	*(*eface)(unsafe.Add(a.p, off)) = eface{d.tab, v.p}
}

// OfWord returns the address of the dynamic value of *x. The type of this value must be [Direct],
// so the data word of the interface is the value. The value must not be modified.
func OfWord(x *any) Pointer { return Pointer{unsafe.Pointer(&(*eface)(unsafe.Pointer(x)).data)} }

type eface struct {
	typ, data unsafe.Pointer
}

// Direct reports whether an interface stores a value of type t directly in its data word instead of
// a pointer. The types depend on the Go release, so Direct tests for it: the data word of a zero
// value is nil only for a direct type.
func Direct(t reflect.Type) bool {
	if t.Kind() == reflect.Interface || t.Size() != unsafe.Sizeof(uintptr(0)) {
		return false
	}
	x := reflect.Zero(t).Interface()
	return (*eface)(unsafe.Pointer(&x)).data == nil
}

// TypeID returns a number that identifies t for the life of the process.
func TypeID(t reflect.Type) uintptr {
	return uintptr((*eface)(unsafe.Pointer(&t)).data)
}

// IsNil reports whether a is the nil address.
func (a Pointer) IsNil() bool { return a.p == nil }

// Add returns the address a+off.
func (a Pointer) Add(off uintptr) Pointer { return Pointer{unsafe.Add(a.p, off)} }

// Load returns the T at a+off.
func Load[T Plain](a Pointer, off uintptr) T { return *(*T)(unsafe.Add(a.p, off)) }

// Store sets the T at a+off.
func Store[T Plain](a Pointer, off uintptr, v T) { *(*T)(unsafe.Add(a.p, off)) = v }

// Bytes returns the []byte at a+off. The slice may have a named type.
func (a Pointer) Bytes(off uintptr) []byte { return *(*[]byte)(unsafe.Add(a.p, off)) }

// SetBytes sets the []byte at a+off.
func (a Pointer) SetBytes(off uintptr, b []byte) { *(*[]byte)(unsafe.Add(a.p, off)) = b }

// Array returns an array of n bytes at a+off as a slice, which shares memory with the array.
func (a Pointer) Array(off uintptr, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(a.p, off)), n)
}

// PutArray copies b to the array of bytes at a+off.
func (a Pointer) PutArray(off uintptr, b []byte) { copy(a.Array(off, len(b)), b) }

// Any returns the value of the empty interface at a+off.
func (a Pointer) Any(off uintptr) any { return *(*any)(unsafe.Add(a.p, off)) }

// SetAny sets the empty interface at a+off.
func (a Pointer) SetAny(off uintptr, x any) { *(*any)(unsafe.Add(a.p, off)) = x }

// Elem returns the address in the pointer at a+off, which may be nil.
func (a Pointer) Elem(off uintptr) Pointer { return Pointer{*(*unsafe.Pointer)(unsafe.Add(a.p, off))} }

// SetNil sets the pointer or the map at a+off to nil.
func (a Pointer) SetNil(off uintptr) { *(*unsafe.Pointer)(unsafe.Add(a.p, off)) = nil }

// IsZero reports whether all bytes of the value of type t at a are zero.
func (a Pointer) IsZero(t reflect.Type) bool {
	b := unsafe.Slice((*byte)(a.p), t.Size())
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
	}
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// SetNew sets the pointer at a+off, of type *elem, to a new zero value and returns the address of
// the value.
func (a Pointer) SetNew(off uintptr, elem reflect.Type) Pointer {
	n := reflect.New(elem).UnsafePointer()
	*(*unsafe.Pointer)(unsafe.Add(a.p, off)) = n
	return Pointer{n}
}

// MapIsNil reports whether the map at a+off is nil.
func (a Pointer) MapIsNil(off uintptr) bool { return *(*unsafe.Pointer)(unsafe.Add(a.p, off)) == nil }

// MapLen returns the number of elements of the map at a+off. The length has the same offset in maps
// of every type.
func (a Pointer) MapLen(off uintptr) int { return len(*(*map[bool]bool)(unsafe.Add(a.p, off))) }

// SliceIsNil reports whether the slice at a+off is nil.
func (a Pointer) SliceIsNil(off uintptr) bool {
	return (*sliceHeader)(unsafe.Add(a.p, off)).data == nil
}

// Slice returns the address of the first element and the length of the slice at a+off. The address
// is only valid if the length is not zero.
func (a Pointer) Slice(off uintptr) (Pointer, int) {
	s := (*sliceHeader)(unsafe.Add(a.p, off))
	return Pointer{s.data}, s.len
}

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// Cap returns the capacity of the slice at a+off.
func (a Pointer) Cap(off uintptr) int { return (*sliceHeader)(unsafe.Add(a.p, off)).cap }

// SetLen sets the length of the slice at a+off, within its capacity.
func (a Pointer) SetLen(off uintptr, n int) {
	s := (*sliceHeader)(unsafe.Add(a.p, off))
	if uint(n) > uint(s.cap) {
		panic("mem: slice length past its capacity")
	}
	s.len = n
}

// ClearSlice sets the slice at a+off to nil.
func (a Pointer) ClearSlice(off uintptr) { *(*sliceHeader)(unsafe.Add(a.p, off)) = sliceHeader{} }

// SetEmptySlice sets the slice at a+off to an empty slice that is not nil.
func (a Pointer) SetEmptySlice(off uintptr) {
	*(*sliceHeader)(unsafe.Add(a.p, off)) = sliceHeader{data: unsafe.Pointer(&empty)}
}

// empty is the target of empty slices.
var empty struct{}

// SliceAt returns the []T at a+off. The elements have the kind of T.
func SliceAt[T Plain](a Pointer, off uintptr) []T { return *(*[]T)(unsafe.Add(a.p, off)) }

// SetSlice sets the []T at a+off.
func SetSlice[T Plain](a Pointer, off uintptr, s []T) { *(*[]T)(unsafe.Add(a.p, off)) = s }

// Value returns the addressable value of type t at a+off.
func (a Pointer) Value(off uintptr, t reflect.Type) reflect.Value {
	return reflect.NewAt(t, unsafe.Add(a.p, off)).Elem()
}

// Addr returns the address a+off as a *t.
func (a Pointer) Addr(off uintptr, t reflect.Type) any {
	return reflect.NewAt(t, unsafe.Add(a.p, off)).Interface()
}

// At returns the address a+off as a *T. The value must be a T.
func At[T any](a Pointer, off uintptr) *T { return (*T)(unsafe.Add(a.p, off)) }

// MapAt returns the map at a+off as a map[K]V. The key and element types of the map may be named
// and must have the kinds of K and V. Go hashes and compares keys by kind, so both map types have
// one layout. TestMapCast fails if a Go release changes this.
func MapAt[K Key, V Elem](a Pointer, off uintptr) *map[K]V {
	return (*map[K]V)(unsafe.Add(a.p, off))
}

// Bulk reports whether the elements of a slice or an array of numbers can be copied as bytes in
// little-endian order; see [Pointer.Array].
var Bulk = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Bits8 returns the bits of the 8-bit integer at a.
func Bits8(a Pointer) uint8 { return *(*uint8)(a.p) }

// Bits16 returns the bits of the 16-bit integer at a.
func Bits16(a Pointer) uint16 { return *(*uint16)(a.p) }

// Bits32 returns the bits of the 32-bit integer or float at a.
func Bits32(a Pointer) uint32 { return *(*uint32)(a.p) }

// Bits64 returns the bits of the 64-bit integer or float at a.
func Bits64(a Pointer) uint64 { return *(*uint64)(a.p) }

// SetBits8 sets the bits of the 8-bit integer at a.
func SetBits8(a Pointer, v uint8) { *(*uint8)(a.p) = v }

// SetBits16 sets the bits of the 16-bit integer at a.
func SetBits16(a Pointer, v uint16) { *(*uint16)(a.p) = v }

// SetBits32 sets the bits of the 32-bit integer or float at a.
func SetBits32(a Pointer, v uint32) { *(*uint32)(a.p) = v }

// SetBits64 sets the bits of the 64-bit integer or float at a.
func SetBits64(a Pointer, v uint64) { *(*uint64)(a.p) = v }

// Put8 sets b[i]. As with the other functions for bytes, the caller must ensure that the index is
// in range.
func Put8(b []byte, i int, v uint8) {
	*(*uint8)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)) = v
}

// Put16 writes v at b[i:] in little-endian order.
func Put16(b []byte, i int, v uint16) {
	binary.LittleEndian.PutUint16((*[2]byte)(at(b, i))[:], v)
}

// Put32 writes v at b[i:] in little-endian order.
func Put32(b []byte, i int, v uint32) {
	binary.LittleEndian.PutUint32((*[4]byte)(at(b, i))[:], v)
}

// Put64 writes v at b[i:] in little-endian order.
func Put64(b []byte, i int, v uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(at(b, i))[:], v)
}

// Get32 reads a number at b[i:] in little-endian order.
func Get32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(at(b, i))[:]) }

// Get64 reads a number at b[i:] in little-endian order.
func Get64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(at(b, i))[:]) }

func at(b []byte, i int) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }

// Word reads the eight bytes of s at i in little-endian order. The caller must ensure that they
// exist.
func Word(s string, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i))[:])
}

// HalfWord is [Word] for four bytes.
func HalfWord(s string, i int) uint32 {
	return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i))[:])
}

// Copy16 copies the sixteen bytes of s at j to b[i:] with one load and store. The caller must
// ensure that both ranges exist.
func Copy16(b []byte, i int, s string, j int) {
	*(*[16]byte)(at(b, i)) = *(*[16]byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), j))
}

// NoEscape returns p, but escape analysis does not know that the result is p. So *p may stay on the
// stack although the result is passed to functions that are unknown at compile time. Those
// functions must not retain it.
//
// If *p contains pointers, the caller must read it by its own name after the last use of the
// result. This keeps the variable live: the collector scans its pointers, and pointers into the
// stack are adjusted when the stack moves.
//
// The stack cannot move between the two statements of NoEscape: they contain no call, and the
// compiler adds no stack check. The compiler treats the result as a pointer, so a result that is
// stored across calls is adjusted. The result of a conversion through memory,
// *(**T)(unsafe.Pointer(&x)), would not be adjusted.
//
//go:nosplit
//go:nocheckptr
func NoEscape[T any](p *T) *T {
	negative := -uintptr(unsafe.Pointer(p))
	return (*T)(unsafe.Pointer(uintptr(unsafe.Pointer(nil)) - negative))
}

// Uncleared returns a slice of n bytes, n > 0, with undefined content. The bytes must be written
// before they are passed on.
func Uncleared(n int) []byte {
	var b strings.Builder // Builder.Grow allocates memory without clearing it
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}

// String returns the bytes of b as a string that shares memory with b. b must not be modified while
// the string is in use.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Erased returns f as a function whose last parameter is the address of a T. A pointer and a Pointer
// are passed in the same way.
func Erased[A, B, S, T any](f func(A, B, S, *T) S) func(A, B, S, Pointer) S {
	return *(*func(A, B, S, Pointer) S)(unsafe.Pointer(&f))
}
