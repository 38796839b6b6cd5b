package json

import (
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/jsontext"
	"github.com/hone-go/hone/internal/mem"
)

// any decodes the value at pos as an interface holds it: nil, a bool, a
// float64 or Number, a string, a []any or a map[string]any.
func (d *decoder) any(pos int) (x any, end int) {
	data := d.data
	switch data[pos] {
	case 'n':
		return nil, pos + len("null")
	case 't':
		return true, pos + len("true")
	case 'f':
		return false, pos + len("false")
	case '"':
		text, end := d.text(pos)
		return string(text), end
	case '[':
		list := []any{}
		pos = jsontext.SkipSpace(data, pos+1)
		for data[pos] != ']' {
			var elem any
			elem, pos = d.any(pos)
			list = append(list, elem)
			if pos = jsontext.SkipSpace(data, pos); data[pos] == ',' {
				pos = jsontext.SkipSpace(data, pos+1)
			}
		}
		return list, pos + 1
	case '{':
		m := map[string]any{}
		pos = jsontext.SkipSpace(data, pos+1)
		for data[pos] != '}' {
			text, next := d.text(pos)
			key := string(text)
			pos = jsontext.SkipSpace(data, next)
			pos = jsontext.SkipSpace(data, pos+1)
			m[key], pos = d.any(pos)
			if pos = jsontext.SkipSpace(data, pos); data[pos] == ',' {
				pos = jsontext.SkipSpace(data, pos+1)
			}
		}
		return m, pos + 1
	}
	end = jsontext.SkipNumber(data, pos)
	x, err := d.number(pos, end)
	if err != nil {
		d.save(err)
	}
	return x, end
}

var floatType = reflect.TypeFor[float64]()

// number returns the number between pos and end as an interface holds it. The
// offset of its error lies one byte further than others: that of encoding/json
// does.
func (d *decoder) number(pos, end int) (any, error) {
	item := d.data[pos:end]
	if d.options.useNumber {
		return Number(item), nil
	}
	f, err := strconv.ParseFloat(mem.String(item), 64)
	if err != nil {
		return nil, &UnmarshalTypeError{Value: "number " + string(item), Type: floatType, Offset: int64(end + 1)}
	}
	return f, nil
}
