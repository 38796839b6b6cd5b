//go:build !(go1.27 && goexperiment.jsonv2)

package engine

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/shape"
)

// quotedInto decodes into a field with the option string: a scalar wrapped in
// a JSON string.
func (d *Decoder) quotedInto(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch c := d.data[d.words[t].Pos()]; {
	case c == 'n':
		return d.null(n, t, a, off)
	case c == '"':
		// The content may itself be unquoted, into the same scratch space.
		return d.literal(n, string(d.textOf(t)), t, a, off)
	case c == '-' || c-'0' <= 9:
		if _, err := d.number(t); err != nil {
			// encoding/json takes a number that no float64 holds for null.
			d.save(err)
			if n.op == nodeMarshaler {
				return a.Addr(off, n.shape.Type).(Unmarshaler).UnmarshalJSON([]byte("null"))
			}
			return d.null(n, t, a, off)
		}
	}
	d.save(fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal unquoted value into %v", n.slot))
	return nil
}

// literal stores the scalar that item writes, text which nothing has checked,
// from the string at t.
func (d *Decoder) literal(n *Node, item string, t int, a mem.Pointer, off uintptr) error {
	misuse := func(t reflect.Type) error {
		return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal %q into %v", item, t)
	}
	if item == "" {
		d.save(misuse(n.slot))
		return nil
	}
	c := item[0]
	for n.op == nodePointer && c != 'n' {
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.shape.Elem.Type)
		}
		n, a, off = n.elem, to, 0
	}
	switch n.op {
	case nodeMarshaler:
		return a.Addr(off, n.shape.Type).(Unmarshaler).UnmarshalJSON([]byte(item))
	case nodeText:
		if c == 'n' {
			break
		}
		if c != '"' {
			d.save(misuse(n.slot))
			return nil
		}
		text, ok := syntax.AppendUnquoted(nil, []byte(item))
		if !ok {
			return misuse(n.slot)
		}
		return a.Addr(off, n.shape.Type).(encoding.TextUnmarshaler).UnmarshalText(text)
	}
	kind := n.shape.Kind
	switch {
	case c == 'n':
		if item != "null" {
			d.save(misuse(n.shape.Type))
		} else if kind == shape.Pointer {
			a.SetNil(off)
		}
	case c == 't' || c == 'f':
		if item != "true" && item != "false" || kind != shape.Bool {
			d.save(misuse(n.shape.Type))
			break
		}
		mem.Store(a, off, c == 't')
	case c == '"':
		text, ok := syntax.AppendUnquoted(nil, []byte(item))
		if !ok {
			return misuse(n.shape.Type)
		}
		if kind != shape.String {
			d.misfit("string", n.shape.Type, d.end(t))
			break
		}
		if n.op == nodeNumber && !syntax.ValidNumber(string(text)) {
			return fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", item)
		}
		mem.Store(a, off, string(text))
	case c != '-' && (c < '0' || c > '9'):
		return misuse(n.shape.Type)
	case n.op == nodeNumber:
		mem.Store(a, off, item)
	case n.op > nodeFloat64:
		return misuse(n.shape.Type)
	case !storeQuoted(n, item, a, off):
		d.save(&UnmarshalTypeError{Value: "number " + item, Type: n.shape.Type, Offset: int64(d.end(t))})
	}
	return nil
}

// storeQuoted stores the number that item writes. It need not be one of JSON's:
// what package strconv takes goes.
func storeQuoted(n *Node, item string, a mem.Pointer, off uintptr) bool {
	if syntax.ValidNumber(item) {
		return storeNumber(n.op, []byte(item), 0, len(item), a, off)
	}
	switch v := a.Value(off, n.shape.Type); {
	case v.CanInt():
		x, err := strconv.ParseInt(item, 10, 64)
		if err != nil || v.OverflowInt(x) {
			return false
		}
		v.SetInt(x)
	case v.CanUint():
		x, err := strconv.ParseUint(item, 10, 64)
		if err != nil || v.OverflowUint(x) {
			return false
		}
		v.SetUint(x)
	default:
		x, err := strconv.ParseFloat(item, v.Type().Bits())
		if err != nil || v.OverflowFloat(x) {
			return false
		}
		v.SetFloat(x)
	}
	return true
}
