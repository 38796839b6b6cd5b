package engine

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

const containerWords = syntax.ContainerWords

// mapRoom is how many bytes of elements a map gets room for before the first
// of them comes: the number of members may count one key many times.
const mapRoom = 64 << 10

// roomFor returns how many elements of that many bytes a map gets room for.
func roomFor(count int, size uintptr) int {
	return min(count, max(8, mapRoom/(int(size)+1)))
}

// mapInto decodes an object into a map.
func (d *Decoder) mapInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	after := syntax.After(d.words, t)
	room := roomFor(min(d.words[t].Count(), n.most), n.shape.Key.Size+n.shape.Elem.Size)
	if d.v2 != nil {
		return d.v2.mapV2(n, t, a, off, room)
	}
	t += containerWords
	if n.fill != nil {
		return after, n.fill.run(d, n, t, after, mapPlace{a, off, room})
	}
	typ := n.shape.Type
	m := a.Value(off, typ)
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(typ, room))
	}
	elem, key := reflect.New(typ.Elem()).Elem(), reflect.New(typ.Key()).Elem()
	for t < after && m.Len() < n.most {
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

// mapV2 decodes an object into a map by the rules of v2.
func (d *decoder) mapV2(n *Node, t int, a mem.Pointer, off uintptr, room int) (int, error) {
	start, after := t, syntax.After(d.words, t)
	t += containerWords
	typ := n.shape.Type
	m := a.Value(off, typ)
	if n.fill != nil && m.Len() == 0 {
		fill := n.fill.run
		if d.uniqueNames() {
			fill = n.fill.unique
		}
		if err := fill(&d.Decoder, n, t, after, mapPlace{a, off, room}); err != nil || d.words[start].Count() < min(n.most, syntax.MaxCount) {
			return after, err
		}
		return d.skip(start)
	}
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(typ, room))
	}
	var seen reflect.Value // the keys of the text, if the map has others
	if !d.has(option.AllowDuplicateNames) && m.Len() > 0 {
		seen = reflect.MakeMap(reflect.MapOf(typ.Key(), reflect.TypeFor[struct{}]()))
	}
	key, elem := reflect.New(typ.Key()), reflect.New(typ.Elem())
	k := typ.Key().Kind()
	unique := n.keys.op <= nodeString && n.keys.op != nodeFloat32 && n.keys.op != nodeFloat64 || n.keys.op == nodeQuoted && n.keys.elem.op < nodeFloat32
	var texts *nameSet // of the names, if several may be one key
	if d.uniqueNames() && (!unique || k == reflect.String && d.has(option.AllowInvalidUTF8)) {
		texts = &nameSet{}
	}
	for t < after {
		if m.Len() >= n.most {
			return d.skip(start) // as no more than that is known of the rest
		}
		name := t
		refused := k == reflect.Interface && typ.Key().NumMethod() > 0 // before it is read
		if n.keys.op != nodeMethods && n.keys.op != nodeFunctions && !refused {
			// The standard library reads names for these as tokens.
			tokens := k == reflect.Bool || k == reflect.Interface || n.keys.op == nodeStruct
			if err := d.readable(name, !tokens); err != nil {
				return t, err
			}
		}
		if texts != nil && d.data[d.words[name].Pos()] == '"' && !texts.addName(string(d.textOf(name))) {
			return t, d.duplicateName(name)
		}
		key.Elem().SetZero()
		misfits := d.misfits
		if _, err := d.value(n.keys, name, mem.OfPointer(key), 0); err != nil {
			return t, err
		}
		if d.misfits != misfits {
			var err error
			if t, err = d.skip(name + 1); err != nil {
				return t, err
			}
			continue
		}
		if (k == reflect.Interface || k == reflect.Struct || k == reflect.Array) && !key.Elem().Comparable() {
			held := key.Elem() // by its type, or by what an interface in it holds
			if k == reflect.Interface {
				held = held.Elem()
			}
			if err := d.refuseName(name, typ, fmt.Errorf("invalid incomparable key type %v", held.Type())); err != nil {
				return t, err
			}
			var err error
			if t, err = d.skip(name + 1); err != nil {
				return t, err
			}
			continue
		}
		elem.Elem().SetZero()
		if there := m.MapIndex(key.Elem()); there.IsValid() {
			if d.uniqueNames() && (!seen.IsValid() || seen.MapIndex(key.Elem()).IsValid()) {
				return t, d.duplicateName(name)
			}
			if !d.merges() {
				elem.Elem().Set(there)
			}
		}
		next, err := d.value(n.elem, name+1, mem.OfPointer(elem), 0)
		m.SetMapIndex(key.Elem(), elem.Elem())
		if seen.IsValid() {
			seen.SetMapIndex(key.Elem(), reflect.ValueOf(struct{}{}))
		}
		if err != nil {
			return next, err
		}
		t = next
	}
	return after, nil
}

