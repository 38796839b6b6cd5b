package decode

import (
	"fmt"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// structInto decodes an object into a struct. Members mostly come in the order of the fields, so
// the name of the next field is compared first.
func (d *Decoder) structInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	o := n.object
	if o.fault != nil {
		return d.After(t), d.V2.Refuse(t, o.fault.Type, o.fault.Err, 0)
	}
	// The path of fields is cut back after each member. On an error it is left as it is, for the
	// error.
	depth := len(d.fieldPath)
	after := syntax.After(d.Words, t)
	next := 0
	// The fields that were found. Used only if names or members are checked.
	var seen fieldSet
	// The unknown names of this object are added after those of the enclosing objects.
	unique, others := d.UniqueNames(), len(d.Others)
	start, expects := t, o.expects
	if d.On&option.CheckMembers == 0 {
		expects = nil
	}
	// The fields that were found are recorded only if they are needed.
	counts := unique || expects != nil
	// The words of a member are its name and its value. The loop keeps t at a name.
	for t += ContainerWords; t < after; {
		i := next
		// The name is not the one of the next field, so it is looked up.
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
		// In version 1 the last of several members wins. A check of members then counts the field
		// once.
		if counts && !seen.add(i) && unique {
			return t, d.V2.DuplicateName(t)
		}
		next = i + 1
		f := &o.fields[i]
		t++
		// Most fields are scalars of the struct itself, which need neither the path nor a call of
		// Value.
		if f.simple && d.scalar(f.node, t, a, off+f.offset) {
			t++
			continue
		}
		// Only now is the path needed, since the value may fail.
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
	// The map OtherNames is dropped if it belongs to this object or to an object inside of it.
	if d.otherFrom >= others {
		d.OtherNames = nil
	}
	return after, nil
}

// unknown handles the member whose name, at t, no field has: it skips the member, refuses it, or
// stores it in the field for unknown members. Others is the index in d.Others of the first unknown
// name of this object.
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

// linearOthers is the largest number of unknown names that are compared one by one.
const linearOthers = 64

// isOther reports whether the name at t is one of d.Others[from:].
func (d *Decoder) isOther(t, from int) bool {
	names := d.Others[from:]
	if len(names) > linearOthers {
		// The map is used from here on, since comparing all names would take quadratic time.
		return d.isOtherOfMany(t, from)
	}
	w := d.Words[t]
	// Plain strings are compared as bytes of the text, others after they are unquoted.
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

// textOfCopy returns a copy of TextOf(t), which later calls do not change.
func (d *Decoder) textOfCopy(t int) []byte {
	w := d.Words[t]
	text, _ := syntax.AppendUnquoted(nil, d.Data[w.Pos():w.StringEnd(d.Data)])
	return text
}

// isOtherOfMany implements isOther for many names. It keeps the names in a map, which grows but is
// not rebuilt while the same object is decoded.
func (d *Decoder) isOtherOfMany(t, from int) bool {
	// The map belongs to another object, or has names that were removed since: it is made anew.
	if d.OtherNames == nil || d.otherFrom != from || d.otherCount > len(d.Others) {
		d.OtherNames, d.otherFrom, d.otherCount = map[string]struct{}{}, from, from
	}
	for ; d.otherCount < len(d.Others); d.otherCount++ {
		d.OtherNames[string(d.TextOf(d.Others[d.otherCount]))] = struct{}{}
	}
	_, there := d.OtherNames[string(d.TextOf(t))]
	return there
}

// fieldInto decodes into a field in embedded pointers, which it allocates, or into a field with the
// tag option string.
func (d *Decoder) fieldInto(f *field, t int, a mem.Pointer, off uintptr) (int, error) {
	// Nil embedded pointers are allocated, except for pointers to unexported structs, which package
	// reflect could not set either.
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
