package wire

import "github.com/hone-go/hone/internal/mem"

// A mapCast says as what a map with plain keys and elements may be seen: numbers
// as unsigned ones of their size, so that a few functions do for all of them. 0
// is a map that goes through package reflect.
type mapCast uint8

const (
	castNone mapCast = iota
	cast8            // by the size of the elements; the keys are strings
	cast16
	cast32
	cast64
	castText
	cast32to8 // keys of 32 bits
	cast32to16
	cast32to32
	cast32to64
	cast32toText
	cast64to8 // keys of 64 bits
	cast64to16
	cast64to32
	cast64to64
	cast64toText
)

// castOf returns the cast for a map with these keys and elements.
func castOf(key, elem *spec) mapCast {
	if !mem.CastMaps {
		return castNone
	}
	cast := castNone
	switch elem.form {
	case formBool, formByte, formVarint, formUvarint, formFixed, formFloat:
		if elem.big || elem.form == formFixed && uintptr(elem.width) != elem.size {
			break
		}
		cast = [...]mapCast{1: cast8, 2: cast16, 4: cast32, 8: cast64}[elem.size]
	case formText:
		cast = castText
	}
	if cast == castNone {
		return castNone
	}
	switch {
	case key.form == formText:
		return cast
	case key.form != formVarint && key.form != formUvarint:
		return castNone
	case key.size == 4:
		return cast + cast32to8 - cast8
	case key.size == 8:
		return cast + cast64to8 - cast8
	}
	return castNone
}

// A codec of plain values whose bits are at hand.
type plain struct {
	form   form
	signed bool
	size   uint8
	len    Len
}

func plainOf(s *spec) plain { return plain{s.form, s.signed, uint8(s.size), s.len} }

// put writes a number, of which there is room for the longest.
func (p plain) put(dst []byte, n int, v uint64) int {
	switch p.form {
	case formVarint:
		return putUvarint(dst, n, zigzag(p.extend(v)))
	case formUvarint:
		return putUvarint(dst, n, v)
	}
	mem.Put64(dst, n, v)
	return n + int(p.size)
}

func (p plain) extend(v uint64) int64 {
	unused := (64 - 8*uint(p.size)) & 63
	return int64(v<<unused) >> unused
}

// get reads a number. Next is 0 if there is none.
func (p plain) get(in []byte, pos int) (v uint64, next int) {
	switch p.form {
	case formVarint, formUvarint:
		v, next = uvarint(in, pos)
		if p.size == 8 || next == 0 {
			if p.form == formVarint {
				v = uint64(unzigzag(v))
			}
			return v, next
		}
		if p.form == formVarint {
			i := unzigzag(v)
			if p.extend(uint64(i)) != i {
				return 0, 0
			}
			return uint64(i), next
		}
		if v>>(8*p.size&63) != 0 {
			return 0, 0
		}
		return v, next
	}
	if len(in)-pos < int(p.size) {
		return 0, 0
	}
	for i := range int(p.size) {
		v |= uint64(in[pos+i]) << (8 * i)
	}
	if p.form == formBool && v > 1 {
		return 0, 0
	}
	return v, pos + int(p.size)
}

// fault says why get found nothing.
func (p plain) fault(in []byte, pos int) (at int, cause error) {
	switch p.form {
	case formVarint, formUvarint:
		if _, next := uvarint(in, pos); next == 0 {
			return uvarintFault(in, pos)
		}
		return pos, ErrOverflow
	case formBool:
		if pos < len(in) {
			return pos, ErrFlag
		}
	}
	return len(in), errTruncated
}

type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// widest is what a number or a length takes at most, with slack.
const widest = 10 + slack

