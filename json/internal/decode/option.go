package decode

import (
	"errors"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/rules"
)

// An attempt is a decode into a target that gets its old value back if the JSON does not fit.
type attempt struct {
	target, before reflect.Value
	saved          error
	savedAt        int
}

// attempt begins an attempt. It saves the value of the target, and clears the target.
func (d *Decoder) attempt(target reflect.Value) attempt {
	t := attempt{target: target, saved: d.Saved, savedAt: d.savedAt}
	d.Saved = nil
	// A zero target needs no copy.
	if target.IsValid() && !target.IsZero() {
		t.before = reflect.New(target.Type()).Elem()
		t.before.Set(target)
		target.SetZero()
	}
	return t
}

// fits ends an attempt whose decode returned err, and reports whether the value fits. If not, it
// restores the target. An error that was saved before the attempt replaces the attempt's errors.
func (d *Decoder) fits(t *attempt, err error) bool {
	// Saved was nil at the start of the attempt, so it holds an error of the attempt only.
	fits := err == nil && d.Saved == nil
	if t.saved != nil {
		d.Saved, d.savedAt = t.saved, t.savedAt
	}
	switch {
	case fits || !t.target.IsValid():
	case t.before.IsValid():
		t.target.Set(t.before)
	default:
		t.target.SetZero()
	}
	return fits
}

// option decodes a value other than null into an mo.Option. A value that does not fit leaves
// the Option unchanged.
func (d *Decoder) option(n *Node, t int, a mem.Pointer, off uintptr) error {
	s := n.Shape
	// A scalar that does not fit changes nothing, so the Option needs no copy.
	if n.Elem.Op <= NodeString {
		if d.scalar(n.Elem, t, a, off+s.Value) {
			mem.Store(a, off+s.Present, true)
			return nil
		}
		return d.scalarTypeError(n.Elem, t, mem.Pointer{}, 0)
	}
	// Other values may fail after a part of them was stored.
	attempt := d.attempt(a.Value(off, s.Type))
	_, err := d.Value(n.Elem, t, a, off+s.Value)
	if d.fits(&attempt, err) {
		mem.Store(a, off+s.Present, true)
	}
	return err
}

// Union decodes into a Result, a Nullable or an Either of package mo. The JSON has the form that
// their own methods read, but the options of this call apply to the values inside. A value that
// does not fit leaves the union unchanged.
func (d *Decoder) Union(n *Node, t int, a mem.Pointer, off uintptr) error {
	held, value := d.caseOf(n, t)
	if held < 0 {
		return d.typeErrorAt(t, "number", n.Shape.Type)
	}
	u := n.Shape.Union
	attempt := d.attempt(a.Value(off, n.Shape.Type))
	var err error
	switch c := u.Cases[held]; {
	case c.Elem == nil:
	// The error in a Result keeps its text and loses its type, as in samber/mo.
	case n.cases[held] == nil:
		a.Value(off+c.Offset, rules.ErrorType).Set(reflect.ValueOf(errors.New(string(d.TextOf(value)))))
	default:
		_, err = d.Value(n.cases[held], value, a, off+c.Offset)
	}
	if d.fits(&attempt, err) {
		u.Hold(a, off, held)
	}
	return err
}

// caseOf returns the case of n's union for the value at t, and the word of the value to decode for
// this case. The case is negative if there is none.
func (d *Decoder) caseOf(n *Node, t int) (held, value int) {
	cases := n.Shape.Union.Cases
	c := d.Data[d.Words[t].Pos()]
	// The cases of a Nullable are absent, null and a value.
	if cases[0].Name == "" {
		if c == 'n' {
			return 1, t
		}
		return 2, t
	}
	if c != '{' {
		return -1, t
	}
	held = -1
	// A Result has the form of JSON-RPC: an object with result or error, and an error has a
	// message.
	result := cases[1].Elem.Type == rules.ErrorType
	after := d.After(t)
	for t += ContainerWords; t < after; t = d.After(t + 1) {
		name := string(d.TextOf(t))
		i := 0
		for i < len(cases) && name != cases[i].Name && !(result && strings.EqualFold(name, cases[i].Name)) {
			i++
		}
		switch {
		case result && i == len(cases):
			// Other members of a JSON-RPC response are ignored.
		case result:
			// An error takes precedence over a result. A null error is ignored.
			switch text, ok := d.message(t + 1); {
			case i == 0 && held != 1:
				held, value = 0, t+1
			case i == 1 && ok:
				held, value = 1, text
			case i == 1 && d.Data[d.Words[t+1].Pos()] != 'n':
				return -1, t
			}
		case i == len(cases) || held >= 0 && held != i:
			return -1, t
		default:
			held, value = i, t+1
		}
	}
	return held, value
}

// message returns the word of the text in {"message": text}, the form of an error.
func (d *Decoder) message(t int) (text int, ok bool) {
	if d.Data[d.Words[t].Pos()] != '{' {
		return 0, false
	}
	after := d.After(t)
	for t += ContainerWords; t < after; t = d.After(t + 1) {
		if strings.EqualFold(string(d.TextOf(t)), "message") {
			text, ok = t+1, d.Data[d.Words[t+1].Pos()] == '"'
		}
	}
	return text, ok
}
