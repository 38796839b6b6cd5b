package json

import (
	"encoding"
	"fmt"
	"reflect"

	"github.com/hone-go/hone/internal/jsontext"
	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/shape"
)

// quotedInto decodes into a field with the option string: a scalar wrapped in
// a JSON string.
func (d *decoder) quotedInto(n *node, pos int, a mem.Pointer, off uintptr) (int, error) {
	switch d.data[pos] {
	case 'n':
		return d.null(n, pos, a, off)
	case '"':
		text, end := d.text(pos)
		// The content may itself be unquoted, into the same scratch space.
		return end, d.literal(n, string(text), end, a, off)
	}
	end := jsontext.SkipValue(d.data, pos)
	if c := d.data[pos]; c == '-' || '0' <= c && c <= '9' {
		if _, err := d.number(pos, end); err != nil {
			// encoding/json takes a number that no float64 holds for null.
			d.save(err)
			if n.method == jsonMethod {
				return end, a.Addr(off, n.shape.Type).(Unmarshaler).UnmarshalJSON([]byte("null"))
			}
			_, err := d.null(n, pos, a, off)
			return end, err
		}
	}
	d.save(fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal unquoted value into %v", n.slot))
	return end, nil
}

// literal stores the scalar that item writes, text which nothing has checked,
// from a string that ended at end.
func (d *decoder) literal(n *node, item string, end int, a mem.Pointer, off uintptr) error {
	misuse := func(t reflect.Type) error {
		return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal %q into %v", item, t)
	}
	if item == "" {
		d.save(misuse(n.slot))
		return nil
	}
	c := item[0]
	for n.shape.Kind == shape.Pointer && c != 'n' {
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.shape.Elem.Type)
		}
		n, a, off = n.elem, to, 0
	}
	switch n.method {
	case jsonMethod:
		return a.Addr(off, n.shape.Type).(Unmarshaler).UnmarshalJSON([]byte(item))
	case textMethod:
		if c == 'n' {
			break
		}
		if c != '"' {
			d.save(misuse(n.slot))
			return nil
		}
		text, ok := jsontext.AppendUnquoted(nil, []byte(item))
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
		text, ok := jsontext.AppendUnquoted(nil, []byte(item))
		if !ok {
			return misuse(n.shape.Type)
		}
		if kind != shape.String {
			d.misfit("string", n.shape.Type, end)
			break
		}
		if n.number && !jsontext.ValidNumber(string(text)) {
			return fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", item)
		}
		mem.Store(a, off, string(text))
	case c != '-' && (c < '0' || c > '9'):
		return misuse(n.shape.Type)
	case n.number:
		mem.Store(a, off, item)
	case kind < shape.Int8 || kind > shape.Float64:
		return misuse(n.shape.Type)
	case !storeNumber(kind, []byte(item), a, off):
		d.save(&UnmarshalTypeError{Value: "number " + item, Type: n.shape.Type, Offset: int64(end)})
	}
	return nil
}
