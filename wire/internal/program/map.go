package program

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A mapScratch is the memory for one key and one element of a map that is read with reflection. It
// comes from a pool, so that the iteration allocates nothing.
type mapScratch struct {
	iter      reflect.MapIter
	key, elem reflect.Value
}

// scratchOf returns a pool of scratch memory for maps of s.
func scratchOf(s *spec.Spec) *sync.Pool {
	key, elem := s.Key.Type, s.Elem.Type
	return &sync.Pool{New: func() any {
		return &mapScratch{key: reflect.New(key).Elem(), elem: reflect.New(elem).Elem()}
	}}
}

// renew allocates a new key and a new element, since a method may have kept the old ones.
func (s *mapScratch) renew() {
	s.key, s.elem = reflect.New(s.key.Type()).Elem(), reflect.New(s.elem.Type()).Elem()
}

// release clears the scratch and returns it to its pool. If methods is set, methods of a type may
// have kept addresses within the scratch, so release drops the scratch.
func (s *mapScratch) release(to *sync.Pool, methods bool) {
	if methods {
		return
	}
	// A reference to a map of the caller would keep the map alive, and a later panic could show
	// it to another goroutine.
	s.iter.Reset(reflect.Value{})
	s.key.SetZero()
	s.elem.SetZero()
	to.Put(s)
}

// putMap writes a map with reflection. In canonical form it sorts the entries after writing all
// of them.
func (r *ref) putMap(e *Encoder, n int, form scalar.Len, at mem.Pointer) (int, *EncodeError) {
	if e.depth == 0 {
		return n, r.fail(fault.ErrDepth)
	}
	// The map must not change during the call, like any other value. If its length changes, no
	// decoder accepts the encoding.
	m := at.Value(0, r.spec.Type)
	count := m.Len()
	next, ok := scalar.PutLen(e.buf, n, form, count)
	if !ok {
		return n, r.fail(fault.TooLong(count, scalar.Most(form)))
	}
	n = next
	if count == 0 {
		return n, nil
	}
	// Each call takes a scratch from the pool, since a map that contains itself runs this
	// function recursively.
	s := r.scratch.Get().(*mapScratch)
	defer s.release(r.scratch, r.methods)
	// The programs of key and element run on the scratch values.
	key, elem := mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
	// entries is only used in canonical form.
	var entries []entry
	start := n
	s.iter.Reset(m)
	for s.iter.Next() {
		if r.methods {
			s.renew()
			key, elem = mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
		}
		// The key is copied into the scratch, since an entry of a map has no address.
		s.key.SetIterKey(&s.iter)
		s.elem.SetIterValue(&s.iter)
		value, err := r.key.put(e, n, key)
		if err != nil {
			return n, err.within("[key]")
		}
		// e.buf may have moved, so entries are kept as offsets.
		end, err := r.program.put(e, value, elem)
		if err != nil {
			return n, err.within(keyPath(s.key))
		}
		if r.canonical {
			entries = append(entries, entry{n - start, value - start, end - start})
		}
		n = end
	}
	if r.canonical && !sortEntries(e.buf[start:n], entries) {
		return n, r.fail(fault.ErrDuplicate)
	}
	return n, nil
}

// An entry is the position of a map entry in the encoding: the key is in [key:value], the element
// in [value:end].
type entry struct{ key, value, end int }

// sortEntries sorts the entries in b by the bytes of their keys. ok is false if two keys have
// the same bytes, as NaNs do in canonical form.
func sortEntries(b []byte, entries []entry) (ok bool) {
	key := func(e entry) []byte { return b[e.key:e.value] }
	slices.SortFunc(entries, func(x, y entry) int { return bytes.Compare(key(x), key(y)) })
	// The sorted entries are collected in a copy, since entries of different lengths cannot be
	// swapped in b.
	sorted := make([]byte, 0, len(b))
	for i, e := range entries {
		if i > 0 && bytes.Equal(key(entries[i-1]), key(e)) {
			return false
		}
		sorted = append(sorted, b[e.key:e.end]...)
	}
	copy(b, sorted)
	return true
}

// keyPath returns the part of a path for a key. The key is only shown if it is a string or an
// integer.
func keyPath(key reflect.Value) string {
	switch {
	case key.Kind() == reflect.String:
		return path.Name(key.String())
	case key.CanInt():
		return "[" + strconv.FormatInt(key.Int(), 10) + "]"
	case key.CanUint():
		return "[" + strconv.FormatUint(key.Uint(), 10) + "]"
	}
	return "[…]"
}

// readMap decodes into the map at the address at, with its cast or with reflection. If the input has
// entries, an existing map is emptied and reused. If the input has none, the map becomes nil, or an
// empty map if r.empty is set.
func (r *ref) readMap(d *Decoder, pos int, form scalar.Len, at mem.Pointer) (int, *DecodeError) {
	// least is the minimum length of an entry. A count that exceeds the rest of the input
	// allocates nothing.
	least := r.key.least + r.program.least
	n, next, cause := scalar.Count(d.in, pos, form, least)
	if cause == nil && n > 0 && !d.TakeMap(n, r.spec.Key.Size, r.spec.Elem.Size) {
		cause = fault.ErrBudget
	}
	if cause == nil && d.depth == 0 {
		cause = fault.ErrDepth
	}
	if cause != nil {
		return next, d.fail(next, r.spec.Type, cause)
	}
	if n == 0 && !r.empty {
		at.SetNil(0)
		return next, nil
	}
	if r.cast != nil {
		if next, cause = r.cast.read(d, next, n, r, at); cause != nil {
			return next, d.fail(next, r.spec.Type, cause)
		}
		return next, nil
	}
	return r.readEntries(d, next, n, at)
}

// readEntries reads n entries of a map with reflection.
func (r *ref) readEntries(d *Decoder, pos, n int, at mem.Pointer) (int, *DecodeError) {
	// An existing map is reused with its memory. Other references to it see the new entries.
	m := at.Value(0, r.spec.Type)
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(r.spec.Type, n))
	} else {
		m.Clear()
	}
	s := r.scratch.Get().(*mapScratch)
	defer s.release(r.scratch, r.methods)
	key, elem := mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
	// last is the encoding of the previous key, in canonical form.
	var last []byte
	for i := range n {
		// The previous entry now belongs to the map, so the memory that it refers to must not
		// be reused.
		if r.methods {
			s.renew()
			key, elem = mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
		} else {
			s.key.SetZero()
			s.elem.SetZero()
		}
		from := pos
		var err *DecodeError
		if pos, err = r.key.read(d, pos, key); err != nil {
			return pos, err.within("[key]")
		}
		if r.canonical {
			// The comparison also finds duplicate keys.
			if b := d.in[from:pos]; i > 0 && bytes.Compare(last, b) >= 0 {
				return from, d.fail(from, r.spec.Type, fault.ErrUnsorted)
			}
			last = d.in[from:pos]
		}
		if pos, err = r.program.read(d, pos, elem); err != nil {
			return pos, err.within(keyPath(s.key))
		}
		// SetMapIndex panics if the dynamic type of a key is not comparable.
		if r.dynamicKey && !s.key.Comparable() {
			return from, d.fail(from, r.spec.Key.Type, fault.ErrKey)
		}
		// SetMapIndex copies the key and the element into the map.
		m.SetMapIndex(s.key, s.elem)
		// If the length did not grow, the key is a duplicate.
		if m.Len() != i+1 {
			return from, d.fail(from, r.spec.Type, fault.ErrDuplicate)
		}
	}
	return pos, nil
}
