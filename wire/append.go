package wire

import (
	"math"
	"math/bits"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/mem"
)

// A scratch is where the encoder goes on when it runs out of room.
type scratch [scratchSize]byte

const scratchSize = 16 << 10

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// encode appends the value at a to dst.
//
// The instructions reserve room for the longest encoding of those that follow
// and then write without looking. What does not fit dst by that measure is made
// in scratch memory, and copied back if it fits after all: whoever hands over a
// buffer of the right size gets it back.
func (p *program) encode(dst []byte, isNil bool, a mem.Pointer) ([]byte, error) {
	if p.err != nil {
		return dst, p.err
	}
	if isNil {
		return dst, &EncodeError{Type: p.typ, Err: errNilValue}
	}
	buf, start, borrowed := dst[:cap(dst)], len(dst), false
	if len(buf)-start < p.need {
		buf, start, borrowed = scratches.Get().(*scratch)[:], 0, true
	}
	out, n, err := p.append(buf, start, a, 1, 0, defaultDepth)
	grown := len(out) != len(buf)
	switch {
	case err != nil:
	case !borrowed && !grown:
		dst = out[:n]
	case n-start <= cap(dst)-len(dst):
		dst = append(dst, out[start:n]...)
	case grown && len(out) != scratchSize && start == len(dst):
		return out[:n], nil // what is before start was copied too
	default:
		// With room for the next value of this type to be made in place.
		next := make([]byte, len(dst), max(len(dst)+n-start+p.room, 2*cap(dst)))
		copy(next, dst)
		dst = append(next, out[start:n]...)
	}
	if borrowed {
		release(buf)
	}
	if grown {
		release(out)
	}
	if err != nil {
		return dst, err
	}
	return dst, nil
}

// size returns the length of the encoding of the value at a.
func (p *program) size(isNil bool, a mem.Pointer) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	if isNil {
		return 0, &EncodeError{Type: p.typ, Err: errNilValue}
	}
	buf := scratches.Get().(*scratch)[:]
	out, n, err := p.append(buf, 0, a, 1, 0, defaultDepth)
	release(buf)
	if err != nil {
		return 0, err
	}
	if len(out) != len(buf) {
		release(out)
	}
	return n, nil
}

// release gives back what [grow] or encode took, and never a caller's buffer.
func release(b []byte) {
	if len(b) == scratchSize {
		scratches.Put((*scratch)(b))
	}
}

// element puts the index of the k-th of several values before the path.
func (e *EncodeError) element(k int, stride uintptr) *EncodeError {
	if stride == 0 {
		return e
	}
	return e.within(index("", k))
}

func (p *program) fail(pc int, cause error) *EncodeError {
	at := p.at(pc, 0)
	return &EncodeError{Path: at.name, Type: at.typ, Err: cause}
}

