package decode

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// Value decodes the value at t into the memory of n's type at a+off, and returns the index of the
// word after the value. If n is nil, it skips the value.
func (d *Decoder) Value(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	if n == nil {
		return d.Skip(t)
	}
	w := d.Words[t]
	c := d.Data[w.Pos()]
	// The first byte of a value determines its kind. Null is handled first, because it has its own
	// meaning for most types.
	if c == 'n' {
		return t + 1, d.Null(n, t, a, off)
	}
	// Scalars are the most frequent values.
	if n.Op <= NodeString {
		if d.scalar(n, t, a, off) {
			return t + 1, nil
		}
		return d.After(t), d.Faults.RefuseScalar(n, t, a, off)
	}
	switch n.Op {
	case NodeStruct:
		if c != '{' {
			break
		}
		return d.structInto(n, t, a, off)
	case NodeSlice:
		if c != '[' {
			break
		}
		return d.sliceInto(n, t, a, off)
	case nodeArray:
		if c != '[' {
			break
		}
		return d.ArrayInto(n, t, a, off)
	case NodeMap:
		if c != '{' {
			break
		}
		return d.mapInto(n, t, a, off)
	case NodePointer:
		if c == 0 {
			// The text has a syntax error here. If the error is within a literal null, no pointer
			// may be allocated.
			if isNull, err := d.Checks.BrokenNull(); isNull {
				return t, err
			}
		}
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.Shape.Elem.Type)
		}
		return d.Value(n.Elem, t, to, 0)
	// The operations below return the next word from the index, because the value may consist of
	// many words.
	case NodeInterface:
		return d.intoInterface(n, t, a, off)
	case nodeOption:
		return d.After(t), d.option(n, t, a, off)
	case NodeUnion:
		return d.After(t), d.Union(n, t, a, off)
	case nodeSum:
		return d.After(t), d.sumInto(n, t, a, off)
	case NodeBytes:
		if c == '[' && d.On&option.CheckMembers == 0 && d.Has(option.FormatBytesWithLegacySemantics) {
			return d.sliceInto(n, t, a, off)
		}
		return n.Decode(d, n, t, a, off)
	case NodeUnsupported:
	default:
		return n.Decode(d, n, t, a, off)
	}
	return d.After(t), d.Faults.Refuse(t, n.Shape.Type, nil, 0)
}

// Null decodes null. It sets pointers, interfaces, maps, slices and Options to nil or None. It sets
// other values to zero, unless the options merge.
func (d *Decoder) Null(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch {
	case d.refusesNull(n, t):
		return nil
	case n.Null != nil:
		_, err := n.Null(d, n, t, a, off)
		return err
	// A Nullable distinguishes null from an absent value.
	case n.Op == NodeUnion:
		return d.Union(n, t, a, off)
	}
	switch n.Shape.Kind {
	case shape.Pointer, shape.Map:
		a.SetNil(off)
	case shape.Slice, shape.Bytes:
		a.ClearSlice(off)
	// The Option becomes None. Clear the old value, so that it is not kept alive.
	case shape.Option:
		if mem.Load[bool](a, off+n.Shape.Present) {
			a.Value(off, n.Shape.Type).SetZero()
		}
	case shape.Interface:
		v := a.Value(off, n.Shape.Type)
		// If the interface contains a pointer to a pointer, the inner pointer becomes nil.
		if e := v.Elem(); d.Merges() && n.Shape.Sum == nil && e.Kind() == reflect.Pointer && !e.IsNil() && e.Elem().Kind() == reflect.Pointer {
			v = e.Elem()
		}
		v.SetZero()
	default:
		if !d.Merges() {
			a.Value(off, n.Shape.Type).SetZero()
		}
	}
	return nil
}

// intoInterface decodes into an interface. Interfaces that hold pointers to interfaces may be a
// cycle, so their depth is limited.
func (d *Decoder) intoInterface(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	if d.interfaces >= 2*syntax.MaxDepth {
		return d.After(t), d.Faults.Refuse(t, n.Shape.Type, rules.ErrPointerCycle, BeforeRead)
	}
	d.interfaces++
	next, err := n.Decode(d, n, t, a, off)
	d.interfaces--
	return next, err
}

// Any decodes the value at t as encoding/json decodes into an empty interface: nil, a bool, a
// float64 or Number, a string, a []any or a map[string]any. On error x contains the part of the
// value before the error.
func (d *Decoder) Any(t int) (x any, after int, err error) {
	w := d.Words[t]
	switch d.Data[w.Pos()] {
	case 'n':
		return nil, t + 1, nil
	case 't':
		return true, t + 1, nil
	case 'f':
		return false, t + 1, nil
	case '"':
		s, ok := d.textUTF8(t)
		if !ok {
			return nil, t, d.Checks.Readable(t, false)
		}
		return s, t + 1, nil
	case '[':
		after = syntax.After(d.Words, t)
		// The index stores the number of elements.
		list := make([]any, 0, w.Count())
		for t += ContainerWords; t < after; {
			var elem any
			elem, t, err = d.Any(t)
			list = append(list, elem)
			if err != nil {
				return list, t, err
			}
		}
		return list, after, nil
	// Names may repeat, so the map may need far fewer entries than the object has members. This is
	// why its initial capacity is bounded. If the options allow repeated names, the last value is
	// stored. Otherwise a repeated name is an error, and the map contains the members before it.
	case '{':
		after = syntax.After(d.Words, t)
		m := make(map[string]any, initialCapacity(w.Count(), 32))
		first := t + ContainerWords
		for t = first; t < after; {
			// A plain name is ASCII without escapes, so its UTF-8 is valid.
			if d.Checks != nil && !d.isPlain(t) {
				if err := d.Checks.Readable(t, false); err != nil {
					return m, t, err
				}
			}
			name, key := t, d.InternName(d.TextOf(t))
			var elem any
			elem, t, err = d.Any(t + 1)
			if err != nil {
				if _, there := m[key]; there && d.UniqueNames() {
					return m, t, d.Checks.DuplicateName(name)
				}
				// Store the part of the element that was decoded before the error.
				m[key] = elem
				return m, t, err
			}
			count := len(m)
			if m[key] = elem; len(m) == count && d.UniqueNames() {
				// The map keeps the first value of the name.
				m[key] = d.anyOf(first, key)
				return m, t, d.Checks.DuplicateName(name)
			}
		}
		return m, after, nil
	// A zero byte in Data marks the position of a syntax error, in a text whose values before the
	// error must be decoded.
	case 0:
		return nil, t, d.Checks.BrokenValue()
	}
	// All other first bytes begin a number.
	x, err = d.numberInAny(t)
	return x, t + 1, err
}

// anyOf decodes the value of the first member called name, in an object whose members start at t.
func (d *Decoder) anyOf(t int, name string) any {
	for string(d.TextOf(t)) != name {
		t = d.After(t + 1)
	}
	x, _, _ := d.Any(t + 1)
	return x
}

// numberInAny decodes the number at t into a float64 or a Number.
func (d *Decoder) numberInAny(t int) (any, error) {
	// RawNumbers keeps the digits. Intern may allocate the string in a block that other short
	// strings share.
	if d.On&option.RawNumbers != 0 {
		return rules.Number(d.Intern(d.Raw(t))), nil
	}
	f, ok := syntax.ParseFloat(d.Data, d.Words[t].Pos(), d.End(t))
	if !ok {
		return d.Faults.Overflow(t)
	}
	return d.BoxFloat(f), nil
}
