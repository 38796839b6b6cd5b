package engine

import (
	"cmp"
	"encoding"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// An order is where the names of a map's elements are sorted.
type order struct {
	names []string // in the order of the map's iteration
	keys  []orderKey
}

// An orderKey stands for names[at]. Most names differ within their first eight
// bytes, and numbers compare faster than strings.
type orderKey struct {
	prefix uint64 // the bytes, the first in the highest place; zeros behind; until it is sorted
	at     int
}

func (o *order) add(name string) {
	o.keys = append(o.keys, orderKey{prefixOf(name), len(o.names)})
	o.names = append(o.names, name)
}

func prefixOf(name string) (prefix uint64) {
	if len(name) >= 8 {
		return bits.ReverseBytes64(mem.Word(name, 0))
	}
	for i := range len(name) {
		prefix |= uint64(name[i]) << (56 - 8*i)
	}
	return prefix
}

// insertionNames is up to how many names sorting by insertion is faster.
const insertionNames = 64

// sort returns the keys in the order of their names.
func (o *order) sort() []orderKey {
	if len(o.keys) > insertionNames {
		slices.SortFunc(o.keys, o.compare)
	} else {
		o.insert()
	}
	return o.keys
}

// insert sorts no more than insertionNames keys by insertion: as words of seven bytes of the
// name and its place, of which two compare and move as one each. Then it sorts the names
// whose seven bytes are equal.
func (o *order) insert() {
	const last = insertionNames - 1 // tells the compiler that indexes are in range
	var words [insertionNames]uint64
	for i, k := range o.keys {
		w := k.prefix&^0xff | uint64(i)
		j := i
		for ; j > 0 && words[(j-1)&last] > w; j-- {
			words[j&last] = words[(j-1)&last]
		}
		words[j&last] = w
	}
	for i := range o.keys {
		w := words[i&last]
		j := i
		for ; j > 0 && words[(j-1)&last]>>8 == w>>8 && o.names[w&0xff] < o.names[words[(j-1)&last]&0xff]; j-- {
			words[j&last] = words[(j-1)&last]
		}
		words[j&last] = w
	}
	for i := range o.keys {
		o.keys[i].at = int(words[i&last] & 0xff)
	}
}

func (o *order) compare(a, b orderKey) int {
	if c := cmp.Compare(a.prefix, b.prefix); c != 0 {
		return c
	}
	return strings.Compare(o.names[a.at], o.names[b.at])
}

// reset forgets the names. It keeps the memory unless a map was large.
func (o *order) reset() {
	clear(o.names)
	if cap(o.names) > maxNames {
		o.names, o.keys = nil, nil
	}
	o.names, o.keys = o.names[:0], o.keys[:0]
}

const maxNames = 4096

// A mapCast encodes maps from strings to plain elements, seen through a native
// map type of the same kinds.
type mapCast interface {
	run(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	unsorted(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) // in the order of the map's iteration
	unique(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)   // where two names may be written alike
}

type cast[V mem.Elem] struct {
	one     func(e *Encoder, dst []byte, v V) ([]byte, error)
	scratch *sync.Pool // *castScratch[V]
}

type castScratch[V mem.Elem] struct {
	order
	values []V
}

func newCast[V mem.Elem](one func(e *Encoder, dst []byte, v V) ([]byte, error)) mapCast {
	return &cast[V]{one, &sync.Pool{New: func() any { return new(castScratch[V]) }}}
}

func (c *cast[V]) run(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	return appendMap(e, dst, *mem.MapAt[string, V](a, off), c.scratch, c.one)
}

func (c *cast[V]) unsorted(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	return appendUnsorted(e, dst, *mem.MapAt[string, V](a, off), c.one)
}

func (c *cast[V]) unique(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	return appendUnique(e, dst, *mem.MapAt[string, V](a, off), c.one)
}

// castV2 appends a map by the rules of v2.
func (e *encoder) castV2(c mapCast, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	switch {
	case e.mayRepeat():
		return c.unique(&e.Encoder, dst, a, off)
	case !e.has(option.Deterministic):
		return c.unsorted(&e.Encoder, dst, a, off)
	}
	return c.run(&e.Encoder, dst, a, off)
}

// objectV2 is castV2 for what decoding into an interface makes of an object.
func (e *encoder) objectV2(dst []byte, m map[string]any) ([]byte, error) {
	switch {
	case e.mayRepeat():
		return appendUnique(&e.Encoder, dst, m, (*Encoder).any)
	case !e.has(option.Deterministic):
		return appendUnsorted(&e.Encoder, dst, m, (*Encoder).any)
	}
	return appendMap(&e.Encoder, dst, m, &objectScratch, (*Encoder).any)
}

// A member is an element of a map that is sorted on the stack.
type member[V mem.Elem] struct {
	prefix uint64 // see orderKey
	name   string
	value  V
}

// stackMembers is how many elements are sorted there.
const stackMembers = 8

// appendSmallMap is appendMap for a map of no more than stackMembers.
func appendSmallMap[V mem.Elem](e *Encoder, dst []byte, m map[string]V, one func(e *Encoder, dst []byte, v V) ([]byte, error)) ([]byte, error) {
	var sorted [stackMembers]member[V]
	n := 0
	for name, v := range m {
		prefix := prefixOf(name)
		i := n
		for ; i > 0; i-- {
			if p := sorted[i-1].prefix; p < prefix || p == prefix && sorted[i-1].name < name {
				break
			}
			sorted[i] = sorted[i-1]
		}
		sorted[i] = member[V]{prefix, name, v}
		n++
	}
	dst = append(dst, '{')
	for i := range sorted[:n] {
		var err error
		if dst, err = e.name(dst, i, sorted[i].name); err != nil {
			return dst, err
		}
		if dst, err = one(e, dst, sorted[i].value); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// appendUnsorted is appendMap in the order of the map's iteration.
func appendUnsorted[V mem.Elem](e *Encoder, dst []byte, m map[string]V, one func(e *Encoder, dst []byte, v V) ([]byte, error)) ([]byte, error) {
	dst = append(dst, '{')
	i := 0
	for name, v := range m {
		var err error
		if dst, err = e.name(dst, i, name); err != nil {
			return dst, err
		}
		if dst, err = one(e, dst, v); err != nil {
			return dst, err
		}
		i++
	}
	return append(dst, '}'), nil
}

// appendMap appends m, whose elements one appends, with its names in order.
func appendMap[V mem.Elem](
	e *Encoder, dst []byte, m map[string]V, scratch *sync.Pool, one func(e *Encoder, dst []byte, v V) ([]byte, error),
) ([]byte, error) {
	if len(m) <= stackMembers {
		return appendSmallMap(e, dst, m, one)
	}
	s := scratch.Get().(*castScratch[V])
	for k, v := range m {
		s.add(k)
		s.values = append(s.values, v)
	}
	dst = append(dst, '{')
	var err error
	for i, k := range s.sort() {
		if dst, err = e.name(dst, i, s.names[k.at]); err != nil {
			break
		}
		if dst, err = one(e, dst, s.values[k.at]); err != nil {
			break
		}
	}
	s.reset()
	clear(s.values)
	if s.values = s.values[:0]; cap(s.values) > maxNames {
		s.values = nil
	}
	scratch.Put(s)
	if err != nil {
		return dst, err
	}
	return append(dst, '}'), nil
}

// name appends the i-th name of an object, with the comma in front of it and the colon.
func (e *Encoder) name(dst []byte, i int, name string) ([]byte, error) {
	if i > 0 {
		dst = append(dst, ',')
	}
	n := len(dst)
	dst, ok := syntax.AppendText(dst, name, e.escapes)
	if !ok {
		return dst[:n], notUTF8
	}
	return append(dst, ':'), nil
}

// mayRepeat reports whether two strings may be written alike where an object must not have
// a name twice.
func (e *Encoder) mayRepeat() bool {
	return e.on&(option.AllowInvalidUTF8|option.AllowDuplicateNames) == option.AllowInvalidUTF8
}

// appendUnique is appendMap where two names may be written alike, which is an error.
func appendUnique[V mem.Elem](e *Encoder, dst []byte, m map[string]V, one func(e *Encoder, dst []byte, v V) ([]byte, error)) ([]byte, error) {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	if e.has(option.Deterministic) {
		slices.Sort(names)
	}
	var written nameSet
	dst = append(dst, '{')
	for i, name := range names {
		var err error
		if i > 0 {
			dst = append(dst, ',')
		}
		start := len(dst)
		dst, _ = syntax.AppendText(dst, name, e.escapes)
		if !written.add(dst[start:]) {
			return dst[:start], e.duplicate(dst[start:])
		}
		if dst, err = one(e, append(dst, ':'), m[name]); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// castOf returns the cast for maps from strings to elem, or nil.
func castOf(elem *shape.Shape) mapCast {
	if !mem.CastMaps {
		return nil
	}
	switch elem.Kind {
	case shape.Bool:
		return newCast(func(_ *Encoder, dst []byte, v bool) ([]byte, error) { return strconv.AppendBool(dst, v), nil })
	case shape.Int32:
		return newCast(func(_ *Encoder, dst []byte, v int32) ([]byte, error) {
			return syntax.AppendInt(dst, int64(v)), nil
		})
	case shape.Int64:
		return newCast(func(_ *Encoder, dst []byte, v int64) ([]byte, error) { return syntax.AppendInt(dst, v), nil })
	case shape.Uint64:
		return newCast(func(_ *Encoder, dst []byte, v uint64) ([]byte, error) { return syntax.AppendUint(dst, v), nil })
	case shape.Float64:
		return newCast(func(e *Encoder, dst []byte, v float64) ([]byte, error) { return e.float(dst, v, 64) })
	case shape.String:
		return newCast(func(e *Encoder, dst []byte, v string) ([]byte, error) {
			return e.string(dst, v)
		})
	case shape.Interface:
		if elem.Type.NumMethod() == 0 {
			return newCast(func(e *Encoder, dst []byte, v any) ([]byte, error) { return e.any(dst, v) })
		}
	}
	return nil
}

// mapScratch is where a map is laid out when it is walked by reflection.
type mapScratch struct {
	order
	iter  reflect.MapIter
	key   reflect.Value // one key
	elems reflect.Value // a slice of elements, in the order of iteration
}

func scratchOf(s *shape.Shape) *sync.Pool {
	return &sync.Pool{New: func() any {
		return &mapScratch{
			key:   reflect.New(s.Key.Type).Elem(),
			elems: reflect.New(reflect.SliceOf(s.Elem.Type)).Elem(),
		}
	}}
}

func (s *mapScratch) release(to *sync.Pool) {
	s.iter.Reset(reflect.Value{})
	s.key.SetZero()
	s.reset()
	s.elems.Clear()
	if s.elems.Cap() > maxNames {
		s.elems.SetZero()
	}
	to.Put(s)
}

func (r *ref) runMap(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	if a.MapIsNil(off) && e.has(option.FormatNilMapAsNull) {
		return append(dst, "null"...), nil
	}
	key, err := e.enter(func() (any, reflect.Value) {
		v := a.Value(off, r.shape.Type)
		return v.Pointer(), v
	})
	if err != nil {
		return dst, err
	}
	if r.cast != nil && e.v2 != nil {
		dst, err = e.v2.castV2(r.cast, dst, a, off)
	} else if r.cast != nil {
		dst, err = r.cast.run(e, dst, a, off)
	} else if r.key != nil {
		dst, err = e.v2.mapByNames(r, dst, a.Value(off, r.shape.Type))
	} else {
		dst, err = r.walkMap(e, dst, a.Value(off, r.shape.Type))
	}
	e.leave(key)
	return dst, err
}

func (r *ref) walkMap(e *Encoder, dst []byte, m reflect.Value) ([]byte, error) {
	s := r.scratch.Get().(*mapScratch)
	defer s.release(r.scratch)
	n := m.Len()
	if s.elems.Cap() < n {
		s.elems.Grow(n)
	}
	s.elems.SetLen(n)
	s.iter.Reset(m)
	for i := 0; s.iter.Next(); i++ {
		s.key.SetIterKey(&s.iter)
		s.elems.Index(i).SetIterValue(&s.iter)
		name, err := r.keyName(e, dst, r.shape.Type, s.key)
		if err != nil {
			return dst, err
		}
		s.add(name)
	}
	dst = append(dst, '{')
	first, _ := mem.OfPointer(s.elems.Addr()).Slice(0)
	for i, k := range s.sort() {
		var err error
		if dst, err = e.name(dst, i, s.names[k.at]); err != nil {
			return dst, err
		}
		if dst, err = r.program.run(e, dst, first.Add(uintptr(k.at)*r.shape.Elem.Size)); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// A keyNamer returns the name under which a map of type t writes the element of a key,
// behind the text dst.
type keyNamer func(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error)

func stringKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return key.String(), nil
}

func intKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return strconv.FormatInt(key.Int(), 10), nil
}

func uintKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return strconv.FormatUint(key.Uint(), 10), nil
}

// textKey names keys by MarshalText.
func textKey(_ *Encoder, _ []byte, t reflect.Type, key reflect.Value) (string, error) {
	if key.Kind() == reflect.Pointer && key.IsNil() {
		return "", nil
	}
	text, err := key.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return "", keyError(t, key, err)
	}
	return string(text), nil
}

// kindKey returns the namer of keys without methods, or nil.
func kindKey(k shape.Kind) keyNamer {
	switch {
	case k == shape.String:
		return stringKey
	case k >= shape.Int8 && k <= shape.Int64:
		return intKey
	case k >= shape.Uint8 && k <= shape.Uintptr:
		return uintKey
	}
	return nil
}
