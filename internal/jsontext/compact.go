package jsontext

import "unicode/utf8"

// AppendCompact appends the valid value src without the white space around its
// tokens. If html is set, <, >, &, U+2028 and U+2029 are escaped.
func AppendCompact(dst, src []byte, html bool) []byte {
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case isSpace(c):
			i++
		case c == '"':
			next, plain := SkipString(src, i)
			if html {
				dst = appendHTMLSafe(dst, src[i:next], plain)
			} else {
				dst = append(dst, src[i:next]...)
			}
			i = next
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

func appendHTMLSafe(dst, s []byte, ascii bool) []byte {
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '<' || c == '>' || c == '&':
			dst = append(append(dst, s[start:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
			start = i + 1
		case !ascii && c == 0xe2:
			if r, size := utf8.DecodeRune(s[i:]); r == '\u2028' || r == '\u2029' {
				dst = append(append(dst, s[start:i]...), '\\', 'u', '2', '0', '2', hex[r&0xf])
				start = i + size
				i += size - 1
			}
		}
	}
	return append(dst, s[start:]...)
}
