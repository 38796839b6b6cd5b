package decode

import (
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// maxStack is the number of elements of all open arrays and objects, and of names, up to which one pass
// decodes them into interfaces and maps. It gives up on a text that needs more, so the stacks stay small
// enough for the pool.
const maxStack = 1 << 16

// readAny decodes the value at i as [Decoder.Any] does. The elements of an open array or object are on the
// stack d.anys, because their number is not known before its end.
func (d *Decoder) readAny(i int) (x any, end int) {
	data := d.Data
	switch data[i] {
	case '"':
		s, end := d.readString(i)
		return s, end
	case '{':
		return d.readAnyObject(i)
	case '[':
		return d.readAnyArray(i)
	case 'n':
		return nil, syntax.ReadLiteral(data, i)
	case 't':
		return true, syntax.ReadLiteral(data, i)
	case 'f':
		return false, syntax.ReadLiteral(data, i)
	}
	if d.On&option.RawNumbers != 0 {
		if end = syntax.ReadNumber(data, i); end < 0 {
			return nil, -1
		}
		return rules.Number(d.Intern(data[i:end])), end
	}
	f, end := syntax.ReadFloat(data, i)
	if end < 0 {
		return nil, -1
	}
	return d.BoxFloat(f), end
}

// readAnyArray decodes an array.
func (d *Decoder) readAnyArray(i int) (x any, end int) {
	data, base := d.Data, len(d.anys)
	i, more := d.firstElement(i, ']')
	for more {
		var elem any
		elem, i = d.readAny(i)
		if len(d.anys) == maxStack {
			return nil, -1
		}
		d.anys = append(d.anys, elem)
		if i >= 0 && i < len(data)-indentRoom && data[i] == ',' {
			after := i + 1
			if data[after] == ' ' {
				after++
			}
			if data[after] == '\n' {
				after = skipIndent(data, after)
			}
			if data[after] > ' ' {
				i = after
				continue
			}
		}
		i, more = d.nextElement(i, ']')
	}
	if i < 0 {
		return nil, -1
	}
	list := make([]any, len(d.anys)-base)
	copy(list, d.anys[base:])
	d.popAnys(base)
	return list, i
}

// readAnyObject decodes an object.
func (d *Decoder) readAnyObject(i int) (x any, end int) {
	data, base, first := d.Data, len(d.anys), len(d.names)
	i, more := d.firstElement(i, '}')
	for more {
		name, value := d.readKey(i)
		if value < 0 || len(d.names) == maxStack {
			return nil, -1
		}
		d.names = append(d.names, name)
		var elem any
		elem, i = d.readAny(value)
		if len(d.anys) == maxStack {
			return nil, -1
		}
		d.anys = append(d.anys, elem)
		if i >= 0 && i < len(data)-indentRoom && data[i] == ',' {
			after := i + 1
			if data[after] == ' ' {
				after++
			}
			if data[after] == '\n' {
				after = skipIndent(data, after)
			}
			if data[after] > ' ' {
				i = after
				continue
			}
		}
		i, more = d.nextElement(i, '}')
	}
	if i < 0 {
		return nil, -1
	}
	// If a name repeats, the last element counts, or the pass gives up because that is an error.
	names, elems := d.names[first:], d.anys[base:]
	m := make(map[string]any, initialCapacity(len(names), 32))
	for k, name := range names {
		m[name] = elems[k]
	}
	if len(m) < len(names) && d.UniqueNames() {
		return nil, -1
	}
	d.popNames(first)
	d.popAnys(base)
	return m, i
}

// readKey returns the name at i as the key of a map, and the position of the value.
func (d *Decoder) readKey(i int) (name string, value int) {
	data := d.Data
	if data[i] != '"' {
		return "", -1
	}
	text, end, _ := d.readText(i)
	if end < 0 {
		return "", -1
	}
	name = d.InternName(text)
	if end < len(data)-1 && data[end] == ':' && data[end+1] > ' ' {
		return name, end + 1
	}
	return name, d.readColon(end)
}

// popAnys removes the values from the index base on from the stack, and popNames the names.
func (d *Decoder) popAnys(base int) {
	clear(d.anys[base:])
	d.anys = d.anys[:base]
}

func (d *Decoder) popNames(base int) {
	clear(d.names[base:])
	d.names = d.names[:base]
}
