package decode

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

// maxStack is the number of names in all open maps up to which one pass decodes them. It gives up on a text
// that needs more, so the stack of names stays small enough for the pool.
const maxStack = 1 << 16

// maxStaged is the size in bytes of the elements of all open maps, up to which one pass decodes them before
// the maps are made. It gives up on a text that needs more, because an object may repeat one name many times.
const maxStaged = 1 << 20

// readMap decodes an object into a map whose keys are its names. The number of members is not known
// before the end of the object, so the elements are decoded into a staging slice, and then copied to a
// map of the right size.
func (d *Decoder) readMap(n *Node, start int, a mem.Pointer, off uintptr) int {
	r := d.stagingFor(n)
	if r == nil {
		return d.readIndexed(n, start, a, off)
	}
	r.busy = true
	data, base, staged, size := d.Data, len(d.names), d.staged, n.Shape.Elem.Size
	first, most := r.at.Slice(0)
	count := 0
	i, more := d.firstElement(start, '}')
	for more {
		name, value := d.readKey(i)
		if value < 0 || count == n.Most || len(d.names) == maxStack {
			return -1
		}
		if count == most {
			kept := most
			most = max(4, 2*count)
			if d.staged += uintptr(most-kept) * size; d.staged > maxStaged {
				return -1
			}
			first = grow(r.at, 0, n, count, most)
			most = r.at.Cap(0)
			r.at.SetLen(0, most)
		}
		d.names = append(d.names, name)
		i = d.read(n.Elem, value, first, uintptr(count)*size)
		count++
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
		return -1
	}
	// If a name that repeats is an error, give up.
	if distinct := d.storeMap(n, d.names[base:], r.at, a, off); distinct < count && d.UniqueNames() {
		return -1
	}
	d.popNames(base)
	d.staged = staged
	r.free(n, count)
	return i
}

// storeMap stores a new map with the given names and elements, and returns the number of its elements.
// from is the address of the slice of elements. If a name repeats, the last element counts.
func (d *Decoder) storeMap(n *Node, names []string, from, a mem.Pointer, off uintptr) (count int) {
	capacity := initialCapacity(len(names), n.Shape.Key.Size+n.Shape.Elem.Size)
	if n.Fill != nil {
		return n.Fill.store(names, from, a, off, capacity)
	}
	m := reflect.MakeMapWithSize(n.Shape.Type, capacity)
	key, elems := reflect.New(n.Shape.Key.Type).Elem(), n.Pointer.Value(from, 0)
	for i, name := range names {
		key.SetString(name)
		m.SetMapIndex(key, elems.Index(i))
	}
	a.Value(off, n.Shape.Type).Set(m)
	return m.Len()
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

// popNames removes the names from the index base on from the stack.
func (d *Decoder) popNames(base int) {
	clear(d.names[base:])
	d.names = d.names[:base]
}
