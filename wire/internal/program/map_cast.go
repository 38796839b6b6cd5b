package program

import (
	"runtime"

	"github.com/hone-go/hone/internal/memory/mem"
)

// A mapCast runs over maps of plain keys and elements, which it sees through a
// native map type: numbers as unsigned ones of their size.
type mapCast interface {
	// put returns a negative position if a length does not fit its form.
	put(e *encoder, n int, form Len, r *ref, at mem.Pointer) int
	// read reads count entries.
	read(d *decoder, pos, count int, r *ref, at mem.Pointer) (int, error)
	walk(w BinaryWriter, r *ref, at mem.Pointer)
}

// casts has the casts by the sizes of keys and elements; 0 stands for strings.
var casts = map[[2]uintptr]mapCast{
	{0, 0}: texts{}, {0, 1}: textToNumber[uint8]{}, {0, 2}: textToNumber[uint16]{}, {0, 4}: textToNumber[uint32]{}, {0, 8}: textToNumber[uint64]{},
	{4, 0}: numberToText[uint32]{}, {4, 1}: numbers[uint32, uint8]{}, {4, 2}: numbers[uint32, uint16]{}, {4, 4}: numbers[uint32, uint32]{}, {4, 8}: numbers[uint32, uint64]{},
	{8, 0}: numberToText[uint64]{}, {8, 1}: numbers[uint64, uint8]{}, {8, 2}: numbers[uint64, uint16]{}, {8, 4}: numbers[uint64, uint32]{}, {8, 8}: numbers[uint64, uint64]{},
}

// castOf returns the cast for a map with these keys and elements, or nil.
func castOf(key, elem *Spec) mapCast {
	varint := key.Form == FormVarint || key.Form == FormUvarint
	if !mem.CastMaps || key.Form != FormText && !varint {
		return nil
	}
	sizes := [2]uintptr{key.Size, elem.Size}
	if key.Form == FormText {
		sizes[0] = 0
	}
	switch elem.Form {
	case FormText:
		sizes[1] = 0
	case FormBool, FormByte, FormVarint, FormUvarint, FormFixed, FormFloat:
		if elem.Big || elem.Form == FormFixed && uintptr(elem.Width) != elem.Size {
			return nil
		}
	default:
		return nil
	}
	return casts[sizes]
}

// A scalar is a string or a number of which only the bits are at hand: how it is
// written.
type scalar struct {
	form   Form
	signed bool
	varint bool
	short  bool // of a string: a length below 128 takes one byte, which is that number
	len    Len
	size   uint8 // of a number, in bytes
	unused uint8 // bits of a word above the number
}

func scalarOf(s *Spec) scalar {
	return scalar{
		form: s.Form, signed: s.Signed, varint: s.Form == FormVarint || s.Form == FormUvarint,
		short: s.Form == FormText && s.Len.least() == 1, len: s.Len, size: uint8(s.Size), unused: uint8(64-8*s.Size) & 63,
	}
}

func (p *scalar) extend(v uint64) int64 { return int64(v<<(p.unused&63)) >> (p.unused & 63) }

// widest is what a number or a length takes at most, with slack.
const widest = 10 + slack

// coded is what stands for a number on the wire: the number, or if it is signed
// and a varint its zigzag code.
func (p *scalar) coded(v uint64) uint64 {
	if p.form == FormVarint {
		return zigzag(p.extend(v))
	}
	return v
}

// put writes a number, for which there is room.
func (p *scalar) put(dst []byte, n int, v uint64) int {
	if p.varint {
		return putUvarint(dst, n, p.coded(v))
	}
	mem.Put64(dst, n, v)
	return n + int(p.size)
}

// putText writes a string. It is not ok if that does not fit its length, or was
// not ok before.
func (p *scalar) putText(e *encoder, n int, s string, ok bool) (int, bool) {
	if !ok {
		return n, false
	}
	dst := e.room(n, len(s)+2*widest)
	if n, ok = putLen(dst, n, p.len, len(s)); ok {
		n += copy(dst[n:], s)
	}
	return n, ok
}

// text returns the bytes of the string at pos, and where it ends.
func (p *scalar) text(in []byte, pos int) (b []byte, next int, cause error) {
	if p.short && pos < len(in) && in[pos] < 0x80 && int(in[pos]) < len(in)-pos {
		next = pos + 1 + int(in[pos])
		return in[pos+1 : next], next, nil
	}
	return block(in, pos, p.len)
}

// number returns the number at pos, and where it ends.
func (p *scalar) number(in []byte, pos int) (v uint64, next int, cause error) {
	if p.varint {
		if v, next = Uvarint(in, pos); next == 0 {
			next, cause = UvarintFault(in, pos)
			return 0, next, cause
		}
		if p.form == FormVarint {
			i := Unzigzag(v)
			if v = uint64(i); p.extend(v) != i {
				return 0, pos, ErrOverflow
			}
		} else if v<<p.unused>>p.unused != v {
			return 0, pos, ErrOverflow
		}
		return v, next, nil
	}
	if len(in)-pos < int(p.size) {
		return 0, len(in), ErrTruncated
	}
	for i := range int(p.size) {
		v |= uint64(in[pos+i]) << (8 * i)
	}
	if p.form == FormBool && v > 1 {
		return 0, pos, ErrFlag
	}
	return v, pos + int(p.size), nil
}

