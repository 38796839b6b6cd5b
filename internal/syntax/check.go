package syntax

import (
	"math/bits"

	"github.com/hone-go/hone/internal/memory/vector"
)

// checkDepth is the deepest nesting that check supports, because check stores the open arrays and objects
// as bits of one word.
const checkDepth = 64

// check reports whether src is one JSON value. White space around tokens is allowed; if dense
// is set, check does not expect any. sure is false if valid is not reliable: the text nests
// deeper than checkDepth, or dense is set and the text has white space.
//
// It is the state machine of [Index.scan] without the Index. It is one long function, so that its
// state stays in registers. It makes no calls for usual text.
func check(src []byte, dense bool) (valid, sure bool) {
	var (
		i     int
		depth int    // the number of open arrays and objects
		open  uint64 // one bit per open array or object, set for objects, with the innermost in the lowest bit
		name  bool   // a name comes next, or has just been read
		c     byte   // src[i]
	)
next: // a value or a name comes next
	for {
		if uint(i) >= uint(len(src)) {
			return false, true
		}
		if c = src[i]; c > ' ' {
			break
		}
		if !isSpace(c) {
			return false, true
		}
		if dense {
			return false, false
		}
		for i++; i+8 <= len(src); i += 8 {
			if m := Load8(src, i) ^ ' '*ones; m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
		}
	}
	if c == '"' {
		i++
		far := i + vector.PlainText
		for {
			if i+8 <= len(src) {
				m := ending(Load8(src, i))
				if m == 0 {
					if i += 8; i == far && vector.Enabled {
						i = vector.Text(src, i)
					}
					continue
				}
				i += bits.TrailingZeros64(m) >> 3
			}
			if uint(i) >= uint(len(src)) {
				return false, true
			}
			if c = src[i]; c == '"' {
				i++
				break
			}
			if c == '\\' {
				if i = ReadEscape(src, i); i < 0 {
					return false, true
				}
				continue
			}
			if c < ' ' {
				return false, true
			}
			i++
		}
		if !name {
			goto after
		}
		if uint(i) >= uint(len(src)) || src[i] != ':' {
			if i = SkipSpace(src, i); i >= len(src) || src[i] != ':' {
				return false, true
			}
			if dense {
				return false, false
			}
		}
		if i++; uint(i) < uint(len(src)) && src[i] == ' ' && !dense {
			i++
		}
		name = false
		goto next
	}
	if name && c != '}' {
		return false, true
	}
	switch c {
	case '{', '[':
		if depth == checkDepth {
			return false, false
		}
		depth++
		name = c == '{'
		open <<= 1
		if name {
			open |= 1
		}
		i++
		goto next
	case '}', ']':
		// An empty array or object: only the opening bracket may precede the closing one.
		before := i - 1
		for before >= 0 && isSpace(src[before]) {
			before--
		}
		if before < 0 || src[before] != c-2 { // '[' + 2 is ']', and '{' + 2 is '}'
			return false, true
		}
		depth--
		open >>= 1
		i++
	case 't':
		if i+4 > len(src) || string(src[i:i+4]) != "true" {
			return false, true
		}
		i += 4
	case 'f':
		if i+5 > len(src) || string(src[i:i+5]) != "false" {
			return false, true
		}
		i += 5
	case 'n':
		if i+4 > len(src) || string(src[i:i+4]) != "null" {
			return false, true
		}
		i += 4
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		start := i
		for i++; uint(i) < uint(len(src)) && src[i]-'0' <= 9; i++ {
		}
		if uint(i) < uint(len(src)) && (src[i] == '.' || src[i]|0x20 == 'e') {
			i = ReadNumber(src, start)
		}
	default:
		i = ReadNumber(src, i)
	}
	if i < 0 {
		return false, true
	}
after: // a value has ended
	if depth == 0 {
		return SkipSpace(src, i) == len(src), i == len(src) || !dense
	}
	for {
		if uint(i) >= uint(len(src)) {
			return false, true
		}
		if c = src[i]; c > ' ' {
			break
		}
		if !isSpace(c) {
			return false, true
		}
		if dense {
			return false, false
		}
		for i++; i+8 <= len(src); i += 8 {
			if m := Load8(src, i) ^ ' '*ones; m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
		}
	}
	i++
	switch {
	case c == ',':
		name = open&1 != 0
		// An element must follow a comma, so a closing bracket is not valid here.
		goto next
	case c == '}' && open&1 != 0, c == ']' && open&1 == 0:
		depth--
		open >>= 1
		goto after
	}
	return false, true
}
