package stream

import (
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
)

// errMore means that the token at the end of the text is incomplete.
var errMore = errors.New("more text is needed")

func isUnexpectedEOF(err error) bool { return err == io.ErrUnexpectedEOF }

// A form describes the JSON text of a string.
type form uint8

const (
	escaped      form = 1 << iota // it contains backslashes
	broken                        // the string contains bytes that are not UTF-8
	noncanonical                  // RFC 8785 requires another form of the string
)

// scanString scans the string at the start of data, and returns its end and form. It continues at
// data[n], where n and f are the results of an earlier call with less data, or 0. If strict is set,
// the string must be valid UTF-8 without escapes of lone surrogates. On error it returns the
// position of the error.
func scanString(data []byte, n int, f form, strict bool) (int, form, error) {
	if n == 0 {
		if data[0] != '"' {
			return 0, f, badCharacter(data, `at start of string (expecting '"')`)
		}
		n = 1
	}
	for checked := 0; ; {
		n = syntax.PlainRun(data, n)
		if n >= len(data) {
			return n, f, errMore
		}
		c := data[n]
		switch {
		case c == '"':
			return n + 1, f, nil
		case c == '\\':
			size, g, err := scanEscape(data[n:], strict)
			f |= g | escaped
			if err != nil {
				return n, f, err
			}
			n += size
		case c < ' ':
			return n, f, badCharacter(data[n:], "in string (expecting non-control character)")
		default:
			if n >= checked {
				// Check valid UTF-8 in long runs. Check only an invalid run character by character.
				if checked = syntax.TextRun(data, n); syntax.ValidUTF8(data[n:checked]) {
					n = checked
					continue
				}
			}
			r, size := utf8.DecodeRune(data[n:])
			if r == utf8.RuneError && size == 1 {
				if !utf8.FullRune(data[n:]) {
					return n, f, errMore
				}
				f |= broken | noncanonical
				if strict {
					return n, f, ErrInvalidUTF8
				}
			}
			n += size
		}
	}
}

// scanEscape returns the length and the form of the escape at the start of b. If strict is set, an
// escaped surrogate must be followed by the escape of the other half of its pair, and the length
// includes both.
func scanEscape(b []byte, strict bool) (int, form, error) {
	if len(b) < 2 {
		return 0, 0, errMore
	}
	switch b[1] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return 2, 0, nil
	case '/':
		return 2, noncanonical, nil
	case 'u':
	default:
		return 0, noncanonical, badEscape(b[:2])
	}
	const unit = len(`\u0000`)
	if len(b) < unit {
		if startsEscape(b, false) {
			return 0, 0, errMore
		}
		return 0, noncanonical, badEscape(b)
	}
	first, lower := hex16(b[2:unit])
	if first < 0 {
		return 0, noncanonical, badEscape(b[:unit])
	}
	var f form
	if first >= ' ' || !lower || first == '\b' || first == '\f' || first == '\n' || first == '\r' || first == '\t' {
		f = noncanonical
	}
	if !strict || !utf16.IsSurrogate(first) {
		return unit, f, nil
	}
	if len(b) < 2*unit {
		if startsEscape(b[unit:], true) {
			return 0, 0, errMore
		}
		return 0, f, badEscape(b)
	}
	second := rune(-1)
	if b[unit] == '\\' && b[unit+1] == 'u' {
		second, _ = hex16(b[unit+2 : 2*unit])
	}
	if utf16.DecodeRune(first, second) == utf8.RuneError {
		return 0, f, badEscape(b[:2*unit])
	}
	return 2 * unit, f, nil
}

// startsEscape reports whether b is the start of an escape \uXXXX. If low is set, the escape must
// encode the second half of a surrogate pair.
func startsEscape(b []byte, low bool) bool {
	for i, c := range b[:min(len(b), 6)] {
		switch {
		case i == 0 && c != '\\', i == 1 && c != 'u',
			i == 2 && low && c|0x20 != 'd',
			i == 3 && low && !(c|0x20 >= 'c' && c|0x20 <= 'f'),
			i >= 2 && !isHex(c):
			return false
		}
	}
	return true
}

func isHex(c byte) bool { return c-'0' <= 9 || c|0x20-'a' <= 5 }

// hex16 returns the value of four hexadecimal digits, or -1 if b contains other characters. lower
// reports whether none of the letters is upper case.
func hex16(b []byte) (v rune, lower bool) {
	lower = true
	for _, c := range b[:4] {
		switch {
		case c-'0' <= 9:
			v = v<<4 | rune(c-'0')
		case c-'a' <= 5:
			v = v<<4 | rune(c-'a'+10)
		case c-'A' <= 5:
			v = v<<4 | rune(c-'A'+10)
			lower = false
		default:
			return -1, lower
		}
	}
	return v, lower
}

// scanNumber scans the number at the start of data, and returns its end. It continues at data[n],
// where n and s are the results of an earlier call with less data, or 0. mayEnd reports whether the
// number is complete at the end of data. On error it returns the position of the error.
func scanNumber(data []byte, n int, s syntax.NumberState) (_ int, _ syntax.NumberState, mayEnd bool, err error) {
	if n == 0 {
		s = syntax.BeforeNumber
	}
	for ; n < len(data); n++ {
		to, ok := s.After(data[n])
		if !ok {
			return n, s, false, badCharacter(data[n:], "in number (expecting digit)")
		}
		if to == syntax.AfterNumber {
			return n, s, true, nil
		}
		s = to
	}
	return n, s, s.MayEnd(), errMore
}

// scanLiteral returns the length of the literal at the start of data. On error it returns the
// position of the error.
func scanLiteral(data []byte) (n int, err error) {
	text := "null"
	switch data[0] {
	case 't':
		text = "true"
	case 'f':
		text = "false"
	}
	if len(data) >= len(text) && string(data[:len(text)]) == text {
		return len(text), nil
	}
	for ; n < len(text); n++ {
		if n == len(data) {
			return n, errMore
		}
		if data[n] != text[n] {
			return n, badCharacter(data[n:], "in literal "+text+" (expecting '"+text[n:n+1]+"')")
		}
	}
	return n, nil
}
