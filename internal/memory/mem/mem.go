// Package mem gives access to raw memory: typed loads and stores at an offset from the address of a
// Go value. It is the only package that imports unsafe, which a test in internal/test/arch
// enforces.
//
// There are two implementations with the same API. In the default build a Pointer is an address,
// and an access is an addition. With the tag purego, a Pointer is a reflect.Value and an offset,
// and an access walks to the field at the offset. That build is slow. The tests of every engine
// also run on it, where a wrong offset panics with the name of the type.
//
// # Rules for callers
//
//   - A [Pointer] keeps the value that it points into alive, like any pointer.
//   - An offset must be inside the value that the Pointer was made from. An address one past the
//     end is not allowed, even if it is never read.
//   - The type of a load or a store must have the kind of the value at the offset.
package mem

import "reflect"

// Plain lists the types of Load and Store. A named type is accessed as the basic type of its
// kind. An int is accessed as an int32 or int64, whichever has its size.
type Plain interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | uintptr |
		float32 | float64 | complex64 | complex128 | string
}

// Key lists the key types of maps that [MapAt] can cast.
type Key interface {
	string | int32 | int64 | uint32 | uint64
}

// Elem lists the element types of maps that [MapAt] can cast.
type Elem interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | string | any
}

// Bits returns the bits of the number at a, which is size bytes long.
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

// SetBits sets the bits of the number at a, which is size bytes long.
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

// Value returns the addressable value at a+off. Unlike [Pointer.Value] it does not look up the
// pointer type.
func (t AddressType) Value(a Pointer, off uintptr) reflect.Value {
	return reflect.ValueOf(t.Any(a, off)).Elem()
}