// key sets key to what the string at t stands for, if it fits. Offset is for its error.
func (d *Decoder) key(n *Node, t int, key reflect.Value, offset int) (fits bool, err error) {
	if n.key == keyMethod {
		return d.keyByMethod(n, t, key)
	}
	text := d.textOf(t)
	switch n.key {
	case keyString:
		key.SetString(d.name(text))
	case keyInt:
		v, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil || key.OverflowInt(v) {
			d.misfit("number "+string(text), key.Type(), offset)
			return false, nil
		}
		key.SetInt(v)
	case keyUint:
		v, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil || key.OverflowUint(v) {
			d.misfit("number "+string(text), key.Type(), offset)
			return false, nil
		}
		key.SetUint(v)
	}
	return true, nil
}

// A mapFill decodes into maps from strings to plain elements, seen through a
// native map type of the same kinds.
type mapFill interface {
	run(d *Decoder, n *Node, t, after int, to mapPlace) error
	unique(d *Decoder, n *Node, t, after int, to mapPlace) error     // into one that is empty, and may not have a name twice
	read(d *Decoder, n *Node, i int, a mem.Pointer, off uintptr) int // as [Decoder.read]
}

// A mapPlace is where a map is, and how many elements one that is made there
// gets room for.
type mapPlace struct {
	a    mem.Pointer
	off  uintptr
	room int
}

type fill[V mem.Elem] struct{}

func (fill[V]) run(d *Decoder, n *Node, t, after int, to mapPlace) error {
	at := mem.MapAt[string, V](to.a, to.off)
	if *at == nil {
		*at = make(map[string]V, to.room)
	}
	m := *at
	var v V
	place := mem.Of(&v)
	for t < after && len(m) < n.most {
		name := t
		if d.v2 != nil {
			if err := d.v2.readable(t, true); err != nil {
				return err
			}
		}
		if d.merges() {
			var zero V
			v = zero
		} else {
			v = m[mem.String(d.textOf(t))] // which is zero where there is none
		}
		next, err := d.value(n.elem, t+1, place, 0)
		if err != nil && d.v2 == nil {
			return err
		}
		m[d.name(d.textOf(name))] = v
		if t = next; err != nil {
			return err
		}
	}
	return nil
}

// read reads an object of a few members to a map. Larger ones are read over an index, which
// tells how much room they take.
func (fill[V]) read(d *Decoder, n *Node, i int, a mem.Pointer, off uintptr) int {
	m := map[string]V{}
	var v V
	place := mem.Of(&v)
	start := i
	i, more := d.opened(i, '}')
	for more {
		if d.data[i] != '"' {
			return -1
		}
		end, wide := syntax.ReadText(d.data, i+1)
		if end >= len(d.data) {
			return -1
		}
		if wide || d.data[end] != '"' || len(m) == smallMap || len(m) == n.most {
			d.depth--
			return d.readIndexed(n, start, a, off)
		}
		name := d.name(d.data[i+1 : end])
		if i = d.readColon(end + 1); i < 0 {
			return -1
		}
		var zero V
		v = zero
		i = d.read(n.elem, i, place, 0)
		count := len(m)
		if m[name] = v; d.v2 != nil && len(m) == count {
			return -1
		}
		i, more = d.goesOn(i, '}')
	}
	*mem.MapAt[string, V](a, off) = m
	return i
}

// smallMap is up to how many elements a map has that need no more room than the first.
const smallMap = 8

func (fill[V]) unique(d *Decoder, n *Node, t, after int, to mapPlace) error {
	at := mem.MapAt[string, V](to.a, to.off)
	if *at == nil {
		*at = make(map[string]V, to.room)
	}
	m := *at
	var v, zero V
	place := mem.Of(&v)
	first := t
	for t < after && len(m) < n.most {
		if !d.isPlain(t) {
			if err := d.v2.readable(t, true); err != nil {
				return err
			}
		}
		v = zero
		next, err := d.value(n.elem, t+1, place, 0)
		name := d.name(d.textOf(t))
		if err != nil {
			if _, there := m[name]; there {
				return d.v2.duplicateName(t)
			}
			m[name] = v
			return err
		}
		count := len(m)
		if m[name] = v; len(m) == count {
			// What was there comes back.
			old := first
			for string(d.textOf(old)) != name {
				old = d.after(old + 1)
			}
			v = zero
			_, _ = d.value(n.elem, old+1, place, 0)
			m[name] = v
			return d.v2.duplicateName(t)
		}
		t = next
	}
	return nil
}

// fillOf returns how to decode into the map type s with elements as elem has
// them, or nil if that takes reflection.
func fillOf(s *shape.Shape, elem *Node) mapFill {
	if !mem.CastMaps || s.Key.Kind != shape.String || keyFormOf(s.Key) != keyString {
		return nil
	}
	switch elem.op {
	case nodeBool:
		return fill[bool]{}
	case nodeInt32:
		return fill[int32]{}
	case nodeInt64:
		return fill[int64]{}
	case nodeUint64:
		return fill[uint64]{}
	case nodeFloat64:
		return fill[float64]{}
	case nodeString:
		return fill[string]{}
	case nodeInterface:
		if s.Elem.Type.NumMethod() == 0 {
			return fill[any]{}
		}
	}
	return nil
}
