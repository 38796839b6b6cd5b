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

// Value decodes the value at t into the place of n's type at a+off. Without a
// node it is skipped.
func (d *Decoder) Value(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	if n == nil {
		return d.Skip(t)
	}
	w := d.Words[t]
	c := d.Data[w.Pos()]
	if c == 'n' {
		return t + 1, d.null(n, t, a, off)
	}
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
			if isNull, err := d.V2.BrokenNull(); isNull {
				return t, err
			}
		}
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.Shape.Elem.Type)
		}
		return d.Value(n.Elem, t, to, 0)
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
		b, err := bytesOf(d.TextOf(t), a.Bytes(off))
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
	case nodeMarshaler, nodeText:
		return d.After(t), d.failed(d.method(n, t, a, off))
	case NodeQuoted, NodeByteArray, NodeMethods, NodeFunctions, NodeFail:
		return d.V2.ValueV2(n, t, a, off)
	}
	return d.After(t), d.typeErrorAt(t, "number", n.Shape.Type)
}

// null decodes null, which is nil to what can be nil and nothing to the rest.
func (d *Decoder) null(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.refusesNull(n, t) {
		return nil
	}
	if d.V2 != nil {
		return d.V2.NullV2(n, t, a, off)
	}
	switch n.Op {
	case nodeMarshaler:
		return d.failed(unmarshalJSON(a.Addr(off, n.Shape.Type), d.rawToKeep(n, t)))
	case NodeUnion:
		return d.Union(n, t, a, off)
	}
	switch n.Shape.Kind {
	case shape.Pointer, shape.Map:
		a.SetNil(off)
	case shape.Slice, shape.Bytes:
		a.ClearSlice(off)
	case shape.Option:
		if mem.Load[bool](a, off+n.Shape.Present) {
			a.Value(off, n.Shape.Type).SetZero()
		}
	case shape.Interface:
		v := a.Value(off, n.Shape.Type)
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() && e.Elem().Kind() == reflect.Pointer {
			return d.into(n, e, t)
		}
		v.SetZero()
	}
	return nil
}

// failed returns an error of a method, or saves it if it does not end the decode.
func (d *Decoder) failed(err error) error {
	if methodsEnd || err == nil || rules.IsSyntactic(err) {
		return err
	}
	d.save(err)
	return nil
}

// method lets the value's own method decode, by the rules of v1.
func (d *Decoder) method(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch {
	case n.Op == nodeMarshaler:
		return unmarshalJSON(a.Addr(off, n.Shape.Type), d.rawToKeep(n, t))
	case d.Data[d.Words[t].Pos()] == '"':
		return rules.MethodError(a.Addr(off, n.Shape.Type).(encoding.TextUnmarshaler).UnmarshalText(d.textToKeep(t)), "UnmarshalText")
	}
	d.notText(n, t)
	return nil
}

// intoInterface decodes into an interface: into what it holds if that is a pointer, as
// a value of Go's choice otherwise.
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

// anyThatFits is any for a value that is to be kept only if it fits: an array
// or an object does, whatever is in it.
func (d *Decoder) anyThatFits(t int) (x any, ok bool) {
	if keepsInf {
		x, _, _ = d.Any(t)
		return x, true
	}
	trial := d.attempt(reflect.Value{})
	x, _, _ = d.Any(t)
	c := d.Data[d.Words[t].Pos()]
	return x, d.fits(&trial, nil) || c == '{' || c == '['
}

// into decodes into what the pointer e, which an interface holds, points to.
func (d *Decoder) into(n *Node, e reflect.Value, t int) error {
	root := d.root
	if n.slot != nil {
		d.root = n.slot
	}
	_, err := d.Value(NodeOf(e.Type()), t, mem.OfPointer(e), 0)
	d.root = root
	return err
}
