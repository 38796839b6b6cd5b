package wire

import (
	"reflect"
	"strconv"
	"sync"

	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/shape"
)

// A mapCast encodes and decodes maps whose keys and elements are plain, through
// a native map type of the same kinds. Other maps go through package reflect.
type mapCast interface {
	append(dst []byte, a mem.Pointer, off uintptr) []byte
	read(in []byte, pos, n int, a mem.Pointer, off uintptr) (next int, cause error)
}

type plain[T any] struct {
	append func([]byte, T) []byte
	read   func(in []byte, pos int) (T, int, error)
}

type cast[K mem.Key, V mem.Elem] struct {
	key  plain[K]
	elem plain[V]
}

func (c *cast[K, V]) append(dst []byte, a mem.Pointer, off uintptr) []byte {
	m := *mem.MapAt[K, V](a, off)
	dst = appendUvarint(dst, uint64(len(m)))
	for k, v := range m {
		dst = c.elem.append(c.key.append(dst, k), v)
	}
	return dst
}

func (c *cast[K, V]) read(in []byte, pos, n int, a mem.Pointer, off uintptr) (int, error) {
	m := mem.MapAt[K, V](a, off)
	if *m == nil {
		*m = make(map[K]V, n)
	} else {
		clear(*m)
	}
	for i := range n {
		at := pos
		k, next, cause := c.key.read(in, pos)
		if cause != nil {
			return next, cause
		}
		v, next, cause := c.elem.read(in, next)
		if cause != nil {
			return next, cause
		}
		(*m)[k] = v
		if len(*m) != i+1 {
			return at, ErrDuplicate
		}
		pos = next
	}
	return pos, nil
}

// castOf returns the cast for a map with keys and elements of these kinds, or
// nil.
func castOf(key, elem shape.Kind) mapCast {
	if !mem.CastMaps {
		return nil
	}
	switch key {
	case shape.String:
		return castElem(plain[string]{appendString, readString}, elem)
	case shape.Int32:
		return castElem(plain[int32]{appendInt[int32], readInt[int32]}, elem)
	case shape.Int64:
		return castElem(plain[int64]{appendVarint, readInt[int64]}, elem)
	case shape.Uint32:
		return castElem(plain[uint32]{appendUint[uint32], readUint[uint32]}, elem)
	case shape.Uint64:
		return castElem(plain[uint64]{appendUvarint, readUint[uint64]}, elem)
	}
	return nil
}

func castElem[K mem.Key](key plain[K], elem shape.Kind) mapCast {
	switch elem {
	case shape.Bool:
		return &cast[K, bool]{key, plain[bool]{appendBool, readBool}}
	case shape.Int8:
		return &cast[K, int8]{key, plain[int8]{appendByte[int8], readByte[int8]}}
	case shape.Uint8:
		return &cast[K, uint8]{key, plain[uint8]{appendByte[uint8], readByte[uint8]}}
	case shape.Int16:
		return &cast[K, int16]{key, plain[int16]{appendInt[int16], readInt[int16]}}
	case shape.Int32:
		return &cast[K, int32]{key, plain[int32]{appendInt[int32], readInt[int32]}}
	case shape.Int64:
		return &cast[K, int64]{key, plain[int64]{appendVarint, readInt[int64]}}
	case shape.Uint16:
		return &cast[K, uint16]{key, plain[uint16]{appendUint[uint16], readUint[uint16]}}
	case shape.Uint32:
		return &cast[K, uint32]{key, plain[uint32]{appendUint[uint32], readUint[uint32]}}
	case shape.Uint64:
		return &cast[K, uint64]{key, plain[uint64]{appendUvarint, readUint[uint64]}}
	case shape.Float32:
		return &cast[K, float32]{key, plain[float32]{appendFloat32, readFloat32}}
	case shape.Float64:
		return &cast[K, float64]{key, plain[float64]{appendFloat64, readFloat64}}
	case shape.String:
		return &cast[K, string]{key, plain[string]{appendString, readString}}
	}
	return nil
}

// mapScratch is what walking a map by reflection needs: room for one key and
// one element, so that iteration allocates nothing.
type mapScratch struct {
	iter      reflect.MapIter
	key, elem reflect.Value
}

func scratchOf(s *shape.Shape) *sync.Pool {
	return &sync.Pool{New: func() any {
		return &mapScratch{
			key:  reflect.New(s.Key.Type).Elem(),
			elem: reflect.New(s.Elem.Type).Elem(),
		}
	}}
}

// renew takes other memory, since a method may have kept what it was given.
func (s *mapScratch) renew() {
	s.key, s.elem = reflect.New(s.key.Type()).Elem(), reflect.New(s.elem.Type()).Elem()
}

// release drops what the scratch refers to and gives it back, unless methods have
// seen it and may have kept it.
func (s *mapScratch) release(to *sync.Pool, methods bool) {
	if methods {
		return
	}
	s.iter.Reset(reflect.Value{})
	s.key.SetZero()
	s.elem.SetZero()
	to.Put(s)
}

func (r *ref) appendMap(dst []byte, a mem.Pointer, off uintptr, depth int) ([]byte, *EncodeError) {
	if r.cast != nil {
		return r.cast.append(dst, a, off), nil
	}
	m := a.Value(off, r.shape.Type)
	dst = appendUvarint(dst, uint64(m.Len()))
	if m.Len() == 0 {
		return dst, nil
	}
	// A map that contains itself reaches this code again while its scratch is
	// in use, so each level takes one of its own.
	s := r.scratch.Get().(*mapScratch)
	defer s.release(r.scratch, r.methods)
	key, elem := mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
	s.iter.Reset(m)
	for s.iter.Next() {
		if r.methods {
			s.renew()
			key, elem = mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
		}
		s.key.SetIterKey(&s.iter)
		s.elem.SetIterValue(&s.iter)
		var err *EncodeError
		if dst, err = r.key.append(dst, key, depth); err != nil {
			return dst, err.within("[key]")
		}
		if dst, err = r.program.append(dst, elem, depth); err != nil {
			return dst, err.within(keyPath(s.key))
		}
	}
	return dst, nil
}

func keyPath(key reflect.Value) string {
	const most = 32
	switch {
	case key.Kind() == reflect.String:
		return "[" + strconv.Quote(key.String()[:min(key.Len(), most)]) + "]"
	case key.CanInt():
		return "[" + strconv.FormatInt(key.Int(), 10) + "]"
	case key.CanUint():
		return "[" + strconv.FormatUint(key.Uint(), 10) + "]"
	}
	return "[…]"
}

// readMap reads the n entries of a map by reflection.
func (r *ref) readMap(d *decoder, pos, n int, a mem.Pointer, off uintptr, depth int) (int, *DecodeError) {
	m := a.Value(off, r.shape.Type)
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(r.shape.Type, n))
	} else {
		m.Clear()
	}
	s := r.scratch.Get().(*mapScratch)
	defer s.release(r.scratch, r.methods)
	key, elem := mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
	for i := range n {
		// What the last entry refers to belongs to the map now.
		if r.methods {
			s.renew()
			key, elem = mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
		} else {
			s.key.SetZero()
			s.elem.SetZero()
		}
		at := pos
		var err *DecodeError
		if pos, err = r.key.read(d, pos, key, depth); err != nil {
			return pos, err.within("[key]")
		}
		if pos, err = r.program.read(d, pos, elem, depth); err != nil {
			return pos, err.within(keyPath(s.key))
		}
		m.SetMapIndex(s.key, s.elem)
		if m.Len() != i+1 {
			return at, d.fail(at, r.shape.Type, ErrDuplicate)
		}
	}
	return pos, nil
}
