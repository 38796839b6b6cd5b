package decode

import (
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/rules"
)

// save keeps err if it is the first error that does not end the decode. The saved error has no
// position.
func (d *Decoder) save(err error) {
	if d.Saved == nil {
		d.Saved, d.savedAt = d.inContext(err), -1
	}
}

// typeError saves the error for a value that cannot be decoded into t. The value contains the byte
// before offset.
func (d *Decoder) typeError(value string, t reflect.Type, offset int) {
	d.typeErrorCause(value, t, offset, nil)
}

// typeErrorCause is typeError with a cause.
func (d *Decoder) typeErrorCause(value string, t reflect.Type, offset int, cause error) {
	if d.Saved == nil {
		d.save(d.newTypeError(value, t, offset, cause))
		d.savedAt = offset - 1
	}
}

// typeErrorAt saves the error for the value at t, which cannot be decoded into typ. The error
// describes a number by the text number. In version 2 the error is returned.
func (d *Decoder) typeErrorAt(t int, number string, typ reflect.Type) error {
	if d.V2 != nil {
		return d.V2.Refuse(t, typ, nil, 0)
	}
	// The offset is where encoding/json stops reading: after the bracket that opens an array
	// or an object, and after any other value.
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

// scalarTypeError is typeErrorAt for a scalar. The error for a number out of range contains the
// number's text. If the release stores infinities, a float at a+off becomes infinite.
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

// inContext adds the struct and the path of names to its field to a type error. From Go 1.27 on
// [Decoder.placed] does this at the end.
func (d *Decoder) inContext(err error) error {
	e, ok := err.(*rules.UnmarshalTypeError)
	if !ok || !d.isFirst() || len(d.fieldPath) == 0 {
		return err
	}
	// The error names the innermost struct. Elements of slices and maps have no step in the path.
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
