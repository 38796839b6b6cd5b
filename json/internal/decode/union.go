package decode

import (
	"errors"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// An Attempt is a decode that restores the old value of its target if the JSON does not match the
// type.
type Attempt struct {
	target, before reflect.Value
	saved          error
	savedAt        int
}

// Attempt starts an attempt: it saves the value of target, and then clears target.
func (d *Decoder) Attempt(target reflect.Value) Attempt {
	t := Attempt{target: target, saved: d.Saved, savedAt: d.SavedAt}
	d.Saved = nil
	// A zero target needs no copy.
	if target.IsValid() && !target.IsZero() {
		t.before = reflect.New(target.Type()).Elem()
		t.before.Set(target)
		target.SetZero()
	}
	return t
}

// Fits ends an attempt, and reports whether it succeeded. err is the error that its decode
// returned. After a failure, Fits restores the target. If an error was saved before the attempt, it
// remains the saved error.
func (d *Decoder) Fits(t *Attempt, err error) bool {
	// d.Saved was nil at the start of the attempt, so a non-nil error comes from the attempt.
	fits := err == nil && d.Saved == nil
	if t.saved != nil {
		d.Saved, d.SavedAt = t.saved, t.savedAt
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

// option decodes a value other than null into an mo.Option. If the value does not match the type,
// the Option is unchanged.
func (d *Decoder) option(n *Node, t int, a mem.Pointer, off uintptr) error {
	s := n.Shape
	// A scalar that does not match the type is not stored, so the old Option need not be saved.
	if n.Elem.Op <= NodeString {
		if d.scalar(n.Elem, t, a, off+s.Value) {
			mem.Store(a, off+s.Present, true)
			return nil
		}
		return d.Faults.RefuseScalar(n.Elem, t, mem.Pointer{}, 0)
	}
	// For any other value, decoding may store a part of it before an error, so save the old Option.
	attempt := d.Attempt(a.Value(off, s.Type))
	_, err := d.Value(n.Elem, t, a, off+s.Value)
	if d.Fits(&attempt, err) {
		mem.Store(a, off+s.Present, true)
	}
	return err
}

// Union decodes into a Result, a Nullable or an Either of package mo. It accepts the JSON that the
// types' own methods accept, and applies the options of the call to the inner values. If the JSON
// does not match, the union is unchanged.
func (d *Decoder) Union(n *Node, t int, a mem.Pointer, off uintptr) error {
	if n.sum != nil {
		return d.eitherInto(n, t, a, off)
	}
	held, value := d.caseOf(n, t)
	if held < 0 {
		return d.Faults.Refuse(t, n.Shape.Type, nil, 0)
	}
	u := n.Shape.Union
	attempt := d.Attempt(a.Value(off, n.Shape.Type))
	var err error
	switch c := u.Cases[held]; {
	case c.Elem == nil:
	// The error in a Result is decoded as text, so its type is lost, as in samber/mo.
	case n.cases[held] == nil:
		a.Value(off+c.Offset, rules.ErrorType).Set(reflect.ValueOf(errors.New(string(d.TextOf(value)))))
	default:
		_, err = d.Value(n.cases[held], value, a, off+c.Offset)
	}
	if d.Fits(&attempt, err) {
		u.Hold(a, off, held)
	}
	return err
}

// caseOf returns the index of the case that the value at t belongs to, and the index of the word at
// which the inner value starts. The case is negative if none matches.
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
	// A Result is encoded as in JSON-RPC: an object with the member result or error. An error is an
	// object with the member message.
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

// message returns the position in d.Words of the value of "message", in an object like
// {"message": "text"}. An error is encoded as such an object. ok is false if the value at t is not one.
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

// sumInto decodes a value other than null into an interface with declared cases. It always stores a
// new value, even if the interface already contains a value of this case.
func (d *Decoder) sumInto(n *Node, t int, a mem.Pointer, off uintptr) error {
	i, name, value, err := d.namedCase(n, t, a, off)
	switch {
	case err != nil || i == noCase:
		return err
	case i == n.sum.of.Unknown:
		return d.unknownCase(n, t, name, a, off)
	}
	c := &n.sum.cases[i]
	held := c.held.New()
	if value >= 0 {
		_, err = d.Value(c.node, value, held, 0)
	}
	c.held.Set(a, off, held)
	return err
}

// eitherInto decodes a value into an Either with declared cases. As with the unions of [Decoder.Union],
// the Either is unchanged if the JSON does not match.
func (d *Decoder) eitherInto(n *Node, t int, a mem.Pointer, off uintptr) error {
	var i, value int
	var err error
	if n.sum.of.Form == shape.SumUntagged {
		i, err = d.untaggedCase(n, t)
		value = t
	} else {
		i, _, value, err = d.namedCase(n, t, a, off)
	}
	if err != nil || i == noCase {
		return err
	}
	u := n.Shape.Union
	attempt := d.Attempt(a.Value(off, n.Shape.Type))
	if value >= 0 {
		_, err = d.Value(n.cases[i], value, a, off+u.Cases[i].Offset)
	}
	if d.Fits(&attempt, err) {
		u.Hold(a, off, i)
	}
	return err
}

// An untagged union has no tag, so the kind of a value selects the case. The kind is the first byte
// of the value, with 't' for both true and false, and '0' for all numbers. Several cases may have
// objects as values. The declaration guarantees that each of these cases has a member that no other
// case has, so one pass over the names finds the case. The node of the case then decodes all
// members, and handles unknown names.

// untaggedCase returns the case of the untagged value at t, or noCase after it has saved an error.
func (d *Decoder) untaggedCase(n *Node, t int) (int, error) {
	kind := d.Data[d.Words[t].Pos()]
	switch {
	case kind == 0:
		return noCase, d.Checks.BrokenValue()
	case kind == 'f':
		kind = 't'
	case kind == '-' || kind >= '0' && kind <= '9':
		kind = '0'
	}
	found := noCase
	for i := range n.sum.of.Cases {
		c := &n.sum.of.Cases[i]
		if strings.IndexByte(c.Kinds, kind) < 0 {
			continue
		}
		// If this is the only case whose values are objects, its Own is nil, and any object belongs
		// to it.
		if kind != '{' || c.Own == nil {
			return i, nil
		}
		found = i
	}
	if found == noCase {
		return noCase, d.Faults.Refuse(t, n.Shape.Type, nil, 0)
	}
	// The object may have members of two cases, which is an error, so the loop examines all names.
	found = noCase
	after := d.After(t)
	for m := t + ContainerWords; m < after && d.Data[d.Words[m].Pos()] != 0; m = d.After(m + 1) {
		own := d.sumMember(n, m)
		switch {
		case own < 0:
		case found != noCase && found != n.sum.owners[own]:
			return noCase, d.wrongCase(n, t, -1) // the object has members of two cases
		default:
			found = n.sum.owners[own]
		}
	}
	if found == noCase {
		return noCase, d.wrongCase(n, t, -1)
	}
	return found, nil
}

// noCase is returned instead of the index of a case after an error was saved. The index -1 has
// another meaning: the union has no case for unknown names.
const noCase = -2

// namedCase finds the case that the object at t belongs to. It returns the index i of the case, and
// the indexes of the words of its name and of its value. value is negative if the object has no
// value. i is noCase if an error has been saved.
//
// The three forms with names differ in where the name is:
//
//   - Internal: the tag is a member of the value, so value is t. The node of the case reads the
//     members.
//   - Adjacent: the tag and the value are two members of the object. No node reads this object, so
//     findAdjacent handles its other members.
//   - External: the name of the only member is the name of the case.
//
// The name and the value may come in any order, so the words of the whole object are needed. Decoding
// in one pass (readSum) handles objects whose first member is the tag; all others are decoded here.
func (d *Decoder) namedCase(n *Node, t int, a mem.Pointer, off uintptr) (i, name, value int, err error) {
	s := n.sum
	switch d.Data[d.Words[t].Pos()] {
	case '{':
	case 0:
		return noCase, 0, 0, d.Checks.BrokenValue()
	default:
		return noCase, 0, 0, d.Faults.Refuse(t, n.Shape.Type, nil, 0)
	}
	name, value = -1, t
	switch s.of.Form {
	case shape.SumInternal:
		name = d.findTag(n, t)
	case shape.SumAdjacent:
		name, value, err = d.findAdjacent(n, t, a, off)
	default:
		if d.Words[t].Count() == 1 {
			name, value = t+ContainerWords, t+ContainerWords+1
		}
	}
	if err == nil && d.Checks != nil && name >= 0 && !d.isPlain(name) {
		err = d.Checks.Readable(name, false)
	}
	switch {
	case err != nil:
		return noCase, 0, 0, err
	case name < 0 || d.Data[d.Words[name].Pos()] != '"':
		return noCase, 0, 0, d.wrongCase(n, t, -1)
	}
	if i = s.of.Named(d.TextOf(name)); i < 0 {
		if i = s.of.Unknown; i < 0 {
			return noCase, 0, 0, d.wrongCase(n, t, name)
		}
	}
	if value < 0 && d.On&option.CheckMembers != 0 && i != s.of.Unknown && s.of.NeedsValue(i) {
		d.memberFault(MemberError{Offset: d.Words[t].Pos(), Detail: isAbsent, Name: s.of.Value})
	}
	return i, name, value, nil
}

// findTag returns the index of the word that contains the tag's value in the object at t, or a
// negative number if the object has no tag. If the tag repeats, the last one counts, as for a
// field.
func (d *Decoder) findTag(n *Node, t int) (name int) {
	name = -1
	after := d.After(t)
	// A zero byte marks the position of a syntax error, which ends the loop. The error is returned
	// later, by decoding the case's struct or by wrongCase.
	for t += ContainerWords; t < after && d.Data[d.Words[t].Pos()] != 0; t = d.After(t + 1) {
		if d.isName(t, &n.sum.tag) || (!d.exactNames() || !d.isPlain(t)) && d.sumMember(n, t) == tagMember {
			name = t + 1
		}
	}
	return name
}

// findAdjacent is like findTag, for a union whose tag and value are two members of the object. It
// also returns the word of the value, and handles unknown members.
func (d *Decoder) findAdjacent(n *Node, t int, a mem.Pointer, off uintptr) (name, value int, err error) {
	name, value = -1, -1
	after, others := d.After(t), len(d.Others)
	for t += ContainerWords; t < after; {
		if d.Checks != nil && !d.isPlain(t) {
			if err := d.Checks.Readable(t, true); err != nil {
				return name, value, err
			}
		}
		at := &name
		switch d.sumMember(n, t) {
		case valueMember:
			at = &value
		case tagMember:
		default:
			if t, err = d.unknown(n, t, a, off, others); err != nil {
				return name, value, err
			}
			continue
		}
		if *at >= 0 && d.UniqueNames() {
			return name, value, d.Checks.DuplicateName(t)
		}
		*at = t + 1
		t = d.After(t + 1)
	}
	d.Others = d.Others[:others]
	return name, value, nil
}

// sumMember returns the index of the name at t in the names of n's cases, or a negative number.
func (d *Decoder) sumMember(n *Node, t int) int {
	if d.exactNames() {
		return shape.FindExact(&n.sum.names, d.TextOf(t))
	}
	i, _ := shape.Find(&n.sum.names, d.TextOf(t))
	return i
}

// exactNames reports whether names are case-sensitive.
func (d *Decoder) exactNames() bool {
	return !d.Has(option.MatchCaseInsensitiveNames)
}

// unknownCase handles an object at t whose tag is not the name of a declared case. It stores the tag
// and the JSON text of the object in the type that the union declares with union.Default.
func (d *Decoder) unknownCase(n *Node, t, name int, a mem.Pointer, off uintptr) error {
	if d.Checks != nil {
		if err := d.Checks.Readable(t, true); err != nil {
			return err
		}
	}
	s := n.sum.of
	held := &n.sum.cases[s.Unknown].held
	v := held.New()
	mem.Store(v, s.UnknownName, string(d.TextOf(name)))
	v.SetBytes(s.UnknownText, append([]byte(nil), d.Raw(t)...))
	held.Set(a, off, v)
	return nil
}

// wrongCase saves or returns the error for the object at t, whose case is missing or unknown. The
// parameter name is the index in d.Words of the case's name, or negative if the object has no name.
func (d *Decoder) wrongCase(n *Node, t, name int) error {
	if d.Checks != nil {
		// In a truncated text the name may be cut off, so a syntax error takes precedence.
		if err := d.Checks.Readable(t, true); err != nil {
			return err
		}
	}
	// Only the first error is returned, or with CheckMembers the first hundred. Return before
	// computing an error that would be dropped.
	checks := d.On&option.CheckMembers != 0
	if checks && len(d.Members) >= maxMembers || !checks && d.Saved != nil {
		return nil
	}
	s := n.sum.of
	e := &shape.CaseError{Type: n.Shape.Type, Tag: s.Tag, Missing: true, Untagged: s.Form == shape.SumUntagged, Names: s.Names()}
	at := t
	if name >= 0 && d.Data[d.Words[name].Pos()] == '"' {
		at, e.Missing, e.Name = name, false, path.Shorten(d.TextOf(name), path.MaxName)
	}
	if !checks {
		return d.Faults.Refuse(at, n.Shape.Type, e, 0)
	}
	detail := "must be one of " + e.Names
	if e.Missing {
		detail = e.Error()
	}
	d.memberFault(MemberError{Offset: d.Words[at].Pos(), Detail: detail})
	return nil
}
