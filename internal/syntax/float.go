package syntax

import (
	"math"
	"math/bits"
	"strconv"
)

// Reading and writing floats both compute x * 2^e * 10^p, as an integer with two additional bits. The
// higher one has the value 1/2. The lower one is set if any lower bit of the exact number is set. The
// method, with the proof that 128 bits of 10^p are enough, is from Russ Cox, "Floating-Point Printing
// and Parsing Can Be Simple And Fast", https://research.swtch.com/fp.

// A power is a power of ten; see powers.
type power struct{ hi, lo uint64 }

// An unrounded is four times a number, rounded down, with its lowest bit set if the number is not
// exact.
type unrounded uint64

func (u unrounded) floor() uint64 { return uint64(u) >> 2 }

func (u unrounded) ceil() uint64 { return (uint64(u) + 3) >> 2 }

// round returns the number as an integer, with a half rounded to even.
func (u unrounded) round() uint64 { return (uint64(u) + 1 + uint64(u>>2)&1) >> 2 }

// halved returns half of u.
func (u unrounded) halved() unrounded { return u>>1 | u&1 }

// log2Pow10 returns floor(log2(10^p)).
func log2Pow10(p int) int { return p * 108853 >> 15 }

// log10Pow2 returns floor(log10(2^e)).
func log10Pow2(e int) int { return e * 78913 >> 18 }

// log10ThreeQuarters returns floor(log10(3/4 * 2^e)).
func log10ThreeQuarters(e int) int { return (e*631305 - 261663) >> 21 }

// A scaler multiplies by 2^e * 10^p.
type scaler struct {
	power
	shift uint
}

// scale returns the scaler for 2^e * 10^p. Its shift is 64 or more if every product is less than a
// quarter.
func scale(e, p int) scaler {
	return scaler{powers[p-minPower], uint(-(e + log2Pow10(p) + 3))}
}

// mul returns x multiplied by the power of s.
func (s scaler) mul(x uint64) unrounded {
	hi, mid := bits.Mul64(x, s.hi)
	below := uint64(1)
	if hi&(1<<(s.shift&63)-1) == 0 {
		less, _ := bits.Mul64(x, s.lo)
		if mid-less <= 1 {
			below = 0
		}
		if mid < less {
			hi--
		}
	}
	return unrounded(hi>>(s.shift&63) | below)
}

// A format holds the parameters of a float type, float64 or float32.
type format struct {
	bits     int // the number of bits of the mantissa, including the implicit one
	expBits  int
	minExp   int    // the smallest exponent of an integer mantissa
	infinite uint64 // the bits of the infinity
}

var (
	binary64 = format{bits: 53, expBits: 11, minExp: -1074, infinite: 0x7ff << 52}
	binary32 = format{bits: 24, expBits: 8, minExp: -149, infinite: 0xff << 23}
)

// float returns the bits of the float closest to d * 10^p, where d is less than 10^19. If the
// number is too large, the result is infinity.
func (f *format) float(d uint64, p int) uint64 {
	switch {
	case d == 0 || p < minPower:
		return 0
	case p > maxPower:
		return f.infinite
	}
	size := bits.Len64(d)
	e := min(-f.minExp, f.bits-size-log2Pow10(p))
	s := scale(e-(64-size), p)
	if s.shift >= 64 {
		return 0
	}
	u := s.mul(d << (64 - size))
	if u >= 4<<f.bits-2 {
		u = u.halved()
		e--
	}
	m := u.round()
	top := uint64(1) << (f.bits - 1)
	if m < top {
		return m // a subnormal number
	}
	biased := -e - f.minExp + 1
	if biased >= 1<<f.expBits-1 {
		return f.infinite
	}
	return m&^top | uint64(biased)<<(f.bits-1)
}

// ParseFloat returns the float64 closest to the valid JSON number data[pos:end]. It reports false
// if the number is too large.
func ParseFloat(data []byte, pos, end int) (f float64, ok bool) {
	d, p, neg, exact := decimal(data, pos, end)
	if !exact {
		f, err := strconv.ParseFloat(string(data[pos:end]), 64)
		return f, err == nil
	}
	return binary64Of(d, p, neg)
}

// binary64Of returns the float64 closest to d * 10^p, negated if neg is set, where d is less than
// 10^19. ok is false if the number is too large.
func binary64Of(d uint64, p int, neg bool) (f float64, ok bool) {
	if d <= 1<<53 && -22 <= p && p <= 22 {
		// Both factors are exact floats, so there is only one rounding.
		f = float64(d)
		if p < 0 {
			f /= tens[-p]
		} else {
			f *= tens[p]
		}
		if neg {
			f = -f
		}
		return f, true
	}
	b := binary64.float(d, p)
	if b == binary64.infinite {
		return 0, false
	}
	if neg {
		b |= 1 << 63
	}
	return math.Float64frombits(b), true
}

// ParseFloat32 is like ParseFloat, for a float32.
func ParseFloat32(data []byte, pos, end int) (f float32, ok bool) {
	d, p, neg, exact := decimal(data, pos, end)
	if !exact {
		f, err := strconv.ParseFloat(string(data[pos:end]), 32)
		return float32(f), err == nil
	}
	b := binary32.float(d, p)
	if b == binary32.infinite {
		return 0, false
	}
	if neg {
		b |= 1 << 31
	}
	return math.Float32frombits(uint32(b)), true
}

