package document

import "github.com/hone-go/hone/internal/syntax"

// checkStrings returns an error if a string or a name violates the options.
func (d *Document) checkStrings(o Options) error {
	if !o.RejectDuplicateNames && !o.RejectInvalidUTF8 {
		return nil
	}
	var names table
	var scratch []byte
	for t := 0; t < len(d.words); {
		switch d.kind(t) {
		case Array:
			t += syntax.ContainerWords
			continue
		case Object:
			if o.RejectDuplicateNames {
				names.container = t
				if name := names.duplicate(d); name >= 0 {
					return d.at(name).errorAt(ErrDuplicateName)
				}
			}
			t += syntax.ContainerWords
			continue
		case String:
			if o.RejectInvalidUTF8 && !d.words[t].Plain() {
				var exact bool
				if scratch, _, exact = syntax.ReadUnquoted(scratch[:0], d.data, d.words[t].Pos()); !exact {
					return d.at(t).errorAt(ErrInvalidUTF8)
				}
			}
		}
		t++
	}
	return nil
}

// at returns the value or name at t.
func (d *Document) at(t int) Value { return d.Root().at(t) }

// duplicate returns the index of a name of the object that occurs before it too, or -1.
func (p *table) duplicate(d *Document) int {
	const few = 8
	if d.count(p.container) > few {
		return p.addNames(d)
	}
	var seen [few]int
	n := 0
	for name, after := p.container+syntax.ContainerWords, syntax.After(d.words, p.container); name < after; name = d.after(name + 1) {
		for _, other := range seen[:n] {
			if d.equalStrings(other, name) {
				return name
			}
		}
		seen[n] = name
		n++
	}
	return -1
}
