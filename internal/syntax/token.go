package syntax

import (
	"unicode/utf16"
	"unicode/utf8"
)

// The Scan functions read one token that may be incomplete or invalid. They return the position and the
// kind of a problem, and continue when more of the text is there. The functions of read.go are faster, and
// report only whether a token is valid.

// A Problem is the reason why a scan stopped within a token.
type Problem struct {
	Kind ProblemKind
	// Size is the number of bytes of an invalid escape, or of an invalid pair of surrogate escapes. It
	// is 0 for the other kinds.
	Size int
}

// A ProblemKind is the kind of a [Problem].
type ProblemKind uint8

const (
	NoProblem ProblemKind = iota
	NeedsMore             // the text ends within the token
	BadCharacter
	BadEscape
	BadUTF8
)

// A Form describes the JSON text of a string.
type Form uint8

const (
	Escaped      Form = 1 << iota // it contains backslashes
	Broken                        // it contains bytes that are not UTF-8
	Noncanonical                  // RFC 8785 requires another form of the string
)

// ScanString scans the string at the start of data, and returns its end and form. It continues at
// data[n], where n and f are the results of an earlier call with less data, or 0. If strict is set,
// the string must be valid UTF-8 without escapes of lone surrogates. If strict is not set and f is
// Broken, UTF-8 is not checked. With a problem, the end is the position of the problem: the start of an
// incomplete character or escape, or the end of data.
func ScanString(data []byte, n int, f Form, strict bool) (int, Form, Problem) {
	if n == 0 {
		if data[0] != '"' {
			return 0, f, Problem{Kind: BadCharacter}
		}
		n = 1
	}
	for checked := 0; ; {
		n = PlainRun(data, n)
		if n >= len(data) {
			return n, f, Problem{Kind: NeedsMore}
		}
		c := data[n]
		switch {
		case c == '"':
			return n + 1, f, Problem{}
		case c == '\\':
			size, g, problem := scanEscape(data[n:], strict)
			f |= g | Escaped
			if problem.Kind != NoProblem {
				return n, f, problem
			}
			n += size
		case c < ' ':
			return n, f, Problem{Kind: BadCharacter}
		default:
			if n >= checked {
				// Check valid UTF-8 in long runs. Check only an invalid run character by character.
				checked = TextRun(data, n)
				if f&Broken != 0 && !strict {
					n = checked
					if n == len(data) {
						n -= incompleteRune(data)
						return n, f, Problem{Kind: NeedsMore}
					}
					continue
				}
				if ValidUTF8(data[n:checked]) {
					n = checked
					continue
				}
			}
			r, size := utf8.DecodeRune(data[n:])
			if r == utf8.RuneError && size == 1 {
				if !utf8.FullRune(data[n:]) {
					return n, f, Problem{Kind: NeedsMore}
				}
				f |= Broken | Noncanonical
				if strict {
					return n, f, Problem{Kind: BadUTF8}
				}
			}
			n += size
		}
	}
}

// incompleteRune returns the number of bytes at the end of b that may be the start of a character.
func incompleteRune(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// scanEscape returns the length and the form of the escape at the start of b. If strict is set, an
// escaped surrogate must be followed by the escape of the other half of its pair, and the length
// includes both.
func scanEscape(b []byte, strict bool) (int, Form, Problem) {
	if len(b) < 2 {
		return 0, 0, Problem{Kind: NeedsMore}
	}
	switch b[1] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return 2, 0, Problem{}
	case '/':
		return 2, Noncanonical, Problem{}
	case 'u':
	default:
		return 0, Noncanonical, Problem{BadEscape, 2}
	}
	const unit = len(`\u0000`)
	if len(b) < unit {
		if startsEscape(b, false) {
			return 0, 0, Problem{Kind: NeedsMore}
		}
		return 0, Noncanonical, Problem{BadEscape, len(b)}
	}
	first := hex4(b[2:unit])
	if first < 0 {
		return 0, Noncanonical, Problem{BadEscape, unit}
	}
	var f Form
	upper := b[unit-1]-'A' <= 5
	if first >= ' ' || upper || first == '\b' || first == '\f' || first == '\n' || first == '\r' || first == '\t' {
		f = Noncanonical
	}
	if !strict || !utf16.IsSurrogate(first) {
		return unit, f, Problem{}
	}
	if len(b) < 2*unit {
		if startsEscape(b[unit:], true) {
			return 0, 0, Problem{Kind: NeedsMore}
		}
		return 0, f, Problem{BadEscape, len(b)}
	}
	second := rune(-1)
	if b[unit] == '\\' && b[unit+1] == 'u' {
		second = hex4(b[unit+2 : 2*unit])
	}
	if utf16.DecodeRune(first, second) == utf8.RuneError {
		return 0, f, Problem{BadEscape, 2 * unit}
	}
	return 2 * unit, f, Problem{}
}

// startsEscape reports whether b is the start of an escape \uXXXX. If low is set, the escape must
// encode the second half of a surrogate pair.
func startsEscape(b []byte, low bool) bool {
	for i, c := range b[:min(len(b), 6)] {
		switch {
		case i == 0 && c != '\\', i == 1 && c != 'u',
			i == 2 && low && c|0x20 != 'd',
			i == 3 && low && !(c|0x20 >= 'c' && c|0x20 <= 'f'),
			i >= 2 && hexDigits[c] < 0:
			return false
		}
	}
	return true
}

// ScanNumber scans the number at the start of data, and returns its end. It continues at data[n],
// where n and s are the results of an earlier call with less data, or 0. At the end of data it needs
// more, and s says whether the number may end there.
func ScanNumber(data []byte, n int, s NumberState) (int, NumberState, Problem) {
	if n == 0 {
		s = BeforeNumber
	}
	for ; n < len(data); n++ {
		to, ok := number(s, data[n])
		if !ok {
			return n, s, Problem{Kind: BadCharacter}
		}
		if to == AfterNumber {
			return n, s, Problem{}
		}
		s = to
	}
	return n, s, Problem{Kind: NeedsMore}
}

// ScanLiteral scans the literal at the start of data: true, false or null. It returns its text, and
// the number of bytes of data that agree with it.
func ScanLiteral(data []byte) (text string, n int, _ Problem) {
	switch text = "null"; data[0] {
	case 't':
		text = "true"
	case 'f':
		text = "false"
	}
	for ; n < len(text); n++ {
		if n == len(data) {
			return text, n, Problem{Kind: NeedsMore}
		}
		if data[n] != text[n] {
			return text, n, Problem{Kind: BadCharacter}
		}
	}
	return text, n, Problem{}
}