// read reads what put and putText write.
func (p *scalar) read(d *decoder, pos int, at mem.Pointer) (next int, cause error) {
	if p.form == FormText {
		b, next, cause := p.text(d.in, pos)
		if cause == nil {
			mem.Store(at, 0, d.text(b))
		}
		return next, cause
	}
	v, next, cause := p.number(d.in, pos)
	if cause == nil {
		mem.SetBits(at, uintptr(p.size), v)
	}
	return next, cause
}

// walk hands over the scalar at at.
func (p *scalar) walk(w BinaryWriter, at mem.Pointer) {
	if p.form == FormText {
		w.WriteString(mem.Load[string](at, 0))
		return
	}
	switch v := mem.Bits(at, uintptr(p.size)); {
	case p.form == FormVarint:
		w.WriteInt(p.extend(v))
	case p.form == FormUvarint:
		w.WriteUint(v)
	case p.form == FormBool:
		w.WriteBool(v == 1)
	case p.form == FormByte && p.signed:
		w.WriteInt8(int8(v))
	case p.form == FormByte:
		w.WriteUint8(uint8(v))
	default:
		walkFixed(w, numberFloat, v, 8*int(p.size))
	}
}

type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// A cast reads and walks any map of plain keys and elements, by way of one key and one
// element in memory. Each kind of map has its own loop for writing, and maps of names to
// numbers, which are the most common, have one for reading too.
type cast[K string | uint32 | uint64, V string | uint8 | uint16 | uint32 | uint64] struct{}

func (cast[K, V]) read(d *decoder, pos, count int, r *ref, at mem.Pointer) (int, error) {
	m := emptied(mem.MapAt[K, V](at, 0), count)
	var k K
	var v V
	key, elem := mem.Of(mem.NoEscape(&k)), mem.Of(mem.NoEscape(&v))
	for i := range count {
		from := pos
		next, cause := r.keyScalar.read(d, pos, key)
		if cause == nil {
			next, cause = r.elemScalar.read(d, next, elem)
		}
		if cause != nil {
			return next, cause
		}
		pos = next
		if m[k] = v; len(m) != i+1 {
			return from, ErrDuplicate
		}
	}
	return pos, nil
}

func (cast[K, V]) walk(w BinaryWriter, r *ref, at mem.Pointer) {
	m := *mem.MapAt[K, V](at, 0)
	w.WriteUint(uint64(len(m)))
	var k K
	var v V
	key, elem := mem.Of(mem.NoEscape(&k)), mem.Of(mem.NoEscape(&v))
	for k, v = range m {
		r.keyScalar.walk(w, key)
		r.elemScalar.walk(w, elem)
	}
	runtime.KeepAlive(&k) // see mem.NoEscape
	runtime.KeepAlive(&v)
}

type textToNumber[V unsigned] struct{ cast[string, V] }

func (textToNumber[V]) put(e *encoder, n int, form Len, r *ref, at mem.Pointer) int {
	m := *mem.MapAt[string, V](at, 0)
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	key, elem := &r.keyScalar, &r.elemScalar
	for k, v := range m {
		dst := e.room(n, len(k)+2*widest)
		if key.short && len(k) < 0x80 {
			mem.Put8(dst, n, byte(len(k)))
			n++
		} else if n, ok = putLen(dst, n, key.len, len(k)); !ok {
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

func (textToNumber[V]) read(d *decoder, pos, count int, r *ref, at mem.Pointer) (int, error) {
	m := emptied(mem.MapAt[string, V](at, 0), count)
	elem, in := &r.elemScalar, d.in
	for i := range count {
		from := pos
		name, next, cause := r.keyScalar.text(in, pos)
		if cause != nil {
			return next, cause
		}
		var v uint64
		if elem.form == FormByte && next < len(in) {
			v, pos = uint64(in[next]), next+1
		} else if v, pos, cause = elem.number(in, next); cause != nil {
			return pos, cause
		}
		if m[d.text(name)] = V(v); len(m) != i+1 {
			return from, ErrDuplicate
		}
	}
	return pos, nil
}

type texts struct{ cast[string, string] }

func (texts) put(e *encoder, n int, form Len, r *ref, at mem.Pointer) int {
	m := *mem.MapAt[string, string](at, 0)
	n, ok := putLen(e.buf, n, form, len(m))
	for k, v := range m {
		n, ok = r.keyScalar.putText(e, n, k, ok)
		n, ok = r.elemScalar.putText(e, n, v, ok)
	}
	if !ok {
		return -1
	}
	return n
}

type numbers[K uint32 | uint64, V unsigned] struct{ cast[K, V] }

func (numbers[K, V]) put(e *encoder, n int, form Len, r *ref, at mem.Pointer) int {
	m := *mem.MapAt[K, V](at, 0)
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	key, elem := &r.keyScalar, &r.elemScalar
	for k, v := range m {
		dst := e.room(n, 2*widest)
		n = putUvarint(dst, n, key.coded(uint64(k)))
		n = elem.put(dst, n, uint64(v))
	}
	return n
}

type numberToText[K uint32 | uint64] struct{ cast[K, string] }

func (numberToText[K]) put(e *encoder, n int, form Len, r *ref, at mem.Pointer) int {
	m := *mem.MapAt[K, string](at, 0)
	n, ok := putLen(e.buf, n, form, len(m))
	for k, v := range m {
		n = putUvarint(e.room(n, widest), n, r.keyScalar.coded(uint64(k)))
		n, ok = r.elemScalar.putText(e, n, v, ok)
	}
	if !ok {
		return -1
	}
	return n
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
