package engine

import (
	"errors"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
)

// union decodes into a Result, a Nullable or an Either of mo, in the form that
// their own methods have, so that the options of this decode hold inside them.
// What does not fit leaves the union as it was.
func (d *Decoder) union(n *Node, t int, a mem.Pointer, off uintptr) error {
	held, value := d.caseOf(n, t)
	if held < 0 {
		return d.misfitOf(t, "number", n.shape.Type)
	}
	u := n.shape.Union
	trial := d.try(a.Value(off, n.shape.Type))
	var err error
	switch c := u.Cases[held]; {
	case c.Elem == nil:
	case n.cases[held] == nil:
		a.Value(off+c.Offset, errorType).Set(reflect.ValueOf(errors.New(string(d.textOf(value)))))
	default:
		_, err = d.value(n.cases[held], value, a, off+c.Offset)
	}
	if d.fits(&trial, err) {
		u.Hold(a, off, held)
	}
	return err
}

// caseOf returns which case of n's union the value at t stands for, and where
// the case's own value is; a negative case if it stands for none.
func (d *Decoder) caseOf(n *Node, t int) (held, value int) {
	cases := n.shape.Union.Cases
	c := d.data[d.words[t].Pos()]
	if cases[0].Name == "" { // a Nullable: absent, null, value
		if c == 'n' {
			return 1, t
		}
		return 2, t
	}
	if c != '{' {
		return -1, t
	}
	held = -1
	result := cases[1].Elem.Type == errorType
	after := d.after(t)
	for t += containerWords; t < after; t = d.after(t + 1) {
		name := string(d.textOf(t))
		i := 0
		for i < len(cases) && name != cases[i].Name && !(result && strings.EqualFold(name, cases[i].Name)) {
			i++
		}
		switch {
		case result && i == len(cases):
			// JSON-RPC has more than the two members.
		case result:
			// An error outweighs a result, but null is none.
			switch text, ok := d.message(t + 1); {
			case i == 0 && held != 1:
				held, value = 0, t+1
			case i == 1 && ok:
				held, value = 1, text
			case i == 1 && d.data[d.words[t+1].Pos()] != 'n':
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

// message returns where the text of {"message": text} at t is.
func (d *Decoder) message(t int) (text int, ok bool) {
	if d.data[d.words[t].Pos()] != '{' {
		return 0, false
	}
	after := d.after(t)
	for t += containerWords; t < after; t = d.after(t + 1) {
		if strings.EqualFold(string(d.textOf(t)), "message") {
			text, ok = t+1, d.data[d.words[t+1].Pos()] == '"'
		}
	}
	return text, ok
}
