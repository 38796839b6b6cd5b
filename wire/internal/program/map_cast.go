package program

import (
	"runtime"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A mapCast encodes, decodes and walks maps of plain keys and elements without reflection. It
// accesses the map as a Go map whose numbers are unsigned numbers of the same size. The order
// of iteration is random, so the encoding of a map differs from call to call. The canonical
// form sorts the entries and has no casts.
type mapCast interface {
	// put returns a negative position if a length does not fit its encoding.
	put(e *Encoder, n int, form scalar.Len, r *ref, at mem.Pointer) int
	// read empties *at, a map, and reads count entries into it.
	read(d *Decoder, pos, count int, r *ref, at mem.Pointer) (int, error)
	walk(w BinaryWriter, r *ref, at mem.Pointer)
}

// casts maps the sizes of keys and elements in memory to casts. Size 0 represents strings.
var casts = map[[2]uintptr]mapCast{
	{0, 0}: texts{}, {0, 1}: textToNumber[uint8]{}, {0, 2}: textToNumber[uint16]{}, {0, 4}: textToNumber[uint32]{}, {0, 8}: textToNumber[uint64]{},
	{4, 0}: numberToText[uint32]{}, {4, 1}: numbers[uint32, uint8]{}, {4, 2}: numbers[uint32, uint16]{}, {4, 4}: numbers[uint32, uint32]{}, {4, 8}: numbers[uint32, uint64]{},
	{8, 0}: numberToText[uint64]{}, {8, 1}: numbers[uint64, uint8]{}, {8, 2}: numbers[uint64, uint16]{}, {8, 4}: numbers[uint64, uint32]{}, {8, 8}: numbers[uint64, uint64]{},
}

// castOf returns the cast for a map with these keys and elements, or nil. Keys are strings, or
// integers of 4 or 8 bytes that are encoded as varints.
func castOf(key, elem *spec.Spec) mapCast {
	// Builds without mem.CastMaps, such as purego, use reflection for all maps.
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
		// A cast writes a fixed number with its width in memory, little-endian.
		if elem.Big || elem.Form == spec.FormFixed && uintptr(elem.Width) != elem.Size {
			return nil
		}
	default:
		return nil
	}
	// There is no cast for some sizes, such as keys of one or two bytes.
	return casts[sizes]
}

// A plainCoding describes the encoding of a string, or of a number that a cast stores as
// unsigned.
type plainCoding struct {
	form   spec.Form
	signed bool
	varint bool
	short  bool // the length of a string is a uvarint
	len    scalar.Len
	size   uint8 // bytes of a number in memory
	unused uint8 // high bits of a word that a number does not use
}

// plainCodingOf returns the plainCoding of s, which must be one that castOf accepts.
func plainCodingOf(s *spec.Spec) plainCoding {
	return plainCoding{
		form: s.Form, signed: s.Signed, varint: s.Form == spec.FormVarint || s.Form == spec.FormUvarint,
		short: s.Form == spec.FormText && scalar.Width(s.Len) == 1, len: s.Len, size: uint8(s.Size), unused: uint8(64-8*s.Size) & 63,
	}
}

// extend returns v, the bits of a number, sign-extended to 64 bits.
func (p *plainCoding) extend(v uint64) int64 { return int64(v<<(p.unused&63)) >> (p.unused & 63) }

// widest is the space to reserve for a number or a length: the longest encoding and the slack.
const widest = 10 + scalar.Slack

// coded returns the number to write as a uvarint: v, or its zigzag code if the number is
// signed.
func (p *plainCoding) coded(v uint64) uint64 {
	if p.form == spec.FormVarint {
		return scalar.Zigzag(p.extend(v))
	}
	return v
}

// put writes a number and returns the position after it. The caller has reserved widest bytes.
func (p *plainCoding) put(dst []byte, n int, v uint64) int {
	if p.varint {
		return scalar.PutUvarint(dst, n, p.coded(v))
	}
	// Put64 always writes eight bytes, even if the number has fewer. widest reserves enough space
	// for them. The next write overwrites the bytes after the number.
	mem.Put64(dst, n, v)
	return n + int(p.size)
}

// putText writes a string and returns the position after it. The result ok is false if the length
// does not fit its encoding. A loop passes this result to the next call, which writes nothing if ok
// is false. So the loop checks ok only once, at its end.
func (p *plainCoding) putText(e *Encoder, n int, s string, ok bool) (int, bool) {
	if !ok {
		return n, false
	}
	dst := e.Room(n, len(s)+2*widest)
	if n, ok = scalar.PutLen(dst, n, p.len, len(s)); ok {
		n += copy(dst[n:], s)
	}
	return n, ok
}

