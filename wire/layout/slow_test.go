package layout

import (
	"encoding/binary"
	"errors"
	"math"
)

// A slowReader is the oracle that layouts are compared with: docs/wire-layouts.md as simple code.
// It reads values field by field. Every fault is errSlow: only its presence is compared.
type slowReader struct{ in []byte }

var errSlow = errors.New("malformed")

func (r *slowReader) bytes(n uint64) []byte {
	if n > uint64(len(r.in)) {
		panic(errSlow)
	}
	b := r.in[:n]
	r.in = r.in[n:]
	return b
}

func (r *slowReader) flag() bool {
	switch r.bytes(1)[0] {
	case 0:
		return false
	case 1:
		return true
	}
	panic(errSlow)
}

func (r *slowReader) uvarint() uint64 {
	u, n := binary.Uvarint(r.in)
	if n <= 0 || n > 1 && r.in[n-1] == 0 {
		panic(errSlow)
	}
	r.in = r.in[n:]
	return u
}

func byteOrder(o Order) interface {
	binary.ByteOrder
	binary.AppendByteOrder
} {
	if o == BE {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func slowPutLen(dst []byte, l Len, n int) (_ []byte, ok bool) {
	v := uint64(n)
	switch l {
	case LenVarint:
		return binary.AppendUvarint(dst, v), true
	case LenU8:
		return append(dst, byte(v)), v <= math.MaxUint8
	case LenI8:
		return append(dst, byte(v)), v <= math.MaxInt8
	case LenU16LE, LenU16BE:
		return byteOrder(Order(l-LenU16LE)).AppendUint16(dst, uint16(v)), v <= math.MaxUint16
	case LenI16LE, LenI16BE:
		return byteOrder(Order(l-LenI16LE)).AppendUint16(dst, uint16(v)), v <= math.MaxInt16
	case LenU32LE, LenU32BE:
		return byteOrder(Order(l-LenU32LE)).AppendUint32(dst, uint32(v)), true
	case LenI32LE, LenI32BE:
		return byteOrder(Order(l-LenI32LE)).AppendUint32(dst, uint32(v)), true
	case LenU64LE, LenU64BE:
		return byteOrder(Order(l-LenU64LE)).AppendUint64(dst, v), true
	}
	return byteOrder(Order(l-LenI64LE)).AppendUint64(dst, v), true
}

// len reads a number of elements. least is the minimum number of bytes of an element.
func (r *slowReader) len(l Len, least int) int {
	var v uint64
	switch l {
	case LenVarint:
		v = r.uvarint()
	case LenU8:
		v = uint64(r.bytes(1)[0])
	case LenI8:
		v = uint64(int8(r.bytes(1)[0]))
	case LenU16LE, LenU16BE:
		v = uint64(byteOrder(Order(l - LenU16LE)).Uint16(r.bytes(2)))
	case LenI16LE, LenI16BE:
		v = uint64(int16(byteOrder(Order(l - LenI16LE)).Uint16(r.bytes(2))))
	case LenU32LE, LenU32BE:
		v = uint64(byteOrder(Order(l - LenU32LE)).Uint32(r.bytes(4)))
	case LenI32LE, LenI32BE:
		v = uint64(int32(byteOrder(Order(l - LenI32LE)).Uint32(r.bytes(4))))
	case LenU64LE, LenU64BE:
		v = byteOrder(Order(l - LenU64LE)).Uint64(r.bytes(8))
	default:
		v = byteOrder(Order(l - LenI64LE)).Uint64(r.bytes(8))
	}
	if v > uint64(len(r.in)/least) {
		panic(errSlow)
	}
	return int(v)
}

func slowPutBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func slowPutText(dst []byte, l Len, s string) ([]byte, bool) {
	dst, ok := slowPutLen(dst, l, len(s))
	return append(dst, s...), ok
}

func (r *slowReader) text(l Len) string { return string(r.bytes(uint64(r.len(l, 1)))) }

// slowly reports whether read consumes all of data without a fault.
func slowly(data []byte, read func(r *slowReader)) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if r != errSlow {
				panic(r)
			}
			ok = false
		}
	}()
	r := slowReader{in: data}
	read(&r)
	return len(r.in) == 0
}

func ptr[T any](v T) *T { return &v }
