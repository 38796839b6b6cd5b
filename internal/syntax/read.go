package syntax

import "math/bits"

// The functions in this file check the token that they read, for decoders without an [Index]. They
// return a negative position if the token is missing or invalid.

// ReadText returns the position of the first byte from pos on that ends a run of string
// characters: a quote, a backslash or a control character, or the end of data. wide reports
// whether some of the bytes before it are not ASCII.
func ReadText(data []byte, pos int) (end int, wide bool) {
	var high uint64
	for ; pos+8 <= len(data); pos += 8 {
		w := Load8(data, pos)
		m := ending(w)
		if m != 0 {
			k := bits.TrailingZeros64(m)
			return pos + k>>3, (high|w&(1<<k-1))&highs != 0
		}
		high |= w
	}
	for ; pos < len(data) && data[pos] >= ' ' && data[pos] != '"' && data[pos] != '\\'; pos++ {
		high |= uint64(data[pos])
	}
	return pos, high&highs != 0
}

// ReadEscape returns the position after the escape whose backslash is at pos.
func ReadEscape(data []byte, pos int) int {
	if pos+1 >= len(data) {
		return -1
	}
	switch c := data[pos+1]; {
	case c == 'u':
		if hex4(data[pos+2:]) < 0 {
			return -1
		}
		return pos + 6
	case unescaped[c] == 0 || c == '\'':
		return -1
	}
	return pos + 2
}

// ReadNumber returns the position after the JSON number at pos.
func ReadNumber(data []byte, pos int) int {
	if pos < len(data) && data[pos] == '-' {
		pos++
	}
	if pos >= len(data) || data[pos]-'0' > 9 {
		return -1
	}
	start := pos
	if pos = skipDigits(data, pos); pos > start+1 && data[start] == '0' {
		return -1
	}
	return readFraction(data, pos)
}

// readFraction returns the position after the fraction and the exponent at pos, or pos if there is
// neither.
func readFraction(data []byte, pos int) int {
	if pos < len(data) && data[pos] == '.' {
		start := pos + 1
		if pos = skipDigits(data, start); pos == start {
			return -1
		}
	}
	if pos < len(data) && data[pos]|0x20 == 'e' {
		pos++
		if pos < len(data) && (data[pos] == '+' || data[pos] == '-') {
			pos++
		}
		start := pos
		if pos = skipDigits(data, start); pos == start {
			return -1
		}
	}
	return pos
}

// ReadFloat returns the float64 closest to the JSON number at pos, and the position after the
// number. The position is also negative if the number is too large.
func ReadFloat(data []byte, pos int) (f float64, end int) {
	start := pos
	neg := pos < len(data) && data[pos] == '-'
	if neg {
		pos++
	}
	var d uint64
	// Many numbers have one digit before the point.
	if pos < len(data)-1 && data[pos]-'0' <= 9 && data[pos+1] == '.' {
		d, end = uint64(data[pos]-'0'), pos+1
	} else if d, end = readDigits(data, pos, 0); end == pos || end > pos+1 && data[pos] == '0' {
		return 0, -1
	}
	p, digits := 0, end-pos
	if end < len(data) && data[end] == '.' {
		point := end + 1
		d, end = readDigits(data, point, d)
		p = point - end
		if p == 0 {
			return 0, -1
		}
		digits -= p
	}
	if digits > 19 || end < len(data) && data[end]|0x20 == 'e' {
		if end = ReadNumber(data, start); end < 0 {
			return 0, -1
		}
		f, ok := ParseFloat(data, start, end)
		if !ok {
			return 0, -1
		}
		return f, end
	}
	f, ok := binary64Of(d, p, neg)
	if !ok {
		return 0, -1
	}
	return f, end
}

// ReadInt returns the JSON number at pos, and the position after it. The position is also negative
// if the number has a fraction or an exponent, or is out of range.
func ReadInt(data []byte, pos int) (v int64, end int) {
	if pos < len(data) && data[pos] == '-' {
		u, end := ReadUint(data, pos+1)
		if u > 1<<63 {
			return 0, -1
		}
		return -int64(u), end
	}
	u, end := ReadUint(data, pos)
	if u >= 1<<63 {
		return 0, -1
	}
	return int64(u), end
}

// ReadUint is like ReadInt, for a uint64.
func ReadUint(data []byte, pos int) (v uint64, end int) {
	v, end = readDigits(data, pos, 0)
	n := end - pos
	if n == 0 || n > 1 && data[pos] == '0' || n >= 20 && !(n == 20 && data[pos] == '1' && v >= 1e19) {
		return 0, -1
	}
	if end < len(data) && (data[end] == '.' || data[end]|0x20 == 'e') {
		return 0, -1
	}
	return v, end
}

// ReadLiteral returns the position after the literal at pos: true, false or null.
func ReadLiteral(data []byte, pos int) int {
	if _, n, problem := ScanLiteral(data[pos:]); problem.Kind == NoProblem {
		return pos + n
	}
	return -1
}
