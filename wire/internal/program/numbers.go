package program

import (
	"math"
	"math/bits"

	"github.com/hone-go/hone/internal/memory/mem"
)

func canonical32(b uint32) uint32 {
	if f := math.Float32frombits(b); f == 0 {
		return 0
	} else if f != f {
		return canonicalNaN32
	}
	return b
}

func canonical64(b uint64) uint64 {
	if f := math.Float64frombits(b); f == 0 {
		return 0
	} else if f != f {
		return canonicalNaN64
	}
	return b
}

// putNumber writes what readNumber reads. There is room for it.
func putNumber(dst []byte, n int, in *instr, at mem.Pointer) int {
	switch in.op {
	case opFix16B:
		mem.Put16(dst, n, bits.ReverseBytes16(mem.Bits16(at)))
	case opFix32B:
		mem.Put32(dst, n, bits.ReverseBytes32(mem.Bits32(at)))
	case opFix64B:
		mem.Put64(dst, n, bits.ReverseBytes64(mem.Bits64(at)))
	case opFloat32:
		mem.Put32(dst, n, canonical32(mem.Bits32(at)))
	case opFloat64:
		mem.Put64(dst, n, canonical64(mem.Bits64(at)))
	case opComplex64:
		c := mem.Load[complex64](at, 0)
		re, im := math.Float32bits(real(c)), math.Float32bits(imag(c))
		if in.arg == 1 {
			re, im = canonical32(re), canonical32(im)
		}
		mem.Put32(dst, n, re)
		mem.Put32(dst, n+4, im)
	case opComplex128:
		c := mem.Load[complex128](at, 0)
		re, im := math.Float64bits(real(c)), math.Float64bits(imag(c))
		if in.arg == 1 {
			re, im = canonical64(re), canonical64(im)
		}
		mem.Put64(dst, n, re)
		mem.Put64(dst, n+8, im)
	case opWide:
		v := uint64(mem.Bits32(at))
		if in.arg == numberSigned {
			v = uint64(int64(int32(v)))
		}
		if in.len == LenU64BE {
			v = bits.ReverseBytes64(v)
		}
		mem.Put64(dst, n, v)
	}
	return n + ops[in.op].bound
}

// putRun writes adjacent integers of 64 bits.
func putRun(e *encoder, n int, in *instr, at mem.Pointer) int {
	buf, signed := e.buf, in.need
	for i := range uintptr(in.arg) {
		v := mem.Bits64(at.Add(8 * i))
		if signed&1 != 0 {
			v = zigzag(int64(v))
		}
		n = putUvarint(buf, n, v)
		signed >>= 1
	}
	return n
}

// readRun reads adjacent integers of 64 bits and returns the position behind
// them, or at a fault the position of the k-th, which is at fault.
func readRun(in []byte, pos int, i *instr, at mem.Pointer) (next, k int, ok bool) {
	signed := i.need
	for k := range uintptr(i.arg) {
		var v uint64
		if pos < len(in) && in[pos] < 0x80 { // as in Uvarint, which is not inlined
			v = uint64(in[pos])
			pos++
		} else {
			long, next := uvarintLong(in, pos)
			if next == 0 {
				return pos, int(k), false
			}
			v, pos = long, next
		}
		if signed&1 != 0 {
			v = uint64(Unzigzag(v))
		}
		signed >>= 1
		mem.SetBits64(at.Add(8*k), v)
	}
	return pos, 0, true
}

// readVarint reads an integer of 16 or 32 bits and returns the position
// behind it; 0 if there is none, or it does not fit.
func readVarint(o op, in []byte, pos int, at mem.Pointer) int {
	var v uint64
	next := pos + 1
	if pos < len(in) && in[pos] < 0x80 {
		v = uint64(in[pos])
	} else if v, next = uvarintLong(in, pos); next == 0 {
		return 0
	}
	s := Unzigzag(v)
	switch {
	case o == opInt16 && int64(int16(s)) == s:
		mem.Store(at, 0, int16(s))
	case o == opInt32 && int64(int32(s)) == s:
		mem.Store(at, 0, int32(s))
	case o == opUint16 && v <= math.MaxUint16:
		mem.Store(at, 0, uint16(v))
	case o == opUint32 && v <= math.MaxUint32:
		mem.Store(at, 0, uint32(v))
	default:
		return 0
	}
	return next
}

// readInt8 reads a varint into an 8-bit integer.
func readInt8(in []byte, pos int, i *instr, at mem.Pointer) (next int, cause error) {
	v, next := Uvarint(in, pos)
	if next == 0 {
		return UvarintFault(in, pos)
	}
	if s := Unzigzag(v); i.op == opInt8 && int64(int8(s)) == s {
		mem.SetBits8(at, uint8(s))
	} else if i.op == opUint8 && v <= math.MaxUint8 {
		mem.SetBits8(at, uint8(v))
	} else {
		return pos, ErrOverflow
	}
	return next, nil
}

// readNumber reads a number in canonical form, or with other bytes than in memory. On
// error next is the position of the fault.
func readNumber(in []byte, pos int, i *instr, at mem.Pointer) (next int, cause error) {
	next = pos + ops[i.op].bound
	if next > len(in) {
		return len(in), ErrTruncated
	}
	ok := true
	switch i.op {
	case opFix16B:
		mem.SetBits16(at, uint16(in[pos+1])|uint16(in[pos])<<8)
	case opFix32B:
		mem.SetBits32(at, bits.ReverseBytes32(mem.Get32(in, pos)))
	case opFix64B:
		mem.SetBits64(at, bits.ReverseBytes64(mem.Get64(in, pos)))
	case opFloat32:
		b := mem.Get32(in, pos)
		ok = canonical32(b) == b
		mem.SetBits32(at, b)
	case opFloat64:
		b := mem.Get64(in, pos)
		ok = canonical64(b) == b
		mem.SetBits64(at, b)
	case opComplex64:
		re, im := mem.Get32(in, pos), mem.Get32(in, pos+4)
		ok = i.arg == 0 || canonical32(re) == re && canonical32(im) == im
		mem.Store(at, 0, complex(math.Float32frombits(re), math.Float32frombits(im)))
	case opComplex128:
		re, im := mem.Get64(in, pos), mem.Get64(in, pos+8)
		ok = i.arg == 0 || canonical64(re) == re && canonical64(im) == im
		mem.Store(at, 0, complex(math.Float64frombits(re), math.Float64frombits(im)))
	case opWide:
		v := mem.Get64(in, pos)
		if i.len == LenU64BE {
			v = bits.ReverseBytes64(v)
		}
		if s := int64(v); i.arg == numberSigned && int64(int32(s)) != s || i.arg != numberSigned && v>>32 != 0 {
			return pos, ErrOverflow
		}
		mem.SetBits32(at, uint32(v))
	}
	if !ok {
		return pos, ErrCanonical
	}
	return next, nil
}
