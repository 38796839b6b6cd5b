package syntax

import "math"

// A NumberState is the state of reading a JSON number.
type NumberState uint8

const (
	BeforeNumber NumberState = iota + 1
	afterMinus
	afterZero
	inDigits
	afterPoint
	inFraction
	afterE
	afterSign
	inExponent
	AfterNumber // the last byte belongs to the next token
)

// number returns the state after the byte c. ok is false if c cannot continue a number.
func number(s NumberState, c byte) (next NumberState, ok bool) {
	digit := c-'0' <= 9
	switch s {
	case BeforeNumber, afterMinus:
		switch {
		case c == '-' && s == BeforeNumber:
			return afterMinus, true
		case c == '0':
			return afterZero, true
		}
		return inDigits, digit
	case afterZero, inDigits:
		switch {
		case digit && s == inDigits:
			return inDigits, true
		case c == '.':
			return afterPoint, true
		case c|0x20 == 'e':
			return afterE, true
		}
	case afterPoint:
		return inFraction, digit
	case inFraction:
		switch {
		case digit:
			return inFraction, true
		case c|0x20 == 'e':
			return afterE, true
		}
	case afterE:
		if c == '+' || c == '-' {
			return afterSign, true
		}
		return inExponent, digit
	case afterSign:
		return inExponent, digit
	case inExponent:
		if digit {
			return inExponent, true
		}
	}
	return AfterNumber, true
}

// After returns the state after the byte c. ok is false if c cannot continue a number.
func (s NumberState) After(c byte) (next NumberState, ok bool) { return number(s, c) }

// MayEnd reports whether a number is complete in this state.
func (s NumberState) MayEnd() bool {
	return s == afterZero || s == inDigits || s == inFraction || s == inExponent
}

// ValidNumber reports whether s is a JSON number.
func ValidNumber(s string) bool {
	state, ok := BeforeNumber, true
	for i := 0; i < len(s) && ok; i++ {
		state, ok = number(state, s[i])
		ok = ok && state != AfterNumber
	}
	return ok && state.MayEnd()
}

// ParseInt returns the int64 of the JSON number data[pos:end]. ok is false if the number has a
// fraction or an exponent, or is out of range.
func ParseInt(data []byte, pos, end int) (v int64, ok bool) {
	neg := data[pos] == '-'
	if neg {
		pos++
	}
	u, ok := ParseUint(data, pos, end)
	if neg {
		return -int64(u), ok && u <= 1<<63
	}
	return int64(u), ok && u <= math.MaxInt64
}

// ParseUint is like ParseInt, for a uint64.
func ParseUint(data []byte, pos, end int) (v uint64, ok bool) {
	v, last := readDigits(data, pos, 0)
	switch n := end - pos; {
	case last < end || n == 0:
		return 0, false
	case n < 20:
		return v, true
	default:
		// A uint64 can represent a number of twenty digits if the number starts with 1 and the
		// multiplication has not wrapped around.
		return v, n == 20 && data[pos] == '1' && v >= 1e19
	}
}
