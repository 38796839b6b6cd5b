package decode

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

func (d *Decoder) save(err error) {
	if d.Saved == nil {
		d.Saved, d.savedAt = d.inContext(err), -1
	}
}

// typeError saves that the value that begins or ends at offset, less one, does not fit the
// type.
func (d *Decoder) typeError(value string, t reflect.Type, offset int) {
	d.typeErrorCause(value, t, offset, nil)
}

// typeErrorCause is misfit with a cause.
func (d *Decoder) typeErrorCause(value string, t reflect.Type, offset int, cause error) {
	if d.Saved == nil {
		d.save(d.newTypeError(value, t, offset, cause))
		d.savedAt = offset - 1
	}
}

// typeErrorAt saves that the value at t does not fit the type; number is what it
// is called if it is one. By the rules of V2 it returns that.
func (d *Decoder) typeErrorAt(t int, number string, typ reflect.Type) error {
	if d.V2 != nil {
		return d.V2.Refuse(t, typ, nil, 0)
	}
	switch pos := d.Words[t].Pos(); d.Data[pos] {
	case '{':
		d.typeError("object", typ, pos+1)
	case '[':
		d.typeError("array", typ, pos+1)
	case '"':
		d.typeError("string", typ, d.End(t))
	case 't', 'f':
		d.typeError("bool", typ, d.End(t))
	case 'n':
		d.typeError("null", typ, d.End(t))
	default:
		d.typeError(number, typ, d.End(t))
	}
	return nil
}

// scalarTypeError saves that the value at t does not fit the scalar n. A number
// that is not one of its type is told with its text.
// A float becomes an infinity at a+off, if that is the rule and there is an address.
// By the rules of V2 it is returned.
func (d *Decoder) scalarTypeError(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.V2 != nil {
		return d.V2.RefuseScalar(n, t, a, off)
	}
	number := "number"
	if c := d.Data[d.Words[t].Pos()]; n.Op <= NodeFloat64 && (c == '-' || c-'0' <= 9) {
		number += " " + string(d.Raw(t))
		if keepsInf && n.Op >= NodeFloat32 && !a.IsNil() {
			a.Value(off, n.Shape.Type).SetFloat(Infinity(c == '-'))
		}
	}
	return d.typeErrorAt(t, number, n.Shape.Type)
}
