package decode

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// structInto decodes an object into a struct. It compares a member's name with the next field
// first, because members usually come in the order of the fields.
func (d *Decoder) structInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	o := n.object
	if o.fault != nil {
		return d.After(t), d.Faults.Refuse(t, o.fault.Type, o.fault.Err, 0)
	}
	// Truncate the path of fields after each member. After an error the path is not truncated,
	// because the error contains it.
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
		// If the options allow a repeated member, the last one wins. CheckMembers counts its field
		// once.
		if counts && !seen.add(i) && unique {
			return t, d.Checks.DuplicateName(t)
		}
		next = i + 1
		f := &o.fields[i]
		t++
		// Most fields are scalars in the struct itself. They need neither the path nor a call to
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

// fieldInto decodes into a field that is in embedded pointers or has the tag option "string". It
// allocates nil embedded pointers, except for pointers to unexported structs, which package reflect
// cannot set.
func (d *Decoder) fieldInto(f *field, t int, a mem.Pointer, off uintptr) (int, error) {
	for _, hop := range f.hops {
		to := a.Elem(off + hop.Offset)
		if to.IsNil() {
			if hop.Closed {
				return d.closedField(f.in, hop.Elem.Type, t)
			}
			to = a.SetNew(off+hop.Offset, hop.Elem.Type)
		}
		a, off = to, 0
	}
	if f.quoted != nil {
		if d.Data[d.Words[t].Pos()] == 'n' && d.refusesNull(f.node, t) {
			return t + 1, nil
		}
		return f.quoted(d, f.node, t, a, off+f.offset)
	}
	return d.Value(f.node, t, a, off+f.offset)
}

// closedField refuses the value at t, which is for a field of the struct type in that is below a nil
// pointer to the unexported struct type to. It returns the index of the word after the value.
func (d *Decoder) closedField(in, to reflect.Type, t int) (int, error) {
	if err := d.Faults.ClosedField(t, in, to); err != nil {
		return t, err
	}
	return d.Skip(t)
}
