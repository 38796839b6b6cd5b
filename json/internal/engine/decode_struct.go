package engine

import (
	"encoding/binary"
	"fmt"
	"sort"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// structInto decodes an object into a struct. Keys mostly come in the order of
// the fields, so the one after the last one found is tried first.
func (d *Decoder) structInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	o := n.object
	if o.fault != nil {
		return d.after(t), d.v2.refuse(t, o.fault.Type, o.fault.Err, 0)
	}
	depth := len(d.trail)
	after := syntax.After(d.words, t)
	next := 0
	var seen fieldSet // of v2
	unique, others := d.uniqueNames(), len(d.others)
	start, expects := t, o.expects
	if d.on&option.CheckMembers == 0 {
		expects = nil
	}
	counts := unique || expects != nil
	for t += containerWords; t < after; {
		i := next
		if i >= len(o.fields) || !d.isName(t, &o.fields[i].name) {
			var err error
			if i, err = d.find(n, t); err != nil {
				return t, err
			}
			if i < 0 {
				if t, err = d.unknown(n, t, a, off, others); err != nil {
					return t, err
				}
				continue
			}
		}
		if counts && !seen.add(i) && unique {
			return t, d.v2.duplicateName(t)
		}
		next = i + 1
		f := &o.fields[i]
		t++
		if f.simple && d.scalar(f.node, t, a, off+f.offset) {
			t++
			continue
		}
		d.trail = append(d.trail, f)
		var err error
		if f.simple {
			t, err = d.value(f.node, t, a, off+f.offset)
		} else {
			t, err = d.fieldInto(f, t, a, off)
		}
		if err != nil {
			return t, err
		}
		d.trail = d.trail[:depth]
	}
	if expects != nil {
		d.absent(n, &seen, start, a, off)
	}
	d.others = d.others[:others]
	if d.otherFrom >= others {
		d.otherNames = nil // the next object's names start where those of this one did
	}
	return after, nil
}

// find returns which field the name at t is of, or a negative number.
func (d *Decoder) find(n *Node, t int) (int, error) {
	if d.v2 != nil && !d.isPlain(t) {
		if err := d.v2.readable(t, true); err != nil {
			return 0, err
		}
	}
	key := d.textOf(t)
	o := n.object
	if d.v2 == nil && !o.cased {
		i, _ := shape.Find(&o.names, key)
		return i, nil
	}
	if i := shape.FindExact(&o.names, key); i >= 0 {
		return i, nil
	}
	if !o.cased && !d.has(option.MatchCaseInsensitiveNames) {
		return -1, nil
	}
	return d.findCased(n, t, string(key))
}

// findCased returns which field has a name that differs from the key in case, and in dashes
// and underscores unless the options tell these apart.
func (d *Decoder) findCased(n *Node, t int, key string) (int, error) {
	o := n.object
	found, count := -1, 0
	for _, i := range o.loose()[looseName(key)] {
		f := &o.fields[i]
		if f.casing != shape.CaseIgnore && (f.casing == shape.CaseStrict || !d.has(option.MatchCaseInsensitiveNames)) {
			continue
		}
		if d.has(option.MatchCaseSensitiveDelimiter) && !strings.EqualFold(key, f.name.text) {
			continue
		}
		if found < 0 {
			found = i
		}
		count++
	}
	if count > 1 && d.v2 != nil && !d.has(option.ReportErrorsWithLegacySemantics) {
		return found, d.v2.ambiguous(t, n.shape.Type)
	}
	return found, nil
}

// looseName returns what names have in common that differ in case, dashes and underscores
// alone.
func looseName(name string) string {
	return shape.Fold(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return r
	}, name))
}

// loose returns the fields by their loose names, those that are less nested first.
func (o *object) loose() map[string][]int {
	o.once.Do(func() {
		o.byLoose = map[string][]int{}
		order := make([]int, len(o.fields))
		for i := range order {
			order[i] = i
		}
		sort.Slice(order, func(i, j int) bool { return o.fields[order[i]].order < o.fields[order[j]].order })
		for _, i := range order {
			name := looseName(o.fields[i].name.text)
			o.byLoose[name] = append(o.byLoose[name], i)
		}
	})
	return o.byLoose
}

// unknown skips the member whose name, at t, is no field's, or keeps it in the field for
// those. Others is where the words of such names of the object start in d.others.
func (d *Decoder) unknown(n *Node, t int, a mem.Pointer, off uintptr, others int) (int, error) {
	o := n.object
	refuses := d.on&option.RejectUnknownMembers != 0 && o.rest == nil
	if d.on&option.CheckMembers != 0 && o.unknown != "" {
		refuses = o.unknown == "refused"
	}
	if refuses {
		if d.on&option.CheckMembers != 0 {
			d.memberFault(MemberError{Offset: d.words[t].Pos(), Detail: isUnknown, Name: shortened(d.textOf(t), maxName)})
		} else if d.v2 == nil {
			d.save(fmt.Errorf("json: unknown field %q", d.textOf(t)))
		} else if err := d.v2.refuseName(t, n.shape.Type, ErrUnknownName); err != nil {
			return t, err
		}
	}
	if d.uniqueNames() {
		if d.isOther(t, others) {
			return t, d.v2.duplicateName(t)
		}
		d.others = append(d.others, t)
	}
	if o.rest != nil {
		return d.restInto(o.rest, t, a, off)
	}
	return d.skip(t + 1)
}

