package jsontext

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// pairs holds the two digits of each number below 100, the first in the lower
// byte.
var pairs = func() (p [100]uint16) {
	for i := range p {
		p[i] = uint16('0'+i/10) | uint16('0'+i%10)<<8
	}
	return p
}()

// AppendPair appends the two digits of v, which is below 100.
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

// AppendUint appends v in decimal digits.
func AppendUint(dst []byte, v uint64) []byte {
	if v < 10 {
		return append(dst, '0'+byte(v))
	}
	n := digitCount(v)
	start := len(dst)
	dst = slices.Grow(dst, n)[:start+n]
	putDigits(dst[start:], v)
	return dst
}

// digitCount returns how many digits v has in base ten.
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

// putDigits fills b with the digits of v, which has as many.
func putDigits(b []byte, v uint64) {
	i := len(b)
	for v >= 1e8 {
		high := v / 1e8
		low := uint32(v - high*1e8)
		v = high
		top, bottom := low/1e4, low%1e4
		i -= 8
		w := b[i : i+8]
		binary.LittleEndian.PutUint16(w, pairs[top/100])
		binary.LittleEndian.PutUint16(w[2:], pairs[top%100])
		binary.LittleEndian.PutUint16(w[4:], pairs[bottom/100])
		binary.LittleEndian.PutUint16(w[6:], pairs[bottom%100])
	}
	x := uint32(v)
	for x >= 100 {
		i -= 2
		binary.LittleEndian.PutUint16(b[i:], pairs[x%100])
		x /= 100
	}
	if x >= 10 {
		binary.LittleEndian.PutUint16(b, pairs[x])
	} else if i > 0 {
		b[0] = '0' + byte(x)
	}
}

// AppendFloat appends the finite number f, shortest among those that read back
// as the same float of that many bits, in the form of ECMAScript's
// Number.prototype.toString: an exponent below 1e-6 and from 1e21 on. The zero
// that is negative is -0, as encoding/json has it.
func AppendFloat(dst []byte, f float64, size int) []byte {
	if math.Signbit(f) {
		dst = append(dst, '-')
		f = -f
	}
	if f < 1<<53 && (size == 64 || f < 1<<24) {
		if i := int64(f); float64(i) == f {
			return AppendUint(dst, uint64(i))
		}
	}
	var d uint64
	var p int
	if size == 32 {
		if f == 1.0/4096 {
			// The two candidates are equally close. Go 1.26 takes the odd
			// one, unlike the releases before it.
			return strconv.AppendFloat(dst, f, 'f', -1, 32)
		}
		d, p = binary32.digits(uint64(math.Float32bits(float32(f))))
	} else {
		d, p = binary64.digits(math.Float64bits(f))
	}
	n := digitCount(d)
	point := n + p // how many digits stand in front of the point
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
