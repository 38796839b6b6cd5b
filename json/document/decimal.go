package document

import (
	"bytes"
	"strconv"
)

// A decimal is the value of a JSON number: 0 followed by a point and digits, times a power of ten. The
// digits neither start nor end with 0. Zero has no digits, no exponent and no sign.
type decimal struct {
	negative        bool
	whole, decimals []byte // the digits before and after the point of the text
	length          int    // the number of both
	exponent        string // decimal, because it may have any length
}

// decimalOf returns the value of a valid JSON number.
func decimalOf(text []byte) (x decimal) {
	if text[0] == '-' {
		x.negative, text = true, text[1:]
	}
	var power []byte
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		text, power = text[:i], text[i+1:]
	}
	x.whole, x.decimals, _ = bytes.Cut(text, []byte("."))
	x.whole = bytes.TrimLeft(x.whole, "0")
	point := len(x.whole) // the power of ten of the digits as a fraction
	if point == 0 {
		n := len(x.decimals)
		x.decimals = bytes.TrimLeft(x.decimals, "0")
		point = len(x.decimals) - n
	}
	if x.decimals = bytes.TrimRight(x.decimals, "0"); len(x.decimals) == 0 {
		x.whole = bytes.TrimRight(x.whole, "0")
	}
	if x.length = len(x.whole) + len(x.decimals); x.length == 0 {
		return decimal{}
	}
	x.exponent = addExponent(power, int64(point))
	return x
}

// addExponent returns the sum of an exponent of a JSON number, which may be empty, and n.
func addExponent(power []byte, n int64) string {
	const smallDigits = 18
	sign := ""
	if len(power) > 0 && power[0] == '-' {
		sign = "-"
	}
	digits := bytes.TrimLeft(power, "+-0")
	if len(digits) <= smallDigits {
		small, _ := strconv.ParseInt(sign+"0"+string(digits), 10, 64)
		return strconv.FormatInt(small+n, 10)
	}
	// The exponent is larger than n, so the sum has its sign.
	if sign != "" {
		n = -n
	}
	sum := bytes.Clone(digits)
	for i := len(sum) - 1; i >= 0 && n != 0; i-- {
		n += int64(sum[i] - '0')
		digit := (n%10 + 10) % 10
		sum[i] = byte('0' + digit)
		n = (n - digit) / 10
	}
	if n != 0 {
		return sign + strconv.FormatInt(n, 10) + string(sum)
	}
	return sign + string(bytes.TrimLeft(sum, "0"))
}

// equalDigits reports whether x and y, which have the same number of digits, have the same digits.
func (x *decimal) equalDigits(y decimal) bool {
	if len(x.whole) > len(y.whole) {
		return y.equalDigits(*x)
	}
	n := len(y.whole) - len(x.whole)
	return bytes.Equal(x.whole, y.whole[:len(x.whole)]) && bytes.Equal(x.decimals[:n], y.whole[len(x.whole):]) && bytes.Equal(x.decimals[n:], y.decimals)
}
