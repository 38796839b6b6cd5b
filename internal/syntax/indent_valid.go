package syntax

import (
	"math/bits"
	"slices"
)

// maxLineStart is the maximum length of a line start that is kept for copying. A copy in words may
// write up to spareBytes bytes past its end.
const (
	maxLineStart = 128
	spareBytes   = 8
)

// AppendLines is like [AppendIndent], for valid text that has white space only after the value,
// such as the output of an encoder. It does not check the text.
func AppendLines(dst, src []byte, prefix, indent string) []byte {
	var (
		i     int
		n     = len(dst)
		depth int
		c     byte

		line   [maxLineStart + spareBytes]byte // the start of the deepest line so far
		filled = 1 + copy(line[1:maxLineStart], prefix)
	)
	line[0] = '\n'
	dst = slices.Grow(dst, len(src)+spareBytes)
	b := dst[:cap(dst)]
	for i < len(src) {
		switch c = src[i]; c {
		case '"':
			b[n] = c
			i, n = i+1, n+1
			for {
				if i+8 <= len(src) {
					w := Load8(src, i)
					store8(b, n, w)
					quote, slash := w^'"'*ones, w^'\\'*ones
					m := ((quote - ones) | (slash - ones)) &^ w & highs
					if m == 0 {
						i, n = i+8, n+8
						continue
					}
					k := bits.TrailingZeros64(m) >> 3
					i, n = i+k, n+k
				}
				c = src[i]
				b[n] = c
				i, n = i+1, n+1
				if c == '"' {
					break
				}
				if c == '\\' {
					b[n] = src[i]
					i, n = i+1, n+1
				}
			}
			if i < len(src) && src[i] == ':' {
				b[n], b[n+1] = ':', ' '
				i, n = i+1, n+2
			}
			continue
		case '{', '[':
			b[n] = c
			i, n = i+1, n+1
			if src[i] == c+2 { // '[' + 2 is ']', and '{' + 2 is '}'
				b[n] = c + 2
				i, n = i+1, n+1
				continue
			}
			depth++
		case ',':
			b[n] = c
			i, n = i+1, n+1
		case '}', ']':
			depth--
		default: // a number, a literal, or white space at the end
			for {
				if i+8 <= len(src) {
					w := Load8(src, i)
					store8(b, n, w)
					comma, closing := w^','*ones, (w|0x20*ones)^'}'*ones
					m := ((comma - ones) | (closing - ones)) &^ w & highs
					if m == 0 {
						i, n = i+8, n+8
						continue
					}
					k := bits.TrailingZeros64(m) >> 3
					i, n = i+k, n+k
					break
				}
				if i == len(src) || src[i] == ',' || src[i]|0x20 == '}' {
					break
				}
				b[n] = src[i]
				i, n = i+1, n+1
			}
			continue
		}
		// A line starts here. The rest of the line is copied from src, with a space after the name.
		size := 1 + len(prefix) + depth*len(indent)
		if need := size + len(src) - i + 2 + spareBytes; len(b)-n < need {
			b = slices.Grow(b[:n], need)
			b = b[:cap(b)]
		}
		if size <= maxLineStart {
			for filled < size {
				filled += copy(line[filled:maxLineStart], indent)
			}
			for j := 0; j < size; j += 8 {
				store8(b, n+j, Load8(line[:], j))
			}
		} else {
			to := append(append(b[:n], '\n'), prefix...)
			for range depth {
				to = append(to, indent...)
			}
		}
		n += size
		if c == '}' || c == ']' {
			b[n] = c
			i, n = i+1, n+1
		}
	}
	return b[:n]
}
