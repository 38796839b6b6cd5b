package program

import (
	"math/bits"

	"github.com/hone-go/hone/internal/memory/mem"
)

// Integers wider than a byte are LEB128 varints: seven bits a byte, least
// significant first, the high bit set on all but the last. Signed ones are
// zigzag coded first, so that small magnitudes are short whatever their sign.
// Both are those of Protocol Buffers:
// https://protobuf.dev/programming-guides/encoding/#varints

// zigzag folds a signed integer into an unsigned one: 0, -1, 1, -2 …
func zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

// Unzigzag undoes zigzag.
func Unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// putUvarint writes v at dst[n:], where there is room for it and slack, and
// returns the position behind it.
func putUvarint(dst []byte, n int, v uint64) int {
	if v < 0x80 {
		dst[n] = byte(v) // not mem.Put8: as it is, this can be inlined
		return n + 1
	}
	return putLong(dst, n, v)
}

// putLong spreads up to eight groups of seven bits over the bytes of a word: in
// three steps halves, quarters and eighths move apart.
func putLong(dst []byte, n int, v uint64) int {
	if v < 1<<14 {
		mem.Put16(dst, n, uint16(v&0x7f|v<<1&0x7f00|0x80))
		return n + 2
	}
	if v >= 1<<56 {
		mem.Put8(dst, n, byte(v)|0x80)
		v = v >> 7
		mem.Put8(dst, n+1, byte(v)|0x80)
		v = v >> 7
		n += 2
		if v < 0x80 {
			mem.Put8(dst, n, byte(v))
			return n + 1
		}
	}
	size := (bits.Len64(v) + 6) * 37 >> 8 // by 7, rounded up, exact up to 64
	v = v&(1<<28-1) | v>>28<<32
	v = v&0x0000_3fff_0000_3fff | v<<2&0x3fff_0000_3fff_0000
	v = v&0x007f_007f_007f_007f | v<<1&0x7f00_7f00_7f00_7f00
	v |= 0x8080_8080_8080_8080 & (1<<(8*uint(size-1)&63) - 1)
	mem.Put64(dst, n, v)
	return n + size
}

func putBool(dst []byte, n int, v bool) int {
	b := byte(0)
	if v {
		b = 1
	}
	mem.Put8(dst, n, b)
	return n + 1
}

// Canonical floats are equal in their bytes if they are as values: there is one
// zero and one NaN.
const (
	canonicalNaN32 = 0x7fc00000
	canonicalNaN64 = 0x7ff8000000000000
)

// Uvarint reads the number at in[pos:] and returns it with the position behind
// it, which is 0 if there is none; UvarintFault says why.
func Uvarint(in []byte, pos int) (v uint64, next int) {
	if pos < len(in) && in[pos] < 0x80 {
		return uint64(in[pos]), pos + 1
	}
	return uvarintLong(in, pos)
}

// uvarintLong undoes putLong where there are eight bytes to read, and goes byte
// by byte at the end of the input and for numbers of nine and ten bytes.
func uvarintLong(in []byte, pos int) (v uint64, next int) {
	if len(in)-pos >= 8 {
		x := mem.Get64(in, pos)
		if ends := ^x & 0x8080_8080_8080_8080; ends != 0 {
			size := bits.TrailingZeros64(ends)>>3 + 1
			x &= ends ^ (ends - 1)
			if x>>(8*uint(size-1)&63) == 0 {
				return 0, 0
			}
			x &= 0x7f7f_7f7f_7f7f_7f7f
			x = x&0x007f_007f_007f_007f | x>>1&0x3f80_3f80_3f80_3f80
			x = x&0x0000_3fff_0000_3fff | x>>2&0x0fff_c000_0fff_c000
			return x&(1<<28-1) | x>>4&((1<<28-1)<<28), pos + size
		}
	}
	for shift := uint(0); pos < len(in); shift += 7 {
		b := in[pos]
		if shift == 63 && b > 1 {
			return 0, 0
		}
		pos++
		if b < 0x80 {
			if b == 0 && shift > 0 {
				return 0, 0
			}
			return v | uint64(b)<<shift, pos
		}
		v |= uint64(b&0x7f) << shift
	}
	return 0, 0
}

// UvarintFault says what is wrong with the number at in[pos:], and where.
func UvarintFault(in []byte, pos int) (at int, cause error) {
	for i := 0; pos < len(in); i++ {
		b := in[pos]
		switch {
		case i == 9 && b > 1:
			return pos, ErrOverflow
		case b == 0 && i > 0:
			return pos, ErrNonMinimal
		case b < 0x80:
			return pos, ErrOverflow
		}
		pos++
	}
	return pos, ErrTruncated
}

// numberFault says what is wrong with a varint that was not taken: if it is well
// formed it is too large.
func numberFault(in []byte, pos int) (at int, cause error) {
	if _, next := Uvarint(in, pos); next > 0 {
		return pos, ErrOverflow
	}
	return UvarintFault(in, pos)
}
