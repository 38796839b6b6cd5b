package syntax

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// pairs holds the two digits of each number below 100, the first one in the lower byte.
var pairs = func() (p [100]uint16) {
	for i := range p {
		p[i] = uint16('0'+i/10) | uint16('0'+i%10)<<8
	}
	return p
}()

// AppendPair appends the two digits of v, which is from 0 to 99.
func AppendPair(dst []byte, v int) []byte {
	return binary.LittleEndian.AppendUint16(dst, pairs[v])
}

// AppendInt appends v in decimal digits.
func AppendInt(dst []byte, v int64) []byte {
	if v < 0 {
		return AppendUint(append(dst, '-'), -uint64(v))
	}
	return AppendUint(dst, uint64(v))
}

// AppendSmall appends v, which is below 100, in decimal digits. The capacity of dst must have two more
// bytes.
func AppendSmall(dst []byte, v uint8) []byte {
	n := len(dst)
	if v < 10 {
		dst = dst[:n+1]
		dst[n] = '0' + v
		return dst
	}
	dst = dst[:n+2]
	binary.LittleEndian.PutUint16(dst[n:], pairs[v])
	return dst
}

// AppendUint appends v in decimal digits.
func AppendUint(dst []byte, v uint64) []byte {
	if v < 10 {
		return append(dst, '0'+byte(v))
	}
	start := len(dst)
	dst = slices.Grow(dst, 24)
	b := dst[start : start+24]
	if v < 1e8 {
		return dst[:start+putShort(b, v)]
	}
	high := v / 1e8
	low := digits8(v-high*1e8) | '0'*ones
	var n int
	switch {
	case high < 10:
		b[0] = '0' + byte(high)
		n = 1
	case high < 1e8:
		n = putShort(b, high)
	default:
		n = putShorter(b, high/1e8)
		binary.LittleEndian.PutUint64(b[n:], digits8(high%1e8)|'0'*ones)
		n += 8
	}
	binary.LittleEndian.PutUint64(b[n:], low)
	return dst[:start+n+8]
}

// putShort writes the digits of v, which is below 10^8, to b and returns their number.
func putShort(b []byte, v uint64) int {
	if v < 1e4 {
		return putShorter(b, v)
	}
	high := v / 1e4
	n := putShorter(b, high)
	binary.LittleEndian.PutUint32(b[n:], digits4(v-high*1e4))
	return n + 4
}

// putShorter is like putShort, for v below 10^4. It may overwrite four bytes.
func putShorter(b []byte, v uint64) int {
	if v < 100 {
		if v < 10 {
			b[0] = '0' + byte(v)
			return 1
		}
		binary.LittleEndian.PutUint16(b, pairs[v])
		return 2
	}
	w, n := digits4(v), 4
	if v < 1000 {
		w, n = w>>8, 3
	}
	binary.LittleEndian.PutUint32(b, w)
	return n
}

// digits4 returns the four digits of v, which is below 10^4, as the bytes of a word, the first
// digit in the lowest byte.
func digits4(v uint64) uint32 {
	top := v * 5243 >> 19 // v / 100
	return uint32(pairs[v-100*top])<<16 | uint32(pairs[top])
}

// digits8 returns the eight digits of v, which is below 10^8, as the bytes of a word, the first
// digit in the lowest byte: it splits v into halves, then into pairs, then into digits (Paul
// Khuong, "How to print integers really fast").
func digits8(v uint64) uint64 {
	halves := v/1e4 | v%1e4<<32
	top := halves * 10486 >> 20 & 0x0000007f0000007f // halves / 100
	pairs := (halves-100*top)<<16 | top
	tens := pairs * 103 >> 10 & 0x000f000f000f000f // pairs / 10
	return (pairs-10*tens)<<8 | tens
}

// digitCount returns the number of decimal digits of v.
func digitCount(v uint64) int {
	n := bits.Len64(v) * 1233 >> 12 // Len64(v) * log10(2), rounded down
	if v >= integerTens[n] {
		n++
	}
	return n
}

var integerTens = func() (t [20]uint64) {
	t[0] = 1
	for i := 1; i < len(t); i++ {
		t[i] = t[i-1] * 10
	}
	return t
}()

