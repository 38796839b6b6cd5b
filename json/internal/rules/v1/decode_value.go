package v1

import (
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
)

// Number is the row for a Number.
func Number(d *decode.Decoder, _ *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	switch c := d.Data[d.Words[t].Pos()]; {
	case c == '"':
		text := d.TextOf(t)
		if !syntax.ValidNumber(mem.String(text)) {
			break
		}
		mem.Store(a, off, d.Intern(text))
		return t + 1, nil
	// A Number stores the digits as text, without a limit on their number.
	case c == '-' || c-'0' <= 9:
		mem.Store(a, off, d.Intern(d.Raw(t)))
		return t + 1, nil
	}
	return d.After(t), Of(d).rules.Release.NotNumber(Of(d), t)
}

// intoInterface is the row for interfaces. If the interface contains a pointer, intoInterface
// decodes into the pointer's target. Otherwise it stores a new value whose type depends on the JSON.
func intoInterface(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr) (int, error) {
	r := Of(d).rules.Release
	empty := n.Shape.Type.NumMethod() == 0
	if !empty || a.Any(off) != nil {
		v := a.Value(off, n.Shape.Type)
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() {
			if in := e.Elem(); in.Kind() == reflect.Interface && in.Elem().IsValid() && in.Elem().Equal(e) {
				// The interface contains a pointer to itself, which must not be followed.
				if x, ok := r.HeldAny(Of(d), t); ok {
					in.Set(reflect.ValueOf(&x).Elem())
				}
				return d.After(t), nil
			}
			return d.After(t), Of(d).intoTarget(n, e, t)
		}
		if !empty {
			r.NotInterface(Of(d), v, t)
			return d.After(t), nil
		}
	}
	if x, ok := r.HeldAny(Of(d), t); ok {
		a.SetAny(off, x)
	}
	return d.After(t), nil
}

// intoTarget decodes into the target of e, which is a pointer that an interface contains.
func (d *Decoder) intoTarget(n *decode.Node, e reflect.Value, t int) error {
	// Errors of text methods may contain the type of the interface. If the interface is the root
	// value, they contain the root's type.
	root := d.root
	if n.Slot != nil {
		d.root = n.Slot
	}
	_, err := d.Value(d.rules.Plain.NodeOf(e.Type()), t, mem.OfPointer(e), 0)
	d.root = root
	return err
}

// An Entry decodes one entry of a map: its key from the name at word name, and its element. It returns
// the index of the word after the entry, and whether to store the entry.
type Entry func(d *Decoder, n *decode.Node, name int, key, elem reflect.Value) (next int, ok bool, err error)

// Map implements the row for maps that require reflection.
func Map(d *decode.Decoder, n *decode.Node, t int, a mem.Pointer, off uintptr, entry Entry) (int, error) {
	after, typ := syntax.After(d.Words, t), n.Shape.Type
	m := a.Value(off, typ)
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(typ, d.MapCapacity(n, t)))
	}
	// One key and one element are reused for all entries, because SetMapIndex copies them.
	elem, key := reflect.New(typ.Elem()).Elem(), reflect.New(typ.Key()).Elem()
	// Clear both before each entry, because decoding the previous entry may have failed halfway.
	for t += decode.ContainerWords; t < after && m.Len() < n.Most; {
		elem.SetZero()
		key.SetZero()
		next, ok, err := entry(Of(d), n, t, key, elem)
		if ok {
			m.SetMapIndex(key, elem)
		}
		if err != nil {
			return next, err
		}
		t = next
	}
	return after, nil
}

// KeyFromText decodes text, a name whose form is not decode.KeyMethod, into key, and reports whether
// this succeeded. An error contains the given offset.
func (d *Decoder) KeyFromText(form decode.KeyForm, text []byte, key reflect.Value, offset int) (fits bool) {
	if form == decode.KeyString {
		key.SetString(d.InternName(text))
		return true
	}
	// The error contains the name unchanged, which need not be a valid JSON number. encoding/json
	// parses keys with package strconv, which accepts a plus sign and leading zeros.
	if form == decode.KeyInt {
		v, err := strconv.ParseInt(string(text), 10, 64)
		if fits = err == nil && !key.OverflowInt(v); fits {
			key.SetInt(v)
		}
	} else {
		v, err := strconv.ParseUint(string(text), 10, 64)
		if fits = err == nil && !key.OverflowUint(v); fits {
			key.SetUint(v)
		}
	}
	if !fits {
		d.TypeError("number "+string(text), key.Type(), offset, nil)
	}
	return fits
}
