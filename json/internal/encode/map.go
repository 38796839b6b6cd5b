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

// mapScratch is the memory in which a map is laid out when it is read by reflection: its names,
// and its elements in one slice.
type mapScratch struct {
	order
	iter  reflect.MapIter
	key   reflect.Value // one key
	elems reflect.Value // a slice of elements, in the order of iteration
}

// scratchOf returns the pool of scratch memory for maps of a type.
func scratchOf(s *shape.Shape) *sync.Pool {
	return &sync.Pool{New: func() any {
		return &mapScratch{
			key:   reflect.New(s.Key.Type).Elem(),
			elems: reflect.New(reflect.SliceOf(s.Elem.Type)).Elem(),
		}
	}}
}

// release clears the memory, so that it keeps no value alive, and gives it back.
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

// runMap appends a map in the way that the compiler has chosen: by its cast, by the program of
// its keys, or by reflection.
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

// walkMap appends a map by the rules of v1, sorted by name. It copies the elements to one slice
// first, so that the program runs over addresses.
func (r *Ref) walkMap(e *Encoder, dst []byte, m reflect.Value) ([]byte, error) {
	s := r.scratch.Get().(*mapScratch)
	defer s.release(r.scratch)
	// All keys are named before the first element is written, since they are written in the
	// order of the names.
	n := m.Len()
	if s.elems.Cap() < n {
		s.elems.Grow(n)
	}
	s.elems.SetLen(n)
	s.iter.Reset(m)
	for i := 0; s.iter.Next(); i++ {
		// The key and the elements are copied to memory that belongs to the scratch: entries
		// of a map have no address.
		s.key.SetIterKey(&s.iter)
		s.elems.Index(i).SetIterValue(&s.iter)
		name, err := r.keyName(e, dst, r.Shape.Type, s.key)
		if err != nil {
			return dst, err
		}
		s.add(name)
	}
	dst = append(dst, '{')
	// The elements lie one after the other, in the order of iteration, and the order leads to
	// each by its index.
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

// A keyNamer returns the name under which a key of a map of type t is written. Dst is the
// output so far, whose length is the offset in some errors.
type keyNamer func(e *Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error)

// stringKey names keys that are strings.
func stringKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return key.String(), nil
}

// intKey names keys that are signed integers.
func intKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return strconv.FormatInt(key.Int(), 10), nil
}

// uintKey names keys that are unsigned integers.
func uintKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	return strconv.FormatUint(key.Uint(), 10), nil
}

// textKey names keys by their method MarshalText. A nil pointer has the empty name.
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

// kindKey returns the keyNamer of keys without methods, or nil if the kind has none.
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
