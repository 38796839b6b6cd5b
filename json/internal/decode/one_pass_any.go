package decode

import (
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// maxAnys is the number of values whose memory is kept for the next call.
const maxAnys = 1 << 16

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
		if value < 0 {
			return nil, -1
		}
		d.names = append(d.names, name)
		var elem any
		elem, i = d.readAny(value)
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
	end, wide := syntax.ReadText(data, i+1)
	if end >= len(data) {
		return "", -1
	}
	if data[end] == '"' && !wide {
		name = d.InternName(data[i+1 : end])
		end++
	} else if name, end = d.readString(i); end < 0 {
		return "", -1
	}
	if end < len(data)-1 && data[end] == ':' && data[end+1] > ' ' {
		return name, end + 1
	}
	return name, d.readColon(end)
}

// popAnys removes the values from the index base on from the stack.
func (d *Decoder) popAnys(base int) {
	clear(d.anys[base:])
	if d.anys = d.anys[:base]; base == 0 && cap(d.anys) > maxAnys {
		d.anys = nil
	}
}

// popNames removes the names from the index base on from the stack.
func (d *Decoder) popNames(base int) {
	clear(d.names[base:])
	if d.names = d.names[:base]; base == 0 && cap(d.names) > maxAnys {
		d.names = nil
	}
}
