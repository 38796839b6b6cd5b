package json

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hone-go/hone/internal/jsontext"
	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/shape"
)

// A mapCast encodes maps from strings to plain elements, seen through a native
// map type of the same kinds.
type mapCast interface {
	run(dst []byte, a mem.Pointer, off uintptr, html bool) ([]byte, error)
}

type cast[V mem.Elem] func(dst []byte, v V, html bool) ([]byte, error)

func (one cast[V]) run(dst []byte, a mem.Pointer, off uintptr, html bool) ([]byte, error) {
	m := *mem.MapAt[string, V](a, off)
	list := keyLists.Get().(*[]string)
	keys := sortedKeys((*list)[:0], m)
	dst = append(dst, '{')
	var err error
	for i, k := range keys {
		dst = appendName(dst, i, k, html)
		if dst, err = one(dst, m[k], html); err != nil {
			break
		}
	}
	releaseKeys(list, keys)
	return append(dst, '}'), err
}

// runAny is a cast's run for maps of type map[string]any.
func (e *encoder) runAny(dst []byte, m map[string]any) ([]byte, error) {
	list := keyLists.Get().(*[]string)
	keys := sortedKeys((*list)[:0], m)
	dst = append(dst, '{')
	var err error
	for i, k := range keys {
		dst = appendName(dst, i, k, e.html)
		if dst, err = e.any(dst, m[k]); err != nil {
			break
		}
	}
	releaseKeys(list, keys)
	return append(dst, '}'), err
}

// keyLists keeps the slices in which keys are sorted.
var keyLists = sync.Pool{New: func() any { return new([]string) }}

func sortedKeys[V any](keys []string, m map[string]V) []string {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func releaseKeys(list *[]string, keys []string) {
	clear(keys)
	if *list = keys[:0]; cap(keys) > maxBuffer/16 {
		*list = nil
	}
	keyLists.Put(list)
}

func appendName(dst []byte, i int, name string, html bool) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return append(jsontext.AppendString(dst, name, html), ':')
}

// castOf returns the cast for maps from strings to elem, or nil.
func castOf(elem *shape.Shape) mapCast {
	if !mem.CastMaps {
		return nil
	}
	switch elem.Kind {
	case shape.Bool:
		return cast[bool](func(dst []byte, v bool, _ bool) ([]byte, error) { return strconv.AppendBool(dst, v), nil })
	case shape.Int32:
		return cast[int32](func(dst []byte, v int32, _ bool) ([]byte, error) {
			return strconv.AppendInt(dst, int64(v), 10), nil
		})
	case shape.Int64:
		return cast[int64](func(dst []byte, v int64, _ bool) ([]byte, error) { return strconv.AppendInt(dst, v, 10), nil })
	case shape.Uint64:
		return cast[uint64](func(dst []byte, v uint64, _ bool) ([]byte, error) { return strconv.AppendUint(dst, v, 10), nil })
	case shape.Float64:
		return cast[float64](func(dst []byte, v float64, _ bool) ([]byte, error) { return appendFloat(dst, v, 64) })
	case shape.String:
		return cast[string](func(dst []byte, v string, html bool) ([]byte, error) {
			return jsontext.AppendString(dst, v, html), nil
		})
	}
	return nil
}

// mapScratch is where a map is laid out when it is walked by reflection.
type mapScratch struct {
	iter    reflect.MapIter
	key     reflect.Value // one key
	entries []mapEntry
	elems   reflect.Value // a slice of elements, in the order of iteration
}

type mapEntry struct {
	name string
	elem int // its index in elems
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
	clear(s.entries)
	s.elems.Clear()
	if s.entries = s.entries[:0]; s.elems.Cap() > maxBuffer/16 {
		s.entries = nil
		s.elems.SetZero()
	}
	to.Put(s)
}

func (r *ref) runMap(e *encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	if a.MapIsNil(off) {
		return append(dst, "null"...), nil
	}
	key, err := e.enter(func() (any, reflect.Value) {
		v := a.Value(off, r.shape.Type)
		return v.Pointer(), v
	})
	if err != nil {
		return dst, err
	}
	switch {
	case r.cast != nil:
		dst, err = r.cast.run(dst, a, off, e.html)
	case mem.CastMaps && r.ofAny:
		dst, err = e.runAny(dst, *mem.MapAt[string, any](a, off))
	default:
		dst, err = r.walkMap(e, dst, a.Value(off, r.shape.Type))
	}
	e.leave(key)
	return dst, err
}

func (r *ref) walkMap(e *encoder, dst []byte, m reflect.Value) ([]byte, error) {
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
		name, err := keyName(s.key)
		if err != nil {
			return dst, fmt.Errorf("json: encoding error for type %q: %q", r.shape.Type.String(), err.Error())
		}
		s.entries = append(s.entries, mapEntry{name, i})
	}
	slices.SortFunc(s.entries, func(a, b mapEntry) int { return strings.Compare(a.name, b.name) })
	dst = append(dst, '{')
	first, _ := mem.OfPointer(s.elems.Addr()).Slice(0)
	for i, entry := range s.entries {
		dst = appendName(dst, i, entry.name, e.html)
		var err error
		if dst, err = r.program.run(e, dst, first.Add(uintptr(entry.elem)*r.shape.Elem.Size)); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// keyName returns the name under which a map's element is written.
func keyName(key reflect.Value) (string, error) {
	if key.Kind() == reflect.String {
		return key.String(), nil
	}
	if m, ok := key.Interface().(encoding.TextMarshaler); ok {
		if key.Kind() == reflect.Pointer && key.IsNil() {
			return "", nil
		}
		text, err := m.MarshalText()
		return string(text), err
	}
	if key.CanInt() {
		return strconv.FormatInt(key.Int(), 10), nil
	}
	return strconv.FormatUint(key.Uint(), 10), nil
}
