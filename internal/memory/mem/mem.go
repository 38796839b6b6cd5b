// Package mem is Hone's only door to raw memory: typed loads and stores at an
// offset from the address of a Go value. Nothing else in the house imports
// unsafe, and internal/test/arch keeps it so.
//
// There are two builds of it with one API. The default build is a pointer and
// an addition. The build with tag purego, the safe twin, keeps a reflect.Value
// beside the pending offset and walks down to the field that lies there; it is
// slow, and every engine's tests run on it unchanged, so an offset that a
// compiler got wrong shows up as a panic with the type's name.
//
// # Rules for callers
//
//   - A [Pointer] keeps what it points into alive, like any pointer.
//   - An offset must lie within the value that the Pointer was made from.
//     Forming an address one past its end is a fault even if it is never read.
//   - The type named in a load or a store has the kind of what lies there.
package mem

import "reflect"

// Plain lists the kinds that Load and Store move. A named type is moved as its
// kind, an int as the sized kind of the platform.
type Plain interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | uintptr |
		float32 | float64 | complex64 | complex128 | string
}

// Key and Elem list the kinds for which a map may be seen through a cast: see
// [MapAt].
type Key interface {
	string | int32 | int64 | uint32 | uint64
}

// Elem is the element side of [Key].
type Elem interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | string | any
}

// Bits returns the bits of the number at a, which has size bytes.
func Bits(a Pointer, size uintptr) uint64 {
	switch size {
	case 1:
		return uint64(Bits8(a))
	case 2:
		return uint64(Bits16(a))
	case 4:
		return uint64(Bits32(a))
	}
	return Bits64(a)
}

// SetBits sets the number at a, which has size bytes.
func SetBits(a Pointer, size uintptr, v uint64) {
	switch size {
	case 1:
		SetBits8(a, uint8(v))
	case 2:
		SetBits16(a, uint16(v))
	case 4:
		SetBits32(a, uint32(v))
	default:
		SetBits64(a, v)
	}
}

// Value returns the value at a+off, addressable. It does not look the type of its address up,
// as [Pointer.Value] does.
func (t AddressType) Value(a Pointer, off uintptr) reflect.Value {
	return reflect.ValueOf(t.Any(a, off)).Elem()
}
