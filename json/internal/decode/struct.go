package decode

import (
	"fmt"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// structInto decodes an object into a struct. Members mostly come in the order of the fields,
// so the field after the last one is tried first.
func (d *Decoder) structInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	o := n.object
	if o.fault != nil {
		return d.After(t), d.V2.Refuse(t, o.fault.Type, o.fault.Err, 0)
	}
	// The path of fields is cut back after each member; on an error it stays as it is, and
	// names the place.
	depth := len(d.fieldPath)
	after := syntax.After(d.Words, t)
	next := 0
	// The fields that were met. Used only if names or members are checked.
	var seen fieldSet
	// The unknown names of the enclosing objects come first, then the names of this one.
	unique, others := d.UniqueNames(), len(d.Others)
	start, expects := t, o.expects
	if d.On&option.CheckMembers == 0 {
		expects = nil
	}
	// Only then is it noted which fields were met.
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
		// Version 1 lets the last of several members win. A check of members then counts the field
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
		// A simple scalar was decoded without the path, as it cannot fail any more.
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
	// The map of unknown names is keyed by where the names of an object start. Objects inside of
	// this one have used the same or higher indexes.
	if d.otherFrom >= others {
		d.OtherNames = nil
	}
	return after, nil
}

// unknown passes the member whose name, at t, no field has, or keeps it in the field for such
// members. Others is the index in d.Others at which the unknown names of this object start.
func (d *Decoder) unknown(n *Node, t int, a mem.Pointer, off uintptr, others int) (int, error) {
	o := n.object
	// A tag of the struct outweighs the option of the call.
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
		// All that has been checked so far is checked again at most once in as many names.
		return d.isOtherOfMany(t, from)
	}
	w := d.Words[t]
	// Strings of ASCII without escapes are compared as bytes of the text, others after they
	// are unquoted.
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

// textOfCopy is TextOf in memory of its own.
func (d *Decoder) textOfCopy(t int) []byte {
	w := d.Words[t]
	text, _ := syntax.AppendUnquoted(nil, d.Data[w.Pos():w.StringEnd(d.Data)])
	return text
}

// isOtherOfMany is isOther for many names: it keeps them in a map, which it extends and never
// rebuilds while the same object is read.
func (d *Decoder) isOtherOfMany(t, from int) bool {
	// The map is of another object, or of more names than there are: it is made anew.
	if d.OtherNames == nil || d.otherFrom != from || d.otherCount > len(d.Others) {
		d.OtherNames, d.otherFrom, d.otherCount = map[string]struct{}{}, from, from
	}
	for ; d.otherCount < len(d.Others); d.otherCount++ {
		d.OtherNames[string(d.TextOf(d.Others[d.otherCount]))] = struct{}{}
	}
	_, there := d.OtherNames[string(d.TextOf(t))]
	return there
}

// fieldInto decodes into a field of embedded pointers, which it allocates, or with the tag
// option string.
func (d *Decoder) fieldInto(f *field, t int, a mem.Pointer, off uintptr) (int, error) {
	// Each pointer on the way is allocated if it is nil, unless its struct is unexported:
	// package reflect could not set it either.
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
