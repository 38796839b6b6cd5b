package decode

import (
	"bytes"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/rules"
)

// restInto decodes the member whose name is at t into the field that r describes.
func (d *Decoder) restInto(r *restReader, t int, a mem.Pointer, off uintptr) (int, error) {
	// Allocate nil embedded pointers on the way to the field.
	for _, hop := range r.hops {
		to := a.Elem(off + hop.Offset)
		if to.IsNil() {
			to = a.SetNew(off+hop.Offset, hop.Elem.Type)
		}
		a, off = to, 0
	}
	off += r.offset
	if r.pointer {
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, r.shape.Type)
		}
		a, off = to, 0
	}
	if r.elem == nil {
		return d.restText(r, t, a, off)
	}
	// Set the map with reflection, because its key type may be a named string type.
	m := a.Value(off, r.shape.Type)
	if m.IsNil() {
		m.Set(reflect.MakeMap(r.shape.Type))
	}
	key := reflect.ValueOf(string(d.TextOf(t))).Convert(r.shape.Type.Key())
	// Decode into a copy of the old element, because version 2 merges values.
	elem := reflect.New(r.shape.Type.Elem())
	if there := m.MapIndex(key); there.IsValid() {
		elem.Elem().Set(there)
	}
	next, err := d.Value(r.elem, t+1, mem.OfPointer(elem), 0)
	m.SetMapIndex(key, elem.Elem())
	return next, err
}

// restText appends the member whose name is at t to the object in the field's JSON text.
func (d *Decoder) restText(r *restReader, t int, a mem.Pointer, off uintptr) (int, error) {
	// The text is empty or an object. Remove the closing brace, and append it again after the
	// member.
	b := bytes.TrimRight(a.Bytes(off), " \t\r\n")
	switch {
	case len(a.Bytes(off)) == 0:
		b = append(b, '{')
	case len(b) > 0 && b[len(b)-1] == '}':
		b = bytes.TrimRight(b[:len(b)-1], " \t\r\n")
		if n := len(b); n == 0 || b[n-1] != ',' && b[n-1] != '{' {
			b = append(b, ',')
		}
	default:
		if d.V2 != nil {
			if err := d.V2.RefuseName(t, r.shape.Type, rules.ErrRestNotObject); err != nil {
				return t, err
			}
		} else {
			d.restNotObject(r, t)
		}
		return d.Skip(t + 1)
	}
	// The name keeps its escapes, because the field holds JSON.
	b = append(append(b, d.Raw(t)...), ':')
	if d.V2 != nil {
		if err := d.V2.Readable(t+1, true); err != nil {
			// As in the standard library, the text then ends after the colon and is not valid JSON.
			// The error reports this.
			a.SetBytes(off, b)
			return t, err
		}
	}
	b = append(append(b, d.Raw(t+1)...), '}')
	a.SetBytes(off, b)
	return d.After(t + 1), nil
}