// text returns the bytes of the string at pos and the position after it.
func (p *plainCoding) text(in []byte, pos int) (b []byte, next int, cause error) {
	// The common case needs no call: the length is one byte, and the input contains all bytes.
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
		// A varint is decoded to 64 bits first, though its type may have fewer.
		if v, next = scalar.Uvarint(in, pos); next == 0 {
			next, cause = scalar.UvarintFault(in, pos)
			return 0, next, cause
		}
		if p.form == spec.FormVarint {
			// The number fits if it is the same after conversion to its size in memory.
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
	// The loop reads single bytes, since a word could reach past the end of the input.
	for i := range int(p.size) {
		v |= uint64(in[pos+i]) << (8 * i)
	}
	// A bool is the only plain type with invalid bits.
	if p.form == spec.FormBool && v > 1 {
		return 0, pos, fault.ErrFlag
	}
	return v, pos + int(p.size), nil
}

// read reads a string or a number into *at.
func (p *plainCoding) read(d *Decoder, pos int, at mem.Pointer) (next int, cause error) {
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

// walk passes *at, a string or a number, to w.
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

// unsigned lists the types of numbers in casts. The plainCoding of a number records whether it is
// signed.
type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// A cast reads and walks any map of plain keys and elements, through one key and one element in
// memory. The encoder has a separate loop for each kind of map, and the decoder has one for the
// most common kind, maps of strings to numbers: the loop for all kinds was measurably slower there.
type cast[K string | uint32 | uint64, V string | uint8 | uint16 | uint32 | uint64] struct{}

// read decodes each entry into k and v. NoEscape keeps both on the stack.
func (cast[K, V]) read(d *Decoder, pos, count int, r *ref, at mem.Pointer) (int, error) {
	m := emptied(mem.MapAt[K, V](at, 0), count)
	var k K
	var v V
	key, elem := mem.Of(mem.NoEscape(&k)), mem.Of(mem.NoEscape(&v))
	// readMap has taken the memory of all entries from the budget. The memory of a string is taken when
	// it is read.
	for i := range count {
		from := pos
		// key and elem are the addresses of k and v, which m[k] = v copies into the map.
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

// walk passes each entry to w, in the order of iteration.
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
func (textToNumber[V]) put(e *Encoder, n int, form scalar.Len, r *ref, at mem.Pointer) int {
	m := *mem.MapAt[string, V](at, 0)
	n, ok := scalar.PutLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	key, elem := &r.keyCoding, &r.elemCoding
	for k, v := range m {
		// Reserve bytes for the key, its length and the number. Room may replace the buffer.
		dst := e.Room(n, len(k)+2*widest)
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

// read decodes each entry with one call for the key and one for the number. It converts the key
// to a string only after the number is valid.
func (textToNumber[V]) read(d *Decoder, pos, count int, r *ref, at mem.Pointer) (int, error) {
	m := emptied(mem.MapAt[string, V](at, 0), count)
	// Local variables, since the compiler would load the fields again after each call.
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

// texts is the cast for maps of strings to strings.
type texts struct{ cast[string, string] }

// put writes the entries. It checks at the end whether all lengths fit.
func (texts) put(e *Encoder, n int, form scalar.Len, r *ref, at mem.Pointer) int {
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

// numbers is the cast for maps of numbers to numbers.
type numbers[K uint32 | uint64, V unsigned] struct{ cast[K, V] }

// put writes the entries. It reserves space for both numbers of an entry in one call.
func (numbers[K, V]) put(e *Encoder, n int, form scalar.Len, r *ref, at mem.Pointer) int {
	// A nil map is written as an empty map.
	m := *mem.MapAt[K, V](at, 0)
	n, ok := scalar.PutLen(e.buf, n, form, len(m))
	if !ok {
		return -1
	}
	key, elem := &r.keyCoding, &r.elemCoding
	for k, v := range m {
		dst := e.Room(n, 2*widest)
		n = scalar.PutUvarint(dst, n, key.coded(uint64(k)))
		n = elem.put(dst, n, uint64(v))
	}
	return n
}

// A numberToText is the cast for maps of numbers to strings.
type numberToText[K uint32 | uint64] struct{ cast[K, string] }

// put writes the entries. It checks at the end whether all lengths fit.
func (numberToText[K]) put(e *Encoder, n int, form scalar.Len, r *ref, at mem.Pointer) int {
	// ok is checked once at the end: putText does nothing after a failure.
	m := *mem.MapAt[K, string](at, 0)
	n, ok := scalar.PutLen(e.buf, n, form, len(m))
	for k, v := range m {
		n = scalar.PutUvarint(e.Room(n, widest), n, r.keyCoding.coded(uint64(k)))
		n, ok = r.elemCoding.putText(e, n, v, ok)
	}
	if !ok {
		return -1
	}
	return n
}

// emptied clears the map *m and returns it. If *m is nil, it returns a new map with capacity for n
// entries.
func emptied[K comparable, V any](m *map[K]V, n int) map[K]V {
	if *m == nil {
		*m = make(map[K]V, n)
	} else {
		clear(*m)
	}
	return *m
}
