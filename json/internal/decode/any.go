package decode

import (
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// Any decodes the value at t as encoding/json decodes into an empty interface: nil, a bool, a
// float64 or Number, a string, a []any or a map[string]any. In version 2, x may hold the part that
// was decoded before an error.
func (d *Decoder) Any(t int) (x any, after int, err error) {
	w := d.Words[t]
	switch d.Data[w.Pos()] {
	case 'n':
		return nil, t + 1, nil
	case 't':
		return true, t + 1, nil
	case 'f':
		return false, t + 1, nil
	case '"':
		s, ok := d.textUTF8(t)
		if !ok {
			return nil, t, d.V2.Syntax(-1)
		}
		return s, t + 1, nil
	case '[':
		after = syntax.After(d.Words, t)
		// The index stores the number of elements.
		list := make([]any, 0, w.Count())
		for t += ContainerWords; t < after; {
			var elem any
			elem, t, err = d.Any(t)
			list = append(list, elem)
			if err != nil {
				return list, t, err
			}
		}
		return list, after, nil
	// A name may repeat, so the initial capacity of the map is bounded. If a name repeats, version
	// 1 stores the last value. Version 2 returns an error unless the options allow repeated names,
	// and the map then holds the values before the repeated name.
	case '{':
		after = syntax.After(d.Words, t)
		m := make(map[string]any, initialCapacity(w.Count(), 32))
		first := t + ContainerWords
		for t = first; t < after; {
			// A plain name is ASCII without escapes, so its UTF-8 is valid.
			if d.V2 != nil && !d.isPlain(t) {
				if err := d.V2.Readable(t, false); err != nil {
					return m, t, err
				}
			}
			name, key := t, d.internName(d.TextOf(t))
			var elem any
			elem, t, err = d.Any(t + 1)
			if d.V2 == nil {
				m[key] = elem
				continue
			}
			if err != nil {
				if _, there := m[key]; there && d.UniqueNames() {
					return m, t, d.V2.DuplicateName(name)
				}
				// Store the part of the element that was decoded before the error.
				m[key] = elem
				return m, t, err
			}
			count := len(m)
			if m[key] = elem; len(m) == count && d.UniqueNames() {
				// Version 2 returns an error, and the map holds the first value of the name.
				m[key] = d.anyOf(first, key)
				return m, t, d.V2.DuplicateName(name)
			}
		}
		return m, after, nil
	// A zero byte in Data marks the position of a syntax error. Only version 2 decodes such text,
	// to return the values before the error.
	case 0:
		return nil, t, d.V2.BrokenValue()
	}
	// All other first bytes begin a number.
	if d.V2 != nil {
		x, err = d.V2.NumberInAny(t)
		return x, t + 1, err
	}
	x, err = d.number(t)
	if err != nil {
		d.save(err)
	}
	return x, t + 1, nil
}

// anyOf decodes the value of the first member called name, in an object whose members start at t.
func (d *Decoder) anyOf(t int, name string) any {
	for string(d.TextOf(t)) != name {
		t = d.After(t + 1)
	}
	x, _, _ := d.Any(t + 1)
	return x
}

// number decodes the number at t into a float64 or a Number, by the rules of v1.
func (d *Decoder) number(t int) (any, error) {
	// UseNumber keeps the digits. Intern may allocate the string in a block that other short
	// strings share.
	if d.On&option.RawNumbers != 0 {
		return rules.Number(d.Intern(d.Raw(t))), nil
	}
	f, ok := syntax.ParseFloat(d.Data, d.Words[t].Pos(), d.End(t))
	if !ok {
		return d.tooLarge(t)
	}
	return d.BoxFloat(f), nil
}
