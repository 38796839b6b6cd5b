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

// ParseInt returns the int64 that the JSON number s writes. It reports whether
// there is one: the number may have a fraction or be too large.
func ParseInt(s []byte) (v int64, ok bool) {
	neg := s[0] == '-'
	if neg {
		s = s[1:]
	}
	u, ok := ParseUint(s)
	if neg {
		return -int64(u), ok && u <= 1<<63
	}
	return int64(u), ok && u <= math.MaxInt64
}

// ParseUint is ParseInt for a uint64, which has no sign in front.
func ParseUint(s []byte) (v uint64, ok bool) {
	v, end := readDigits(s, 0, 0)
	switch {
	case end < len(s) || end == 0:
		return 0, false
	case end < 20:
		return v, true
	}
	// A number of twenty digits fits if it starts with 1 and has not wrapped.
	return v, end == 20 && s[0] == '1' && v >= 1e19
}