func (r *ref) appendCast(e *encoder, n int, form Len, at mem.Pointer) (int, *EncodeError) {
	start := n
	switch r.cast {
	case cast8:
		n = putTextMap(e, n, form, r.spec, *mem.MapAt[string, uint8](at, 0))
	case cast16:
		n = putTextMap(e, n, form, r.spec, *mem.MapAt[string, uint16](at, 0))
	case cast32:
		n = putTextMap(e, n, form, r.spec, *mem.MapAt[string, uint32](at, 0))
	case cast64:
		n = putTextMap(e, n, form, r.spec, *mem.MapAt[string, uint64](at, 0))
	case castText:
		n = putTexts(e, n, form, r.spec, *mem.MapAt[string, string](at, 0))
	case cast32to8:
		n = putMap(e, n, form, r.spec, *mem.MapAt[uint32, uint8](at, 0))
	case cast32to16:
		n = putMap(e, n, form, r.spec, *mem.MapAt[uint32, uint16](at, 0))
	case cast32to32:
		n = putMap(e, n, form, r.spec, *mem.MapAt[uint32, uint32](at, 0))
	case cast32to64:
		n = putMap(e, n, form, r.spec, *mem.MapAt[uint32, uint64](at, 0))
	case cast32toText:
		n = putNumberToText(e, n, form, r.spec, *mem.MapAt[uint32, string](at, 0))
	case cast64to8:
		n = putMap(e, n, form, r.spec, *mem.MapAt[uint64, uint8](at, 0))
	case cast64to16:
		n = putMap(e, n, form, r.spec, *mem.MapAt[uint64, uint16](at, 0))
	case cast64to32:
		n = putMap(e, n, form, r.spec, *mem.MapAt[uint64, uint32](at, 0))
	case cast64to64:
		n = putMap(e, n, form, r.spec, *mem.MapAt[uint64, uint64](at, 0))
	case cast64toText:
		n = putNumberToText(e, n, form, r.spec, *mem.MapAt[uint64, string](at, 0))
	}
	if n < 0 {
		return start, r.fail(ErrTooLong)
	}
	return n, nil
}

// The functions below write and read maps. They return a negative position if a
// length does not fit its form.

func putTextMap[V unsigned](e *encoder, n int, form Len, s *spec, m map[string]V) int {
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	elem, keyLen := plainOf(s.elem), s.key.len
	most := lenForms[keyLen].most
	for k, v := range m {
		dst := e.room(n, len(k)+2*widest)
		if len(k) < 0x80 && lenForms[keyLen].width == 1 {
			mem.Put8(dst, n, byte(len(k)))
			n++
		} else if uint64(len(k)) > most {
			return -1
		} else {
			n, _ = putLen(dst, n, keyLen, len(k))
		}
		n += copy(dst[n:], k)
		if elem.size == 1 {
			mem.Put8(dst, n, byte(v))
			n++
			continue
		}
		n = elem.put(dst, n, uint64(v))
	}
	return n
}

func putTexts(e *encoder, n int, form Len, s *spec, m map[string]string) int {
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	for k, v := range m {
		dst := e.room(n, len(k)+len(v)+2*widest)
		if n, ok = putLen(dst, n, s.key.len, len(k)); !ok {
			return -1
		}
		n += copy(dst[n:], k)
		if n, ok = putLen(dst, n, s.elem.len, len(v)); !ok {
			return -1
		}
		n += copy(dst[n:], v)
	}
	return n
}

func putMap[K uint32 | uint64, V unsigned](e *encoder, n int, form Len, s *spec, m map[K]V) int {
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	key, elem := plainOf(s.key), plainOf(s.elem)
	for k, v := range m {
		dst := e.room(n, 2*widest)
		n = key.put(dst, n, uint64(k))
		n = elem.put(dst, n, uint64(v))
	}
	return n
}

func putNumberToText[K uint32 | uint64](e *encoder, n int, form Len, s *spec, m map[K]string) int {
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	key := plainOf(s.key)
	for k, v := range m {
		dst := e.room(n, len(v)+2*widest)
		n = key.put(dst, n, uint64(k))
		if n, ok = putLen(dst, n, s.elem.len, len(v)); !ok {
			return -1
		}
		n += copy(dst[n:], v)
	}
	return n
}

