package program

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
func castOf(key, elem *Spec) mapCast {
	if !mem.CastMaps {
		return castNone
	}
	cast := castNone
	switch elem.Form {
	case FormBool, FormByte, FormVarint, FormUvarint, FormFixed, FormFloat:
		if elem.Big || elem.Form == FormFixed && uintptr(elem.Width) != elem.Size {
			break
		}
		cast = [...]mapCast{1: cast8, 2: cast16, 4: cast32, 8: cast64}[elem.Size]
	case FormText:
		cast = castText
	}
	if cast == castNone {
		return castNone
	}
	switch {
	case key.Form == FormText:
		return cast
	case key.Form != FormVarint && key.Form != FormUvarint:
		return castNone
	case key.Size == 4:
		return cast + cast32to8 - cast8
	case key.Size == 8:
		return cast + cast64to8 - cast8
	}
	return castNone
}

// A plain is a number whose bits are at hand: how it is written.
type plain struct {
	form   form
	signed bool
	varint bool
	size   uint8
	unused uint8 // bits of a word above the number
	zigzag bool
	len    Len
}

func plainOf(s *Spec) plain {
	p := plain{form: s.Form, zigzag: s.Form == FormVarint, signed: s.Signed, size: uint8(s.Size), len: s.Len, varint: s.Form == FormVarint || s.Form == FormUvarint}
	p.unused = uint8(64-8*s.Size) & 63
	return p
}

// coded is what stands for a number on the wire: the number, or if it is signed
// and a varint its zigzag code.
func (p *plain) coded(v uint64) uint64 {
	if p.zigzag {
		return zigzag(p.extend(v))
	}
	return v
}

// put writes a number, of which there is room for the longest.
func (p *plain) put(dst []byte, n int, v uint64) int {
	if p.varint {
		return putUvarint(dst, n, p.coded(v))
	}
	mem.Put64(dst, n, v)
	return n + int(p.size)
}

func (p *plain) extend(v uint64) int64 { return int64(v<<(p.unused&63)) >> (p.unused & 63) }

