package program

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
)

// A mapScratch is what walking a map by reflection needs: room for one key and
// one element, so that iteration allocates nothing.
type mapScratch struct {
	iter      reflect.MapIter
	key, elem reflect.Value
}

func scratchOf(s *Spec) *sync.Pool {
	key, elem := s.Key.Type, s.Elem.Type
	return &sync.Pool{New: func() any {
		return &mapScratch{key: reflect.New(key).Elem(), elem: reflect.New(elem).Elem()}
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

func (r *ref) putMap(e *encoder, n int, form Len, at mem.Pointer) (int, *EncodeError) {
	if e.depth == 0 {
		return n, r.fail(ErrDepth)
	}
	m := at.Value(0, r.spec.Type)
	count := m.Len()
	next, ok := putLen(e.buf, n, form, count)
	if !ok {
		return n, r.fail(ErrTooLong)
	}
	n = next
	if count == 0 {
		return n, nil
	}
	// A map that contains itself reaches this code again while its scratch is
	// in use, so each level takes one of its own.
	s := r.scratch.Get().(*mapScratch)
	defer s.release(r.scratch, r.methods)
	key, elem := mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
	var entries []entry
	start := n
	s.iter.Reset(m)
	for s.iter.Next() {
		if r.methods {
			s.renew()
			key, elem = mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
		}
		s.key.SetIterKey(&s.iter)
		s.elem.SetIterValue(&s.iter)
		value, err := r.key.put(e, n, key)
		if err != nil {
			return n, err.within("[key]")
		}
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
		return n, r.fail(ErrDuplicate)
	}
	return n, nil
}

// An entry of a map says where its encoding lies: its key from key to value, its
// value from there to end.
type entry struct{ key, value, end int }

// sortEntries brings the entries that lie in b into the order of the bytes of
// their keys. Two keys with the same bytes, as NaNs are in canonical form, are
// not ok.
func sortEntries(b []byte, entries []entry) (ok bool) {
	key := func(e entry) []byte { return b[e.key:e.value] }
	slices.SortFunc(entries, func(x, y entry) int { return bytes.Compare(key(x), key(y)) })
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

func (r *ref) readMap(d *decoder, pos int, form Len, at mem.Pointer) (int, *DecodeError) {
	least := r.key.least + r.program.least
	n, next, cause := Count(d.in, pos, form, least)
	if cause == nil && n > 0 && !d.takeMap(n, r.spec.Key.Size, r.spec.Elem.Size) {
		cause = errBudget
	}
	if cause == nil && d.depth == 0 {
		cause = ErrDepth
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

// readEntries reads the n entries of a map by reflection.
func (r *ref) readEntries(d *decoder, pos, n int, at mem.Pointer) (int, *DecodeError) {
	m := at.Value(0, r.spec.Type)
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(r.spec.Type, n))
	} else {
		m.Clear()
	}
	s := r.scratch.Get().(*mapScratch)
	defer s.release(r.scratch, r.methods)
	key, elem := mem.OfPointer(s.key.Addr()), mem.OfPointer(s.elem.Addr())
	var last []byte
	for i := range n {
		// What the last entry refers to belongs to the map now.
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
			if b := d.in[from:pos]; i > 0 && bytes.Compare(last, b) >= 0 {
				return from, d.fail(from, r.spec.Type, ErrUnsorted)
			}
			last = d.in[from:pos]
		}
		if pos, err = r.program.read(d, pos, elem); err != nil {
			return pos, err.within(keyPath(s.key))
		}
		if r.dynamicKey && !s.key.Comparable() {
			return from, d.fail(from, r.spec.Key.Type, ErrKey)
		}
		m.SetMapIndex(s.key, s.elem)
		if m.Len() != i+1 {
			return from, d.fail(from, r.spec.Type, ErrDuplicate)
		}
	}
	return pos, nil
}
