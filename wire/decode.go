package wire

import (
	"encoding"
	"encoding/binary"
	"math"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/mem"
)

// A decoder is the state of one decode that its programs share.
type decoder struct {
	in     []byte
	budget int // bytes of memory that it may still ask for
}

func (p *program) decode(data []byte, isNil bool, a mem.Pointer, limits Limits) error {
	if p.err != nil {
		return p.err
	}
	d := decoder{in: data, budget: limits.Bytes}
	if isNil {
		return d.fail(0, p.typ, errNilValue)
	}
	if d.budget == 0 {
		d.budget = max(minBudget, min(len(data), math.MaxInt/p.factor)*p.factor)
	}
	depth := limits.Depth
	if depth == 0 {
		depth = defaultDepth
	}
	pos, err := p.read(&d, 0, a, depth)
	if err != nil {
		return err
	}
	if pos != len(data) {
		return d.fail(pos, p.typ, ErrTrailing)
	}
	return nil
}

func (d *decoder) fail(pos int, t reflect.Type, cause error) *DecodeError {
	return &DecodeError{Offset: int64(pos), Type: t, Err: cause}
}

// take counts n values of size bytes against the budget.
func (d *decoder) take(n int, size uintptr) bool {
	if size == 0 {
		return true // no memory, however many there are
	}
	if n > d.budget/int(size) {
		return false
	}
	d.budget -= n * int(size)
	return true
}

// read runs the program over the value at a and returns the position after its
// encoding.
func (p *program) read(d *decoder, pos int, a mem.Pointer, depth int) (int, *DecodeError) {
	if depth == 0 {
		return pos, d.fail(pos, p.typ, ErrDepth)
	}
	in := d.in
	var cause error
	for pc := range p.code {
		i := &p.code[pc]
		off := uintptr(i.off)
		switch i.op {
		case opBool:
			var v bool
			if v, pos, cause = readBool(in, pos); cause == nil {
				mem.Store(a, off, v)
			}
		case opByte:
			if pos < len(in) {
				mem.Store(a, off, in[pos])
				pos++
			} else {
				cause = errTruncated
			}
		case opInt8:
			if pos < len(in) {
				mem.Store(a, off, int8(in[pos]))
				pos++
			} else {
				cause = errTruncated
			}
		case opInt16:
			var v int16
			if v, pos, cause = readInt[int16](in, pos); cause == nil {
				mem.Store(a, off, v)
			}
		case opInt32:
			var v int32
			if v, pos, cause = readInt[int32](in, pos); cause == nil {
				mem.Store(a, off, v)
			}
		case opInt64:
			var v uint64
			if v, pos, cause = uvarint(in, pos); cause == nil {
				mem.Store(a, off, unzigzag(v))
			}
		case opUint16:
			var v uint16
			if v, pos, cause = readUint[uint16](in, pos); cause == nil {
				mem.Store(a, off, v)
			}
		case opUint32:
			var v uint32
			if v, pos, cause = readUint[uint32](in, pos); cause == nil {
				mem.Store(a, off, v)
			}
		case opUint64:
			var v uint64
			if v, pos, cause = uvarint(in, pos); cause == nil {
				mem.Store(a, off, v)
			}
		case opFloat32:
			var v float32
			if v, pos, cause = readFloat32(in, pos); cause == nil {
				mem.Store(a, off, v)
			}
		case opFloat64:
			var v float64
			if v, pos, cause = readFloat64(in, pos); cause == nil {
				mem.Store(a, off, v)
			}
		case opComplex64:
			var re, im float32
			if re, pos, cause = readFloat32(in, pos); cause == nil {
				if im, pos, cause = readFloat32(in, pos); cause == nil {
					mem.Store(a, off, complex(re, im))
				}
			}
		case opComplex128:
			var re, im float64
			if re, pos, cause = readFloat64(in, pos); cause == nil {
				if im, pos, cause = readFloat64(in, pos); cause == nil {
					mem.Store(a, off, complex(re, im))
				}
			}
		case opString:
			var v string
			if v, pos, cause = readString(in, pos); cause == nil {
				mem.Store(a, off, v)
			}
		case opBytes:
			var v []byte
			if v, pos, cause = readBytes(in, pos); cause == nil {
				a.SetBytes(off, reuseBytes(a.Bytes(off), v))
			}
		case opByteArray:
			if n := int(i.arg); n <= len(in)-pos {
				a.PutArray(off, in[pos:pos+n])
				pos += n
			} else {
				pos, cause = len(in), errTruncated
			}
		case opTime:
			var v time.Time
			if v, pos, cause = readTime(in, pos); cause == nil {
				*mem.At[time.Time](a, off) = v
			}
		case opStrings:
			pos, cause = readSlice(d, pos, a, off, 1, readString)
		case opInt32s:
			pos, cause = readSlice(d, pos, a, off, 1, readInt[int32])
		case opInt64s:
			pos, cause = readSlice(d, pos, a, off, 1, readInt[int64])
		case opUint32s:
			pos, cause = readSlice(d, pos, a, off, 1, readUint[uint32])
		case opUint64s:
			pos, cause = readSlice(d, pos, a, off, 1, readUint[uint64])
		case opFloat32s:
			pos, cause = readSlice(d, pos, a, off, 4, readFloat32)
		case opFloat64s:
			pos, cause = readSlice(d, pos, a, off, 8, readFloat64)
		case opBinary, opText:
			pos, cause = p.refs[i.arg].readMethod(d, i.op, pos, a, off)
		default:
			var err *DecodeError
			if pos, err = p.readRef(d, i, pos, a, depth); err != nil {
				return pos, err.within(p.names[pc])
			}
		}
		if cause != nil {
			err := d.fail(pos, p.types[pc], cause)
			return pos, err.within(p.names[pc])
		}
	}
	return pos, nil
}

