package engine

import (
	"reflect"

	"github.com/hone-go/hone/internal/jsontext"
	"github.com/hone-go/hone/json/internal/option"
)

// any decodes the value at t as an interface holds it: nil, a bool, a float64
// or Number, a string, a []any or a map[string]any.
func (d *Decoder) any(t int) (x any, after int) {
	w := d.words[t]
	switch d.data[w.Pos()] {
	case 'n':
		return nil, t + 1
	case 't':
		return true, t + 1
	case 'f':
		return false, t + 1
	case '"':
		return d.string(t), t + 1
	case '[':
		after = jsontext.After(d.words, t)
		list := make([]any, 0, w.Count())
		for t += containerWords; t < after; {
			var elem any
			elem, t = d.any(t)
			list = append(list, elem)
		}
		return list, after
	case '{':
		after = jsontext.After(d.words, t)
		m := make(map[string]any, roomFor(w.Count(), 32))
		for t += containerWords; t < after; {
			key := d.names.string(d.text(t))
			m[key], t = d.any(t + 1)
		}
		return m, after
	}
	x, err := d.number(t)
	if err != nil {
		d.save(err)
	}
	return x, t + 1
}

var floatType = reflect.TypeFor[float64]()

// number returns the number at t as an interface holds it.
func (d *Decoder) number(t int) (any, error) {
	if d.on&option.RawNumbers != 0 {
		return Number(d.keep(d.raw(t))), nil
	}
	f, ok := jsontext.ParseFloat(d.data, d.words[t].Pos(), d.end(t))
	if !ok {
		return d.tooLarge(t)
	}
	return d.keepFloat(f), nil
}