// append runs the program over the count values from a on, each stride bytes
// after the one before, and writes to dst[n:]. All of dst is room. Depth is how
// much deeper the value may nest.
func (p *program) append(dst []byte, n int, a mem.Pointer, count int, stride uintptr, depth int) ([]byte, int, *EncodeError) {
	if depth == 0 {
		return dst, n, (&EncodeError{Type: p.typ, Err: ErrDepth}).element(0, stride)
	}
	for k := 0; ; {
		if len(dst)-n < p.need {
			dst = grow(dst, n, p.need)
		}
		for pc := range p.code {
			in := &p.code[pc]
			need := int(in.need)
			at := a.Add(uintptr(in.off))
		again:
			switch in.op {
			case opBool:
				n = putBool(dst, n, mem.Load[bool](at, 0))
			case opByte:
				mem.Put8(dst, n, mem.Bits8(at))
				n++
			case opInt16:
				n = putUvarint(dst, n, zigzag(int64(mem.Load[int16](at, 0))))
			case opInt32:
				n = putUvarint(dst, n, zigzag(int64(mem.Load[int32](at, 0))))
			case opInt64:
				n = putUvarint(dst, n, zigzag(mem.Load[int64](at, 0)))
			case opUint16:
				n = putUvarint(dst, n, uint64(mem.Load[uint16](at, 0)))
			case opUint32:
				n = putUvarint(dst, n, uint64(mem.Load[uint32](at, 0)))
			case opUint64:
				n = putUvarint(dst, n, mem.Load[uint64](at, 0))
			case opInts:
				for i := range uintptr(in.arg) {
					n = putUvarint(dst, n, zigzag(mem.Load[int64](at, 8*i)))
				}
			case opUints:
				for i := range uintptr(in.arg) {
					n = putUvarint(dst, n, mem.Load[uint64](at, 8*i))
				}
			case opFix16:
				mem.Put16(dst, n, mem.Bits16(at))
				n += 2
			case opFix32:
				mem.Put32(dst, n, mem.Bits32(at))
				n += 4
			case opFix64:
				mem.Put64(dst, n, mem.Bits64(at))
				n += 8
			case opFix16B:
				mem.Put16(dst, n, bits.ReverseBytes16(mem.Bits16(at)))
				n += 2
			case opFix32B:
				mem.Put32(dst, n, bits.ReverseBytes32(mem.Bits32(at)))
				n += 4
			case opFix64B:
				mem.Put64(dst, n, bits.ReverseBytes64(mem.Bits64(at)))
				n += 8
			case opWide:
				v := uint64(mem.Bits32(at))
				if in.arg == numberSigned {
					v = uint64(int64(int32(v)))
				}
				if in.len == LenU64BE {
					v = bits.ReverseBytes64(v)
				}
				mem.Put64(dst, n, v)
				n += 8
			case opFloat32:
				mem.Put32(dst, n, canonical32(mem.Bits32(at)))
				n += 4
			case opFloat64:
				mem.Put64(dst, n, canonical64(mem.Bits64(at)))
				n += 8
			case opComplex64, opComplex128:
				n = putComplex(dst, n, in, at)
			case opTime:
				t := mem.At[time.Time](at, 0)
				n = putUvarint(dst, n, zigzag(t.Unix()))
				n = putUvarint(dst, n, uint64(t.Nanosecond()))
				if t.Location() == time.UTC {
					mem.Put8(dst, n, zoneUTC)
					n++
				} else {
					dst, n = putZone(dst, n, t, need)
				}
			case opTimeUTC:
				v, ok := unixNano(*mem.At[time.Time](at, 0))
				if !ok {
					return dst, n, p.fail(pc, ErrTime).element(k, stride)
				}
				mem.Put64(dst, n, uint64(v))
				n += 8
			case opString:
				s := mem.Load[string](at, 0)
				if len(dst)-n < len(s)+10+need {
					dst = grow(dst, n, len(s)+10+need)
				}
				n = putUvarint(dst, n, uint64(len(s)))
				n += copy(dst[n:], s)
			case opText:
				s := mem.Load[string](at, 0)
				if len(dst)-n < len(s)+10+need {
					dst = grow(dst, n, len(s)+10+need)
				}
				next, ok := putLen(dst, n, in.len, len(s))
				if !ok {
					return dst, n, p.fail(pc, ErrTooLong).element(k, stride)
				}
				n = next + copy(dst[next:], s)
			case opBytes:
				b := at.Bytes(0)
				if len(dst)-n < len(b)+10+need {
					dst = grow(dst, n, len(b)+10+need)
				}
				next, ok := putLen(dst, n, in.len, len(b))
				if !ok {
					return dst, n, p.fail(pc, ErrTooLong).element(k, stride)
				}
				n = next + copy(dst[next:], b)
			case opRaw:
				size := int(in.arg)
				if len(dst)-n < size+need {
					dst = grow(dst, n, size+need)
				}
				n += copy(dst[n:], at.Array(0, size))
			case opSkip:
				size := int(in.arg)
				if len(dst)-n < size+need {
					dst = grow(dst, n, size+need)
				}
				clear(dst[n : n+size])
				n += size
			case opStrings:
				s := mem.SliceAt[string](at, 0)
				if len(dst)-n < 10 {
					dst = grow(dst, n, 10+need)
				}
				n = putUvarint(dst, n, uint64(len(s)))
				for _, v := range s {
					if len(dst)-n < len(v)+10+slack {
						dst = grow(dst, n, len(v)+10+slack)
					}
					n = putUvarint(dst, n, uint64(len(v)))
					n += copy(dst[n:], v)
				}
				if len(dst)-n < need {
					dst = grow(dst, n, need)
				}
			case opInt32s:
				dst, n = putSigned(dst, n, mem.SliceAt[int32](at, 0), need)
			case opInt64s:
				dst, n = putSigned(dst, n, mem.SliceAt[int64](at, 0), need)
			case opUint32s:
				dst, n = putUnsigned(dst, n, mem.SliceAt[uint32](at, 0), need)
			case opUint64s:
				dst, n = putUnsigned(dst, n, mem.SliceAt[uint64](at, 0), need)
			case opBulk:
				first, length := at.Slice(0)
				next, ok := putLen(dst, n, in.len, length)
				if !ok {
					return dst, n, p.fail(pc, ErrTooLong).element(k, stride)
				}
				n = next
				size := length * int(in.arg)
				if len(dst)-n < size+need {
					dst = grow(dst, n, size+need)
				}
				if size > 0 {
					n += copy(dst[n:], first.Array(0, size))
				}
			case opField:
				if len(dst)-n < need {
					dst = grow(dst, n, need)
				}
			case opPointerTo:
				to := at.Elem(0)
				if to.IsNil() {
					mem.Put8(dst, n, 0)
					n++
					if len(dst)-n < need {
						dst = grow(dst, n, need)
					}
					continue
				}
				mem.Put8(dst, n, 1)
				n++
				if depth == 1 {
					return dst, n, p.fail(pc, ErrDepth).element(k, stride)
				}
				in = &p.refs[in.arg].program.code[0]
				at = to.Add(uintptr(in.off))
				goto again
			case opOptionOf:
				if !mem.Load[bool](at, 0) {
					mem.Put8(dst, n, 0)
					n++
					if len(dst)-n < need {
						dst = grow(dst, n, need)
					}
					continue
				}
				mem.Put8(dst, n, 1)
				n++
				if depth == 1 {
					return dst, n, p.fail(pc, ErrDepth).element(k, stride)
				}
				r := &p.refs[in.arg]
				in = &r.program.code[0]
				at = at.Add(r.value + uintptr(in.off))
				goto again
			default:
				var err *EncodeError
				if dst, n, err = p.appendRef(dst, n, in, at, depth); err != nil {
					return dst, n, err.within(p.at(pc, 0).name).element(k, stride)
				}
				if len(dst)-n < need {
					dst = grow(dst, n, need)
				}
			}
		}
		if k++; k >= count {
			return dst, n, nil
		}
		a = a.Add(stride)
	}
}

