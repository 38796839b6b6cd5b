package decode

import (
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/rules"
)

// save stores err if no error was saved before. The error has no position in the text.
func (d *Decoder) save(err error) {
	if d.Saved == nil {
		d.Saved, d.savedAt = d.inContext(err), -1
	}
}

// typeError saves the error for a value that cannot be decoded into t. offset is the offset that
// the error contains.
func (d *Decoder) typeError(value string, t reflect.Type, offset int) {
	d.typeErrorCause(value, t, offset, nil)
}

// typeErrorCause is like typeError, for an error with a cause.
func (d *Decoder) typeErrorCause(value string, t reflect.Type, offset int, cause error) {
	if d.Saved == nil {
		d.save(d.newTypeError(value, t, offset, cause))
		d.savedAt = offset - 1
	}
}

// typeErrorAt saves the error for the value at t, which cannot be decoded into typ. If the value is
// a number, the argument number describes it in the error. In version 2 typeErrorAt returns the
// error instead of saving it.
func (d *Decoder) typeErrorAt(t int, number string, typ reflect.Type) error {
	if d.V2 != nil {
		return d.V2.Refuse(t, typ, nil, 0)
	}
	// The offset is the position at which encoding/json stops: after the opening bracket of an
	// array or object, and after the end of any other value.
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

// scalarTypeError is like typeErrorAt, for a scalar. The error for a number out of range contains
// the number. If the rules require it, the float at a+off is set to infinity.
func (d *Decoder) scalarTypeError(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.V2 != nil {
		return d.V2.RefuseScalar(n, t, a, off)
	}
	number := "number"
	if c := d.Data[d.Words[t].Pos()]; n.Op <= NodeFloat64 && (c == '-' || c-'0' <= 9) {
		number += " " + string(d.Raw(t))
		if !d.isFirst() && n.Op >= NodeFloat32 && !a.IsNil() {
			StoreOverflow(n, a, off, c == '-', d.On)
		}
	}
	return d.typeErrorAt(t, number, n.Shape.Type)
}

// inContext adds the name of the struct and the path of the field to a type error. From Go 1.27 on
// [Decoder.withPath] does this at the end of the decode.
func (d *Decoder) inContext(err error) error {
	e, ok := err.(*rules.UnmarshalTypeError)
	if !ok || !d.isFirst() || len(d.fieldPath) == 0 {
		return err
	}
	// Struct is the innermost struct. Elements of slices and maps add nothing to the path.
	e.Struct = d.fieldPath[len(d.fieldPath)-1].in.Name()
	var path []string
	for _, f := range d.fieldPath {
		path = append(path, f.path...)
	}
	if e.Field != "" {
		path = append(path, e.Field)
	}
	e.Field = strings.Join(path, ".")
	return err
}
