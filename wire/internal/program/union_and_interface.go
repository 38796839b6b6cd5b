package program

import (
	"errors"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// putVariant writes a variant: a tag byte, and the value of the case. The types of package mo
// except Option are variants.
func (r *ref) putVariant(e *Encoder, n int, at mem.Pointer) (int, *EncodeError) {
	// The index of the case is also its tag.
	is := &r.cases[r.union.Held(at, 0)]
	mem.Put8(e.buf, n, byte(is.ID))
	if is.program == nil {
		return n + 1, nil
	}
	return is.program.put(e, n+1, at.Add(is.Off))
}

// readVariant reads a variant. It first clears the old value, which may be of another case.
func (r *ref) readVariant(d *Decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	if pos >= len(d.in) {
		return pos, d.fail(pos, r.spec.Type, fault.ErrTruncated)
	}
	tag := d.in[pos]
	if int(tag) >= len(r.cases) {
		return pos, d.fail(pos, r.spec.Type, fault.ErrTag)
	}
	is := &r.cases[tag]
	// The new value must not reuse memory of the old one.
	at.Value(0, r.spec.Type).SetZero()
	// The case is set before its value is decoded, so that the garbage collector and a reader
	// after a fault see a value of the right case.
	r.union.Hold(at, 0, int(tag))
	if is.program == nil {
		return pos + 1, nil
	}
	return is.program.read(d, pos+1, at.Add(is.Off))
}

// errorText returns the text of an error, or "" for nil.
func errorText(at mem.Pointer) string {
	if err := *mem.At[error](at, 0); err != nil {
		return err.Error()
	}
	return ""
}

// readError reads the text of an error. The new error has only the text, not the type, of the
// encoded one.
func readError(d *Decoder, pos int, at mem.Pointer) (int, error) {
	b, next, cause := scalar.Block(d.in, pos, scalar.LenVarint)
	if cause != nil {
		return next, cause
	}
	if !d.TakeBlock(len(b)) {
		return pos, fault.ErrBudget
	}
	// The text is always copied, since errors are often kept longer than the input.
	*mem.At[error](at, 0) = errors.New(string(b))
	return next, nil
}

// putInterface writes an interface: the id of its dynamic type, or 0 for nil, and the value. It
// copies the value to give it an address, which allocates.
func (r *ref) putInterface(e *Encoder, n int, at mem.Pointer) (int, *EncodeError) {
	v := at.Value(0, r.spec.Type)
	if v.IsNil() {
		mem.Put8(e.buf, n, 0)
		return n + 1, nil
	}
	v = v.Elem()
	// A pointer type and its target are different cases.
	i, ok := r.byType[v.Type()]
	if !ok {
		return n, &EncodeError{Type: v.Type(), Err: r.unregistered(v.Type())}
	}
	is := &r.cases[i]
	n = scalar.PutUvarint(e.buf, n, uint64(is.ID))
	// Methods may change the copy, but must not change the value in the interface.
	held := reflect.New(v.Type())
	held.Elem().Set(v)
	return is.program.put(e, n, mem.OfPointer(held))
}

// unregistered returns the cause for a value of type t, which is not a case of the interface. The cause says
// where to add the type: in the declaration of the interface, or in the codec's Types.
func (r *ref) unregistered(t reflect.Type) error {
	if shape.Of(r.spec.Type).Sum != nil {
		return fault.Undeclared(t.String(), r.spec.Type.String())
	}
	return fault.Unregistered(t.String())
}

// readInterface reads an interface. It always allocates a new value, since a copy of the old
// interface may share the old value.
func (r *ref) readInterface(d *Decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	id, next := scalar.Uvarint(d.in, pos)
	if next == 0 {
		next, cause := scalar.UvarintFault(d.in, pos)
		return next, d.fail(next, r.spec.Type, cause)
	}
	v := at.Value(0, r.spec.Type)
	if id == 0 {
		v.SetZero()
		return next, nil
	}
	// Interfaces have few cases, so a linear search suffices.
	for i := range r.cases {
		is := &r.cases[i]
		if uint64(is.ID) != id {
			continue
		}
		if !d.Take(1, is.Spec.Size) {
			return pos, d.fail(pos, r.spec.Type, fault.ErrBudget)
		}
		held := reflect.New(is.Spec.Type)
		next, err := is.program.read(d, next, mem.OfPointer(held))
		// The interface is set after a fault too, to the partly decoded value.
		v.Set(held.Elem())
		return next, err
	}
	if shape.Of(r.spec.Type).Sum != nil {
		return pos, d.fail(pos, r.spec.Type, fault.UnknownCase(id, r.spec.Type.String()))
	}
	return pos, d.fail(pos, r.spec.Type, fault.UnknownID(id))
}
