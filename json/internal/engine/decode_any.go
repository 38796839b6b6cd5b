package engine

import (
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// any decodes the value at t as an interface holds it: nil, a bool, a float64
// or Number, a string, a []any or a map[string]any.
// By the rules of v2 there may be an error, behind as much as was decoded.
func (d *Decoder) any(t int) (x any, after int, err error) {
	w := d.words[t]
	switch d.data[w.Pos()] {
	case 'n':
		return nil, t + 1, nil
	case 't':
		return true, t + 1, nil
	case 'f':
		return false, t + 1, nil
	case '"':
		s, ok := d.text8(t)
		if !ok {
			return nil, t, d.v2.syntax(-1)
		}
		return s, t + 1, nil
	case '[':
		after = syntax.After(d.words, t)
		list := make([]any, 0, w.Count())
		for t += containerWords; t < after; {
			var elem any
			elem, t, err = d.any(t)
			list = append(list, elem)
			if err != nil {
				return list, t, err
			}
		}
		return list, after, nil
	case '{':
		after = syntax.After(d.words, t)
		m := make(map[string]any, roomFor(w.Count(), 32))
		first := t + containerWords
		for t = first; t < after; {
			if d.v2 != nil && !d.isPlain(t) {
				if err := d.v2.readable(t, false); err != nil {
					return m, t, err
				}
			}
			name, key := t, d.name(d.textOf(t))
			var elem any
			elem, t, err = d.any(t + 1)
			if d.v2 == nil {
				m[key] = elem
				continue
			}
			if err != nil {
				if _, there := m[key]; there && d.uniqueNames() {
					return m, t, d.v2.duplicateName(name)
				}
				m[key] = elem
				return m, t, err
			}
			count := len(m)
			if m[key] = elem; len(m) == count && d.uniqueNames() {
				m[key] = d.anyOf(first, key)
				return m, t, d.v2.duplicateName(name)
			}
		}
		return m, after, nil
	case 0:
		return nil, t, d.v2.brokenValue()
	}
	if d.v2 != nil {
		x, err = d.v2.numberInAny(t)
		return x, t + 1, err
	}
	x, err = d.number(t)
	if err != nil {
		d.save(err)
	}
	return x, t + 1, nil
}

// anyOf returns the value of the first member that has the name, of an object whose members
// start at t.
func (d *Decoder) anyOf(t int, name string) any {
	for string(d.textOf(t)) != name {
		t = d.after(t + 1)
	}
	x, _, _ := d.any(t + 1)
	return x
}

// numberInAny returns the number at t as an interface holds it, by the rules of v2.
func (d *decoder) numberInAny(t int) (any, error) {
	if d.has(option.RawNumbers) {
		return Number(d.keep(d.raw(t))), nil
	}
	f, ok := syntax.ParseFloat(d.data, d.words[t].Pos(), d.end(t))
	if !ok {
		f = infinity(d.data[d.words[t].Pos()] == '-')
		return d.keepFloat(f), d.refuse(t, floatType, strconv.ErrRange, withValue|ofWhole)
	}
	return d.keepFloat(f), nil
}

// interfaceV2 decodes into an interface by the rules of v2.
func (d *decoder) interfaceV2(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.merges() && a.Any(off) != nil {
		v := a.Value(off, n.shape.Type)
		if e := v.Elem(); e.Kind() != reflect.Pointer || e.IsNil() {
			v.SetZero()
		}
	}
	v := a.Value(off, n.shape.Type)
	c := d.data[d.words[t].Pos()]
	var held reflect.Value
	switch {
	case !v.IsNil():
		held = reflect.New(v.Elem().Type()).Elem()
		held.Set(v.Elem())
	case n.shape.Type.NumMethod() > 0:
		if c == 0 {
			if err := d.syntax(-1); d.brokenKind == 'n' {
				return err
			}
		}
		return d.refuse(t, n.shape.Type, errFiniteTypes, beforeRead)
	case c == 0:
		err := d.brokenValue()
		if k := d.brokenKind; (k == '{' || k == '[') && d.from != nil && d.from.WantsName() {
			v.Set(reflect.Zero(d.plainType(byte(k)))) // as the standard library makes what would hold it
			return err
		}
		if k := d.brokenKind; d.plainAny() || k != 't' && k != 'f' && k != '"' && k != '0' {
			return err
		}
		held = reflect.New(d.plainType(byte(d.brokenKind))).Elem()
	case d.plainAny():
		x, _, err := d.any(t)
		if x != nil {
			v.Set(reflect.ValueOf(x))
		}
		return err
	default:
		held = reflect.New(d.plainType(c)).Elem()
	}
	_, err := d.value(d.call.mode.node(held.Type()), t, mem.OfPointer(held.Addr()), 0)
	v.Set(held)
	return err
}

// plainAny reports whether what an interface holds is decoded by any: no functions are for
// it, and it is merged with nothing.
func (d *decoder) plainAny() bool {
	types := d.call.mode.types
	return !d.has(option.AllowDuplicateNames) && (types == nil || !types.values)
}

// plainType returns the type by which an interface holds a value that starts with c.
func (d *decoder) plainType(c byte) reflect.Type {
	switch c {
	case 't', 'f':
		return reflect.TypeFor[bool]()
	case '"':
		return reflect.TypeFor[string]()
	case '{':
		return reflect.TypeFor[map[string]any]()
	case '[':
		return reflect.TypeFor[[]any]()
	}
	if d.has(option.RawNumbers) {
		return numberType
	}
	return floatType
}

var floatType = reflect.TypeFor[float64]()

// number returns the number at t as an interface holds it.
func (d *Decoder) number(t int) (any, error) {
	if d.on&option.RawNumbers != 0 {
		return Number(d.keep(d.raw(t))), nil
	}
	f, ok := syntax.ParseFloat(d.data, d.words[t].Pos(), d.end(t))
	if !ok {
		return d.tooLarge(t)
	}
	return d.keepFloat(f), nil
}
