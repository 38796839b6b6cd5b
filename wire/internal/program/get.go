package program

import (
	"math/bits"

	"github.com/hone-go/hone/internal/mem"
)

// uvarint reads the number at in[pos:] and returns it with the position behind
// it, which is 0 if there is none; uvarintFault says why.
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

// uvarintFault says what is wrong with the number at in[pos:], and where.
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

// getLen reads a length. Next is 0 if there is none; lenFault says why.
func getLen(in []byte, pos int, form Len) (v uint64, next int) {
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

func lenFault(in []byte, pos int, form Len) (at int, cause error) {
	if form == LenVarint {
		return UvarintFault(in, pos)
	}
	if len(in)-pos < lenForms[form].width {
		return len(in), ErrTruncated
	}
	return pos, ErrOverflow // negative
}
