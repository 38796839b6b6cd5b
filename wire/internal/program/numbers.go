package program

import (
	"math"
	"math/bits"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// putBool writes a byte of 0 or 1, for which space is reserved.
func putBool(dst []byte, n int, v bool) int {
	b := byte(0)
	if v {
		b = 1
	}
	mem.Put8(dst, n, b)
	return n + 1
}

// putNumber writes a number in canonical form, or with another byte order or width than in memory.
// The caller has reserved space for it.
func putNumber(dst []byte, n int, in *instr, at mem.Pointer) int {
	switch in.op {
	case opFix16B:
		// mem.Bits16 and mem.Put16 are little-endian on every platform, so the bytes are
		// reversed for big-endian order.
		mem.Put16(dst, n, bits.ReverseBytes16(mem.Bits16(at)))
	case opFix32B:
		mem.Put32(dst, n, bits.ReverseBytes32(mem.Bits32(at)))
	case opFix64B:
		mem.Put64(dst, n, bits.ReverseBytes64(mem.Bits64(at)))
	case opFloat32:
		// All NaNs get the same bits, and -0 becomes 0.
		mem.Put32(dst, n, scalar.Canonical32(mem.Bits32(at)))
	case opFloat64:
		mem.Put64(dst, n, scalar.Canonical64(mem.Bits64(at)))
	case opComplex64:
		// Complex numbers are rare, so they have one op for both forms. arg is 1 for the
		// canonical form.
		c := mem.Load[complex64](at, 0)
		re, im := math.Float32bits(real(c)), math.Float32bits(imag(c))
		if in.arg == 1 {
			re, im = scalar.Canonical32(re), scalar.Canonical32(im)
		}
		mem.Put32(dst, n, re)
		mem.Put32(dst, n+4, im)
	case opComplex128:
		c := mem.Load[complex128](at, 0)
		re, im := math.Float64bits(real(c)), math.Float64bits(imag(c))
		if in.arg == 1 {
			re, im = scalar.Canonical64(re), scalar.Canonical64(im)
		}
		mem.Put64(dst, n, re)
		mem.Put64(dst, n+8, im)
	// An int or a uint has 8 bytes in the encoding, though it has 32 bits in memory here.
	case opWide:
		v := uint64(mem.Bits32(at))
		if in.arg == numberSigned {
			v = uint64(int64(int32(v)))
		}
		if in.len == scalar.LenU64BE {
			v = bits.ReverseBytes64(v)
		}
		mem.Put64(dst, n, v)
	}
	// Each of these ops writes exactly bound bytes.
	return n + ops[in.op].bound
}

// putRun writes adjacent integers of 64 bits.
func putRun(e *Encoder, n int, in *instr, at mem.Pointer) int {
	// Space for all numbers of the run is reserved, so the buffer does not move.
	buf, signed := e.buf, in.need
	for i := range uintptr(in.arg) {
		// The lowest bit of signed is set if the next number is signed.
		v := mem.Bits64(at.Add(8 * i))
		if signed&1 != 0 {
			v = scalar.Zigzag(int64(v))
		}
		n = scalar.PutUvarint(buf, n, v)
		signed >>= 1
	}
	return n
}

// readRun reads adjacent integers of 64 bits and returns the position after them. If one is
// malformed, ok is false, and the results are the position and the index of that number.
func readRun(in []byte, pos int, i *instr, at mem.Pointer) (next, k int, ok bool) {
	signed := i.need
	for k := range uintptr(i.arg) {
		var v uint64
		if pos < len(in) && in[pos] < 0x80 { // the fast path of Uvarint, which is not inlined
			v = uint64(in[pos])
			pos++
		} else {
			long, next := scalar.UvarintLong(in, pos)
			if next == 0 {
				// The numbers before k stay stored, as Unmarshal promises.
				return pos, int(k), false
			}
			v, pos = long, next
		}
		if signed&1 != 0 {
			v = uint64(scalar.Unzigzag(v))
		}
		signed >>= 1
		mem.SetBits64(at.Add(8*k), v)
	}
	return pos, 0, true
}

// readVarint reads an integer of 16 or 32 bits and returns the position after it. It returns 0
// if the number is malformed or too large; scalar.NumberFault then finds the cause.
func readVarint(o op, in []byte, pos int, at mem.Pointer) int {
	var v uint64
	next := pos + 1
	if pos < len(in) && in[pos] < 0x80 {
		v = uint64(in[pos])
	} else if v, next = scalar.UvarintLong(in, pos); next == 0 {
		return 0
	}
	// A number is in range if the conversion to the small type and back does not change it. A
	// number out of range is not stored.
	s := scalar.Unzigzag(v)
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
	v, next := scalar.Uvarint(in, pos)
	if next == 0 {
		return scalar.UvarintFault(in, pos)
	}
	if s := scalar.Unzigzag(v); i.op == opInt8 && int64(int8(s)) == s {
		mem.SetBits8(at, uint8(s))
	} else if i.op == opUint8 && v <= math.MaxUint8 {
		mem.SetBits8(at, uint8(v))
	} else {
		return pos, fault.ErrOverflow
	}
	return next, nil
}

// readNumber reads a number in canonical form, or with another byte order or width than in
// memory. On error next is the position of the fault.
func readNumber(in []byte, pos int, i *instr, at mem.Pointer) (next int, cause error) {
	// This check covers all reads below.
	next = pos + ops[i.op].bound
	if next > len(in) {
		return len(in), fault.ErrTruncated
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
		ok = scalar.Canonical32(b) == b
		mem.SetBits32(at, b)
	case opFloat64:
		b := mem.Get64(in, pos)
		ok = scalar.Canonical64(b) == b
		mem.SetBits64(at, b)
	case opComplex64:
		re, im := mem.Get32(in, pos), mem.Get32(in, pos+4)
		ok = i.arg == 0 || scalar.Canonical32(re) == re && scalar.Canonical32(im) == im
		mem.Store(at, 0, complex(math.Float32frombits(re), math.Float32frombits(im)))
	case opComplex128:
		re, im := mem.Get64(in, pos), mem.Get64(in, pos+8)
		ok = i.arg == 0 || scalar.Canonical64(re) == re && scalar.Canonical64(im) == im
		mem.Store(at, 0, complex(math.Float64frombits(re), math.Float64frombits(im)))
	case opWide:
		v := mem.Get64(in, pos)
		if i.len == scalar.LenU64BE {
			v = bits.ReverseBytes64(v)
		}
		// The 8 bytes may not fit an int of 32 bits on this platform.
		if s := int64(v); i.arg == numberSigned && int64(int32(s)) != s || i.arg != numberSigned && v>>32 != 0 {
			return pos, fault.ErrOverflow
		}
		mem.SetBits32(at, uint32(v))
	}
	// A canonical decoder refuses other NaNs, and -0. The refused number is stored already.
	if !ok {
		return pos, fault.ErrCanonical
	}
	return next, nil
}
