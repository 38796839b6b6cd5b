package wire

import (
	"errors"
	"math"
	"reflect"

	"github.com/hone-go/hone/internal/mem"
)

// A variant is one of several things, which a byte tells apart: the types of
// package mo but for Option.

func (r *ref) appendVariant(e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	is := &r.cases[r.spec.union.Held(at, 0)]
	mem.Put8(e.buf, n, byte(is.id))
	if is.program == nil {
		return n + 1, nil
	}
	return is.program.append(e, n+1, at.Add(is.off))
}

func (r *ref) readVariant(d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	if pos >= len(d.in) {
		return pos, d.fail(pos, r.spec.typ, errTruncated)
	}
	tag := d.in[pos]
	if int(tag) >= len(r.cases) {
		return pos, d.fail(pos, r.spec.typ, ErrTag)
	}
	is := &r.cases[tag]
	at.Value(0, r.spec.typ).SetZero()
	r.spec.union.Hold(at, 0, int(tag))
	if is.program == nil {
		return pos + 1, nil
	}
	return is.program.read(d, pos+1, at.Add(is.off))
}

func readError(d *decoder, pos int, at mem.Pointer) (int, error) {
	b, next, cause := block(d.in, pos, LenVarint)
	if cause != nil {
		return next, cause
	}
	*mem.At[error](at, 0) = errors.New(string(b))
	return next, nil
}

// An interface is the id of what it holds, 0 for nil, and the value.

func (r *ref) appendInterface(e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	v := at.Value(0, r.spec.typ)
	if v.IsNil() {
		mem.Put8(e.buf, n, 0)
		return n + 1, nil
	}
	v = v.Elem()
	i, ok := r.byType[v.Type()]
	if !ok {
		return n, &EncodeError{Type: v.Type(), Err: ErrUnregistered}
	}
	is := &r.cases[i]
	n = putUvarint(e.buf, n, uint64(is.id))
	held := reflect.New(v.Type())
	held.Elem().Set(v)
	return is.program.append(e, n, mem.OfPointer(held))
}

func (r *ref) readInterface(d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	id, next := uvarint(d.in, pos)
	if next == 0 {
		next, cause := uvarintFault(d.in, pos)
		return next, d.fail(next, r.spec.typ, cause)
	}
	v := at.Value(0, r.spec.typ)
	if id == 0 {
		v.SetZero()
		return next, nil
	}
	for i := range r.cases {
		is := &r.cases[i]
		if uint64(is.id) != id {
			continue
		}
		if !d.take(1, is.spec.size) {
			return pos, d.fail(pos, r.spec.typ, ErrLimit)
		}
		held := reflect.New(is.spec.typ)
		next, err := is.program.read(d, next, mem.OfPointer(held))
		v.Set(held.Elem())
		return next, err
	}
	return pos, d.fail(pos, r.spec.typ, ErrUnregistered)
}

// An evolving struct is its length in bytes and its fields.

func (r *ref) appendEvolving(e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	// The length is guessed to take one byte; a longer body is moved up.
	start := n + 1
	end, err := r.program.append(e, start, at)
	if err != nil {
		return n, err
	}
	size := end - start
	if size < 0x80 {
		mem.Put8(e.buf, n, byte(size))
		return end, nil
	}
	dst := e.room(end, 10)
	var head [16]byte
	w := putUvarint(head[:], 0, uint64(size))
	copy(dst[n+w:], dst[start:end])
	copy(dst[n:], head[:w])
	return n + w + size, nil
}

func (r *ref) readEvolving(d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	b, end, cause := block(d.in, pos, LenVarint)
	if cause != nil {
		return end, d.fail(end, r.spec.typ, cause)
	}
	in := d.in
	d.in = in[:end]
	_, err := r.program.read(d, end-len(b), at)
	d.in = in
	return end, err
}

// zeroRest sets the fields from that of the instruction at pc on to zero: what
// the writer did not know of. It returns the position of the last instruction.
func (p *program) zeroRest(pc int, a mem.Pointer) {
	for ; pc < len(p.code); pc++ {
		in := &p.code[pc]
		if in.op != opField {
			continue
		}
		if s := p.refs[in.arg].spec; s.form == formStruct {
			s.zero(a.Add(uintptr(in.off)))
		} else {
			a.Add(uintptr(in.off)).Value(0, s.typ).SetZero()
		}
	}
}

// zero sets what of a struct is on the wire to zero, and leaves the rest.
func (s *spec) zero(a mem.Pointer) {
	for i := range s.fields {
		f := &s.fields[i]
		if f.spec.form == formStruct {
			f.spec.zero(a.Add(f.off))
		} else if f.spec.size > 0 {
			a.Add(f.off).Value(0, f.spec.typ).SetZero()
		}
	}
}

// block reads a length and that many bytes of the input.
func block(in []byte, pos int, form Len) (b []byte, next int, cause error) {
	n, at := getLen(in, pos, form)
	if at == 0 {
		at, cause = lenFault(in, pos, form)
		return nil, at, cause
	}
	if n > uint64(len(in)-at) || n > math.MaxInt {
		return nil, len(in), errTruncated
	}
	return in[at : at+int(n)], at + int(n), nil
}
