package encode

import (
	"reflect"
	"strconv"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A cast is the Row for maps with string keys and elements of a basic type V. It accesses a map of a
// named type as a map of the unnamed type, which needs no reflection. appendElem appends one element.
type cast[V mem.Elem] struct {
	appendElem func(e *Encoder, dst []byte, v V) ([]byte, error)
	scratch    *sync.Pool // *castScratch[V]
}

// castScratch holds the names and values of one map for sorting.
type castScratch[V mem.Elem] struct {
	order
	values []V
}

// newCast returns a cast that appends each element with appendElem.
func newCast[V mem.Elem](appendElem func(e *Encoder, dst []byte, v V) ([]byte, error)) Row {
	return &cast[V]{appendElem, &sync.Pool{New: func() any { return new(castScratch[V]) }}}
}

// Run implements [Row].
func (c *cast[V]) Run(e *Encoder, _ *Ref, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	return appendMap(e, dst, *mem.MapAt[string, V](a, off), c.scratch, c.appendElem)
}

// A member is a map entry that appendSmallMap sorts on the stack.
type member[V mem.Elem] struct {
	prefix uint64 // see orderKey
	name   string
	value  V
}

// stackMembers is the maximum number of entries that are sorted on the stack.
const stackMembers = 8

// appendSmallMap appends a map sorted by name, for at most stackMembers entries. It sorts them by insertion
// while it reads the map, and allocates nothing.
func appendSmallMap[V mem.Elem](
	e *Encoder, dst []byte, m map[string]V, written *rules.NameSet, appendElem func(e *Encoder, dst []byte, v V) ([]byte, error),
) ([]byte, error) {
	var sorted [stackMembers]member[V]
	n := 0
	for name, v := range m {
		prefix := prefixOf(name)
		i := n
		// For at most eight entries, insertion sort is the fastest.
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
		if dst, err = e.name(dst, i, sorted[i].name, written); err != nil {
			return dst, err
		}
		if dst, err = appendElem(e, dst, sorted[i].value); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// appendUnsorted is like appendMap, in iteration order.
func appendUnsorted[V mem.Elem](
	e *Encoder, dst []byte, m map[string]V, written *rules.NameSet, appendElem func(e *Encoder, dst []byte, v V) ([]byte, error),
) ([]byte, error) {
	dst = append(dst, '{')
	i := 0
	for name, v := range m {
		var err error
		if dst, err = e.name(dst, i, name, written); err != nil {
			return dst, err
		}
		if dst, err = appendElem(e, dst, v); err != nil {
			return dst, err
		}
		i++
	}
	return append(dst, '}'), nil
}

// appendMap appends a map in the order that the options require: sorted by name, or in iteration order.
// appendElem appends one element. scratch is a pool of *castScratch[V]. The scratch memory is cleared
// before it returns to the pool, so that it keeps no value alive.
func appendMap[V mem.Elem](
	e *Encoder, dst []byte, m map[string]V, scratch *sync.Pool, appendElem func(e *Encoder, dst []byte, v V) ([]byte, error),
) ([]byte, error) {
	var written *rules.NameSet
	if e.mayRepeat() {
		written = new(rules.NameSet)
	}
	switch {
	case !e.Has(option.Deterministic):
		return appendUnsorted(e, dst, m, written, appendElem)
	// Small maps, the most frequent ones, are sorted on the stack.
	case len(m) <= stackMembers:
		return appendSmallMap(e, dst, m, written, appendElem)
	}
	s := scratch.Get().(*castScratch[V])
	for k, v := range m {
		s.add(k)
		s.values = append(s.values, v)
	}
	dst = append(dst, '{')
	var err error
	for i, k := range s.sort() {
		if dst, err = e.name(dst, i, s.names[k.at], written); err != nil {
			break
		}
		if dst, err = appendElem(e, dst, s.values[k.at]); err != nil {
			break
		}
	}
	// Clear the scratch memory even after an error.
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

// name appends the name of the i-th member, with the comma before it and the colon after it. If written
// is not nil, it contains the names before, and an equal name is an error.
func (e *Encoder) name(dst []byte, i int, name string, written *rules.NameSet) ([]byte, error) {
	if i > 0 {
		dst = append(dst, ',')
	}
	n := len(dst)
	dst, ok := syntax.AppendText(dst, name, e.Escapes)
	if !ok {
		return dst[:n], notUTF8
	}
	if written != nil && !written.Add(dst[n:]) {
		return dst[:n], Duplicate(dst[n:], false)
	}
	return append(dst, ':'), nil
}

// mayRepeat reports whether names must be compared as JSON. With AllowInvalidUTF8 different strings
// may have equal JSON, because invalid bytes are written as U+FFFD, and by default names must be
// unique.
func (e *Encoder) mayRepeat() bool {
	return e.On&(option.AllowInvalidUTF8|option.AllowDuplicateNames) == option.AllowInvalidUTF8
}

// CastOf returns the cast for maps with string keys and elements of shape elem, or nil if such
// maps require reflection.
func CastOf(elem *shape.Shape) Row {
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
		p := Program{types: map[int]reflect.Type{0: elem.Type}}
		return newCast(func(e *Encoder, dst []byte, v float64) ([]byte, error) { return p.float(e, 0, dst, v, 64) })
	case shape.String:
		return newCast(func(e *Encoder, dst []byte, v string) ([]byte, error) {
			return e.String(dst, v)
		})
	case shape.Interface:
		// An interface with methods has another memory layout than an any.
		if elem.Type.NumMethod() == 0 {
			return newCast(func(e *Encoder, dst []byte, v any) ([]byte, error) { return e.Any(dst, v) })
		}
	}
	return nil
}
