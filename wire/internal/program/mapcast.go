package program

import (
	"runtime"

	"github.com/hone-go/hone/internal/mem"
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
	{0, 0}: cast[string, string]{}, {0, 1}: cast[string, uint8]{}, {0, 2}: cast[string, uint16]{}, {0, 4}: cast[string, uint32]{}, {0, 8}: cast[string, uint64]{},
	{4, 0}: cast[uint32, string]{}, {4, 1}: cast[uint32, uint8]{}, {4, 2}: cast[uint32, uint16]{}, {4, 4}: cast[uint32, uint32]{}, {4, 8}: cast[uint32, uint64]{},
	{8, 0}: cast[uint64, string]{}, {8, 1}: cast[uint64, uint8]{}, {8, 2}: cast[uint64, uint16]{}, {8, 4}: cast[uint64, uint32]{}, {8, 8}: cast[uint64, uint64]{},
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

// A plain is a string or a number of which only the bits are at hand: how it is
// written.
type plain struct {
	form   Form
	signed bool
	varint bool
	short  bool // of a string: a length below 128 takes one byte, which is that number
	len    Len
	size   uint8 // of a number, in bytes
	unused uint8 // bits of a word above the number
}

func plainOf(s *Spec) plain {
	return plain{
		form: s.Form, signed: s.Signed, varint: s.Form == FormVarint || s.Form == FormUvarint,
		short: s.Form == FormText && s.Len.least() == 1, len: s.Len, size: uint8(s.Size), unused: uint8(64-8*s.Size) & 63,
	}
}

func (p *plain) load(at mem.Pointer) uint64 {
	switch p.size {
	case 1:
		return uint64(mem.Bits8(at))
	case 2:
		return uint64(mem.Bits16(at))
	case 4:
		return uint64(mem.Bits32(at))
	}
	return mem.Bits64(at)
}

func (p *plain) store(at mem.Pointer, v uint64) {
	switch p.size {
	case 1:
		mem.SetBits8(at, uint8(v))
	case 2:
		mem.SetBits16(at, uint16(v))
	case 4:
		mem.SetBits32(at, uint32(v))
	default:
		mem.SetBits64(at, v)
	}
}

func (p *plain) extend(v uint64) int64 { return int64(v<<(p.unused&63)) >> (p.unused & 63) }

// widest is what a number or a length takes at most, with slack.
const widest = 10 + slack

// put writes what is at at. It returns a negative position if that does not fit
// its length. There is room for a number.
func (p *plain) put(e *encoder, n int, at mem.Pointer) int {
	switch {
	case p.form == FormVarint:
		return putUvarint(e.buf, n, zigzag(p.extend(p.load(at))))
	case p.form == FormUvarint:
		return putUvarint(e.buf, n, p.load(at))
	case p.form != FormText:
		mem.Put64(e.buf, n, p.load(at))
		return n + int(p.size)
	}
	s := mem.Load[string](at, 0)
	dst := e.room(n, len(s)+2*widest)
	n, ok := putLen(dst, n, p.len, len(s))
	if !ok {
		return -1
	}
	return n + copy(dst[n:], s)
}

// read reads what put writes.
func (p *plain) read(d *decoder, pos int, at mem.Pointer) (next int, cause error) {
	in := d.in
	if p.form == FormText {
		if p.short && pos < len(in) && in[pos] < 0x80 && int(in[pos]) < len(in)-pos {
			next = pos + 1 + int(in[pos])
			mem.Store(at, 0, d.text(in[pos+1:next]))
			return next, nil
		}
		b, next, cause := block(in, pos, p.len)
		if cause == nil {
			mem.Store(at, 0, d.text(b))
		}
		return next, cause
	}
	if p.varint {
		v, next := Uvarint(in, pos)
		if next == 0 {
			return UvarintFault(in, pos)
		}
		if p.form == FormVarint {
			i := Unzigzag(v)
			if v = uint64(i); p.extend(v) != i {
				return pos, ErrOverflow
			}
		} else if v<<p.unused>>p.unused != v {
			return pos, ErrOverflow
		}
		p.store(at, v)
		return next, nil
	}
	if len(in)-pos < int(p.size) {
		return len(in), ErrTruncated
	}
	v := uint64(0)
	for i := range int(p.size) {
		v |= uint64(in[pos+i]) << (8 * i)
	}
	if p.form == FormBool && v > 1 {
		return pos, ErrFlag
	}
	p.store(at, v)
	return pos + int(p.size), nil
}

func (p *plain) walk(w BinaryWriter, at mem.Pointer) {
	if p.form == FormText {
		w.WriteString(mem.Load[string](at, 0))
		return
	}
	v := p.load(at)
	switch {
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

// A cast sees a map as one of K to V.
type cast[K string | uint32 | uint64, V string | uint8 | uint16 | uint32 | uint64] struct{}

func (cast[K, V]) put(e *encoder, n int, form Len, r *ref, at mem.Pointer) int {
	m := *mem.MapAt[K, V](at, 0)
	n, ok := putLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	var k K
	var v V
	key, elem := mem.Of(mem.NoEscape(&k)), mem.Of(mem.NoEscape(&v))
	short := r.plainKey.short
	for k, v = range m {
		// Most keys are short strings.
		if short && len(mem.Load[string](key, 0)) < 0x80 {
			s := mem.Load[string](key, 0)
			dst := e.room(n, len(s)+2*widest)
			mem.Put8(dst, n, byte(len(s)))
			n += 1 + copy(dst[n+1:], s)
		} else {
			e.room(n, 2*widest)
			if n = r.plainKey.put(e, n, key); n < 0 {
				return n
			}
		}
		if n = r.plainElem.put(e, n, elem); n < 0 {
			return n
		}
	}
	runtime.KeepAlive(&k)
	runtime.KeepAlive(&v)
	return n
}

func (cast[K, V]) read(d *decoder, pos, count int, r *ref, at mem.Pointer) (int, error) {
	to := mem.MapAt[K, V](at, 0)
	if *to == nil {
		*to = make(map[K]V, count)
	} else {
		clear(*to)
	}
	m := *to
	var k K
	var v V
	key, elem := mem.Of(mem.NoEscape(&k)), mem.Of(mem.NoEscape(&v))
	for i := range count {
		from := pos
		next, cause := r.plainKey.read(d, pos, key)
		if cause == nil {
			next, cause = r.plainElem.read(d, next, elem)
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
		if r.plainKey.form == FormText {
			w.WriteString(mem.Load[string](key, 0))
		} else {
			r.plainKey.walk(w, key)
		}
		r.plainElem.walk(w, elem)
	}
	runtime.KeepAlive(&k)
	runtime.KeepAlive(&v)
}
