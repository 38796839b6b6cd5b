package schema

import (
	"strings"
	"unicode/utf8"
)

// appendName appends a name to the line from which a fingerprint is computed. The name is in
// double quotes, with escapes for quotes, backslashes, control characters and bytes that are
// not UTF-8. All other characters are written unchanged, even unprintable ones, so the result
// does not depend on the version of Unicode.
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