// get reads a number. Next is 0 if there is none.
func (p *plain) get(in []byte, pos int) (v uint64, next int) {
	switch p.form {
	case FormVarint, FormUvarint:
		v, next = Uvarint(in, pos)
		if p.size == 8 || next == 0 {
			if p.form == FormVarint {
				v = uint64(Unzigzag(v))
			}
			return v, next
		}
		if p.form == FormVarint {
			i := Unzigzag(v)
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
	if p.form == FormBool && v > 1 {
		return 0, 0
	}
	return v, pos + int(p.size)
}

// fault says why get found nothing.
func (p *plain) fault(in []byte, pos int) (at int, cause error) {
	switch p.form {
	case FormVarint, FormUvarint:
		if _, next := Uvarint(in, pos); next == 0 {
			return UvarintFault(in, pos)
		}
		return pos, ErrOverflow
	case FormBool:
		if pos < len(in) {
			return pos, ErrFlag
		}
	}
	return len(in), ErrTruncated
}

type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// widest is what a number or a length takes at most, with slack.
const widest = 10 + slack

// appendCast returns a negative position if a length does not fit its form.
func (r *ref) putCast(e *encoder, n int, form Len, at mem.Pointer) int {
	switch r.cast {
	case cast8:
		return putTextMap(e, n, form, r, *mem.MapAt[string, uint8](at, 0))
	case cast16:
		return putTextMap(e, n, form, r, *mem.MapAt[string, uint16](at, 0))
	case cast32:
		return putTextMap(e, n, form, r, *mem.MapAt[string, uint32](at, 0))
	case cast64:
		return putTextMap(e, n, form, r, *mem.MapAt[string, uint64](at, 0))
	case castText:
		return putTexts(e, n, form, r, *mem.MapAt[string, string](at, 0))
	case cast32to8:
		return putNumbers(e, n, form, r, *mem.MapAt[uint32, uint8](at, 0))
	case cast32to16:
		return putNumbers(e, n, form, r, *mem.MapAt[uint32, uint16](at, 0))
	case cast32to32:
		return putNumbers(e, n, form, r, *mem.MapAt[uint32, uint32](at, 0))
	case cast32to64:
		return putNumbers(e, n, form, r, *mem.MapAt[uint32, uint64](at, 0))
	case cast32toText:
		return putNumberToText(e, n, form, r, *mem.MapAt[uint32, string](at, 0))
	case cast64to8:
		return putNumbers(e, n, form, r, *mem.MapAt[uint64, uint8](at, 0))
	case cast64to16:
		return putNumbers(e, n, form, r, *mem.MapAt[uint64, uint16](at, 0))
	case cast64to32:
		return putNumbers(e, n, form, r, *mem.MapAt[uint64, uint32](at, 0))
	case cast64to64:
		return putNumbers(e, n, form, r, *mem.MapAt[uint64, uint64](at, 0))
	default:
		return putNumberToText(e, n, form, r, *mem.MapAt[uint64, string](at, 0))
	}
}

func putTextMap[V unsigned](e *encoder, n int, form Len, r *ref, m map[string]V) int {
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	elem, keyLen := &r.plainElem, r.plainKey.len
	short := lenForms[keyLen].width == 1 // or a varint: a small length is itself
	for k, v := range m {
		dst := e.room(n, len(k)+2*widest)
		if short && len(k) < 0x80 {
			mem.Put8(dst, n, byte(len(k)))
			n++
		} else if n, ok = putLen(dst, n, keyLen, len(k)); !ok {
			return -1
		}
		n += copy(dst[n:], k)
		if elem.size == 1 {
			mem.Put8(dst, n, byte(v))
			n++
		} else {
			n = elem.put(dst, n, uint64(v))
		}
	}
	return n
}

func putTexts(e *encoder, n int, form Len, r *ref, m map[string]string) int {
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	keyLen, elemLen := r.plainKey.len, r.plainElem.len
	for k, v := range m {
		dst := e.room(n, len(k)+len(v)+2*widest)
		if n, ok = putLen(dst, n, keyLen, len(k)); !ok {
			return -1
		}
		n += copy(dst[n:], k)
		if n, ok = putLen(dst, n, elemLen, len(v)); !ok {
			return -1
		}
		n += copy(dst[n:], v)
	}
	return n
}

func putNumbers[K uint32 | uint64, V unsigned](e *encoder, n int, form Len, r *ref, m map[K]V) int {
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	key, elem := &r.plainKey, &r.plainElem
	for k, v := range m {
		dst := e.room(n, 2*widest)
		n = putUvarint(dst, n, key.coded(uint64(k)))
		n = elem.put(dst, n, uint64(v))
	}
	return n
}

func putNumberToText[K uint32 | uint64](e *encoder, n int, form Len, r *ref, m map[K]string) int {
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	key, elemLen := &r.plainKey, r.plainElem.len
	for k, v := range m {
		dst := e.room(n, len(v)+2*widest)
		n = putUvarint(dst, n, key.coded(uint64(k)))
		if n, ok = putLen(dst, n, elemLen, len(v)); !ok {
			return -1
		}
		n += copy(dst[n:], v)
	}
	return n
}

func (r *ref) readCast(d *decoder, pos, n int, at mem.Pointer) (int, error) {
	switch r.cast {
	case cast8:
		return getTextMap(d, pos, n, r, mem.MapAt[string, uint8](at, 0))
	case cast16:
		return getTextMap(d, pos, n, r, mem.MapAt[string, uint16](at, 0))
	case cast32:
		return getTextMap(d, pos, n, r, mem.MapAt[string, uint32](at, 0))
	case cast64:
		return getTextMap(d, pos, n, r, mem.MapAt[string, uint64](at, 0))
	case castText:
		return getTexts(d, pos, n, r, mem.MapAt[string, string](at, 0))
	case cast32to8:
		return getMap(d, pos, n, r, mem.MapAt[uint32, uint8](at, 0))
	case cast32to16:
		return getMap(d, pos, n, r, mem.MapAt[uint32, uint16](at, 0))
	case cast32to32:
		return getMap(d, pos, n, r, mem.MapAt[uint32, uint32](at, 0))
	case cast32to64:
		return getMap(d, pos, n, r, mem.MapAt[uint32, uint64](at, 0))
	case cast32toText:
		return getNumberToText(d, pos, n, r, mem.MapAt[uint32, string](at, 0))
	case cast64to8:
		return getMap(d, pos, n, r, mem.MapAt[uint64, uint8](at, 0))
	case cast64to16:
		return getMap(d, pos, n, r, mem.MapAt[uint64, uint16](at, 0))
	case cast64to32:
		return getMap(d, pos, n, r, mem.MapAt[uint64, uint32](at, 0))
	case cast64to64:
		return getMap(d, pos, n, r, mem.MapAt[uint64, uint64](at, 0))
	}
	return getNumberToText(d, pos, n, r, mem.MapAt[uint64, string](at, 0))
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

func getTextMap[V unsigned](d *decoder, pos, n int, r *ref, at *map[string]V) (int, error) {
	m := emptied(at, n)
	elem, keyLen := &r.plainElem, r.plainKey.len
	in := d.in
	short := lenForms[keyLen].width == 1 // or a varint: a small length is itself
	bytes := elem.form == FormByte
	for i := range n {
		from := pos
		var k []byte
		var next int
		if short && pos < len(in) && in[pos] < 0x80 && int(in[pos]) < len(in)-pos {
			next = pos + 1 + int(in[pos])
			k = in[pos+1 : next]
		} else {
			var cause error
			if k, next, cause = block(in, pos, keyLen); cause != nil {
				return next, cause
			}
		}
		if bytes && next < len(in) {
			m[d.text(k)] = V(in[next])
			if pos = next + 1; len(m) != i+1 {
				return from, ErrDuplicate
			}
			continue
		}
		v, after := elem.get(in, next)
		if after == 0 {
			return elem.fault(in, next)
		}
		m[d.text(k)] = V(v)
		if len(m) != i+1 {
			return from, ErrDuplicate
		}
		pos = after
	}
	return pos, nil
}

func getTexts(d *decoder, pos, n int, r *ref, at *map[string]string) (int, error) {
	m := emptied(at, n)
	for i := range n {
		from := pos
		k, next, cause := block(d.in, pos, r.plainKey.len)
		if cause != nil {
			return next, cause
		}
		v, next, cause := block(d.in, next, r.plainElem.len)
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

func getMap[K uint32 | uint64, V unsigned](d *decoder, pos, n int, r *ref, at *map[K]V) (int, error) {
	m := emptied(at, n)
	key, elem := &r.plainKey, &r.plainElem
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

func getNumberToText[K uint32 | uint64](d *decoder, pos, n int, r *ref, at *map[K]string) (int, error) {
	m := emptied(at, n)
	key := &r.plainKey
	for i := range n {
		from := pos
		k, next := key.get(d.in, pos)
		if next == 0 {
			return key.fault(d.in, pos)
		}
		v, after, cause := block(d.in, next, r.plainElem.len)
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
