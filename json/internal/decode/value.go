package decode

import (
	"encoding"
	"reflect"
	"time"

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
		return t + 1, d.null(n, t, a, off)
	}
	// Scalars are the most frequent values.
	if n.Op <= NodeString {
		if d.scalar(n, t, a, off) {
			return t + 1, nil
		}
		return d.After(t), d.scalarTypeError(n, t, a, off)
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
	case nodePointer:
		if c == 0 {
			// The text has a syntax error here. If the error is within a literal null, no pointer
			// may be allocated.
			if isNull, err := d.V2.BrokenNull(); isNull {
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
	case nodeInterface:
		return d.After(t), d.intoInterface(n, t, a, off)
	case nodeOption:
		return d.After(t), d.option(n, t, a, off)
	case NodeUnion:
		return d.After(t), d.Union(n, t, a, off)
	case nodeSum:
		return d.After(t), d.sumInto(n, t, a, off)
	case nodeBytes:
		if c == '[' && d.On&option.CheckMembers == 0 && (d.V2 == nil || d.Has(option.FormatBytesWithLegacySemantics)) {
			return d.sliceInto(n, t, a, off)
		}
		if d.V2 != nil {
			return d.After(t), d.V2.BytesV2(n, t, a, off)
		}
		if c != '"' {
			break
		}
		// A JSON string may contain escapes, although base64 needs none.
		b, err := d.bytesOf(d.TextOf(t), a.Bytes(off))
		if err != nil {
			d.notBase64(n, t, err)
			return t + 1, nil
		}
		a.SetBytes(off, b)
		return t + 1, nil
	case NodeNumber:
		return d.After(t), d.numberInto(n, t, a, off)
	case NodeTime:
		if d.V2 != nil {
			return d.After(t), d.V2.TimeV2(t, mem.At[time.Time](a, off))
		}
		return d.After(t), d.failed(d.time(t, mem.At[time.Time](a, off)))
	// Whether an error of a method ends the decode or is saved depends on the release of
	// encoding/json.
	case nodeMarshaler, nodeText:
		return d.After(t), d.failed(d.method(n, t, a, off))
	case NodeQuoted, NodeByteArray, NodeMethods, NodeFunctions, NodeFail:
		return d.V2.ValueV2(n, t, a, off)
	}
	return d.After(t), d.typeErrorAt(t, "number", n.Shape.Type)
}

// null decodes null. By the rules of version 1 it sets pointers, interfaces, maps, slices and
// Options to nil or None, and leaves other values without methods unchanged.
func (d *Decoder) null(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.refusesNull(n, t) {
		return nil
	}
	if d.V2 != nil {
		return d.V2.NullV2(n, t, a, off)
	}
	switch n.Op {
	case nodeMarshaler:
		return d.failed(d.method(n, t, a, off))
	// A Nullable distinguishes null from an absent value.
	case NodeUnion:
		return d.Union(n, t, a, off)
	case nodeSum:
		a.Value(off, n.Shape.Type).SetZero()
		return nil
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
		// If the interface contains a pointer to a pointer, encoding/json sets the inner pointer to
		// nil.
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() && e.Elem().Kind() == reflect.Pointer {
			return d.intoTarget(n, e, t)
		}
		v.SetZero()
	}
	return nil
}

// failed handles err, the error of a method. If the error ends the decode, failed returns it.
// Otherwise it saves the error and returns nil.
func (d *Decoder) failed(err error) error {
	if err == nil || d.isFirst() || rules.IsSyntactic(err) {
		return err
	}
	d.save(err)
	return nil
}

// method decodes with a method of the value's type, by the rules of version 1.
func (d *Decoder) method(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch {
	case n.Op == nodeMarshaler && n.Elem != nil:
		return d.streamMethod(n, t, a, off)
	case n.Op == nodeMarshaler:
		return d.unmarshalJSON(a.Addr(off, n.Shape.Type), d.rawToKeep(n, t))
	// Only JSON strings are decoded with a text method.
	case d.Data[d.Words[t].Pos()] == '"':
		return d.unmarshalText(a.Addr(off, n.Shape.Type), d.textToKeep(t))
	}
	d.notText(n, t)
	return nil
}

// streamMethod decodes with a method that reads from one of Hone's streams. If the method declines
// the value, streamMethod tries the other methods of the type. If there are none, it decodes the
// value by the kind of the type.
func (d *Decoder) streamMethod(n *Node, t int, a mem.Pointer, off uintptr) error {
	// The index has checked the text.
	v := a.Addr(off, n.Shape.Type)
	err := rules.UnmarshalFrom(d.rawToKeep(n, t), d.Data, d.Words[t].Pos(), &d.track, v.(rules.UnmarshalerFrom))
	if err != rules.ErrDeclined {
		return rules.LegacyUnmarshal(reflect.TypeOf(v), err)
	}
	// The method has read nothing. Try the other methods in the order of version 1.
	_, hasJSON := v.(rules.Unmarshaler)
	_, hasText := v.(encoding.TextUnmarshaler)
	switch {
	case hasJSON || !d.isFirst() && rules.ReadsItself(reflect.TypeOf(v)):
		return d.unmarshalJSON(v, d.rawToKeep(n, t))
	case hasText && d.Data[d.Words[t].Pos()] == '"':
		return d.unmarshalText(v, d.textToKeep(t))
	case hasText && d.Data[d.Words[t].Pos()] != 'n':
		d.notText(n, t)
		return nil
	}
	_, err = d.Value(n.Elem, t, a, off)
	return err
}

// intoInterface decodes into an interface. If the interface contains a pointer, intoInterface
// decodes into the pointer's target. Otherwise it stores a new value whose type depends on the
// JSON. Interfaces that hold pointers to interfaces may be a cycle, so their depth is limited.
func (d *Decoder) intoInterface(n *Node, t int, a mem.Pointer, off uintptr) (err error) {
	d.interfaces++
	switch {
	case d.interfaces > 2*syntax.MaxDepth && d.V2 != nil:
		err = d.V2.Refuse(t, n.Shape.Type, rules.ErrPointerCycle, BeforeRead)
	case d.interfaces > 2*syntax.MaxDepth:
		d.typeErrorOf(t, n.Shape.Type, rules.ErrPointerCycle)
	case d.V2 != nil:
		err = d.V2.InterfaceV2(n, t, a, off)
	default:
		err = d.interfaceV1(n, t, a, off)
	}
	d.interfaces--
	return err
}

// interfaceV1 implements intoInterface by the rules of version 1.
func (d *Decoder) interfaceV1(n *Node, t int, a mem.Pointer, off uintptr) error {
	empty := n.Shape.Type.NumMethod() == 0
	if !empty || a.Any(off) != nil {
		v := a.Value(off, n.Shape.Type)
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() {
			if in := e.Elem(); in.Kind() == reflect.Interface && in.Elem().IsValid() && in.Elem().Equal(e) {
				// The interface contains a pointer to itself, which must not be followed.
				if x, ok := d.anyThatFits(t); ok {
					in.Set(reflect.ValueOf(&x).Elem())
				}
				return nil
			}
			return d.intoTarget(n, e, t)
		}
	}
	if !empty {
		if !d.isFirst() {
			a.Value(off, n.Shape.Type).SetZero()
		}
		return d.notInterface(n, t)
	}
	if x, ok := d.anyThatFits(t); ok {
		a.SetAny(off, x)
	}
	return nil
}

// anyThatFits is like Any, and reports whether to store the value. Arrays and objects are always
// stored, even if an element is not.
func (d *Decoder) anyThatFits(t int) (x any, ok bool) {
	if !d.isFirst() {
		x, _, _ = d.Any(t)
		return x, true
	}
	// Before Go 1.27 a number that overflows float64 is not stored: decoding it saves an error.
	attempt := d.attempt(reflect.Value{})
	x, _, _ = d.Any(t)
	c := d.Data[d.Words[t].Pos()]
	return x, d.fits(&attempt, nil) || c == '{' || c == '['
}

// intoTarget decodes into the target of e, which is a pointer that an interface contains.
func (d *Decoder) intoTarget(n *Node, e reflect.Value, t int) error {
	// Errors of text methods contain the type of the interface. If the interface is the root value,
	// they contain the root's type.
	root := d.root
	if n.slot != nil {
		d.root = n.slot
	}
	_, err := d.Value(NodeOf(e.Type(), d.On&option.Release), t, mem.OfPointer(e), 0)
	d.root = root
	return err
}

// Any decodes the value at t as encoding/json decodes into an empty interface: nil, a bool, a
// float64 or Number, a string, a []any or a map[string]any. On error in version 2, x contains the
// part of the value before the error.
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
			return nil, t, d.V2.Syntax(-1)
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
	// why its initial capacity is bounded. For a repeated name version 1 stores the last value.
	// Version 2 returns an error, unless the options allow repeated names. The map then contains
	// the members before the repeated name.
	case '{':
		after = syntax.After(d.Words, t)
		m := make(map[string]any, initialCapacity(w.Count(), 32))
		first := t + ContainerWords
		for t = first; t < after; {
			// A plain name is ASCII without escapes, so its UTF-8 is valid.
			if d.V2 != nil && !d.isPlain(t) {
				if err := d.V2.Readable(t, false); err != nil {
					return m, t, err
				}
			}
			name, key := t, d.internName(d.TextOf(t))
			var elem any
			elem, t, err = d.Any(t + 1)
			if d.V2 == nil {
				m[key] = elem
				continue
			}
			if err != nil {
				if _, there := m[key]; there && d.UniqueNames() {
					return m, t, d.V2.DuplicateName(name)
				}
				// Store the part of the element that was decoded before the error.
				m[key] = elem
				return m, t, err
			}
			count := len(m)
			if m[key] = elem; len(m) == count && d.UniqueNames() {
				// Version 2 returns an error, and the map holds the first value of the name.
				m[key] = d.anyOf(first, key)
				return m, t, d.V2.DuplicateName(name)
			}
		}
		return m, after, nil
	// A zero byte in Data marks the position of a syntax error. Only version 2 decodes such text,
	// to return the values before the error.
	case 0:
		return nil, t, d.V2.BrokenValue()
	}
	// All other first bytes begin a number.
	if d.V2 != nil {
		x, err = d.V2.NumberInAny(t)
		return x, t + 1, err
	}
	x, err = d.number(t)
	if err != nil {
		d.save(err)
	}
	return x, t + 1, nil
}

// anyOf decodes the value of the first member called name, in an object whose members start at t.
func (d *Decoder) anyOf(t int, name string) any {
	for string(d.TextOf(t)) != name {
		t = d.After(t + 1)
	}
	x, _, _ := d.Any(t + 1)
	return x
}

// number decodes the number at t into a float64 or a Number, by the rules of v1.
func (d *Decoder) number(t int) (any, error) {
	// UseNumber keeps the digits. Intern may allocate the string in a block that other short
	// strings share.
	if d.On&option.RawNumbers != 0 {
		return rules.Number(d.Intern(d.Raw(t))), nil
	}
	f, ok := syntax.ParseFloat(d.Data, d.Words[t].Pos(), d.End(t))
	if !ok {
		return d.tooLarge(t)
	}
	return d.BoxFloat(f), nil
}
