package decode

import (
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/shape"
)

// maxInitialBytes bounds the initial capacity of a map, in bytes of keys and elements. The number of
// members in the text is not reliable, because a text may repeat one key many times.
const maxInitialBytes = 64 << 10

// mapInto decodes an object into a map. Maps that require reflection are decoded by a row of the
// rules. So are maps with members if names must not repeat, because the map alone cannot show that a
// name of this object repeats.
func (d *Decoder) mapInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	if n.Fill == nil {
		return n.Decode(d, n, t, a, off)
	}
	if d.UniqueNames() && a.Value(off, n.Shape.Type).Len() > 0 {
		return n.Decode(d, n, t, a, off)
	}
	after := syntax.After(d.Words, t)
	if err := n.Fill.Run(d, n, t+ContainerWords, after, MapPlace{a, off, d.MapCapacity(n, t)}); err != nil || d.Words[t].Count() < min(n.Most, syntax.MaxCount) {
		return after, err
	}
	// The members after the limit were not decoded. Check them if necessary.
	return d.Skip(t)
}

// MapCapacity returns the initial capacity for the map of the object at t. The index stores the
// number of members, but names may repeat.
func (d *Decoder) MapCapacity(n *Node, t int) int {
	return initialCapacity(min(d.Words[t].Count(), n.Most), n.Shape.Key.Size+n.Shape.Elem.Size)
}

// fill implements [MapFill] for elements of type V.
type fill[V mem.Elem] struct{}

// Run implements [MapFill].
func (fill[V]) Run(d *Decoder, n *Node, t, after int, to MapPlace) error {
	at := mem.MapAt[string, V](to.At, to.Off)
	if *at == nil {
		*at = make(map[string]V, to.Capacity)
	}
	m, unique := *at, d.UniqueNames()
	var v, zero V
	place := mem.Of(&v)
	for first := t; t < after && len(m) < n.Most; {
		name := t
		if d.Checks != nil && !d.isPlain(t) {
			if err := d.Checks.Readable(t, true); err != nil {
				return err
			}
		}
		// Clear V before each element. Elements that contain pointers are copied into the map, and
		// the next element must not overwrite their targets. If values are not merged and names may
		// repeat, the element is decoded into a copy of the old element.
		if v = zero; !unique && !d.Merges() {
			v = m[mem.String(d.TextOf(t))]
		}
		next, err := d.Value(n.Elem, t+1, place, 0)
		// After an error, store the part of the element before it. Unquote the name again, because
		// decoding the element may have overwritten the scratch memory.
		key, count := d.InternName(d.TextOf(name)), len(m)
		if m[key] = v; unique && len(m) == count {
			// The map keeps the first value of a repeated name. Decode it again, because it was
			// overwritten.
			old := first
			for string(d.TextOf(old)) != key {
				old = d.After(old + 1)
			}
			v = zero
			_, _ = d.Value(n.Elem, old+1, place, 0)
			m[key] = v
			return d.Checks.DuplicateName(name)
		}
		if t = next; err != nil {
			return err
		}
	}
	return nil
}

// store implements [MapFill].
func (fill[V]) store(names []string, from, a mem.Pointer, off uintptr, capacity int) (count int) {
	m := make(map[string]V, capacity)
	elems := *mem.At[[]V](from, 0)
	for i, name := range names {
		m[name] = elems[i]
	}
	*mem.MapAt[string, V](a, off) = m
	return len(m)
}

// FillOf returns the MapFill for maps of shape s whose names are their keys and whose elements are
// decoded with elem. It returns nil if such maps require reflection.
func FillOf(s *shape.Shape, elem *Node) MapFill {
	if !mem.CastMaps || s.Key.Kind != shape.String {
		return nil
	}
	switch elem.Op {
	case NodeBool:
		return fill[bool]{}
	case nodeInt32:
		return fill[int32]{}
	case nodeInt64:
		return fill[int64]{}
	case nodeUint64:
		return fill[uint64]{}
	case NodeFloat64:
		return fill[float64]{}
	case NodeString:
		return fill[string]{}
	case NodeInterface:
		if s.Elem.Type.NumMethod() == 0 {
			return fill[any]{}
		}
	}
	return nil
}

// initialCapacity returns the initial capacity, in elements, of a map or slice with count elements in
// the text. size is the size of an element in bytes.
func initialCapacity(count int, size uintptr) int {
	return min(count, max(8, maxInitialBytes/(int(size)+1)))
}
