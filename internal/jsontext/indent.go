package jsontext

// AppendIndent appends the valid value src with each element of an array and
// member of an object on a line of its own, which starts with prefix and one
// indent for each level. White space behind the value is kept, as encoding/json
// has it, and that in front of it is not.
func AppendIndent(dst, src []byte, prefix, indent string) []byte {
	depth := 0
	line := func() {
		dst = append(append(dst, '\n'), prefix...)
		for range depth {
			dst = append(dst, indent...)
		}
	}
	end := len(src)
	for end > 0 && isSpace(src[end-1]) {
		end--
	}
	for i := 0; i < end; {
		switch c := src[i]; c {
		case ' ', '\t', '\r', '\n':
			i = skipBlanks(src, i)
		case '"':
			next := stringEnd(src, i)
			dst = append(dst, src[i:next]...)
			i = next
		case '{', '[':
			dst = append(dst, c)
			i = SkipSpace(src, i+1)
			if src[i] == c+2 { // the closing brackets are two above in ASCII
				dst = append(dst, src[i])
				i++
				continue
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			dst = append(dst, c)
			i++
		case ',':
			dst = append(dst, c)
			line()
			i++
		case ':':
			dst = append(dst, ": "...)
			i++
		default: // a number or a literal
			start := i
			for i < end && src[i] != ',' && src[i] != '}' && src[i] != ']' && src[i] > ' ' {
				i++
			}
			dst = append(dst, src[start:i]...)
		}
	}
	return append(dst, src[end:]...)
}
