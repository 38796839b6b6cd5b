package wire

import (
	"encoding"
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/hone-go/hone/internal/mem"
)

func (p *program) encode(dst []byte, isNil bool, a mem.Pointer) ([]byte, error) {
	if p.err != nil {
		return dst, p.err
	}
	if isNil {
		return dst, &EncodeError{Type: p.typ, Err: errNilValue}
	}
	out, err := p.append(dst, a, defaultDepth)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// append runs the program over the value at a. Depth is how much deeper it may
// nest.
func (p *program) append(dst []byte, a mem.Pointer, depth int) ([]byte, *EncodeError) {
	if depth == 0 {
		return dst, &EncodeError{Type: p.typ, Err: ErrDepth}
	}
	for pc := range p.code {
		in := &p.code[pc]
		off := uintptr(in.off)
		switch in.op {
		case opBool:
			b := byte(0)
			if mem.Load[bool](a, off) {
				b = 1
			}
			dst = append(dst, b)
		case opByte:
			dst = append(dst, mem.Load[uint8](a, off))
		case opInt8:
			dst = append(dst, byte(mem.Load[int8](a, off)))
		case opInt16:
			dst = appendVarint(dst, int64(mem.Load[int16](a, off)))
		case opInt32:
			dst = appendVarint(dst, int64(mem.Load[int32](a, off)))
		case opInt64:
			dst = appendVarint(dst, mem.Load[int64](a, off))
		case opUint16:
			dst = appendUvarint(dst, uint64(mem.Load[uint16](a, off)))
		case opUint32:
			dst = appendUvarint(dst, uint64(mem.Load[uint32](a, off)))
		case opUint64:
			dst = appendUvarint(dst, mem.Load[uint64](a, off))
		case opFloat32:
			dst = appendFloat32(dst, mem.Load[float32](a, off))
		case opFloat64:
			dst = appendFloat64(dst, mem.Load[float64](a, off))
		case opComplex64:
			c := mem.Load[complex64](a, off)
			dst = appendFloat32(appendFloat32(dst, real(c)), imag(c))
		case opComplex128:
			c := mem.Load[complex128](a, off)
			dst = appendFloat64(appendFloat64(dst, real(c)), imag(c))
		case opString:
			dst = appendString(dst, mem.Load[string](a, off))
		case opBytes:
			b := a.Bytes(off)
			dst = append(appendUvarint(dst, uint64(len(b))), b...)
		case opByteArray:
			dst = append(dst, a.Array(off, int(in.arg))...)
		case opTime:
			dst = appendTime(dst, *mem.At[time.Time](a, off))
		case opStrings:
			dst = appendSlice(dst, mem.SliceAt[string](a, off), appendString)
		case opInt32s:
			s := mem.SliceAt[int32](a, off)
			dst = appendUvarint(dst, uint64(len(s)))
			for _, v := range s {
				dst = appendVarint(dst, int64(v))
			}
		case opInt64s:
			s := mem.SliceAt[int64](a, off)
			dst = appendUvarint(dst, uint64(len(s)))
			for _, v := range s {
				dst = appendVarint(dst, v)
			}
		case opUint32s:
			s := mem.SliceAt[uint32](a, off)
			dst = appendUvarint(dst, uint64(len(s)))
			for _, v := range s {
				dst = appendUvarint(dst, uint64(v))
			}
		case opUint64s:
			s := mem.SliceAt[uint64](a, off)
			dst = appendUvarint(dst, uint64(len(s)))
			for _, v := range s {
				dst = appendUvarint(dst, v)
			}
		case opFloat32s:
			dst = appendSlice(dst, mem.SliceAt[float32](a, off), appendFloat32)
		case opFloat64s:
			dst = appendSlice(dst, mem.SliceAt[float64](a, off), appendFloat64)
		case opSlice, opArray:
			var err *EncodeError
			if dst, err = p.appendElements(dst, in, a, depth); err != nil {
				return dst, err.within(p.names[pc])
			}
		case opPointer:
			to := a.Elem(off)
			if to.IsNil() {
				dst = append(dst, 0)
				continue
			}
			var err *EncodeError
			if dst, err = p.refs[in.arg].program.append(append(dst, 1), to, depth-1); err != nil {
				return dst, err.within(p.names[pc])
			}
		case opOption:
			if !mem.Load[bool](a, off) {
				dst = append(dst, 0)
				continue
			}
			r := &p.refs[in.arg]
			var err *EncodeError
			if dst, err = r.program.append(append(dst, 1), a.Add(off+r.value), depth-1); err != nil {
				return dst, err.within(p.names[pc])
			}
		case opMap:
			var err *EncodeError
			if dst, err = p.refs[in.arg].appendMap(dst, a, off, depth-1); err != nil {
				return dst, err.within(p.names[pc])
			}
		case opBinary, opText:
			r := &p.refs[in.arg]
			var err error
			if dst, err = r.append(dst, a.Addr(off, r.shape.Type)); err != nil {
				return dst, &EncodeError{Path: p.names[pc], Type: r.shape.Type, Err: err}
			}
		}
	}
	return dst, nil
}

func (p *program) appendElements(dst []byte, in *instr, a mem.Pointer, depth int) ([]byte, *EncodeError) {
	r := &p.refs[in.arg]
	first, n := a.Add(uintptr(in.off)), r.shape.Len
	if in.op == opSlice {
		first, n = a.Slice(uintptr(in.off))
		dst = appendUvarint(dst, uint64(n))
	}
	if len(r.program.code) == 0 {
		return dst, nil
	}
	for i := range n {
		var err *EncodeError
		if dst, err = r.program.append(dst, first.Add(uintptr(i)*r.stride), depth-1); err != nil {
			return dst, err.within(index("", i))
		}
	}
	return dst, nil
}

func appendSlice[T any](dst []byte, s []T, one func([]byte, T) []byte) []byte {
	dst = appendUvarint(dst, uint64(len(s)))
	for _, v := range s {
		dst = one(dst, v)
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	return append(appendUvarint(dst, uint64(len(s))), s...)
}

func appendFloat32(dst []byte, f float32) []byte {
	return binary.LittleEndian.AppendUint32(dst, math.Float32bits(f))
}

func appendFloat64(dst []byte, f float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
}

// An appendMethod appends the length and the bytes that a type's own method
// makes of the value that v points to.
type appendMethod func(dst []byte, v any) ([]byte, error)

func callAppendBinary(dst []byte, v any) ([]byte, error) {
	return appendFramed(dst, v.(encoding.BinaryAppender).AppendBinary)
}

func callAppendText(dst []byte, v any) ([]byte, error) {
	return appendFramed(dst, v.(encoding.TextAppender).AppendText)
}

func callMarshalBinary(dst []byte, v any) ([]byte, error) {
	b, err := v.(encoding.BinaryMarshaler).MarshalBinary()
	return append(appendUvarint(dst, uint64(len(b))), b...), err
}

func callMarshalText(dst []byte, v any) ([]byte, error) {
	b, err := v.(encoding.TextMarshaler).MarshalText()
	return append(appendUvarint(dst, uint64(len(b))), b...), err
}

var errNotAppended = errors.New("append method returned less than it was given")

// appendFramed writes what f appends behind its length. The length is guessed
// to take one byte; what is longer is moved up.
func appendFramed(dst []byte, f func([]byte) ([]byte, error)) ([]byte, error) {
	start := len(dst)
	out, err := f(append(dst, 0))
	if err != nil {
		return dst, err
	}
	if len(out) < start+1 {
		return dst, errNotAppended
	}
	n := uint64(len(out) - start - 1)
	if n < 0x80 {
		out[start] = byte(n)
		return out, nil
	}
	var length [binary.MaxVarintLen64]byte
	w := binary.PutUvarint(length[:], n)
	out = append(out, length[1:w]...)
	copy(out[start+w:], out[start+1:])
	copy(out[start:], length[:w])
	return out, nil
}
