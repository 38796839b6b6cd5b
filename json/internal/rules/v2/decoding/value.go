package decoding

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// Overflow implements [decode.Faults].
func (d *decoder) Overflow(t int) (any, error) {
	err := d.Refuse(t, rules.FloatType, strconv.ErrRange, decode.WithValue|decode.OfWhole)
	return d.BoxFloat(overflowed(d.Data[d.Words[t].Pos()] == '-')), err
}

// overflowed returns the float to which a number that overflows is decoded: 0 from a patch on, and
// infinity before.
func overflowed(negative bool) float64 {
	switch {
	case rules.Overflow.Applied():
		return 0
	case negative:
		return math.Inf(-1)
	}
	return math.Inf(1)
}

// intoInterface is the row for interfaces.
func intoInterface(e *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	return e.After(t), of(e).intoInterface(n, t, a, off)
}

func (d *decoder) intoInterface(n *decode.Node, t int, a mem.Pointer, off uintptr) error {
	if d.Merges() && a.Any(off) != nil {
		v := a.Value(off, n.Shape.Type)
		if e := v.Elem(); e.Kind() != reflect.Pointer || e.IsNil() {
			v.SetZero()
		}
	}
	v := a.Value(off, n.Shape.Type)
	c := d.Data[d.Words[t].Pos()]
	var held reflect.Value
	switch {
	case !v.IsNil():
		held = reflect.New(v.Elem().Type()).Elem()
		held.Set(v.Elem())
	case n.Shape.Type.NumMethod() > 0:
		if c == 0 {
			if err := d.Syntax(-1); d.brokenKind == 'n' {
				return err
			}
		}
		return d.Refuse(t, n.Shape.Type, rules.ErrFiniteTypes, decode.BeforeRead)
	case c == 0:
		err := d.BrokenValue()
		if k := d.brokenKind; (k == '{' || k == '[') && d.from != nil && d.from.WantsName() {
			v.Set(reflect.Zero(d.plainType(byte(k)))) // the standard library also stores an empty map or slice here
			return err
		}
		if k := d.brokenKind; d.plainAny() || k != 't' && k != 'f' && k != '"' && k != '0' {
			return err
		}
		held = reflect.New(d.plainType(byte(d.brokenKind))).Elem()
	case d.plainAny():
		x, _, err := d.Any(t)
		if x != nil {
			v.Set(reflect.ValueOf(x))
		}
		return err
	default:
		held = reflect.New(d.plainType(c)).Elem()
	}
	_, err := d.Value(d.call.mode.NodeOf(held.Addr().Type()), t, mem.OfPointer(held.Addr()), 0)
	v.Set(held)
	return err
}

// plainAny reports whether [decode.Decoder.Any] can decode into an empty interface. This is not
// possible if a function of the call applies to one of the types that Any produces, or if names may
// repeat, because version 2 merges the values of equal names.
func (d *decoder) plainAny() bool {
	types := d.call.mode.Types
	return !d.Has(option.AllowDuplicateNames) && (types == nil || !types.Values)
}

// plainType returns the type of the Go value that an empty interface gets for a JSON value that
// starts with c.
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
	if d.Has(option.RawNumbers) {
		return rules.NumberType
	}
	return rules.FloatType
}

// refused is the row for types that cannot be decoded.
func refused(d *decode.Decoder, n *decode.Node, t int, _ mem.Pointer, _ uintptr) (int, error) {
	form := decode.BeforeRead
	if n.Fault == nil && d.Has(option.ReportErrorsWithLegacySemantics) {
		form = decode.OfWhole
	}
	return d.After(t), d.Faults.Refuse(t, n.Shape.Type, n.Fault, form)
}

// refusedNull is like refused, for null.
func refusedNull(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	if n.Shape.Kind == shape.Pointer {
		a.SetNil(off)
		return t + 1, nil
	}
	if d.Has(option.ReportErrorsWithLegacySemantics) && n.Fault == nil {
		return t + 1, nil
	}
	return t + 1, d.Faults.Refuse(t, n.Shape.Type, n.Fault, decode.BeforeRead)
}

