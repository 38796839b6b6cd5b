//go:build goexperiment.simd && go1.27 && (amd64 || arm64) && !purego

package vector

import (
	"bytes"
	"simd/archsimd"
	"unicode/utf8"
)

const block = 16

func init() { simdQuote, simdText, simdValid = quoteBySIMD, textBySIMD, validBySIMD }

// all returns a vector with c in each lane.
func all(c byte) archsimd.Uint8x16 { return archsimd.BroadcastUint8x16(c) }

// first returns the index of the first byte that is set in the mask, or block.
func first(mask archsimd.Mask8x16) int {
	var b [block]byte
	mask.ToInt8x16().ToBits().Store(b[:])
	if i := bytes.IndexByte(b[:], 0xff); i >= 0 {
		return i
	}
	return block
}

// ends returns the bytes that a JSON string cannot contain unescaped.
func ends(x archsimd.Uint8x16) archsimd.Mask8x16 {
	return x.Min(all(0x1f)).Equal(x).Or(x.Equal(all('"'))).Or(x.Equal(all('\\')))
}

func textBySIMD(b []byte, pos int) int {
	padded := make([]byte, len(b)+block)
	copy(padded, b)
	for ; pos < len(b); pos += block {
		if i := first(ends(archsimd.LoadUint8x16(padded[pos:]))); i < block {
			return min(pos+i, len(b))
		}
	}
	return len(b)
}

func quoteBySIMD(s string, html, js, wide bool) (read int, out []byte) {
	padded := make([]byte, len(s)+block+2)
	copy(padded, s)
	for read < len(s) {
		x := archsimd.LoadUint8x16(padded[read:])
		special := ends(x)
		if html {
			special = special.Or(x.Equal(all('<'))).Or(x.Equal(all('>'))).Or(x.Equal(all('&')))
		}
		if !wide {
			special = special.Or(x.Max(all(utf8.RuneSelf)).Equal(x))
		} else if js {
			second, third := archsimd.LoadUint8x16(padded[read+1:]), archsimd.LoadUint8x16(padded[read+2:])
			line := third.And(all(0xfe)).Equal(all(0xa8))
			special = special.Or(x.Equal(all(0xe2)).And(second.Equal(all(0x80))).And(line))
		}
		n := min(first(special), len(s)-read)
		out = append(out, s[read:read+n]...)
		if read += n; n == block || read == len(s) {
			continue
		}
		switch c := s[read]; {
		case c < utf8.RuneSelf:
			out = append(out, escapeOf(c)...)
			read++
		case !wide:
			return read, out
		default:
			out = append(out, `\u202`...)
			out = append(out, s[read+2]-0xa8+'8')
			read += len("\u2028")
		}
	}
	return read, out
}

// validBySIMD has the algorithm of the assembly, with the three bytes before each byte read from memory.
func validBySIMD(b []byte) bool {
	padded := make([]byte, 3+len(b)+2*block) // zeros before and after the text
	copy(padded[3:], b)
	const (
		tooShort = 1 << iota // a byte that has to be followed by a continuation byte, and another byte
		tooLong              // ASCII and a continuation byte
		overlong3
		tooLarge
		surrogate
		overlong2
		tooLarge1000 // or overlong4: the two need different second bytes
		twoConts
		overlong4 = tooLarge1000
		carry     = tooShort | tooLong | twoConts
		large     = tooLarge | tooLarge1000
	)
	firstHigh := archsimd.LoadUint8x16([]byte{
		tooLong, tooLong, tooLong, tooLong, tooLong, tooLong, tooLong, tooLong,
		twoConts, twoConts, twoConts, twoConts,
		tooShort | overlong2, tooShort, tooShort | overlong3 | surrogate, tooShort | large | overlong4,
	})
	firstLow := archsimd.LoadUint8x16([]byte{
		carry | overlong3 | overlong2 | overlong4, carry | overlong2, carry, carry,
		carry | tooLarge, carry | large, carry | large, carry | large,
		carry | large, carry | large, carry | large, carry | large,
		carry | large, carry | large | surrogate, carry | large, carry | large,
	})
	secondHigh := archsimd.LoadUint8x16([]byte{
		tooShort, tooShort, tooShort, tooShort, tooShort, tooShort, tooShort, tooShort,
		tooLong | overlong2 | twoConts | overlong3 | tooLarge1000 | overlong4, tooLong | overlong2 | twoConts | overlong3 | tooLarge,
		tooLong | overlong2 | twoConts | surrogate | tooLarge, tooLong | overlong2 | twoConts | surrogate | tooLarge,
		tooShort, tooShort, tooShort, tooShort,
	})
	high := func(x archsimd.Uint8x16) archsimd.Uint8x16 {
		return x.ReshapeToUint16s().ShiftAllRight(4).ReshapeToUint8s().And(all(0x0f))
	}
	for i := 3; i <= 3+len(b); i += block {
		at := func(before int) archsimd.Uint8x16 { return archsimd.LoadUint8x16(padded[i-before:]) }
		x, before := at(0), at(1)
		errs := lookup(firstHigh, high(before)).And(lookup(firstLow, before.And(all(0x0f)))).And(lookup(secondHigh, high(x)))
		continued := at(2).Max(all(0xe0)).Equal(at(2)).Or(at(3).Max(all(0xf0)).Equal(at(3)))
		errs = errs.Xor(continued.ToInt8x16().ToBits().And(all(twoConts)))
		if first(errs.Max(all(1)).Equal(errs)) < block {
			return false
		}
	}
	return true
}
