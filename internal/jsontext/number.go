package jsontext

import "math"

// ValidNumber reports whether s is a JSON number.
func ValidNumber(s string) bool {
	i := 0
	digits := func() bool {
		start := i
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}

// ParseInt returns the int64 that data[pos:end] writes, a JSON number. It
// reports whether there is one: the number may have a fraction or be too large.
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

// ParseUint is ParseInt for a uint64.
func ParseUint(data []byte, pos, end int) (v uint64, ok bool) {
	v, last := readDigits(data, pos, 0)
	switch n := end - pos; {
	case last < end || n == 0:
		return 0, false
	case n < 20:
		return v, true
	default:
		// A number of twenty digits fits if it starts with 1 and has not
		// wrapped.
		return v, n == 20 && data[pos] == '1' && v >= 1e19
	}
}