// readRef runs an instruction that has a program of its own.
func (p *program) readRef(d *decoder, i *instr, pos int, a mem.Pointer, depth int) (int, *DecodeError) {
	r := &p.refs[i.arg]
	off := uintptr(i.off)
	t := r.shape.Type
	switch i.op {
	case opArray:
		return r.readElements(d, pos, r.shape.Len, a.Add(off), depth)
	case opPointer, opOption:
		there, next, cause := readBool(d.in, pos)
		if cause != nil {
			return next, d.fail(next, t, cause)
		}
		if i.op == opOption {
			if !there {
				if mem.Load[bool](a, off) {
					a.Value(off, t).SetZero()
				}
				return next, nil
			}
			next, err := r.program.read(d, next, a.Add(off+r.value), depth-1)
			// Present even after a fault, so that what was read can be reached
			// and a later None clears it.
			mem.Store(a, off, true)
			return next, err
		}
		if !there {
			a.SetNil(off)
			return next, nil
		}
		to := a.Elem(off)
		if to.IsNil() {
			if !d.take(1, r.program.typ.Size()) {
				return pos, d.fail(pos, t, ErrLimit)
			}
			to = a.SetNew(off, r.program.typ)
		}
		return r.program.read(d, next, to, depth-1)
	case opSlice:
		n, next, cause := readLength(d.in, pos, r.program.least)
		if cause == nil && n > 0 && !d.take(n, r.stride) {
			cause = ErrLimit
		}
		if cause != nil {
			return next, d.fail(next, t, cause)
		}
		if n == 0 {
			a.ClearSlice(off)
			return next, nil
		}
		if a.Cap(off) < n {
			s := a.Value(off, t)
			s.SetZero()
			s.Grow(n)
		}
		a.SetLen(off, n)
		first, _ := a.Slice(off)
		return r.readElements(d, next, n, first, depth)
	case opMap:
		least := r.key.least + r.program.least
		n, next, cause := readLength(d.in, pos, least)
		if cause == nil && n > 0 && !d.take(n, r.shape.Key.Size+r.shape.Elem.Size+mapOverhead) {
			cause = ErrLimit
		}
		if cause != nil {
			return next, d.fail(next, t, cause)
		}
		if n == 0 {
			a.SetNil(off)
			return next, nil
		}
		if r.cast != nil {
			if next, cause = r.cast.read(d.in, next, n, a, off); cause != nil {
				return next, d.fail(next, t, cause)
			}
			return next, nil
		}
		return r.readMap(d, next, n, a, off, depth-1)
	}
	panic("wire: instruction without an interpreter")
}

// mapOverhead is what an entry of a map costs beside its key and element:
// a control byte, and the share of the slots that are empty.
const mapOverhead = 16

func (r *ref) readElements(d *decoder, pos, n int, first mem.Pointer, depth int) (int, *DecodeError) {
	if len(r.program.code) == 0 {
		return pos, nil // nothing to read, however many there are
	}
	for i := range n {
		var err *DecodeError
		if pos, err = r.program.read(d, pos, first.Add(uintptr(i)*r.stride), depth-1); err != nil {
			return pos, err.within(index("", i))
		}
	}
	return pos, nil
}

