package jsontext

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// escapes says which ASCII characters are not written as they are.
var escapes = func() (set [128]uint8) {
	for c := range set {
		switch {
		case c < ' ' || c == '"' || c == '\\':
			set[c] = always
		case c == '<' || c == '>' || c == '&':
			set[c] = inHTML
		}
	}
	return set
}()

const (
	always = 1 << iota
	inHTML
)

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// \ufffd; <, > and & are escaped if html is set, U+2028 and U+2029 always.
func AppendString(dst []byte, s string, html bool) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(s)+2)
	b := dst[:cap(dst)]
	b[n] = '"'
	n++
	// Words are copied as they are checked; the last may overlap the one
	// before.
	for i := 0; ; i += 8 {
		switch left := len(s) - i; {
		case left <= 0:
			b[n+len(s)] = '"'
			return b[:n+len(s)+1]
		case left < 8 && len(s) >= 8:
			i = len(s) - 8
		case left < 8:
			for ; i < len(s); i++ {
				c := s[i]
				if c >= utf8.RuneSelf || escapes[c] != 0 {
					return appendRest(b[:n+i], s, i, html)
				}
				b[n+i] = c
			}
			b[n+len(s)] = '"'
			return b[:n+len(s)+1]
		}
		w := load(s, i)
		m := special(w)
		if html {
			m = specialHTML(w)
		}
		binary.LittleEndian.PutUint64(b[n+i:], w)
		if m != 0 {
			i += bits.TrailingZeros64(m) >> 3
			return appendRest(b[:n+i], s, i, html)
		}
	}
}

// appendRest is AppendString from s[i:] on, which does not start plainly.
func appendRest(dst []byte, s string, i int, html bool) []byte {
	mask := uint8(always)
	if html {
		mask |= inHTML
	}
	start := i
	valid, checked := false, false // that the rest is UTF-8
	for {
		if valid {
			i = plainValid(s, i, html)
		} else {
			i = plainText(s, i, html)
		}
		if i == len(s) {
			break
		}
		c := s[i]
		if c < utf8.RuneSelf {
			if escapes[c]&mask == 0 {
				i++
				continue
			}
			dst = appendEscaped(append(dst, s[start:i]...), c)
			i++
			start = i
			continue
		}
		if !checked {
			checked = true
			valid = utf8.ValidString(s[i:])
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[start:i]...), `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[start:i]...), '\\', 'u', '2', '0', '2', hex[r&0xf])
			start = i + size
		}
		i += size
	}
	return append(append(dst, s[start:]...), '"')
}

func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special returns a word whose high bits mark, from the lowest set one on, the
// bytes of w that end a run of plain string characters: quotes, backslashes,
// control characters and anything that is not ASCII. Bits above the lowest set
// one may be wrong. (Sean Anderson, Bit Twiddling Hacks, "Determine if a word
// has a byte less than n".)
func special(w uint64) uint64 {
	quote := w ^ '"'*ones
	slash := w ^ '\\'*ones
	return ((quote - ones) | (slash - ones) | (w - ' '*ones) | w) & highs
}

// specialHTML is special for text that is to stand inside HTML.
func specialHTML(w uint64) uint64 {
	// '<' and '>' differ in one bit.
	angle := w&^(2*ones) ^ '<'*ones
	return special(w) | ((angle-ones)|((w^'&'*ones)-ones))&highs
}

// plainText returns the position of the first byte from pos on that may have to
// be written otherwise than it stands: too early at worst by what special says.
func plainText(s string, pos int, html bool) int {
	for ; pos+8 <= len(s); pos += 8 {
		w := load(s, pos)
		m := special(w)
		if html {
			m = specialHTML(w)
		}
		if m != 0 {
			return pos + bits.TrailingZeros64(m)/8
		}
	}
	for ; pos < len(s); pos++ {
		if c := s[pos]; c >= utf8.RuneSelf || escapes[c] != 0 {
			break
		}
	}
	return pos
}

// plainValid is plainText for text that is known to be UTF-8. Of what is not
// ASCII it stops only at the byte that U+2028 and U+2029 start with.
func plainValid(s string, pos int, html bool) int {
	for ; pos+8 <= len(s); pos += 8 {
		w := load(s, pos)
		lead := w ^ 0xe2*ones
		m := (lead - ones) &^ lead & highs
		low := special(w)
		if html {
			low = specialHTML(w)
		}
		// A byte that is not ASCII may carry into the one above it, which
		// stops too early at worst.
		if m |= low &^ w; m != 0 {
			return pos + bits.TrailingZeros64(m)/8
		}
	}
	for ; pos < len(s); pos++ {
		if c := s[pos]; c == 0xe2 || c < utf8.RuneSelf && escapes[c] != 0 {
			break
		}
	}
	return pos
}

// load returns eight bytes of s; the compiler makes one load of it.
func load(s string, pos int) uint64 {
	s = s[pos : pos+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// plainRun returns the position of the first byte from pos on that is not a
// plain ASCII string character.
func plainRun(data []byte, pos int) int {
	for ; pos+8 <= len(data); pos += 8 {
		if m := special(binary.LittleEndian.Uint64(data[pos:])); m != 0 {
			return pos + bits.TrailingZeros64(m)/8
		}
	}
	for ; pos < len(data); pos++ {
		if c := data[pos]; c >= utf8.RuneSelf || escapes[c]&always != 0 {
			break
		}
	}
	return pos
}

// SkipString returns the position after the valid string that starts with the
// quote at pos. Plain is set if its content stands as it is: ASCII without
// escapes.
func SkipString(data []byte, pos int) (next int, plain bool) {
	plain = true
	for pos++; ; {
		pos = plainRun(data, pos)
		switch c := data[pos]; {
		case c == '"':
			return pos + 1, plain
		case c == '\\':
			plain = false
			pos += 2
		default:
			plain = false
			pos++
		}
	}
}

// AppendUnquoted appends the text that the JSON string raw, quotes included,
// stands for. Bytes that are not UTF-8 and lone surrogates become U+FFFD. It
// reports whether raw is a valid string; unlike RFC 8259 and like encoding/json
// it takes \' for a quotation mark.
func AppendUnquoted(dst, raw []byte) ([]byte, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return dst, false
	}
	s := raw[1 : len(raw)-1]
	for i := 0; i < len(s); {
		if n := plainRun(s, i); n > i {
			dst = append(dst, s[i:n]...)
			i = n
			continue
		}
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
		case c != '\\' || i+1 == len(s):
			return dst, false
		case s[i+1] == 'u':
			r := hex4(s[i+2:])
			if r < 0 {
				return dst, false
			}
			i += 6
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if i+1 < len(s) && s[i] == '\\' && s[i+1] == 'u' {
					low = hex4(s[i+2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			c := unescaped[s[i+1]]
			if c == 0 {
				return dst, false
			}
			dst = append(dst, c)
			i += 2
		}
	}
	return dst, true
}

var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', '\'': '\'',
	'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// hex4 returns the number that the first four bytes of s write in hexadecimal,
// or -1.
func hex4(s []byte) rune {
	if len(s) < 4 {
		return -1
	}
	var r rune
	for _, c := range s[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}
