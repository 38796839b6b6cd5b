package program

import (
	"runtime"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A mapCast runs over maps of plain keys and elements. It accesses the map as a map type of the
// language, with each number as the unsigned number of the same size, so it needs no reflection.
type mapCast interface {
	// put returns a negative position if the encoding of a length cannot represent it.
	put(e *encoder, n int, form scalar.Len, r *ref, at mem.Pointer) int
	// read reads count entries into the emptied map at at.
	read(d *decoder, pos, count int, r *ref, at mem.Pointer) (int, error)
	walk(w BinaryWriter, r *ref, at mem.Pointer)
}

// casts has the casts by the sizes of keys and elements in memory. Size 0 represents strings.
var casts = map[[2]uintptr]mapCast{
	{0, 0}: texts{}, {0, 1}: textToNumber[uint8]{}, {0, 2}: textToNumber[uint16]{}, {0, 4}: textToNumber[uint32]{}, {0, 8}: textToNumber[uint64]{},
	{4, 0}: numberToText[uint32]{}, {4, 1}: numbers[uint32, uint8]{}, {4, 2}: numbers[uint32, uint16]{}, {4, 4}: numbers[uint32, uint32]{}, {4, 8}: numbers[uint32, uint64]{},
	{8, 0}: numberToText[uint64]{}, {8, 1}: numbers[uint64, uint8]{}, {8, 2}: numbers[uint64, uint16]{}, {8, 4}: numbers[uint64, uint32]{}, {8, 8}: numbers[uint64, uint64]{},
}

// castOf returns the cast for a map with these keys and elements, or nil. Keys are strings or
// varints of 4 or 8 bytes.
func castOf(key, elem *spec.Spec) mapCast {
	// A build without mem.CastMaps, such as purego, visits all maps by reflection.
	varint := key.Form == spec.FormVarint || key.Form == spec.FormUvarint
	if !mem.CastMaps || key.Form != spec.FormText && !varint {
		return nil
	}
	sizes := [2]uintptr{key.Size, elem.Size}
	if key.Form == spec.FormText {
		sizes[0] = 0
	}
	switch elem.Form {
	case spec.FormText:
		sizes[1] = 0
	case spec.FormBool, spec.FormByte, spec.FormVarint, spec.FormUvarint, spec.FormFixed, spec.FormFloat:
		// A cast writes the bits of a number in their width and byte order in memory.
		if elem.Big || elem.Form == spec.FormFixed && uintptr(elem.Width) != elem.Size {
			return nil
		}
	default:
		return nil
	}
	// A combination of sizes without a cast gives nil: a key of one or two bytes, for example.
	return casts[sizes]
}

// A plainCoding is the encoding of a string, or of a number of which a cast has only the bits.
type plainCoding struct {
	form   spec.Form
	signed bool
	varint bool
	short  bool // of a string: a length below 128 is one byte
	len    scalar.Len
	size   uint8 // bytes of a number in memory
	unused uint8 // high bits of a word that a number does not use
}

// plainCodingOf returns the encoding of s, which castOf has accepted.
func plainCodingOf(s *spec.Spec) plainCoding {
	return plainCoding{
		form: s.Form, signed: s.Signed, varint: s.Form == spec.FormVarint || s.Form == spec.FormUvarint,
		short: s.Form == spec.FormText && scalar.Width(s.Len) == 1, len: s.Len, size: uint8(s.Size), unused: uint8(64-8*s.Size) & 63,
	}
}

// extend returns the bits v of a number with its sign extended.
func (p *plainCoding) extend(v uint64) int64 { return int64(v<<(p.unused&63)) >> (p.unused & 63) }

// widest is the most bytes of a number or a length, and the slack.
const widest = 10 + scalar.Slack

// coded returns the number that a varint represents: v, or its zigzag code if v is signed.
func (p *plainCoding) coded(v uint64) uint64 {
	if p.form == spec.FormVarint {
		return scalar.Zigzag(p.extend(v))
	}
	return v
}

// put writes a number, for which room is reserved, and returns the position after it.
func (p *plainCoding) put(dst []byte, n int, v uint64) int {
	if p.varint {
		return scalar.PutUvarint(dst, n, p.coded(v))
	}
	// All eight bytes are written, and the next write overwrites those after the number. Room for them
	// is part of widest.
	mem.Put64(dst, n, v)
	return n + int(p.size)
}

// putText writes a string. It is not ok if its length cannot represent the string, or if ok was
// false, so that a loop can check once at its end.
func (p *plainCoding) putText(e *encoder, n int, s string, ok bool) (int, bool) {
	if !ok {
		return n, false
	}
	dst := e.room(n, len(s)+2*widest)
	if n, ok = scalar.PutLen(dst, n, p.len, len(s)); ok {
		n += copy(dst[n:], s)
	}
	return n, ok
}

// text returns the bytes of the string at pos and the position after it.
func (p *plainCoding) text(in []byte, pos int) (b []byte, next int, cause error) {
	// The usual case, a length of one byte and all bytes present, needs no call.
	if p.short && pos < len(in) && in[pos] < 0x80 && int(in[pos]) < len(in)-pos {
		next = pos + 1 + int(in[pos])
		return in[pos+1 : next], next, nil
	}
	return scalar.Block(in, pos, p.len)
}

// number returns the bits of the number at pos and the position after it. A number that is too
// large for its type is refused.
func (p *plainCoding) number(in []byte, pos int) (v uint64, next int, cause error) {
	if p.varint {
		// A varint is decoded to 64 bits first. Its type may have fewer.
		if v, next = scalar.Uvarint(in, pos); next == 0 {
			next, cause = scalar.UvarintFault(in, pos)
			return 0, next, cause
		}
		if p.form == spec.FormVarint {
			// The number must be the same after it is cut to its size in memory.
			i := scalar.Unzigzag(v)
			if v = uint64(i); p.extend(v) != i {
				return 0, pos, fault.ErrOverflow
			}
		} else if v<<p.unused>>p.unused != v {
			return 0, pos, fault.ErrOverflow
		}
		return v, next, nil
	}
	if len(in)-pos < int(p.size) {
		return 0, len(in), fault.ErrTruncated
	}
	// The loop reads byte by byte, since a word would reach past the end of the input.
	for i := range int(p.size) {
		v |= uint64(in[pos+i]) << (8 * i)
	}
	// A bool is the only plain number with invalid bits.
	if p.form == spec.FormBool && v > 1 {
		return 0, pos, fault.ErrFlag
	}
	return v, pos + int(p.size), nil
}

// read reads a string or a number into the memory at at.
func (p *plainCoding) read(d *decoder, pos int, at mem.Pointer) (next int, cause error) {
	if p.form == spec.FormText {
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

// walk hands the string or the number at at to w.
func (p *plainCoding) walk(w BinaryWriter, at mem.Pointer) {
	if p.form == spec.FormText {
		w.WriteString(mem.Load[string](at, 0))
		return
	}
	switch v := mem.Bits(at, uintptr(p.size)); {
	case p.form == spec.FormVarint:
		w.WriteInt(p.extend(v))
	case p.form == spec.FormUvarint:
		w.WriteUint(v)
	case p.form == spec.FormBool:
		w.WriteBool(v == 1)
	case p.form == spec.FormByte && p.signed:
		w.WriteInt8(int8(v))
	case p.form == spec.FormByte:
		w.WriteUint8(uint8(v))
	default:
		walkFixed(w, numberFloat, v, 8*int(p.size))
	}
}

// unsigned has the types of numbers in casts. The sign of a number is a property of its
// plainCoding.
type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// A cast reads and walks any map of plain keys and elements, through one key and one element in
// memory. Encoding has a loop for each kind of map, as has the decoding of maps of strings to
// numbers, the most common kind: one general loop was measurably slower there.
type cast[K string | uint32 | uint64, V string | uint8 | uint16 | uint32 | uint64] struct{}

// read decodes every entry through the addresses of k and v. NoEscape keeps both on the stack.
func (cast[K, V]) read(d *decoder, pos, count int, r *ref, at mem.Pointer) (int, error) {
	m := emptied(mem.MapAt[K, V](at, 0), count)
	var k K
	var v V
	key, elem := mem.Of(mem.NoEscape(&k)), mem.Of(mem.NoEscape(&v))
	// The budget has been spent for all entries by readMap. Text spends more for each string.
	for i := range count {
		from := pos
		// The key and the element are decoded into k and v by their addresses, and m[k] copies
		// both into the map.
		next, cause := r.keyCoding.read(d, pos, key)
		if cause == nil {
			next, cause = r.elemCoding.read(d, next, elem)
		}
		if cause != nil {
			return next, cause
		}
		pos = next
		// The key was in the map already.
		if m[k] = v; len(m) != i+1 {
			return from, fault.ErrDuplicate
		}
	}
	return pos, nil
}

// walk hands over every entry, in the order of iteration.
func (cast[K, V]) walk(w BinaryWriter, r *ref, at mem.Pointer) {
	m := *mem.MapAt[K, V](at, 0)
	w.WriteUint(uint64(len(m)))
	var k K
	var v V
	key, elem := mem.Of(mem.NoEscape(&k)), mem.Of(mem.NoEscape(&v))
	for k, v = range m {
		r.keyCoding.walk(w, key)
		r.elemCoding.walk(w, elem)
	}
	runtime.KeepAlive(&k) // see mem.NoEscape
	runtime.KeepAlive(&v)
}

// A textToNumber is the cast for maps of strings to numbers.
type textToNumber[V unsigned] struct{ cast[string, V] }

// put writes the entries. Elements of one byte are written without a call.
func (textToNumber[V]) put(e *encoder, n int, form scalar.Len, r *ref, at mem.Pointer) int {
	m := *mem.MapAt[string, V](at, 0)
	n, ok := scalar.PutLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	key, elem := &r.keyCoding, &r.elemCoding
	for k, v := range m {
		// The order of iteration is random, so the encoding of a map differs from call to call. The
		// canonical form sorts entries, and has no casts.
		// Room for both lengths or numbers of the entry, and for the key. E.room may replace the
		// buffer.
		dst := e.room(n, len(k)+2*widest)
		if key.short && len(k) < 0x80 {
			mem.Put8(dst, n, byte(len(k)))
			n++
		} else if n, ok = scalar.PutLen(dst, n, key.len, len(k)); !ok {
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

// read decodes the entries with two calls for each, one for the name and one for the number. The
// name is converted to a string after the number is valid.
func (textToNumber[V]) read(d *decoder, pos, count int, r *ref, at mem.Pointer) (int, error) {
	m := emptied(mem.MapAt[string, V](at, 0), count)
	// These are in variables of their own, since the compiler would load them again after each call.
	elem, in := &r.elemCoding, d.in
	for i := range count {
		from := pos
		name, next, cause := r.keyCoding.text(in, pos)
		if cause != nil {
			return next, cause
		}
		var v uint64
		if elem.form == spec.FormByte && next < len(in) {
			v, pos = uint64(in[next]), next+1
		} else if v, pos, cause = elem.number(in, next); cause != nil {
			return pos, cause
		}
		if m[d.text(name)] = V(v); len(m) != i+1 {
			return from, fault.ErrDuplicate
		}
	}
	return pos, nil
}

// A texts is the cast for maps of strings to strings.
type texts struct{ cast[string, string] }

// put writes the entries. Whether all lengths fit is checked at the end.
func (texts) put(e *encoder, n int, form scalar.Len, r *ref, at mem.Pointer) int {
	m := *mem.MapAt[string, string](at, 0)
	n, ok := scalar.PutLen(e.buf, n, form, len(m))
	for k, v := range m {
		n, ok = r.keyCoding.putText(e, n, k, ok)
		n, ok = r.elemCoding.putText(e, n, v, ok)
	}
	if !ok {
		return -1
	}
	return n
}

// A numbers is the cast for maps of numbers to numbers.
type numbers[K uint32 | uint64, V unsigned] struct{ cast[K, V] }

// put writes the entries, each of at most two numbers, for which room is made at once.
func (numbers[K, V]) put(e *encoder, n int, form scalar.Len, r *ref, at mem.Pointer) int {
	// A map that is nil is written as an empty map.
	m := *mem.MapAt[K, V](at, 0)
	n, ok := scalar.PutLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	key, elem := &r.keyCoding, &r.elemCoding
	for k, v := range m {
		dst := e.room(n, 2*widest)
		n = scalar.PutUvarint(dst, n, key.coded(uint64(k)))
		n = elem.put(dst, n, uint64(v))
	}
	return n
}

// A numberToText is the cast for maps of numbers to strings.
type numberToText[K uint32 | uint64] struct{ cast[K, string] }

// put writes the entries. Whether all lengths fit is checked at the end.
func (numberToText[K]) put(e *encoder, n int, form scalar.Len, r *ref, at mem.Pointer) int {
	// ok is checked once at the end: putText does nothing after a failure.
	m := *mem.MapAt[K, string](at, 0)
	n, ok := scalar.PutLen(e.buf, n, form, len(m))
	for k, v := range m {
		n = scalar.PutUvarint(e.room(n, widest), n, r.keyCoding.coded(uint64(k)))
		n, ok = r.elemCoding.putText(e, n, v, ok)
	}
	if !ok {
		return -1
	}
	return n
}

// emptied returns the map at m without its entries, or a new map with room for n entries if there
// is none.
func emptied[K comparable, V any](m *map[K]V, n int) map[K]V {
	if *m == nil {
		*m = make(map[K]V, n)
	} else {
		clear(*m)
	}
	return *m
}
