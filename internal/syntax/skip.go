package syntax

import (
	"math/bits"
)

func isSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r') }

// SkipSpace returns the position of the first byte from pos on that is not white space.
func SkipSpace(data []byte, pos int) int {
	if pos < len(data) && data[pos] > ' ' {
		return pos
	}
	return skipSpaces(data, pos)
}

func skipSpaces(data []byte, pos int) int {
	for pos < len(data) {
		switch c := data[pos]; {
		case c > ' ':
			return pos
		case c == '\n' || c == ' ': // spaces indent the next line
			pos = skipRun(data, pos+1)
		case c == '\t' || c == '\r':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// TrimSpace returns data without the white space around it. Only the four white space bytes of JSON
// count.
func TrimSpace(data []byte) []byte {
	data = data[SkipSpace(data, 0):]
	for len(data) > 0 && isSpace(data[len(data)-1]) {
		data = data[:len(data)-1]
	}
	return data
}

// SkipNumber returns the position after the valid number at pos.
func SkipNumber(data []byte, pos int) int {
	for pos < len(data) {
		switch c := data[pos]; {
		case '0' <= c && c <= '9', c == '.', c == '-', c == '+', c|0x20 == 'e':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// SkipValue returns the position after the valid value that starts at pos.
func SkipValue(data []byte, pos int) int {
	depth := 0
	for {
		switch c := data[pos]; c {
		case '"':
			pos, _ = SkipString(data, pos)
		case '{', '[':
			depth++
			pos++
		case '}', ']':
			depth--
			pos++
		case 't', 'n':
			pos += 4
		case 'f':
			pos += 5
		case ' ', '\n', '\t', '\r', ',', ':':
			pos++
			continue
		default:
			pos = SkipNumber(data, pos)
		}
		if depth == 0 {
			return pos
		}
	}
}

// skipBlanks is like SkipSpace, for a pos at white space. It skips eight spaces at a time.
func skipBlanks(data []byte, pos int) int { return SkipSpace(data, skipRun(data, pos+1)) }

// skipRun returns the position of the first byte from pos on that is not a space. It may stop
// earlier near the end of the text.
func skipRun(data []byte, pos int) int {
	for ; pos+8 <= len(data); pos += 8 {
		if m := Load8(data, pos) ^ ' '*ones; m != 0 {
			return pos + bits.TrailingZeros64(m)>>3
		}
	}
	return pos
}

// skipDigits returns the position of the first byte from pos on that is not a
// digit.
func skipDigits(data []byte, pos int) int {
	for ; pos+8 <= len(data); pos += 8 {
		if m := notDigits(Load8(data, pos) ^ '0'*ones); m != 0 {
			return pos + bits.TrailingZeros64(m)>>3
		}
	}
	for pos < len(data) && data[pos]-'0' <= 9 {
		pos++
	}
	return pos
}
