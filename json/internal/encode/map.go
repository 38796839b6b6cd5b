package encode

import (
	"encoding"
	"reflect"
	"strconv"
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

// scratchOf returns a pool of scratch memory for maps of shape s.
func scratchOf(s *shape.Shape) *sync.Pool {
	return &sync.Pool{New: func() any {
		return &mapScratch{
			key:   reflect.New(s.Key.Type).Elem(),
			elems: reflect.New(reflect.SliceOf(s.Elem.Type)).Elem(),
		}
	}}
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

// runMap appends a map. The compiler has chosen one of three methods: a cast, the program for keys, or
// reflection.
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
	if r.Cast != nil && e.V2 != nil {
		dst, err = e.V2.CastV2(r.Cast, dst, a, off)
	} else if r.Cast != nil {
		dst, err = r.Cast.Run(e, dst, a, off)
	} else if r.Key != nil {
		dst, err = e.V2.MapByNames(r, dst, a.Value(off, r.Shape.Type))
	} else {
		dst, err = r.walkMap(e, dst, a.Value(off, r.Shape.Type))
	}
	e.leave(key)
	return dst, err
}

// walkMap appends a map sorted by name, by the rules of version 1. It copies the elements to a
// slice first, because a program needs the address of its value.
func (r *Ref) walkMap(e *Encoder, dst []byte, m reflect.Value) ([]byte, error) {
	s := r.scratch.Get().(*mapScratch)
	defer s.release(r.scratch)
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
		name, err := r.keyName(e, dst, r.Shape.Type, s.key)
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
		if dst, err = e.name(dst, i, s.names[k.at]); err != nil {
			return dst, err
		}
		if dst, err = r.Program.Run(e, dst, first.Add(uintptr(k.at)*r.Shape.Elem.Size)); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// A keyNamer returns the name for a key of a map of type t. dst is the output so far; its length is
// the offset in some errors.
type keyNamer func(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error)

// stringKey is the keyNamer for strings.
func stringKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return key.String(), nil
}

// intKey is the keyNamer for signed integers.
func intKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return strconv.FormatInt(key.Int(), 10), nil
}

// uintKey is the keyNamer for unsigned integers.
func uintKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return strconv.FormatUint(key.Uint(), 10), nil
}

// textKey is the keyNamer for keys with a MarshalText method. A nil pointer becomes the empty name.
func textKey(e *Encoder, _ []byte, t reflect.Type, key reflect.Value) (string, error) {
	if key.Kind() == reflect.Pointer && key.IsNil() {
		return "", nil
	}
	text, err := key.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return "", e.keyError(t, key, err, "MarshalText")
	}
	return string(text), nil
}

// kindKey returns the keyNamer for keys of kind k without methods, or nil if the kind is not
// supported.
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