func (r *ref) readMethod(d *decoder, o op, pos int, a mem.Pointer, off uintptr) (int, error) {
	b, next, cause := readBytes(d.in, pos)
	if cause != nil {
		return next, cause
	}
	// The method gets bytes that it cannot append to beyond its own.
	b = b[:len(b):len(b)]
	v := a.Addr(off, r.shape.Type)
	if o == opBinary {
		cause = v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
	} else {
		cause = v.(encoding.TextUnmarshaler).UnmarshalText(b)
	}
	if cause != nil {
		return pos, cause
	}
	return next, nil
}

// readLength reads the number of elements that follow, each of at least least
// bytes, and refuses one that the rest of the input cannot hold.
func readLength(in []byte, pos, least int) (n, next int, cause error) {
	u, next, cause := uvarint(in, pos)
	if cause != nil {
		return 0, next, cause
	}
	if least > 0 && u > uint64((len(in)-next)/least) {
		return 0, len(in), errTruncated
	}
	if u > math.MaxInt {
		return 0, pos, ErrOverflow
	}
	return int(u), next, nil
}

func readSlice[T mem.Plain](d *decoder, pos int, a mem.Pointer, off uintptr, least int,
	one func(in []byte, pos int) (T, int, error)) (int, error) {
	n, next, cause := readLength(d.in, pos, least)
	if cause != nil {
		return next, cause
	}
	if n == 0 {
		mem.SetSlice[T](a, off, nil)
		return next, nil
	}
	if !d.take(n, reflect.TypeFor[T]().Size()) {
		return pos, ErrLimit
	}
	s := mem.SliceAt[T](a, off)
	if cap(s) < n {
		s = make([]T, n)
	}
	s = s[:n]
	for i := range s {
		if s[i], next, cause = one(d.in, next); cause != nil {
			return next, cause
		}
	}
	mem.SetSlice(a, off, s)
	return next, nil
}

func readBytes(in []byte, pos int) (b []byte, next int, cause error) {
	n, next, cause := readLength(in, pos, 1)
	if cause != nil {
		return nil, next, cause
	}
	return in[next : next+n], next + n, nil
}

// reuseBytes copies b over old if it has room, into a new slice otherwise.
func reuseBytes(old, b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return append(old[:0], b...)
}

func readString(in []byte, pos int) (string, int, error) {
	b, next, cause := readBytes(in, pos)
	if cause != nil {
		return "", next, cause
	}
	return string(b), next, nil
}

func appendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func readBool(in []byte, pos int) (bool, int, error) {
	if pos >= len(in) {
		return false, pos, errTruncated
	}
	if in[pos] > 1 {
		return false, pos, ErrFlag
	}
	return in[pos] == 1, pos + 1, nil
}

func appendByte[T int8 | uint8](dst []byte, v T) []byte { return append(dst, byte(v)) }

func readByte[T int8 | uint8](in []byte, pos int) (T, int, error) {
	if pos >= len(in) {
		return 0, pos, errTruncated
	}
	return T(in[pos]), pos + 1, nil
}

func appendInt[T int16 | int32](dst []byte, v T) []byte { return appendVarint(dst, int64(v)) }

func readInt[T int16 | int32 | int64](in []byte, pos int) (T, int, error) {
	u, next, cause := uvarint(in, pos)
	if cause != nil {
		return 0, next, cause
	}
	v := unzigzag(u)
	if int64(T(v)) != v {
		return 0, pos, ErrOverflow
	}
	return T(v), next, nil
}

func appendUint[T uint16 | uint32](dst []byte, v T) []byte { return appendUvarint(dst, uint64(v)) }

func readUint[T uint16 | uint32 | uint64](in []byte, pos int) (T, int, error) {
	u, next, cause := uvarint(in, pos)
	if cause != nil {
		return 0, next, cause
	}
	if uint64(T(u)) != u {
		return 0, pos, ErrOverflow
	}
	return T(u), next, nil
}

func readFloat32(in []byte, pos int) (float32, int, error) {
	if len(in)-pos < 4 {
		return 0, len(in), errTruncated
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(in[pos:])), pos + 4, nil
}

func readFloat64(in []byte, pos int) (float64, int, error) {
	if len(in)-pos < 8 {
		return 0, len(in), errTruncated
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(in[pos:])), pos + 8, nil
}
