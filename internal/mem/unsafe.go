//go:build !purego

package mem

import (
	"reflect"
	"unsafe"
)

// CastMaps reports whether [MapAt] works in this build.
const CastMaps = true

// A Pointer is the address of a Go value.
type Pointer struct{ p unsafe.Pointer }

// Of returns the address of *v.
func Of[T any](v *T) Pointer { return Pointer{unsafe.Pointer(v)} }

// OfPointer returns the address that the pointer v holds; v's Kind is Pointer.
func OfPointer(v reflect.Value) Pointer { return Pointer{v.UnsafePointer()} }

// OfData returns the address of x's dynamic value, which is not [Direct]: its
// interface word is a pointer to it. The value behind it must not be changed.
func OfData(x any) Pointer { return Pointer{(*eface)(unsafe.Pointer(&x)).data} }

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

// SetNew points the pointer at a+off, of type *elem, at a new zero value and
// returns that value's address.
func (a Pointer) SetNew(off uintptr, elem reflect.Type) Pointer {
	n := reflect.New(elem).UnsafePointer()
	*(*unsafe.Pointer)(unsafe.Add(a.p, off)) = n
	return Pointer{n}
}

// MapIsNil reports whether the map at a+off is nil.
func (a Pointer) MapIsNil(off uintptr) bool { return *(*unsafe.Pointer)(unsafe.Add(a.p, off)) == nil }

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

// String returns b's bytes as a string that shares their memory: b must not
// change while the string is in use.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
