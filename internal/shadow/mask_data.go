package shadow

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// excerptSide is the number of bytes in an excerpt on each side of a position.
const excerptSide = 24

// excerpt returns the masked text around a position.
func excerpt(text []byte, at int) string {
	from, to := max(at-excerptSide, 0), min(at+excerptSide, len(text))
	return fmt.Sprintf("%q at %d of %d bytes", mask(text[from:to]), at, len(text))
}

// mask hides secrets: it replaces digits by 9, letters by x, and invalid UTF-8 by \xff. It keeps
// punctuation, space and the letters of escapes, where most differences are.
func mask(text []byte) []byte {
	out := make([]byte, 0, len(text))
	escape := false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		escaped := escape
		escape = r == '\\' && !escaped
		switch {
		case escaped && strings.ContainsRune("bfnrtu", r):
			out = append(out, text[i])
		case r == utf8.RuneError && size == 1:
			out = append(out, 0xff)
		case unicode.IsNumber(r):
			out = append(out, '9')
		case unicode.IsLetter(r), unicode.IsMark(r):
			out = append(out, 'x')
		default:
			out = append(out, text[i:i+size]...)
		}
		i += size
	}
	return out
}