// readMap is the row for maps that require reflection, and for maps with members if names must not
// repeat.
func readMap(e *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	d, start, after, typ := of(e), t, syntax.After(e.Words, t), n.Shape.Type
	m := a.Value(off, typ)
	t += decode.ContainerWords
	capacity := d.MapCapacity(n, start)
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(typ, capacity))
	}
	var seen reflect.Value // keys decoded from this object; not used if the map was empty before
	if !d.Has(option.AllowDuplicateNames) && m.Len() > 0 {
		seen = reflect.MakeMap(reflect.MapOf(typ.Key(), reflect.TypeFor[struct{}]()))
	}
	key, elem := reflect.New(typ.Key()), reflect.New(typ.Elem())
	k := typ.Key().Kind()
	unique := n.Keys.Op <= decode.NodeString && n.Keys.Op != decode.NodeFloat32 && n.Keys.Op != decode.NodeFloat64 || n.Keys.Op == opQuoted && n.Keys.Elem.Op < decode.NodeFloat32
	// texts contains the names decoded so far. It is nil if the map itself can show that a name
	// repeats. The map cannot show this if one name may decode to different keys, or two names to
	// one key.
	var texts *rules.NameSet
	if d.UniqueNames() && (!unique || k == reflect.String && d.Has(option.AllowInvalidUTF8)) {
		texts = &rules.NameSet{}
	}
	for t < after {
		if m.Len() >= n.Most {
			return d.Skip(start) // only check the members after the limit
		}
		name := t
		// A key type that is an interface with methods is refused before the name is read.
		refused := k == reflect.Interface && typ.Key().NumMethod() > 0
		if n.Keys.Methods == nil && n.Keys.Calls == nil && !refused {
			// For these key types the standard library reads the name as a token, and not as a
			// value.
			tokens := k == reflect.Bool || k == reflect.Interface || n.Keys.Op == decode.NodeStruct
			if err := d.Readable(name, !tokens); err != nil {
				return t, err
			}
		}
		if texts != nil && d.Data[d.Words[name].Pos()] == '"' && !texts.AddName(string(d.TextOf(name))) {
			return t, d.DuplicateName(name)
		}
		key.Elem().SetZero()
		typeErrors := d.typeErrors
		if _, err := d.Value(n.Keys, name, mem.OfPointer(key), 0); err != nil {
			return t, err
		}
		if d.typeErrors != typeErrors {
			var err error
			if t, err = d.Skip(name + 1); err != nil {
				return t, err
			}
			continue
		}
		if (k == reflect.Interface || k == reflect.Struct || k == reflect.Array) && !key.Elem().Comparable() {
			held := key.Elem() // the key, or if it is an interface, the value that it contains
			if k == reflect.Interface {
				held = held.Elem()
			}
			if err := d.RefuseName(name, typ, fmt.Errorf("invalid incomparable key type %v", held.Type())); err != nil {
				return t, err
			}
			var err error
			if t, err = d.Skip(name + 1); err != nil {
				return t, err
			}
			continue
		}
		elem.Elem().SetZero()
		if there := m.MapIndex(key.Elem()); there.IsValid() {
			if d.UniqueNames() && (!seen.IsValid() || seen.MapIndex(key.Elem()).IsValid()) {
				return t, d.DuplicateName(name)
			}
			if !d.Merges() {
				elem.Elem().Set(there)
			}
		}
		next, err := d.Value(n.Elem, name+1, mem.OfPointer(elem), 0)
		m.SetMapIndex(key.Elem(), elem.Elem())
		if seen.IsValid() {
			seen.SetMapIndex(key.Elem(), reflect.ValueOf(struct{}{}))
		}
		if err != nil {
			return next, err
		}
		t = next
	}
	return after, nil
}
