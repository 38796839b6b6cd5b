package decode

import (
	"bytes"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// unknown handles a member that matches no field. Its name is at t. It skips the member, refuses
// it, or stores it in the field for unknown members. The argument others is the index in d.Others
// of the first unknown name of this object.
func (d *Decoder) unknown(n *Node, t int, a mem.Pointer, off uintptr, others int) (int, error) {
	o := n.object
	// A tag of the struct takes precedence over the option of the call.
	refuses := d.On&option.RejectUnknownMembers != 0 && o.rest == nil
	if d.On&option.CheckMembers != 0 && o.unknown != "" {
		refuses = o.unknown == "refused"
	}
	if refuses {
		if d.On&option.CheckMembers != 0 {
			d.memberFault(MemberError{Offset: d.Words[t].Pos(), Detail: isUnknown, Name: path.Shorten(d.TextOf(t), path.MaxName)})
		} else if err := d.Faults.RefuseName(t, n.Shape.Type, rules.ErrUnknownName); err != nil {
			return t, err
		}
	}
	if d.UniqueNames() {
		if d.isOther(t, others) {
			return t, d.Checks.DuplicateName(t)
		}
		d.Others = append(d.Others, t)
	}
	if o.rest != nil {
		return d.restInto(o.rest, t, a, off)
	}
	return d.Skip(t + 1)
}

// linearOthers is the maximum number of unknown names that are compared one by one.
const linearOthers = 64

// isOther reports whether the name at t is equal to one of the names d.Others[from:].
func (d *Decoder) isOther(t, from int) bool {
	names := d.Others[from:]
	if len(names) > linearOthers {
		// Use a map, because comparing each pair of names takes quadratic time.
		return d.isOtherOfMany(t, from)
	}
	w := d.Words[t]
	// Compare plain strings as bytes of the text, and unquote others first.
	plain := w.Plain()
	text := d.Data[w.Pos()+1 : w.StringEnd(d.Data)-1]
	for _, other := range names {
		v := d.Words[other]
		if plain && v.Plain() {
			if string(d.Data[v.Pos()+1:v.StringEnd(d.Data)-1]) == string(text) {
				return true
			}
			continue
		}
		if string(d.TextOf(other)) == string(d.textOfCopy(t)) {
			return true
		}
	}
	return false
}

// textOfCopy returns the unquoted string at t as a copy.
func (d *Decoder) textOfCopy(t int) []byte {
	w := d.Words[t]
	text, _ := syntax.AppendUnquoted(nil, d.Data[w.Pos():w.StringEnd(d.Data)])
	return text
}

// isOtherOfMany implements isOther for many names. It stores them in a map, and extends the map
// while the same object is decoded.
func (d *Decoder) isOtherOfMany(t, from int) bool {
	// Build a new map if the current one is for another object, or contains names that were removed
	// since.
	if d.OtherNames == nil || d.otherFrom != from || d.otherCount > len(d.Others) {
		d.OtherNames, d.otherFrom, d.otherCount = map[string]struct{}{}, from, from
	}
	for ; d.otherCount < len(d.Others); d.otherCount++ {
		d.OtherNames[string(d.TextOf(d.Others[d.otherCount]))] = struct{}{}
	}
	_, there := d.OtherNames[string(d.TextOf(t))]
	return there
}

// restInto decodes the member whose name is at t into the field that r describes.
func (d *Decoder) restInto(r *restReader, t int, a mem.Pointer, off uintptr) (int, error) {
	for _, hop := range r.hops {
		to := a.Elem(off + hop.Offset)
		if to.IsNil() {
			if hop.Closed {
				return d.closedField(r.in, hop.Elem.Type, t+1)
			}
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
	// Decode into a copy of the old element, because values may be merged.
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
		if err := d.Faults.RefuseName(t, r.shape.Type, rules.ErrRestNotObject); err != nil {
			return t, err
		}
		return d.Skip(t + 1)
	}
	// The name keeps its escapes, because the field holds JSON.
	b = append(append(b, d.Raw(t)...), ':')
	if d.Checks != nil {
		if err := d.Checks.Readable(t+1, true); err != nil {
			// As in the standard library, the stored text then ends after the colon, so it is not
			// valid JSON. The returned error tells the caller that the object is incomplete.
			a.SetBytes(off, b)
			return t, err
		}
	}
	b = append(append(b, d.Raw(t+1)...), '}')
	a.SetBytes(off, b)
	return d.After(t + 1), nil
}
