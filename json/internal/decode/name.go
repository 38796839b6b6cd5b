package decode

import (
	"encoding/binary"
	"sort"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// find returns the number of the field that the name at t belongs to, or a negative number if there
// is none.
func (d *Decoder) find(n *Node, t int) (int, error) {
	if d.V2 != nil && !d.isPlain(t) {
		if err := d.V2.Readable(t, true); err != nil {
			return 0, err
		}
	}
	key := d.TextOf(t)
	o := n.object
	// Version 1 prefers the exact name, and otherwise ignores case.
	if d.V2 == nil && !o.cased {
		i, _ := shape.Find(&o.names, key)
		return i, nil
	}
	// Version 2 and the tag option case prefer the exact name, too. Otherwise a name in another
	// case matches if the field's tag or the options of the call allow it.
	if i := shape.FindExact(&o.names, key); i >= 0 {
		return i, nil
	}
	if !o.cased && !d.Has(option.MatchCaseInsensitiveNames) {
		return -1, nil
	}
	return d.findCased(n, t, string(key))
}

// findCased returns the number of the field whose name differs from key in case only. The options
// decide whether dashes and underscores are ignored too. If several fields match, version 2 returns
// an error.
func (d *Decoder) findCased(n *Node, t int, key string) (int, error) {
	o := n.object
	found, count := -1, 0
	// The map has all fields whose names are equal if case, dashes and underscores are ignored. The
	// tag of each field and the options of the call decide which of them match.
	for _, i := range o.loose()[rules.LooseName(key)] {
		if f := &o.fields[i]; !rules.MatchesLoosely(d.On, f.casing, f.name.text, key) {
			continue
		}
		if found < 0 {
			found = i
		}
		count++
	}
	// Version 1 uses the first field, which is the least nested one.
	if count > 1 && d.V2 != nil && !d.Has(option.ReportErrorsWithLegacySemantics) {
		return found, d.V2.Ambiguous(t, n.Shape.Type)
	}
	return found, nil
}

// loose returns the fields by their loose names, less nested fields first. It makes the map on its
// first call.
func (o *object) loose() map[string][]int {
	// Types without such fields, and calls without the option, do not need the map. Once makes the
	// first call safe for goroutines that share the node.
	o.once.Do(func() {
		o.byLoose = map[string][]int{}
		order := make([]int, len(o.fields))
		for i := range order {
			order[i] = i
		}
		sort.Slice(order, func(i, j int) bool { return o.fields[order[i]].order < o.fields[order[j]].order })
		for _, i := range order {
			name := rules.LooseName(o.fields[i].name.text)
			o.byLoose[name] = append(o.byLoose[name], i)
		}
	})
	return o.byLoose
}

// isName reports whether the string at t has the bytes of the name, without escapes.
func (d *Decoder) isName(t int, name *nameText) bool {
	w := d.Words[t]
	return w.IsPlain(len(name.text)) && name.isAt(d.Data, w.Pos()+1)
}

// isAt reports whether the name, and a quote after it, are at pos. It compares eight bytes at a
// time, and reads no byte after data.
func (name *nameText) isAt(data []byte, pos int) bool {
	n := len(name.text)
	if pos+n >= len(data) || data[pos+n] != '"' {
		return false
	}
	// A read of eight bytes would go past the end of the text.
	if pos+8 > len(data) {
		return string(data[pos:pos+n]) == name.text
	}
	// The first eight bytes take one load and one comparison. The mask ignores the bytes after a
	// short name. Words are little endian on every machine, as in nameTextOf.
	if (binary.LittleEndian.Uint64(data[pos:])^name.first)&name.mask != 0 {
		return false
	}
	switch {
	case n <= 8:
		return true
	// Two overlapping words cover the name.
	case n <= 16:
		return binary.LittleEndian.Uint64(data[pos+n-8:]) == name.last
	}
	return string(data[pos+8:pos+n]) == name.text[8:]
}

// nameTextOf returns the nameText of a name.
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
