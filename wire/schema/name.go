package schema

import (
	"strings"
	"unicode/utf8"
)

// appendName appends a name to the line that a fingerprint is made of: in double
// quotes, with escapes for quotes, backslashes, control characters and what is not
// UTF-8. All other characters stand as they are, whether or not they can be seen, so
// that no table of Unicode decides about it.
func appendName(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1 || r < ' ' || r == 0x7f:
			if i := strings.IndexByte("\a\b\t\n\v\f\r", s[0]); i >= 0 {
				dst = append(dst, '\\', "abtnvfr"[i])
			} else {
				dst = append(dst, '\\', 'x', digits[s[0]>>4], digits[s[0]&15])
			}
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		default:
			dst = append(dst, s[:n]...)
		}
		s = s[n:]
	}
	return append(dst, '"')
}
