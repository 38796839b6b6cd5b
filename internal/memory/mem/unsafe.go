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

// RawWords reports whether [Load] reads a part of a value, such as the pointer
// or the length of a string, as a number of its size in this build.
const RawWords = true

// A Pointer is the address of a Go value.
type Pointer struct{ p unsafe.Pointer }

// Of returns the address of *v.
func Of[T any](v *T) Pointer { return Pointer{unsafe.Pointer(v)} }

// OfPointer returns the address that the pointer v holds; v's Kind is Pointer.
func OfPointer(v reflect.Value) Pointer { return Pointer{v.UnsafePointer()} }

// OfAny returns the address that v, a pointer, holds.
func OfAny(v any) Pointer { return Pointer{(*eface)(unsafe.Pointer(&v)).data} }

// OfData returns the address of x's dynamic value, which is not [Direct]: its
// interface word is a pointer to it. The value behind it must not be changed.
func OfData(x any) Pointer { return Pointer{(*eface)(unsafe.Pointer(&x)).data} }

// AnyFloat returns *p as an interface that points to it: *p must not be changed.
func AnyFloat(p *float64) any {
	var x any = float64(0)
	(*eface)(unsafe.Pointer(&x)).data = unsafe.Pointer(p)
	return x
}

// An AddressType makes interfaces that hold addresses of values of one type.
type AddressType struct{ typ unsafe.Pointer }

// AddressTypeOf returns that of t.
func AddressTypeOf(t reflect.Type) AddressType {
	x := reflect.Zero(reflect.PointerTo(t)).Interface()
	return AddressType{(*eface)(unsafe.Pointer(&x)).typ}
}

// Any returns the address a+off as a pointer to the type. It is what [Pointer.Addr] returns.
func (t AddressType) Any(a Pointer, off uintptr) any {
	x := eface{t.typ, unsafe.Add(a.p, off)}
	return *(*any)(unsafe.Pointer(&x))
}

// OfWord returns the address of the dynamic value of *x, which is [Direct]:
// the interface word itself is the value. The value must not be changed.
func OfWord(x *any) Pointer { return Pointer{unsafe.Pointer(&(*eface)(unsafe.Pointer(x)).data)} }

type eface struct {
	typ, data unsafe.Pointer
}

// Direct reports whether an interface holds a value of type t in its word
// itself rather than behind a pointer. Which types those are is up to the
// release of Go, so it is found out: only then is the word of a zero value nil.
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

// IsNil reports whether a holds no address.
func (a Pointer) IsNil() bool { return a.p == nil }

// Add returns the address off bytes on.
func (a Pointer) Add(off uintptr) Pointer { return Pointer{unsafe.Add(a.p, off)} }

// Load returns the T at a+off.
func Load[T Plain](a Pointer, off uintptr) T { return *(*T)(unsafe.Add(a.p, off)) }

// Store sets the T at a+off.
func Store[T Plain](a Pointer, off uintptr, v T) { *(*T)(unsafe.Add(a.p, off)) = v }

// Bytes returns the []byte at a+off, which may be of a named type.
func (a Pointer) Bytes(off uintptr) []byte { return *(*[]byte)(unsafe.Add(a.p, off)) }

// SetBytes sets the []byte at a+off.
func (a Pointer) SetBytes(off uintptr, b []byte) { *(*[]byte)(unsafe.Add(a.p, off)) = b }

// Array returns the n bytes of the array at a+off, whose elements are bytes.
// The slice shares the array's memory.
func (a Pointer) Array(off uintptr, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(a.p, off)), n)
}

// PutArray copies b over the array of bytes at a+off.
func (a Pointer) PutArray(off uintptr, b []byte) { copy(a.Array(off, len(b)), b) }

// Any returns the value of the empty interface at a+off.
func (a Pointer) Any(off uintptr) any { return *(*any)(unsafe.Add(a.p, off)) }

// SetAny sets the empty interface at a+off.
func (a Pointer) SetAny(off uintptr, x any) { *(*any)(unsafe.Add(a.p, off)) = x }

// Elem returns what the pointer at a+off points to; nil if it is nil.
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

// SetNew points the pointer at a+off, of type *elem, at a new zero value and
// returns that value's address.
func (a Pointer) SetNew(off uintptr, elem reflect.Type) Pointer {
	n := reflect.New(elem).UnsafePointer()
	*(*unsafe.Pointer)(unsafe.Add(a.p, off)) = n
	return Pointer{n}
}

// MapIsNil reports whether the map at a+off is nil.
func (a Pointer) MapIsNil(off uintptr) bool { return *(*unsafe.Pointer)(unsafe.Add(a.p, off)) == nil }

// MapLen returns how many elements the map at a+off has: where a map keeps that
// does not depend on its type.
func (a Pointer) MapLen(off uintptr) int { return len(*(*map[bool]bool)(unsafe.Add(a.p, off))) }

