package jsontext

import "unicode/utf8"

// AppendCompact appends the valid value src without the white space around its
// tokens. If html is set, <, >, &, U+2028 and U+2029 are escaped.
func AppendCompact(dst, src []byte, html bool) []byte {
	start := 0 // of what goes to dst as it is
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '"':
			end := stringEnd(src, i)
			if html {
				dst = AppendEscaped(append(dst, src[start:i]...), src[i:end], EscapeHTML|EscapeJS)
				start = end
			}
			i = end
		case c > ' ':
			i++
		default:
			dst = append(dst, src[start:i]...)
			i = skipBlanks(src, i)
			start = i
		}
	}
	return append(dst, src[start:]...)
}

// stringEnd returns the position after the valid string that starts at pos.
func stringEnd(data []byte, pos int) int {
	for pos++; ; {
		pos = TextRun(data, pos)
		if data[pos] == '"' {
			return pos + 1
		}
		pos += 2 // a backslash, and what it escapes
	}
}

// AppendEscaped appends the valid string s as it is, but for what x escapes.
func AppendEscaped(dst, s []byte, x Escapes) []byte {
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case x&EscapeHTML != 0 && (c == '<' || c == '>' || c == '&'):
			dst = append(append(dst, s[start:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
			start = i + 1
		case c == 0xe2 && x&EscapeJS != 0:
			if r, size := utf8.DecodeRune(s[i:]); r == '\u2028' || r == '\u2029' {
				dst = append(append(dst, s[start:i]...), '\\', 'u', '2', '0', '2', hex[r&0xf])
				start = i + size
				i += size - 1
			}
		}
	}
	return append(dst, s[start:]...)
}