// putDigits writes the digits of v to b. The length of b is the number of digits, and its capacity
// is at least eight bytes.
func putDigits(b []byte, v uint64) {
	n := len(b)
	b = b[:cap(b)]
	if n > 8 {
		high := v / 1e8
		if n > 16 {
			binary.LittleEndian.PutUint64(b, (digits8(high/1e8)|'0'*ones)>>(8*(24-n)))
			binary.LittleEndian.PutUint64(b[n-16:], digits8(high%1e8)|'0'*ones)
		} else {
			binary.LittleEndian.PutUint64(b, (digits8(high)|'0'*ones)>>(8*(16-n)))
		}
		binary.LittleEndian.PutUint64(b[n-8:], digits8(v%1e8)|'0'*ones)
		return
	}
	binary.LittleEndian.PutUint64(b, (digits8(v)|'0'*ones)>>(8*(8-n)))
}

// maxShort is the bound below which a number with six digits after the point has at most 15 digits in
// all.
//
// Two different decimals of at most 15 digits are read as different floats. So if m/10^6 is below
// maxShort and is read as f, no decimal with fewer digits is read as f, apart from m/10^6 without
// its trailing zeros. The code need not read the decimal: a division rounds the quotient of two
// integers below 2^53 to the nearest float, exactly as reading does.
const maxShort = 1e9

// appendMillionths appends m / 10^6, which must not be an integer and must be below maxShort.
func appendMillionths(dst []byte, m uint64) []byte {
	whole := m / 1e6
	dst = AppendUint(dst, whole)
	start := len(dst)
	dst = slices.Grow(dst, 16)
	b := dst[start : start+9]
	digits := digits8((m - whole*1e6) * 100) // the first digit in the lowest byte
	b[0] = '.'
	binary.LittleEndian.PutUint64(b[1:], digits|'0'*ones)
	// The last digit that is not zero is in the highest byte that is not zero.
	return dst[:start+1+(bits.Len64(digits)+7)>>3]
}

// AppendFloat appends the finite number f with the fewest digits that read back as the same float
// of size bits, in the form of ECMAScript's Number.prototype.toString: with an exponent below 1e-6
// and from 1e21 on. Negative zero is -0, as encoding/json writes it.
func AppendFloat(dst []byte, f float64, size int) []byte {
	if math.Signbit(f) {
		dst = append(dst, '-')
		f = -f
	}
	if f < 1<<53 && (size == 64 || f < 1<<24) {
		if i := int64(f); float64(i) == f {
			return AppendUint(dst, uint64(i))
		}
		// Measurements and prices have few digits after the point.
		if size == 64 && f < maxShort {
			if m := int64(f*1e6 + 0.5); float64(m)/1e6 == f {
				return appendMillionths(dst, uint64(m))
			}
		}
	}
	var d uint64
	var p int
	if size == 32 {
		if f == 1.0/4096 {
			// Two candidates are equally close. Go 1.26 chooses the odd one, unlike earlier
			// releases.
			return strconv.AppendFloat(dst, f, 'f', -1, 32)
		}
		d, p = binary32.digits(uint64(math.Float32bits(float32(f))))
	} else {
		d, p = binary64.digits(math.Float64bits(f))
	}
	n := digitCount(d)
	point := n + p // the number of digits before the point
	start := len(dst)
	dst = slices.Grow(dst, 32)
	b := dst[start:cap(dst)]
	switch {
	case point <= -6 || point > 21:
		putDigits(b[1:1+n], d)
		b[0] = b[1]
		b[1] = '.'
		if n++; n == 2 {
			n = 1
		}
		b[n] = 'e'
		dst = dst[:start+n+1]
		if point > 0 {
			dst = append(dst, '+')
		}
		return AppendInt(dst, int64(point-1))
	case point <= 0:
		lead := copy(b, "0.000000"[:2-point])
		putDigits(b[lead:lead+n], d)
		return dst[:start+lead+n]
	case p >= 0:
		putDigits(b[:n], d)
		return append(dst[:start+n], "000000000000000000000"[:p]...)
	}
	putDigits(b[1:1+n], d)
	copy(b, b[1:1+point])
	b[point] = '.'
	return dst[:start+n+1]
}