var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// decimal returns the valid JSON number data[pos:end] as d * 10^p. exact is false if the number has
// more than nineteen digits.
func decimal(data []byte, pos, end int) (d uint64, p int, neg, exact bool) {
	if data[pos] == '-' {
		neg = true
		pos++
	}
	if d, p, exact = shortDecimal(data, pos, end); exact {
		return d, p, neg, true
	}
	start := pos
	d, pos = readDigits(data, pos, 0)
	digits := pos - start
	if pos < end && data[pos] == '.' {
		point := pos + 1
		d, pos = readDigits(data, point, d)
		p = point - pos
		if digits -= p; digits > 19 {
			// Leading zeros do not count.
			for _, c := range data[start:pos] {
				if c != '0' && c != '.' {
					break
				}
				if c == '0' {
					digits--
				}
			}
		}
	}
	if digits > 19 {
		return 0, 0, neg, false
	}
	if pos < end {
		pos++ // skip the e
		down := data[pos] == '-'
		if down || data[pos] == '+' {
			pos++
		}
		x := 0
		for _, c := range data[pos:end] {
			if x < 1e6 {
				x = x*10 + int(c-'0')
			}
		}
		if down {
			x = -x
		}
		p += x
	}
	return d, p, neg, true
}

// shortDecimal is like decimal, for a number without an exponent, with one to seven digits before the
// point and at most nineteen in all. ok is false for any other number.
func shortDecimal(data []byte, pos, end int) (d uint64, p int, ok bool) {
	n := end - pos - 1 // the number of digits if there is a point
	if n > 19 || pos+9 > len(data) {
		return 0, 0, false
	}
	w := Load8(data, pos) ^ '0'*ones
	point := bits.TrailingZeros64(notDigits(w)) >> 3
	switch {
	case point > 7:
		return 0, 0, false
	case point == n+1: // the number has no point
		return eightDigits(w << (64 - 8*point&63)), 0, true
	case data[pos+point] != '.':
		return 0, 0, false
	}
	// The digits after the point are moved one byte down, over the point.
	whole := uint64(1)<<(8*point&63) - 1
	w = w&whole | (Load8(data, pos+1)^'0'*ones)&^whole
	if n < 8 {
		w <<= 64 - 8*n&63
		return eightDigits(w), point - n, notDigits(w) == 0
	}
	others := notDigits(w)
	d = eightDigits(w)
	left := n - 8
	if left >= 8 {
		w = Load8(data, pos+9) ^ '0'*ones
		others |= notDigits(w)
		d = d*1e8 + eightDigits(w)
		left -= 8
	}
	if left > 0 {
		w = (Load8(data, end-8) ^ '0'*ones) &^ (1<<(64-8*left&63) - 1)
		others |= notDigits(w)
		d = d*uintTens[left&7] + eightDigits(w)
	}
	return d, point - n, others == 0
}

// readDigits reads the digits from pos on and appends them to the digits of d. The result wraps
// around if there are more than nineteen digits.
func readDigits(data []byte, pos int, d uint64) (uint64, int) {
	for ; pos+8 <= len(data); pos += 8 {
		w := Load8(data, pos) ^ '0'*ones
		m := notDigits(w)
		if m == 0 {
			d = d*1e8 + eightDigits(w)
			continue
		}
		// Shift out the bytes after the digits, so that zeros precede the digits.
		n := bits.TrailingZeros64(m) &^ 7
		if n == 0 {
			return d, pos
		}
		n >>= 3
		return d*uintTens[n&7] + eightDigits(w<<(64-8*n&63)), pos + n
	}
	for ; pos < len(data) && data[pos]-'0' <= 9; pos++ {
		d = d*10 + uint64(data[pos]-'0')
	}
	return d, pos
}

var uintTens = [8]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

// shortest returns d and p such that d * 10^p reads back as the float m * 2^e. Of all such numbers,
// d * 10^p has the fewest digits. Of these, it is the closest to the float. The highest bit of m is
// set, so m has 64-f.bits more bits than the float's mantissa.
func (f *format) shortest(m uint64, e int) (d uint64, p int) {
	spare := 64 - f.bits
	least := f.minExp - spare
	var low uint64
	if m == 1<<63 && e > least {
		// The distance to the next lower float is only half as large.
		p = -log10ThreeQuarters(e + spare)
		low = m - 1<<(spare-2)
	} else {
		if e < least {
			spare += least - e
		}
		p = -log10Pow2(e + spare)
		low = m - 1<<(spare-1)
	}
	high := m + 1<<(spare-1)
	odd := unrounded(m >> spare & 1)
	s := scale(e, p)
	first := (s.mul(low) + odd).ceil()
	last := (s.mul(high) - odd).floor()
	if d = last / 10; d*10 >= first {
		return trimZeros(d, 1-p)
	}
	if d = first; d < last {
		d = s.mul(m).round()
	}
	return d, -p
}

func trimZeros(d uint64, p int) (uint64, int) {
	for d%10000 == 0 {
		d /= 10000
		p += 4
	}
	if d%100 == 0 {
		d /= 100
		p += 2
	}
	if d%10 == 0 {
		d /= 10
		p++
	}
	return d, p
}

// digits returns the shortest digits of a positive finite float. b has the bits of the float.
func (f *format) digits(b uint64) (d uint64, p int) {
	m := b & (1<<(f.bits-1) - 1)
	e := int(b >> (f.bits - 1))
	if e == 0 {
		e = 1
	} else {
		m |= 1 << (f.bits - 1)
	}
	zeros := bits.LeadingZeros64(m)
	return f.shortest(m<<zeros, e-1+f.minExp-zeros)
}
