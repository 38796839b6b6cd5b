package program

import (
	"errors"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

// A variant is one of several things, which a byte tells apart: the types of
// package mo but for Option.

func (r *ref) putVariant(e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	is := &r.cases[r.spec.Union.Held(at, 0)]
	mem.Put8(e.buf, n, byte(is.ID))
	if is.program == nil {
		return n + 1, nil
	}
	return is.program.put(e, n+1, at.Add(is.Off))
}

func (r *ref) readVariant(d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	if pos >= len(d.in) {
		return pos, d.fail(pos, r.spec.Type, ErrTruncated)
	}
	tag := d.in[pos]
	if int(tag) >= len(r.cases) {
		return pos, d.fail(pos, r.spec.Type, ErrTag)
	}
	is := &r.cases[tag]
	at.Value(0, r.spec.Type).SetZero()
	r.spec.Union.Hold(at, 0, int(tag))
	if is.program == nil {
		return pos + 1, nil
	}
	return is.program.read(d, pos+1, at.Add(is.Off))
}

// errorText returns the text of an error, "" if there is none.
func errorText(at mem.Pointer) string {
	if err := *mem.At[error](at, 0); err != nil {
		return err.Error()
	}
	return ""
}

func readError(d *decoder, pos int, at mem.Pointer) (int, error) {
	b, next, cause := block(d.in, pos, LenVarint)
	if cause != nil {
		return next, cause
	}
	if !d.takeBlock(len(b)) {
		return pos, errBudget
	}
	*mem.At[error](at, 0) = errors.New(string(b))
	return next, nil
}

// An interface is the id of what it holds, 0 for nil, and the value.

func (r *ref) putInterface(e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	v := at.Value(0, r.spec.Type)
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
	n = putUvarint(e.buf, n, uint64(is.ID))
	held := reflect.New(v.Type())
	held.Elem().Set(v)
	return is.program.put(e, n, mem.OfPointer(held))
}

func (r *ref) readInterface(d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	id, next := Uvarint(d.in, pos)
	if next == 0 {
		next, cause := UvarintFault(d.in, pos)
		return next, d.fail(next, r.spec.Type, cause)
	}
	v := at.Value(0, r.spec.Type)
	if id == 0 {
		v.SetZero()
		return next, nil
	}
	for i := range r.cases {
		is := &r.cases[i]
		if uint64(is.ID) != id {
			continue
		}
		if !d.take(1, is.Spec.Size) {
			return pos, d.fail(pos, r.spec.Type, errBudget)
		}
		held := reflect.New(is.Spec.Type)
		next, err := is.program.read(d, next, mem.OfPointer(held))
		v.Set(held.Elem())
		return next, err
	}
	return pos, d.fail(pos, r.spec.Type, ErrUnregistered)
}
