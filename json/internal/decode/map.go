package decode

import (
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/shape"
)

// maxInitialBytes bounds the initial capacity of a map, in bytes of keys and elements. The number of
// members in the text is not reliable, because a text may repeat one key many times.
const maxInitialBytes = 64 << 10

// mapInto decodes an object into a map.
func (d *Decoder) mapInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	after := syntax.After(d.Words, t)
	// The index stores the number of members, but names may repeat.
	capacity := initialCapacity(min(d.Words[t].Count(), n.Most), n.Shape.Key.Size+n.Shape.Elem.Size)
	if d.V2 != nil {
		return d.V2.MapV2(n, t, a, off, capacity)
	}
	t += ContainerWords
	if n.Fill != nil {
		return after, n.Fill.Run(d, n, t, after, MapPlace{a, off, capacity})
	}
	typ := n.Shape.Type
	m := a.Value(off, typ)
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(typ, capacity))
	}
	// One key and one element are reused for all entries, because SetMapIndex copies them.
	elem, key := reflect.New(typ.Elem()).Elem(), reflect.New(typ.Key()).Elem()
	// Clear both before each entry, because decoding the previous entry may have failed halfway.
	for t < after && m.Len() < n.Most {
		elem.SetZero()
		key.SetZero()
		next, ok, err := d.entry(n, t, key, elem)
		if ok {
			m.SetMapIndex(key, elem)
		}
		if err != nil {
			return next, err
		}
		t = next
	}
	return after, nil
}

// key decodes the name at t into key, and reports whether this succeeded. An error contains the
// given offset.
func (d *Decoder) key(n *Node, t int, key reflect.Value, offset int) (fits bool, err error) {
	if n.Key == KeyMethod {
		return d.keyByMethod(n, t, key)
	}
	text := d.TextOf(t)
	switch n.Key {
	case KeyString:
		key.SetString(d.internName(text))
	// From Go 1.27 on the name null becomes the zero key, in the same way as a quoted null decodes
	// to 0.
	case keyInt, keyUint:
		if d.isFirst() || string(text) != "null" {
			return d.numberKey(n, text, key, offset), nil
		}
	}
	return true, nil
}

// numberKey implements key for integers.
func (d *Decoder) numberKey(n *Node, text []byte, key reflect.Value, offset int) (fits bool) {
	// The error contains the name unchanged, which need not be a valid JSON number.
	switch n.Key {
	// encoding/json parses keys with package strconv, which accepts a plus sign and leading zeros.
	case keyInt:
		v, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil || key.OverflowInt(v) {
			d.typeError("number "+string(text), key.Type(), offset)
			return false
		}
		key.SetInt(v)
	case keyUint:
		v, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil || key.OverflowUint(v) {
			d.typeError("number "+string(text), key.Type(), offset)
			return false
		}
		key.SetUint(v)
	}
	return true
}

// fill implements [MapFill] for elements of type V.
type fill[V mem.Elem] struct{}

// Run implements [MapFill].
func (fill[V]) Run(d *Decoder, n *Node, t, after int, to MapPlace) error {
	at := mem.MapAt[string, V](to.At, to.Off)
	if *at == nil {
		*at = make(map[string]V, to.Capacity)
	}
	m := *at
	var v V
	place := mem.Of(&v)
	for t < after && len(m) < n.Most {
		name := t
		if d.V2 != nil {
			if err := d.V2.Readable(t, true); err != nil {
				return err
			}
		}
		// Clear V before each element. Elements that contain pointers are copied into the map, and
		// the next element must not overwrite their targets.
		if d.Merges() {
			var zero V
			v = zero
		} else {
			// If values are not merged, the element is decoded into a copy of the old element. For
			// a new name this is the zero value.
			v = m[mem.String(d.TextOf(t))]
		}
		next, err := d.Value(n.Elem, t+1, place, 0)
		// Version 2 stores the part of the element that was decoded before the error.
		if err != nil && d.V2 == nil {
			return err
		}
		// Unquote the name again, because decoding the element may have overwritten the scratch
		// memory.
		m[d.internName(d.TextOf(name))] = v
		if t = next; err != nil {
			return err
		}
	}
	return nil
}

// read implements [MapFill] for an object of a few members. A larger object is decoded over an
// index, which stores the number of members.
func (fill[V]) read(d *Decoder, n *Node, i int, a mem.Pointer, off uintptr) int {
	// Store the map only after the last member. If the pass gives up, the map becomes garbage.
	m := map[string]V{}
	var v V
	place := mem.Of(&v)
	start := i
	i, more := d.firstElement(i, '}')
	for more {
		if d.Data[i] != '"' {
			return -1
		}
		end, wide := syntax.ReadText(d.Data, i+1)
		if end >= len(d.Data) {
			return -1
		}
		// The name is not plain ASCII, or the map has reached a limit. Decode the object again from
		// its start, over an index.
		if wide || d.Data[end] != '"' || len(m) == smallMap || len(m) == n.Most {
			d.depth--
			return d.readIndexed(n, start, a, off)
		}
		name := d.internName(d.Data[i+1 : end])
		if i = d.readColon(end + 1); i < 0 {
			return -1
		}
		var zero V
		v = zero
		i = d.read(n.Elem, i, place, 0)
		count := len(m)
		// The name is repeated. In version 2 this is an error, so give up.
		if m[name] = v; d.V2 != nil && len(m) == count {
			return -1
		}
		i, more = d.nextElement(i, '}')
	}
	*mem.MapAt[string, V](a, off) = m
	return i
}

// smallMap is the number of elements that fit into Go's smallest map.
const smallMap = 8

// Unique implements [MapFill]. Version 2 stops at a repeated name, and the map keeps the first
// value of this name.
func (fill[V]) Unique(d *Decoder, n *Node, t, after int, to MapPlace) error {
	at := mem.MapAt[string, V](to.At, to.Off)
	if *at == nil {
		*at = make(map[string]V, to.Capacity)
	}
	m := *at
	var v, zero V
	place := mem.Of(&v)
	first := t
	for t < after && len(m) < n.Most {
		if !d.isPlain(t) {
			if err := d.V2.Readable(t, true); err != nil {
				return err
			}
		}
		v = zero
		next, err := d.Value(n.Elem, t+1, place, 0)
		name := d.internName(d.TextOf(t))
		if err != nil {
			if _, there := m[name]; there {
				return d.V2.DuplicateName(t)
			}
			m[name] = v
			return err
		}
		count := len(m)
		if m[name] = v; len(m) == count {
			// Decode the first member with this name again, because its value was overwritten.
			old := first
			for string(d.TextOf(old)) != name {
				old = d.After(old + 1)
			}
			v = zero
			_, _ = d.Value(n.Elem, old+1, place, 0)
			m[name] = v
			return d.V2.DuplicateName(t)
		}
		t = next
	}
	return nil
}

// FillOf returns the MapFill for maps of shape s whose elements are decoded with elem, or nil if
// such maps require reflection.
func (m *Mode) FillOf(s *shape.Shape, elem *Node) MapFill {
	// A string type with methods is excluded, because the methods decode the names.
	if !mem.CastMaps || s.Key.Kind != shape.String || m.keyFormOf(s.Key) != KeyString {
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
	case nodeInterface:
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