// linearOthers is up to how many names are compared with each other.
const linearOthers = 64

// isOther reports whether the name at t is one of d.others[from:].
func (d *Decoder) isOther(t, from int) bool {
	names := d.others[from:]
	if len(names) > linearOthers {
		// All that has been checked so far is checked again at most once in as many names.
		return d.isOtherOfMany(t, from)
	}
	w := d.words[t]
	plain := w.Plain()
	text := d.data[w.Pos()+1 : w.StringEnd(d.data)-1]
	for _, other := range names {
		v := d.words[other]
		if plain && v.Plain() {
			if string(d.data[v.Pos()+1:v.StringEnd(d.data)-1]) == string(text) {
				return true
			}
			continue
		}
		if string(d.textOf(other)) == string(d.textOfCopy(t)) {
			return true
		}
	}
	return false
}

// textOfCopy is textOf in memory of its own.
func (d *Decoder) textOfCopy(t int) []byte {
	w := d.words[t]
	text, _ := syntax.AppendUnquoted(nil, d.data[w.Pos():w.StringEnd(d.data)])
	return text
}

// isOtherOfMany is isOther for objects of many names.
func (d *Decoder) isOtherOfMany(t, from int) bool {
	if d.otherNames == nil || d.otherFrom != from || d.otherCount > len(d.others) {
		d.otherNames, d.otherFrom, d.otherCount = map[string]struct{}{}, from, from
	}
	for ; d.otherCount < len(d.others); d.otherCount++ {
		d.otherNames[string(d.textOf(d.others[d.otherCount]))] = struct{}{}
	}
	_, there := d.otherNames[string(d.textOf(t))]
	return there
}

// A fieldSet is a set of fields by their numbers.
type fieldSet struct {
	low  uint64
	high []uint64
}

// add reports whether i was not in the set.
func (s *fieldSet) add(i int) bool {
	word := &s.low
	if i >= 64 {
		for len(s.high) < i/64 {
			s.high = append(s.high, 0)
		}
		word = &s.high[i/64-1]
	}
	bit := uint64(1) << (i % 64)
	is := *word&bit == 0
	*word |= bit
	return is
}

// has reports whether i is in the set.
func (s *fieldSet) has(i int) bool {
	if i < 64 {
		return s.low&(1<<i) != 0
	}
	return i/64 <= len(s.high) && s.high[i/64-1]&(1<<(i%64)) != 0
}

// isName reports whether the string at t stands for the name by its bytes alone.
func (d *Decoder) isName(t int, name *nameText) bool {
	w := d.words[t]
	return w.IsPlain(len(name.text)) && name.isAt(d.data, w.Pos()+1)
}

// isAt reports whether the name, and the quote behind it, stand at pos.
func (name *nameText) isAt(data []byte, pos int) bool {
	n := len(name.text)
	if pos+n >= len(data) || data[pos+n] != '"' {
		return false
	}
	if pos+8 > len(data) {
		return string(data[pos:pos+n]) == name.text
	}
	if (binary.LittleEndian.Uint64(data[pos:])^name.first)&name.mask != 0 {
		return false
	}
	switch {
	case n <= 8:
		return true
	case n <= 16:
		return binary.LittleEndian.Uint64(data[pos+n-8:]) == name.last
	}
	return string(data[pos+8:pos+n]) == name.text[8:]
}

// fieldInto decodes into a field behind embedded pointers, or with the option
// string.
func (d *Decoder) fieldInto(f *field, t int, a mem.Pointer, off uintptr) (int, error) {
	for _, hop := range f.hops {
		to := a.Elem(off + hop.Offset)
		if to.IsNil() {
			if hop.Closed && d.v2 != nil {
				if err := d.v2.refuse(t, f.in, errNilField, beforeRead); err != nil {
					return t, err
				}
				return d.skip(t)
			}
			if hop.Closed {
				d.misfitClosed(f, hop.Elem.Type, t)
				return d.after(t), nil
			}
			to = a.SetNew(off+hop.Offset, hop.Elem.Type)
		}
		a, off = to, 0
	}
	if f.quoted {
		if d.data[d.words[t].Pos()] == 'n' && d.refusesNull(f.node, t) {
			return t + 1, nil
		}
		return d.after(t), d.quotedInto(f.node, t, a, off+f.offset)
	}
	return d.value(f.node, t, a, off+f.offset)
}

// A nameText is the name of a field, ready to be compared with text by the word.
type nameText struct {
	text  string
	first uint64 // the first eight bytes, the first in the lowest place
	mask  uint64 // of those that there are
	last  uint64 // the last eight bytes, if there are as many
}

func nameTextOf(text string) nameText {
	n := nameText{text: text}
	for i := range min(len(text), 8) {
		n.first |= uint64(text[i]) << (8 * i)
		n.mask |= 0xff << (8 * i)
	}
	if len(text) >= 8 {
		n.last = mem.Word(text, len(text)-8)
	}
	return n
}
