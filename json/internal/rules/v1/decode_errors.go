package v1

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// Save stores err if no error was saved before. The error has no position in the text.
func (d *Decoder) Save(err error) {
	if d.Saved == nil {
		d.Saved, d.SavedAt = d.rules.Release.InContext(d, err), -1
	}
}

// TypeError saves the error for a value that cannot be decoded into t. offset is the offset that
// the error contains.
func (d *Decoder) TypeError(value string, t reflect.Type, offset int, cause error) {
	if d.Saved == nil {
		d.Save(d.rules.Release.TypeError(d, value, t, offset, cause))
		d.SavedAt = offset - 1
	}
}

// TypeErrorAt saves the error for the value at t, which cannot be decoded into typ. If the value is
// a number, the argument number describes it in the error.
func (d *Decoder) TypeErrorAt(t int, number string, typ reflect.Type, cause error) {
	// The offset is the position at which encoding/json stops: after the opening bracket of an
	// array or object, and after the end of any other value.
	value, offset := number, d.End(t)
	switch pos := d.Words[t].Pos(); d.Data[pos] {
	case '{':
		value, offset = "object", pos+1
	case '[':
		value, offset = "array", pos+1
	case '"':
		value = "string"
	case 't', 'f':
		value = "bool"
	case 'n':
		value = "null"
	}
	d.TypeError(value, typ, offset, cause)
}

// Refuse implements [decode.Faults]. It always saves the error.
func (d *Decoder) Refuse(t int, typ reflect.Type, cause error, form decode.ErrorForm) error {
	if d.Saved != nil {
		return nil
	}
	if form&decode.BeforeRead != 0 {
		d.rules.Release.NotRead(d, t, typ, cause)
	} else if e, ok := cause.(*shape.CaseError); ok {
		d.Save(&caseError{path: d.PathTo(d.Words[t].Pos()), err: e})
	} else {
		d.TypeErrorAt(t, "number", typ, cause)
	}
	return nil
}

// RefuseScalar implements [decode.Faults]. The error for a number out of range contains the number.
func (d *Decoder) RefuseScalar(n *decode.Node, t int, a mem.Pointer, off uintptr) error {
	number := "number"
	if c := d.Data[d.Words[t].Pos()]; n.Op <= decode.NodeFloat64 && (c == '-' || c-'0' <= 9) {
		number += " " + string(d.Raw(t))
		if n.Op >= decode.NodeFloat32 && !a.IsNil() {
			d.rules.Release.OverflowInto(a.Value(off, n.Shape.Type), c == '-')
		}
	}
	d.TypeErrorAt(t, number, n.Shape.Type, nil)
	return nil
}

// RefuseName implements [decode.Faults].
func (d *Decoder) RefuseName(t int, typ reflect.Type, cause error) error {
	if cause == rules.ErrUnknownName {
		d.Save(fmt.Errorf("json: unknown field %q", d.TextOf(t)))
	} else {
		d.TypeError("string", typ, d.End(t), cause)
	}
	return nil
}

// Place returns the type that errors contain for n's place: the type of the field or element,
// including its pointers, or the type of the root value.
func (d *Decoder) Place(n *decode.Node) reflect.Type {
	if n.Slot != nil {
		return n.Slot
	}
	return d.root
}

// Overflow implements [decode.Faults].
func (d *Decoder) Overflow(t int) (any, error) { return d.rules.Release.Overflow(d, t) }

// ClosedField implements [decode.Faults].
func (d *Decoder) ClosedField(t int, in, to reflect.Type) error {
	d.rules.Release.ClosedField(d, t, in, to)
	return nil
}

// ArrayLength implements [decode.Faults]. The options of version 1 allow any length, so it is not
// called.
func (d *Decoder) ArrayLength(*decode.Node, int, error, error) error { return nil }

// A caseError is the error for a case of a union that is missing or unknown.
type caseError struct {
	path string
	err  *shape.CaseError
}

func (e *caseError) Error() string {
	if e.path == "" {
		return "json: " + e.err.Error()
	}
	return "json: " + e.path + ": " + e.err.Error()
}

func (e *caseError) Unwrap() error { return e.err }