// appendRef runs an instruction that has a program of its own, or that is seldom
// met. There is room for a length.
func (p *program) appendRef(dst []byte, n int, in *instr, at mem.Pointer, depth int) ([]byte, int, *EncodeError) {
	switch in.op {
	case opError:
		text := ""
		if err := *mem.At[error](at, 0); err != nil {
			text = err.Error()
		}
		dst, n = putBlock(dst, n, text)
		return dst, n, nil
	case opTimeZone:
		return appendTimeZone(dst, n, *mem.At[time.Time](at, 0))
	}
	r := &p.refs[in.arg]
	switch in.op {
	case opSlice, opList, opArray:
		return r.appendElements(dst, n, in, at, depth)
	case opPointer:
		to := at.Elem(0)
		if to.IsNil() {
			mem.Put8(dst, n, 0)
			return dst, n + 1, nil
		}
		mem.Put8(dst, n, 1)
		return r.program.append(dst, n+1, to, 1, 0, depth-1)
	case opOption:
		if !mem.Load[bool](at, 0) {
			mem.Put8(dst, n, 0)
			return dst, n + 1, nil
		}
		mem.Put8(dst, n, 1)
		return r.program.append(dst, n+1, at.Add(r.value), 1, 0, depth-1)
	case opMap:
		return r.appendMap(dst, n, in.len, at, depth-1)
	case opBinary, opTextual:
		return r.appendMethod(dst, n, at)
	case opVariant:
		return r.appendVariant(dst, n, at, depth-1)
	case opInterface:
		return r.appendInterface(dst, n, at, depth-1)
	case opEvolving:
		return r.appendEvolving(dst, n, at, depth-1)
	case opAccessor:
		return r.accessor.append(r.program, dst, n, at, depth-1)
	}
	panic("wire: instruction without an interpreter")
}

