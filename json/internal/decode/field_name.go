package decode

import (
	"sort"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// find returns the index of the field that matches the name at t, or a negative number if there is
// none.
func (d *Decoder) find(n *Node, t int) (int, error) {
	if d.Checks != nil && !d.isPlain(t) {
		if err := d.Checks.Readable(t, true); err != nil {
			return 0, err
		}
	}
	key := d.TextOf(t)
	o := n.object
	if o.folds {
		i, _ := shape.Find(&o.names, key)
		return i, nil
	}
	// An exact match is preferred. If there is none, case is ignored if the field's tag or the
	// options of the call allow it.
	if i := shape.FindExact(&o.names, key); i >= 0 {
		return i, nil
	}
	if !o.cased && !d.Has(option.MatchCaseInsensitiveNames) {
		return -1, nil
	}
	return d.findCased(n, t, string(key))
}

// findCased returns the index of the field whose name is equal to key except for case. The options
// decide whether dashes and underscores are ignored too. If several fields match, the name is refused,
// unless the options request the errors of version 1.
func (d *Decoder) findCased(n *Node, t int, key string) (int, error) {
	o := n.object
	found, count := -1, 0
	// The map key ignores case, dashes and underscores. Whether a field really matches depends on
	// its tag and on the options of the call.
	for _, i := range o.loose()[rules.LooseName(key)] {
		if f := &o.fields[i]; !rules.MatchesLoosely(d.On, f.casing, f.name.text, key) {
			continue
		}
		if found < 0 {
			found = i
		}
		count++
	}
	if count > 1 && !d.Has(option.ReportErrorsWithLegacySemantics) {
		return found, d.Faults.RefuseName(t, n.Shape.Type, rules.ErrAmbiguousName())
	}
	// The first match is the least nested field.
	return found, nil
}

// loose returns a map from loose names (see rules.LooseName) to the indexes of fields, least nested
// fields first. It builds the map on the first call.
func (o *object) loose() map[string][]int {
	// Most types and calls do not need the map. Several goroutines may call loose at once, so once
	// guards the build.
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

// isName reports whether the string at t is equal to name and has no escapes.
func (d *Decoder) isName(t int, name *nameText) bool {
	w := d.Words[t]
	return w.IsPlain(len(name.text)) && name.isAt(d.Data, w.Pos()+1)
}

// isAt reports whether the name, followed by a quotation mark, is at data[pos:]. It compares eight
// bytes at a time, and never reads beyond data.
func (name *nameText) isAt(data []byte, pos int) bool {
	n := len(name.text)
	if pos+n >= len(data) || data[pos+n] != '"' {
		return false
	}
	// Reading eight bytes would exceed the text.
	if pos+8 > len(data) {
		return string(data[pos:pos+n]) == name.text
	}
	// Compare the first eight bytes at once. The mask ignores the bytes after a short name.
	// nameTextOf uses little endian on every machine too.
	if (syntax.Load8(data, pos)^name.first)&name.mask != 0 {
		return false
	}
	switch {
	case n <= 8:
		return true
	// For at most 16 bytes, the first and the last eight bytes overlap and cover the name.
	case n <= 16:
		return syntax.Load8(data, pos+n-8) == name.last
	}
	return string(data[pos+8:pos+n]) == name.text[8:]
}

// nameTextOf returns the nameText for a name.
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
