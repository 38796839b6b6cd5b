package format

import "strconv"

const second = 1_000_000_000 // nanoseconds

// appendDecimal appends a number of seconds and nanoseconds as a decimal number. The number is in
// units of 10^-shift seconds: shift is 0 for seconds, 3 for milliseconds and 6 for microseconds.
func appendDecimal(dst []byte, negative bool, sec uint64, nsec uint32, shift int) []byte {
	var room [32]byte
	digits := strconv.AppendUint(room[:0], sec, 10)
	point := len(digits) + shift
	digits = append(digits, "000000000"...)
	for i := len(digits) - 1; nsec > 0; i-- {
		digits[i] = byte('0' + nsec%10)
		nsec /= 10
	}
	whole, part := digits[:point], digits[point:]
	for len(whole) > 1 && whole[0] == '0' {
		whole = whole[1:]
	}
	for len(part) > 0 && part[len(part)-1] == '0' {
		part = part[:len(part)-1]
	}
	if negative {
		dst = append(dst, '-')
	}
	dst = append(dst, whole...)
	if len(part) > 0 {
		dst = append(append(dst, '.'), part...)
	}
	return dst
}

// parseDecimal parses a JSON number, which may have an exponent. It is the inverse of
// appendDecimal, with the same shift. The returned cause is nil, ErrSyntax, ErrRange or ErrFiner.
func parseDecimal[T ~string | ~[]byte](text T, shift int) (negative bool, sec uint64, nsec uint32, cause error) {
	i := 0
	at := func(c byte) bool { return i < len(text) && text[i] == c }
	if negative = at('-'); negative {
		i++
	}
	var digits [40]byte // significant digits; no value in range has more than 40
	n, beyond := 0, false
	keep := func() (count int) {
		for ; i < len(text) && isDigit(text[i]); i++ {
			count++
			switch c := text[i] - '0'; {
			case n == 0 && c == 0:
			case n < len(digits):
				digits[n] = c
				n++
			default:
				beyond = beyond || c != 0
			}
			if n == 0 {
				count-- // a leading zero is not significant
			}
		}
		return count
	}
	start := i
	point := keep() - shift // the number of significant digits before the decimal point of the number in seconds
	if i == start || text[start] == '0' && i > start+1 {
		return false, 0, 0, ErrSyntax
	}
	if at('.') {
		i++
		start = i
		leading := n == 0
		count := keep()
		if i == start {
			return false, 0, 0, ErrSyntax
		}
		if leading {
			point -= i - start - count // minus the number of zeros directly after the point
		}
	}
	if at('e') || at('E') {
		i++
		down := at('-')
		if down || at('+') {
			i++
		}
		start = i
		exponent := 0
		for ; i < len(text) && isDigit(text[i]); i++ {
			exponent = min(exponent*10+int(text[i]-'0'), 1<<24) // larger ones are out of range anyway
		}
		if i == start {
			return false, 0, 0, ErrSyntax
		}
		if down {
			exponent = -exponent
		}
		point += exponent
	}
	switch {
	case i < len(text):
		return false, 0, 0, ErrSyntax
	case n == 0:
		return negative, 0, 0, nil
	case point > 19:
		return false, 0, 0, ErrRange
	case beyond:
		return false, 0, 0, ErrFiner
	}
	for k, c := range digits[:n] {
		switch k -= point; {
		case k < 0:
			sec = sec*10 + uint64(c) // at most 19 digits
		case k < 9:
			nsec += uint32(c) * powers[8-k]
		case c != 0:
			return false, 0, 0, ErrFiner
		}
	}
	for k := n; k < point; k++ {
		sec *= 10
	}
	return negative, sec, nsec, nil
}

var powers = [9]uint32{1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000}