// SliceIsNil reports whether the slice at a+off is nil.
func (a Pointer) SliceIsNil(off uintptr) bool {
	return (*sliceHeader)(unsafe.Add(a.p, off)).data == nil
}

// Slice returns the address of the first element and the length of the slice
// at a+off. The address is to be used only if the length is not zero.
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

// SetEmptySlice sets the slice at a+off to one of no elements that is not nil.
func (a Pointer) SetEmptySlice(off uintptr) {
	*(*sliceHeader)(unsafe.Add(a.p, off)) = sliceHeader{data: unsafe.Pointer(&empty)}
}

// empty is what slices of no elements point to.
var empty struct{}

// SliceAt returns the []T at a+off, whose element type has T's kind.
func SliceAt[T Plain](a Pointer, off uintptr) []T { return *(*[]T)(unsafe.Add(a.p, off)) }

// SetSlice sets the []T at a+off.
func SetSlice[T Plain](a Pointer, off uintptr, s []T) { *(*[]T)(unsafe.Add(a.p, off)) = s }

// Value returns the addressable value of type t at a+off.
func (a Pointer) Value(off uintptr, t reflect.Type) reflect.Value {
	return reflect.NewAt(t, unsafe.Add(a.p, off)).Elem()
}

// Addr returns the pointer to the value of type t at a+off, as a *t.
func (a Pointer) Addr(off uintptr, t reflect.Type) any {
	return reflect.NewAt(t, unsafe.Add(a.p, off)).Interface()
}

// At returns the address a+off as a *T. What lies there must be a T.
func At[T any](a Pointer, off uintptr) *T { return (*T)(unsafe.Add(a.p, off)) }

// MapAt returns the map at a+off seen as a map[K]V. The map's own key and
// element types may be named; their kinds are those of K and V, and the key
// is hashed and compared by kind, so the two types share one layout.
// TestMapCast fails on a Go release where that has changed.
func MapAt[K Key, V Elem](a Pointer, off uintptr) *map[K]V {
	return (*map[K]V)(unsafe.Add(a.p, off))
}

// Bulk reports whether the elements of a slice or an array of numbers may be
// moved as the bytes that they are in memory, least significant first: see
// [Pointer.Array].
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

// Put8 sets b[i]. The caller has made sure that it is there; so it is with the
// other functions on bytes.
func Put8(b []byte, i int, v uint8) {
	*(*uint8)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)) = v
}

// Put16 writes v at b[i:], least significant byte first.
func Put16(b []byte, i int, v uint16) {
	binary.LittleEndian.PutUint16((*[2]byte)(at(b, i))[:], v)
}

// Put32 writes v at b[i:], least significant byte first.
func Put32(b []byte, i int, v uint32) {
	binary.LittleEndian.PutUint32((*[4]byte)(at(b, i))[:], v)
}

// Put64 writes v at b[i:], least significant byte first.
func Put64(b []byte, i int, v uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(at(b, i))[:], v)
}

// Get32 reads a number that Put32 wrote at b[i:].
func Get32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(at(b, i))[:]) }

// Get64 reads a number that Put64 wrote at b[i:].
func Get64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(at(b, i))[:]) }

func at(b []byte, i int) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }

// Word reads the eight bytes of s at i, least significant first. The caller has
// made sure that they are there.
func Word(s string, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i))[:])
}

// HalfWord is [Word] for four bytes.
func HalfWord(s string, i int) uint32 {
	return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i))[:])
}

// Copy16 writes the sixteen bytes of s at j to b[i:], at once. The caller has made
// sure that both are there.
func Copy16(b []byte, i int, s string, j int) {
	*(*[16]byte)(at(b, i)) = *(*[16]byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), j))
}

// NoEscape returns p in a way that hides it from escape analysis, so that what it
// points to may lie on the stack though p is handed to functions that are not
// known when the caller is compiled. Those must not keep p.
//
// A variable that holds pointers must be read by its own name after the last use of
// what NoEscape returned. That keeps it live: the collector sees what it points to,
// and its pointers into a stack that moves are corrected.
//
// Nothing can move the stack between the two lines: they have no call, and the
// compiler adds no check. The compiler takes the result for a pointer, so it is
// corrected where it is kept across calls. The result of a conversion through memory,
// *(**T)(unsafe.Pointer(&x)), would not be.
//
//go:nosplit
//go:nocheckptr
func NoEscape[T any](p *T) *T {
	negative := -uintptr(unsafe.Pointer(p))
	return (*T)(unsafe.Pointer(uintptr(unsafe.Pointer(nil)) - negative))
}

// Uncleared returns a slice of n bytes, at least one, that hold anything: what is handed
// out must be written first.
func Uncleared(n int) []byte {
	var b strings.Builder // the standard library's way to such memory
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}

// String returns b's bytes as a string that shares their memory: b must not
// change while the string is in use.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
