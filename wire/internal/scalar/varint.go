package scalar

import (
	"math/bits"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
)

// Slack is the number of bytes that must be writable after a number. The functions Put… may write a
// whole word, of which only the first bytes belong to the number.
const Slack = 8

// TimeBound is the maximum number of bytes of a derived time in UTC or in the local zone.
const TimeBound = 10 + 5 + 1 + 5

// Zigzag folds a signed integer into an unsigned one: 0, -1, 1, -2 …
func Zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

// Unzigzag undoes [Zigzag].
func Unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// PutUvarint writes v at dst[n:] and returns the position after it. The caller has reserved 10
// bytes and [Slack] there.
//
// Only the case of one byte is in this function, so that the compiler inlines it into the loops
// of programs.
func PutUvarint(dst []byte, n int, v uint64) int {
	if v < 0x80 {
		dst[n] = byte(v) // mem.Put8 would take this function past the inliner's limit
		return n + 1
	}
	return putLong(dst, n, v)
}

// putLong writes a number of two bytes or more. It puts up to eight groups of seven bits into the
// bytes of one word, in three steps: it moves the two halves apart, then the quarters, then the
// eighths. For a number of 2⁵⁶ or more it first writes two bytes, so that the rest fits a word.
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
	size := (bits.Len64(v) + 6) * 37 >> 8 // divided by 7 and rounded up; exact up to 64 bits
	v = v&(1<<28-1) | v>>28<<32
	v = v&0x0000_3fff_0000_3fff | v<<2&0x3fff_0000_3fff_0000
	v = v&0x007f_007f_007f_007f | v<<1&0x7f00_7f00_7f00_7f00
	v |= 0x8080_8080_8080_8080 & (1<<(8*uint(size-1)&63) - 1)
	mem.Put64(dst, n, v)
	return n + size
}

// Uvarint reads the number at in[pos:] and returns the position after it. next is 0 if the number
// is malformed: [UvarintFault] then returns the cause.
//
// A number has exactly one encoding. An encoding that is longer than necessary is malformed.
func Uvarint(in []byte, pos int) (v uint64, next int) {
	if pos < len(in) && in[pos] < 0x80 {
		return uint64(in[pos]), pos + 1
	}
	return UvarintLong(in, pos)
}

// UvarintLong is like [Uvarint], for numbers of two bytes or more and for the end of the input.
// Loops that have their own code for numbers of one byte call UvarintLong directly, since Uvarint is too
// large to be inlined.
//
// If eight bytes of input are left, it reverses the steps of putLong. Near the end of the
// input, and for numbers of nine and ten bytes, it reads single bytes.
func UvarintLong(in []byte, pos int) (v uint64, next int) {
	if len(in)-pos >= 8 {
		x := mem.Get64(in, pos)
		if ends := ^x & 0x8080_8080_8080_8080; ends != 0 {
			size := bits.TrailingZeros64(ends)>>3 + 1
			x &= ends ^ (ends - 1)
			// The last byte is zero, so a shorter encoding exists.
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
		// The tenth byte contains only the 64th bit.
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

// UvarintFault returns the position and the cause of the fault in the number at in[pos:], which
// [Uvarint] refused.
func UvarintFault(in []byte, pos int) (at int, cause error) {
	for i := 0; pos < len(in); i++ {
		b := in[pos]
		switch {
		case i == 9 && b > 1:
			return pos, fault.ErrOverflow
		case b == 0 && i > 0:
			return pos, fault.ErrNonMinimal
		case b < 0x80:
			return pos, fault.ErrOverflow
		}
		pos++
	}
	return pos, fault.ErrTruncated
}

// NumberFault is like [UvarintFault], for a number that may also have been refused as too large for
// its type. If the number is well formed, the cause is ErrOverflow.
func NumberFault(in []byte, pos int) (at int, cause error) {
	if _, next := Uvarint(in, pos); next > 0 {
		return pos, fault.ErrOverflow
	}
	return UvarintFault(in, pos)
}

// Longest is the smallest number whose varint does not fit a word of eight bytes.
const Longest = 1 << 56

// Spread returns the varint of v as a word, and its length in bytes. v must be less than [Longest].
// The bytes of the word after the varint are zero. It puts the groups of seven bits into the bytes
// of the word in three steps: it moves the two halves of v apart, then the quarters, then the
// eighths.
func Spread(v uint64) (word uint64, size int) {
	size = (bits.Len64(v|1) + 6) * 37 >> 8 // divided by 7 and rounded up; exact up to 64 bits
	v = v&(1<<28-1) | v>>28<<32
	v = v&0x0000_3fff_0000_3fff | v<<2&0x3fff_0000_3fff_0000
	v = v&0x007f_007f_007f_007f | v<<1&0x7f00_7f00_7f00_7f00
	return v | 0x8080_8080_8080_8080&(1<<(8*uint(size-1)&63)-1), size
}

// Gather is the inverse of [Spread]: it decodes the varint at the start of word and returns its
// value and its length in bytes. The length is 9 if the varint does not end in the word. The
// caller checks that the encoding is minimal.
func Gather(word uint64) (v uint64, size int) {
	// The word is read in little-endian order, so the first byte of the varint is its lowest.
	ends := ^word & 0x8080_8080_8080_8080 // the high bit of each byte that ends a varint
	v = word & (ends ^ (ends - 1)) & 0x7f7f_7f7f_7f7f_7f7f
	v = v&0x007f_007f_007f_007f | v>>1&0x3f80_3f80_3f80_3f80
	v = v&0x0000_3fff_0000_3fff | v>>2&0x0fff_c000_0fff_c000
	return v&(1<<28-1) | v>>4&((1<<28-1)<<28), bits.TrailingZeros64(ends)>>3 + 1
}
