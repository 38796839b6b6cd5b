package encode

import (
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// mapScratch is scratch memory for a map that is read with reflection: its names, and a slice of
// its elements.
type mapScratch struct {
	order
	iter  reflect.MapIter
	key   reflect.Value // one key
	elems reflect.Value // in iteration order
}

// release clears the scratch memory, so that it keeps no value alive, and returns it to the pool.
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

// runMap appends a map with its row.
func (r *Ref) runMap(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	if a.MapIsNil(off) && e.Has(option.FormatNilMapAsNull) {
		return append(dst, "null"...), nil
	}
	key, err := e.enter(func() (any, reflect.Value) {
		v := a.Value(off, r.Shape.Type)
		return v.Pointer(), v
	})
	if err != nil {
		return dst, err
	}
	dst, err = r.Row.Run(e, r, dst, a, off)
	e.leave(key)
	return dst, err
}

// A sortedMap is the Row for maps whose members are sorted by name. name returns the name for a key.
type sortedMap struct {
	name    KeyNamer
	scratch *sync.Pool // *mapScratch
}

// SortedMap returns a Row that encodes maps of shape s with reflection, and sorts the members by the
// names that the given function returns.
func SortedMap(s *shape.Shape, name KeyNamer) Row {
	return &sortedMap{name, &sync.Pool{New: func() any {
		return &mapScratch{
			key:   reflect.New(s.Key.Type).Elem(),
			elems: reflect.New(reflect.SliceOf(s.Elem.Type)).Elem(),
		}
	}}}
}

// Run implements [Row]. It copies the elements to a slice first, because a program needs the address
// of its value.
func (w *sortedMap) Run(e *Encoder, r *Ref, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	m := a.Value(off, r.Shape.Type)
	s := w.scratch.Get().(*mapScratch)
	defer s.release(w.scratch)
	// The members are written in the order of their names, so collect and sort all names first.
	n := m.Len()
	if s.elems.Cap() < n {
		s.elems.Grow(n)
	}
	s.elems.SetLen(n)
	s.iter.Reset(m)
	for i := 0; s.iter.Next(); i++ {
		// The entries of a map are not addressable, so copy the key and the element to the scratch
		// memory.
		s.key.SetIterKey(&s.iter)
		s.elems.Index(i).SetIterValue(&s.iter)
		name, err := w.name(e, dst, r.Shape.Type, s.key)
		if err != nil {
			return dst, err
		}
		s.add(name)
	}
	dst = append(dst, '{')
	// The slice is in iteration order, and each orderKey contains the index of its element.
	first, _ := mem.OfPointer(s.elems.Addr()).Slice(0)
	for i, k := range s.sort() {
		var err error
		if dst, err = e.name(dst, i, s.names[k.at], nil); err != nil {
			return dst, err
		}
		if dst, err = r.Program.Run(e, dst, first.Add(uintptr(k.at)*r.Shape.Elem.Size)); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// A KeyNamer returns the name for a key of a map of type t. dst is the output so far; its length is
// the offset in some errors. A KeyNamer must not retain e.
type KeyNamer func(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error)
