//go:build go1.27 && goexperiment.jsonv2

package engine

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
)

// quotedInto decodes into a field with the option string: a scalar wrapped in
// a JSON string. The option says nothing to types with methods.
func (d *Decoder) quotedInto(n *Node, t int, a mem.Pointer, off uintptr) error {
	raw := d.raw(t)
	switch {
	case n.op == nodePointer && raw[0] == 'n':
		a.SetNil(off)
		return nil
	case n.op == nodePointer:
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.shape.Elem.Type)
		}
		err := d.quotedInto(n.elem, t, to, 0)
		if string(raw) == `"null"` {
			a.SetNil(off)
		}
		return err
	case n.op > nodeNumber:
		_, err := d.value(n, t, a, off)
		return err
	case raw[0] == 'n':
		return nil
	case raw[0] != '"' && n.op == nodeNumber:
		d.misfitNumberOf(t)
		return nil
	case raw[0] != '"':
		d.misfitOf(t, "number", n.shape.Type)
		return nil
	case n.op == nodeNumber:
		return d.numberInto(n, t, a, off)
	}
	text := string(d.textOf(t))
	if text == "null" {
		return nil
	}
	switch n.op {
	case nodeBool:
		if text != "true" && text != "false" {
			d.misfitQuoted(t, "string "+string(raw), n.shape.Type, strconv.ErrSyntax)
			return nil
		}
		mem.Store(a, off, text == "true")
	case nodeString:
		inner, ok := syntax.AppendUnquoted(nil, []byte(text))
		if !ok {
			d.misfitQuoted(t, "string", n.shape.Type, innerError(raw))
			return nil
		}
		mem.Store(a, off, string(inner))
	default:
		if !parseQuoted(a.Value(off, n.shape.Type), text) {
			d.misfitQuoted(t, "number "+text, n.shape.Type, nil)
		}
	}
	return nil
}

// misfitQuoted saves that the string at t does not fit the type.
func (d *Decoder) misfitQuoted(t int, value string, typ reflect.Type, cause error) {
	d.misfitFor(value, typ, d.end(t), cause)
}

// innerError returns what encoding/json says of the text in raw, which is no string.
func innerError(raw []byte) error {
	var field struct {
		V string `json:",string"`
	}
	err := json.Unmarshal(append(append([]byte(`{"V":`), raw...), '}'), &field)
	return errors.Unwrap(err)
}

// parseQuoted sets v to the number that text writes in Go's syntax.
func parseQuoted(v reflect.Value, text string) bool {
	switch bits := v.Type().Bits(); {
	case v.CanInt():
		x, err := strconv.ParseInt(text, 10, bits)
		if err != nil {
			return false
		}
		v.SetInt(x)
	case v.CanUint():
		x, err := strconv.ParseUint(text, 10, bits)
		if err != nil {
			return false
		}
		v.SetUint(x)
	default:
		x, err := strconv.ParseFloat(text, bits)
		if err != nil {
			return false
		}
		v.SetFloat(x)
	}
	return true
}