func (r *ref) fail(cause error) *EncodeError { return &EncodeError{Type: r.spec.typ, Err: cause} }

// appendElements writes a slice, a list or an array of what has a program.
func (r *ref) appendElements(dst []byte, n int, in *instr, at mem.Pointer, depth int) ([]byte, int, *EncodeError) {
	first, count := at, r.count
	if in.op != opArray {
		first, count = at.Slice(0)
	}
	switch in.op {
	case opSlice:
		next, ok := putLen(dst, n, in.len, count)
		if !ok {
			return dst, n, r.fail(ErrTooLong)
		}
		n = next
	case opList:
		if count != r.count {
			return dst, n, r.fail(ErrCount)
		}
	}
	if count == 0 || len(r.program.code) == 0 {
		return dst, n, nil
	}
	if r.raw > 0 {
		size := count * int(r.raw)
		if len(dst)-n < size+slack {
			dst = grow(dst, n, size+slack)
		}
		return dst, n + copy(dst[n:], first.Array(0, size)), nil
	}
	return r.program.append(dst, n, first, count, r.stride, depth-1)
}

// putBlock writes a length and the bytes of s.
func putBlock(dst []byte, n int, s string) ([]byte, int) {
	if len(dst)-n < len(s)+10+slack {
		dst = grow(dst, n, len(s)+10+slack)
	}
	n = putUvarint(dst, n, uint64(len(s)))
	return dst, n + copy(dst[n:], s)
}

// putSigned and putUnsigned write a slice of varints, some at a time, so that
// room is made for a few and not looked after for each.

const chunk = 64

func putSigned[T int32 | int64](dst []byte, n int, s []T, need int) ([]byte, int) {
	n = putUvarint(dst, n, uint64(len(s)))
	for len(s) > 0 {
		some := s[:min(len(s), chunk)]
		if len(dst)-n < 10*len(some)+slack {
			dst = grow(dst, n, 10*len(some)+slack)
		}
		for _, v := range some {
			n = putUvarint(dst, n, zigzag(int64(v)))
		}
		s = s[len(some):]
	}
	if len(dst)-n < need {
		dst = grow(dst, n, need)
	}
	return dst, n
}

func putUnsigned[T uint32 | uint64](dst []byte, n int, s []T, need int) ([]byte, int) {
	n = putUvarint(dst, n, uint64(len(s)))
	for len(s) > 0 {
		some := s[:min(len(s), chunk)]
		if len(dst)-n < 10*len(some)+slack {
			dst = grow(dst, n, 10*len(some)+slack)
		}
		for _, v := range some {
			n = putUvarint(dst, n, uint64(v))
		}
		s = s[len(some):]
	}
	if len(dst)-n < need {
		dst = grow(dst, n, need)
	}
	return dst, n
}

func putComplex(dst []byte, n int, in *instr, at mem.Pointer) int {
	canonical := in.arg == 1
	if in.op == opComplex64 {
		c := mem.Load[complex64](at, 0)
		re, im := math.Float32bits(real(c)), math.Float32bits(imag(c))
		if canonical {
			re, im = canonical32(re), canonical32(im)
		}
		mem.Put32(dst, n, re)
		mem.Put32(dst, n+4, im)
		return n + 8
	}
	c := mem.Load[complex128](at, 0)
	re, im := math.Float64bits(real(c)), math.Float64bits(imag(c))
	if canonical {
		re, im = canonical64(re), canonical64(im)
	}
	mem.Put64(dst, n, re)
	mem.Put64(dst, n+8, im)
	return n + 16
}
