package program

import (
	"math"
	"math/bits"

	"github.com/hone-go/hone/internal/mem"
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

// putLen writes a length, for which there is room; ok is false if its form
// cannot hold it.
func putLen(dst []byte, n int, form Len, length int) (next int, ok bool) {
	if form == LenVarint {
		return putUvarint(dst, n, uint64(length)), true
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

func canonical32(b uint32) uint32 {
	if f := math.Float32frombits(b); f == 0 {
		return 0
	} else if f != f {
		return canonicalNaN32
	}
	return b
}

func canonical64(b uint64) uint64 {
	if f := math.Float64frombits(b); f == 0 {
		return 0
	} else if f != f {
		return canonicalNaN64
	}
	return b
}
