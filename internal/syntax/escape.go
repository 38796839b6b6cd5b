package syntax

import "unicode/utf8"

// AppendEscaped appends s, which is valid JSON or a part of it, and escapes the characters that x
// selects. In valid JSON these characters occur only in strings.
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

// isSpecialHTML reports whether text may have a character that [AppendEscaped] escapes. It compares
// only the first bytes of these characters, so it may also report true for other characters.
func isSpecialHTML(text []byte) bool {
	if len(text) >= 8 {
		for i := 0; i+8 <= len(text); i += 8 {
			if specialHTMLWord(Load8(text, i)) != 0 {
				return true
			}
		}
		// The last word may overlap the previous one.
		return specialHTMLWord(Load8(text, len(text)-8)) != 0
	}
	for _, c := range text {
		if c == '<' || c == '>' || c == '&' || c == 0xe2 {
			return true
		}
	}
	return false
}
