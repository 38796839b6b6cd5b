package decode

import (
	"fmt"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// structInto decodes an object into a struct. It compares the name of the next field first, because
// members usually come in the order of the fields.
func (d *Decoder) structInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	o := n.object
	if o.fault != nil {
		return d.After(t), d.V2.Refuse(t, o.fault.Type, o.fault.Err, 0)
	}
	// Truncate the path of fields after each member. After an error it remains unchanged, because
	// the error contains it.
	depth := len(d.fieldPath)
	after := syntax.After(d.Words, t)
	next := 0
	// The fields that the object has. Used only if names or members are checked.
	var seen fieldSet
	// The unknown names of this object are appended after the unknown names of the enclosing
	// objects.
	unique, others := d.UniqueNames(), len(d.Others)
	start, expects := t, o.expects
	if d.On&option.CheckMembers == 0 {
		expects = nil
	}
	// Record the fields that the object has only if a check needs them.
	counts := unique || expects != nil
	// Each member has a name and a value. At the start of an iteration t is at a name.
	for t += ContainerWords; t < after; {
		i := next
		// Look up the name, unless it is the name of the next field.
		if i >= len(o.fields) || !d.isName(t, &o.fields[i].name) {
			var err error
			if i, err = d.find(n, t); err != nil {
				return t, err
			}
			if i < 0 {
				if t, err = d.unknown(n, t, a, off, others); err != nil {
					return t, err
				}
				continue
			}
		}
		// In version 1 the last of several equal members wins. CheckMembers then counts the field
		// once.
		if counts && !seen.add(i) && unique {
			return t, d.V2.DuplicateName(t)
		}
		next = i + 1
		f := &o.fields[i]
		t++
		// Most fields are scalars of the struct itself. They need neither the path nor a call of
		// Value.
		if f.simple && d.scalar(f.node, t, a, off+f.offset) {
			t++
			continue
		}
		// Decoding this value may fail, so add its field to the path.
		d.fieldPath = append(d.fieldPath, f)
		var err error
		if f.simple {
			t, err = d.Value(f.node, t, a, off+f.offset)
		} else {
			t, err = d.fieldInto(f, t, a, off)
		}
		if err != nil {
			return t, err
		}
		d.fieldPath = d.fieldPath[:depth]
	}
	if expects != nil {
		d.absent(n, &seen, start, a, off)
	}
	d.Others = d.Others[:others]
	// Drop OtherNames if it is for this object or for an object inside it.
	if d.otherFrom >= others {
		d.OtherNames = nil
	}
	return after, nil
}

// unknown handles a member that matches no field. Its name is at t. It skips the member, refuses
// it, or stores it in the field for unknown members. Others is the index in d.Others of the first
// unknown name of this object.
func (d *Decoder) unknown(n *Node, t int, a mem.Pointer, off uintptr, others int) (int, error) {
	o := n.object
	// A tag of the struct takes precedence over the option of the call.
	refuses := d.On&option.RejectUnknownMembers != 0 && o.rest == nil
	if d.On&option.CheckMembers != 0 && o.unknown != "" {
		refuses = o.unknown == "refused"
	}
	if refuses {
		if d.On&option.CheckMembers != 0 {
			d.memberFault(MemberError{Offset: d.Words[t].Pos(), Detail: isUnknown, Name: shortened(d.TextOf(t), maxName)})
		} else if d.V2 == nil {
			d.save(fmt.Errorf("json: unknown field %q", d.TextOf(t)))
		} else if err := d.V2.RefuseName(t, n.Shape.Type, rules.ErrUnknownName); err != nil {
			return t, err
		}
	}
	if d.UniqueNames() {
		if d.isOther(t, others) {
			return t, d.V2.DuplicateName(t)
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

// fieldInto decodes into a field that is in embedded pointers or has the tag option string.
func (d *Decoder) fieldInto(f *field, t int, a mem.Pointer, off uintptr) (int, error) {
	// Allocate nil embedded pointers, except for pointers to unexported structs, which package
	// reflect cannot set.
	for _, hop := range f.hops {
		to := a.Elem(off + hop.Offset)
		if to.IsNil() {
			if hop.Closed && d.V2 != nil {
				if err := d.V2.Refuse(t, f.in, rules.ErrNilField, BeforeRead); err != nil {
					return t, err
				}
				return d.Skip(t)
			}
			if hop.Closed {
				d.closedField(f, hop.Elem.Type, t)
				return d.After(t), nil
			}
			to = a.SetNew(off+hop.Offset, hop.Elem.Type)
		}
		a, off = to, 0
	}
	if f.quoted {
		if d.Data[d.Words[t].Pos()] == 'n' && d.refusesNull(f.node, t) {
			return t + 1, nil
		}
		return d.After(t), d.quotedInto(f.node, t, a, off+f.offset)
	}
	return d.Value(f.node, t, a, off+f.offset)
}
