package scalar

import (
	"math"
	"math/bits"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
)

// A Len is the encoding of a length. The zero value is a uvarint, which derived codecs use. The
// others have a fixed width, for declared layouts. A signed length has half the range, and a
// negative one is malformed.
type Len uint8

// The names have the sign (U or I), the bits and the byte order (LE or BE).
const (
	LenVarint Len = iota
	LenU8
	LenI8
	LenU16LE
	LenU16BE
	LenI16LE
	LenI16BE
	LenU32LE
	LenU32BE
	LenI32LE
	LenI32BE
	LenU64LE
	LenU64BE
	LenI64LE
	LenI64BE
)

// lenForms has a row for each Len. For a uvarint, width is the length of the shortest encoding.
var lenForms = [...]struct {
	name  string
	width int
	most  uint64
	big   bool
}{
	LenVarint: {"uvarint", 1, math.MaxUint64, false},
	LenU8:     {"u8", 1, math.MaxUint8, false},
	LenI8:     {"i8", 1, math.MaxInt8, false},
	LenU16LE:  {"u16le", 2, math.MaxUint16, false},
	LenU16BE:  {"u16be", 2, math.MaxUint16, true},
	LenI16LE:  {"i16le", 2, math.MaxInt16, false},
	LenI16BE:  {"i16be", 2, math.MaxInt16, true},
	LenU32LE:  {"u32le", 4, math.MaxUint32, false},
	LenU32BE:  {"u32be", 4, math.MaxUint32, true},
	LenI32LE:  {"i32le", 4, math.MaxInt32, false},
	LenI32BE:  {"i32be", 4, math.MaxInt32, true},
	LenU64LE:  {"u64le", 8, math.MaxUint64, false},
	LenU64BE:  {"u64be", 8, math.MaxUint64, true},
	LenI64LE:  {"i64le", 8, math.MaxInt64, false},
	LenI64BE:  {"i64be", 8, math.MaxInt64, true},
}

// Valid reports whether l is one of the constants.
func (l Len) Valid() bool { return int(l) < len(lenForms) }

// ParseLen returns the Len with a name in a schema, such as "u16le". ok is false if there is none.
func ParseLen(name string) (l Len, ok bool) {
	for i := range lenForms {
		if lenForms[i].name == name {
			return Len(i), true
		}
	}
	return 0, false
}

// String returns the length's name in a schema, such as "u16le".
func (l Len) String() string {
	if !l.Valid() {
		return "no such length"
	}
	return lenForms[l].name
}

// Width returns the length in bytes of a length prefix. For a uvarint it is the minimum.
func Width(l Len) int { return lenForms[l].width }

// PutLen writes a length at dst[n:] and returns the position after it. ok is false if form
// cannot represent the length. The caller has reserved 10 bytes and [Slack].
func PutLen(dst []byte, n int, form Len, length int) (next int, ok bool) {
	if form == LenVarint {
		return PutUvarint(dst, n, uint64(length)), true
	}
	f := &lenForms[form]
	v := uint64(length)
	if v > f.most {
		return n, false
	}
	switch {
	case f.width == 1:
		mem.Put8(dst, n, byte(v))
	case f.big:
		mem.Put64(dst, n, bits.ReverseBytes64(v)>>(64-8*f.width))
	default:
		mem.Put64(dst, n, v)
	}
	return n + f.width, true
}

// GetLen reads a length and returns the position after it. next is 0 if the length is malformed:
// [LenFault] then returns the cause.
func GetLen(in []byte, pos int, form Len) (v uint64, next int) {
	if form == LenVarint {
		return Uvarint(in, pos)
	}
	f := &lenForms[form]
	if len(in)-pos < f.width {
		return 0, 0
	}
	for i := range f.width {
		b := uint64(in[pos+i])
		if f.big {
			v = v<<8 | b
		} else {
			v |= b << (8 * i)
		}
	}
	if v > f.most {
		return 0, 0
	}
	return v, pos + f.width
}

// Most returns the largest length that the form can represent.
func Most(form Len) uint64 {
	if form == LenVarint {
		return math.MaxUint64
	}
	return lenForms[form].most
}

// LenFault returns the position and the cause of the fault in a length that [GetLen] refused.
func LenFault(in []byte, pos int, form Len) (at int, cause error) {
	if form == LenVarint {
		return UvarintFault(in, pos)
	}
	if len(in)-pos < lenForms[form].width {
		return len(in), fault.ErrTruncated
	}
	return pos, fault.ErrOverflow // a negative length
}

// Count reads the number of elements that follow. The parameter least is the length of the shortest
// encoding of one element, in bytes. A count that the rest of the input cannot hold is refused
// before any memory is allocated for it.
func Count(in []byte, pos int, form Len, least int) (n, next int, cause error) {
	u, next := GetLen(in, pos, form)
	if next == 0 {
		next, cause = LenFault(in, pos, form)
		return 0, next, cause
	}
	if least > 0 && u > uint64((len(in)-next)/least) {
		return 0, len(in), fault.ErrTruncated
	}
	if u > math.MaxInt {
		return 0, pos, fault.ErrOverflow
	}
	return int(u), next, nil
}

// Block reads a length n and returns the next n bytes of the input, without copying them, and
// the position after them.
func Block(in []byte, pos int, form Len) (b []byte, next int, cause error) {
	n, at := GetLen(in, pos, form)
	if at == 0 {
		at, cause = LenFault(in, pos, form)
		return nil, at, cause
	}
	if n > uint64(len(in)-at) || n > math.MaxInt {
		return nil, len(in), fault.ErrTruncated
	}
	return in[at : at+int(n)], at + int(n), nil
}
