package decode

import (
	"encoding"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// Value decodes the value at t into the place of n's type at a+off. Without a node it passes
// the value.
func (d *Decoder) Value(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	if n == nil {
		return d.Skip(t)
	}
	w := d.Words[t]
	c := d.Data[w.Pos()]
	// The first byte of a value tells its kind. Null comes first, since it means something
	// else to most types.
	if c == 'n' {
		return t + 1, d.null(n, t, a, off)
	}
	// Scalars are the most frequent values, and need no memory of their own.
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
			// The text breaks here. If it breaks inside null, no pointer is set.
			if isNull, err := d.V2.BrokenNull(); isNull {
				return t, err
			}
		}
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.Shape.Elem.Type)
		}
		return d.Value(n.Elem, t, to, 0)
	// The value in an interface may be of any size, so the word after it comes from the index
	// and not from the decode.
	case nodeInterface:
		return d.After(t), d.intoInterface(n, t, a, off)
	case nodeOption:
		return d.After(t), d.option(n, t, a, off)
	case NodeUnion:
		return d.After(t), d.Union(n, t, a, off)
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
		// Base64 has no escapes, but the JSON string may.
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
	// The error of a method ends the decode or is saved, by the release of encoding/json.
	case nodeMarshaler, nodeText:
		return d.After(t), d.failed(d.method(n, t, a, off))
	case NodeQuoted, NodeByteArray, NodeMethods, NodeFunctions, NodeFail:
		return d.V2.ValueV2(n, t, a, off)
	}
	return d.After(t), d.typeErrorAt(t, "number", n.Shape.Type)
}

// null decodes null: it sets a value that can be nil to nil, and leaves others unchanged.
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
	// A Nullable tells null apart from absent.
	case NodeUnion:
		return d.Union(n, t, a, off)
	}
	switch n.Shape.Kind {
	case shape.Pointer, shape.Map:
		a.SetNil(off)
	case shape.Slice, shape.Bytes:
		a.ClearSlice(off)
	// None has no value: the old value is cleared, so that it keeps nothing alive.
	case shape.Option:
		if mem.Load[bool](a, off+n.Shape.Present) {
			a.Value(off, n.Shape.Type).SetZero()
		}
	case shape.Interface:
		v := a.Value(off, n.Shape.Type)
		// An interface that holds a pointer to a pointer: null goes to the inner pointer, as
		// encoding/json has it.
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() && e.Elem().Kind() == reflect.Pointer {
			return d.into(n, e, t)
		}
		v.SetZero()
	}
	return nil
}

// failed returns an error of a method, or saves it if it does not end the decode.
func (d *Decoder) failed(err error) error {
	if err == nil || d.isFirst() || rules.IsSyntactic(err) {
		return err
	}
	d.save(err)
	return nil
}

// method decodes by the value's own method, by the rules of v1.
func (d *Decoder) method(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch {
	case n.Op == nodeMarshaler && n.Elem != nil:
		return d.streamMethod(n, t, a, off)
	case n.Op == nodeMarshaler:
		return d.unmarshalJSON(a.Addr(off, n.Shape.Type), d.rawToKeep(n, t))
	// A text method is asked for JSON strings alone.
	case d.Data[d.Words[t].Pos()] == '"':
		return d.unmarshalText(a.Addr(off, n.Shape.Type), d.textToKeep(t))
	}
	d.notText(n, t)
	return nil
}

// streamMethod decodes by a method that reads from one of Hone's streams. If the method declines,
// the other methods of the type are asked, and then its kind decides.
func (d *Decoder) streamMethod(n *Node, t int, a mem.Pointer, off uintptr) error {
	// The value is valid text, which the index has checked. The stream reads this text alone, so
	// offsets in errors of the stream count from the value.
	v := a.Addr(off, n.Shape.Type)
	err := rules.UnmarshalFrom(d.rawToKeep(n, t), v.(rules.UnmarshalerFrom))
	if err != rules.ErrDeclined {
		return rules.LegacyUnmarshal(reflect.TypeOf(v), err)
	}
	// A method that has declined has read nothing. The order of the others is the order of v1.
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

// intoInterface decodes into an interface. If it holds a pointer, the value goes where that
// points; else the interface gets a value of a type that the JSON decides.
func (d *Decoder) intoInterface(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.V2 != nil {
		return d.V2.InterfaceV2(n, t, a, off)
	}
	empty := n.Shape.Type.NumMethod() == 0
	if !empty || a.Any(off) != nil {
		v := a.Value(off, n.Shape.Type)
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() {
			if in := e.Elem(); in.Kind() == reflect.Interface && in.Elem().IsValid() && in.Elem().Equal(e) {
				// It holds its own address. Going there would never end.
				if x, ok := d.anyThatFits(t); ok {
					in.Set(reflect.ValueOf(&x).Elem())
				}
				return nil
			}
			return d.into(n, e, t)
		}
	}
	if !empty {
		return d.notInterface(n, t)
	}
	if x, ok := d.anyThatFits(t); ok {
		a.SetAny(off, x)
	}
	return nil
}

// anyThatFits is Any for a value that is stored only if it fits. An array or an object fits
// whatever is in it.
func (d *Decoder) anyThatFits(t int) (x any, ok bool) {
	if !d.isFirst() {
		x, _, _ = d.Any(t)
		return x, true
	}
	// Before Go 1.27 a number that is too large is not stored. The value is made, and dropped
	// if an error was saved.
	attempt := d.attempt(reflect.Value{})
	x, _, _ = d.Any(t)
	c := d.Data[d.Words[t].Pos()]
	return x, d.fits(&attempt, nil) || c == '{' || c == '['
}

// into decodes into the value that the pointer e points to, which an interface holds.
func (d *Decoder) into(n *Node, e reflect.Value, t int) error {
	// Errors of text methods name the type of the place that holds the interface.
	root := d.root
	if n.slot != nil {
		d.root = n.slot
	}
	_, err := d.Value(NodeOf(e.Type(), d.On&option.Release), t, mem.OfPointer(e), 0)
	d.root = root
	return err
}