func (r *ref) readCast(d *decoder, pos, n int, at mem.Pointer) (int, error) {
	switch r.cast {
	case cast8:
		return getTextMap(d, pos, n, r.spec, mem.MapAt[string, uint8](at, 0))
	case cast16:
		return getTextMap(d, pos, n, r.spec, mem.MapAt[string, uint16](at, 0))
	case cast32:
		return getTextMap(d, pos, n, r.spec, mem.MapAt[string, uint32](at, 0))
	case cast64:
		return getTextMap(d, pos, n, r.spec, mem.MapAt[string, uint64](at, 0))
	case castText:
		return getTexts(d, pos, n, r.spec, mem.MapAt[string, string](at, 0))
	case cast32to8:
		return getMap(d, pos, n, r.spec, mem.MapAt[uint32, uint8](at, 0))
	case cast32to16:
		return getMap(d, pos, n, r.spec, mem.MapAt[uint32, uint16](at, 0))
	case cast32to32:
		return getMap(d, pos, n, r.spec, mem.MapAt[uint32, uint32](at, 0))
	case cast32to64:
		return getMap(d, pos, n, r.spec, mem.MapAt[uint32, uint64](at, 0))
	case cast32toText:
		return getNumberToText(d, pos, n, r.spec, mem.MapAt[uint32, string](at, 0))
	case cast64to8:
		return getMap(d, pos, n, r.spec, mem.MapAt[uint64, uint8](at, 0))
	case cast64to16:
		return getMap(d, pos, n, r.spec, mem.MapAt[uint64, uint16](at, 0))
	case cast64to32:
		return getMap(d, pos, n, r.spec, mem.MapAt[uint64, uint32](at, 0))
	case cast64to64:
		return getMap(d, pos, n, r.spec, mem.MapAt[uint64, uint64](at, 0))
	}
	return getNumberToText(d, pos, n, r.spec, mem.MapAt[uint64, string](at, 0))
}

// emptied returns a map with nothing in it and room for n entries: the one that
// is there, or a new one.
func emptied[K comparable, V any](m *map[K]V, n int) map[K]V {
	if *m == nil {
		*m = make(map[K]V, n)
	} else {
		clear(*m)
	}
	return *m
}

func getTextMap[V unsigned](d *decoder, pos, n int, s *spec, at *map[string]V) (int, error) {
	m := emptied(at, n)
	elem, keyLen := plainOf(s.elem), s.key.len
	for i := range n {
		from := pos
		k, next, cause := block(d.in, pos, keyLen)
		if cause != nil {
			return next, cause
		}
		v, after := elem.get(d.in, next)
		if after == 0 {
			return elem.fault(d.in, next)
		}
		m[d.text(k)] = V(v)
		if len(m) != i+1 {
			return from, ErrDuplicate
		}
		pos = after
	}
	return pos, nil
}

func getTexts(d *decoder, pos, n int, s *spec, at *map[string]string) (int, error) {
	m := emptied(at, n)
	for i := range n {
		from := pos
		k, next, cause := block(d.in, pos, s.key.len)
		if cause != nil {
			return next, cause
		}
		v, next, cause := block(d.in, next, s.elem.len)
		if cause != nil {
			return next, cause
		}
		m[d.text(k)] = d.text(v)
		if len(m) != i+1 {
			return from, ErrDuplicate
		}
		pos = next
	}
	return pos, nil
}

func getMap[K uint32 | uint64, V unsigned](d *decoder, pos, n int, s *spec, at *map[K]V) (int, error) {
	m := emptied(at, n)
	key, elem := plainOf(s.key), plainOf(s.elem)
	for i := range n {
		from := pos
		k, next := key.get(d.in, pos)
		if next == 0 {
			return key.fault(d.in, pos)
		}
		v, after := elem.get(d.in, next)
		if after == 0 {
			return elem.fault(d.in, next)
		}
		m[K(k)] = V(v)
		if len(m) != i+1 {
			return from, ErrDuplicate
		}
		pos = after
	}
	return pos, nil
}

func getNumberToText[K uint32 | uint64](d *decoder, pos, n int, s *spec, at *map[K]string) (int, error) {
	m := emptied(at, n)
	key := plainOf(s.key)
	for i := range n {
		from := pos
		k, next := key.get(d.in, pos)
		if next == 0 {
			return key.fault(d.in, pos)
		}
		v, after, cause := block(d.in, next, s.elem.len)
		if cause != nil {
			return after, cause
		}
		m[K(k)] = d.text(v)
		if len(m) != i+1 {
			return from, ErrDuplicate
		}
		pos = after
	}
	return pos, nil
}
