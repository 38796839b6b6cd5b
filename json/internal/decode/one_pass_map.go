package decode

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

// maxStagedMap is the size in bytes of the elements of a map up to which they are decoded before the map
// is made. A larger object is decoded over an index, because it may repeat one name many times.
const maxStagedMap = 1 << 20

// readMap decodes an object into a map whose keys are its names. The number of members is not known
// before the end of the object, so the elements are decoded into a staging slice, and then copied to a
// map of the right size.
func (d *Decoder) readMap(n *Node, start int, a mem.Pointer, off uintptr) int {
	r := d.stagingFor(n)
	if r == nil {
		return d.readIndexed(n, start, a, off)
	}
	r.busy = true
	data, base, size := d.Data, len(d.names), n.Shape.Elem.Size
	first, most := r.at.Slice(0)
	count := 0
	i, more := d.firstElement(start, '}')
	for more {
		name, value := d.readKey(i)
		if value < 0 || count == n.Most {
			return -1
		}
		if count == most {
			if uintptr(most)*size > maxStagedMap {
				d.popNames(base)
				d.depth--
				r.free(n, count)
				return d.readIndexed(n, start, a, off)
			}
			first = grow(r.at, 0, n, count, max(4, 2*count))
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
	names := d.names[base:]
	// If a name that repeats is an error, give up.
	if distinct := d.storeMap(n, names, r.at, a, off); distinct < count && d.UniqueNames() {
		return -1
	}
	d.popNames(base)
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
