package syntax

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/memory/vector"
)

const hex = "0123456789abcdef"

// escapes says for each ASCII character whether it is escaped: always, with EscapeHTML, or, if the
// element is 0, never.
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

// Escapes selects how a string is escaped.
type Escapes uint8

const (
	EscapeHTML    Escapes = 1 << iota // escapes <, > and &
	EscapeJS                          // escapes U+2028 and U+2029
	EscapeInvalid                     // writes invalid UTF-8 as the escape \ufffd instead of the character U+FFFD
	OnlyUTF8                          // reports invalid UTF-8
)

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD; <, > and & are escaped if html is set, U+2028 and U+2029 always.
func AppendString(dst []byte, s string, html bool) []byte {
	x := standardEscapes
	if html {
		x |= EscapeHTML
	}
	dst, _ = AppendText(dst, s, x)
	return dst
}

// AppendText appends s as a JSON string. It returns false if x has OnlyUTF8 and s is not valid
// UTF-8.
func AppendText(dst []byte, s string, x Escapes) ([]byte, bool) {
	n := len(dst)
	if len(s) >= 8 && len(s) <= 64 && vector.Short && s[0] < utf8.RuneSelf {
		if cap(dst)-n < len(s)+2 {
			dst = slices.Grow(dst, len(s)+2+vector.Spare)
		}
		b := dst[:n+len(s)+2]
		b[n] = '"'
		if plain := vector.CopyShort(b[n+1:], s, vectorEscapes[x&(EscapeHTML|EscapeJS)]); plain < len(s) {
			return appendRest(b[:n+1+plain], s, plain, x)
		}
		b[n+len(s)+1] = '"'
		return b, true
	}
	if len(s) >= vector.MinPlain && vector.Enabled {
		if cap(dst)-n < len(s)+2 {
			dst = slices.Grow(dst, len(s)+2+vector.Spare)
		}
		return appendRest(append(dst, '"'), s, 0, x)
	}
	if cap(dst)-n < len(s)+2 {
		dst = slices.Grow(dst, len(s)+2)
	}
	b := dst[:cap(dst)]
	b[n] = '"'
	n++
	// Each word is copied while it is checked.
	i := 0
	if x&EscapeHTML != 0 {
		for ; i+8 <= len(s); i += 8 {
			w := stringLoad8(s, i)
			store8(b, n+i, w)
			if m := specialHTML(w); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				return appendRest(b[:n+i], s, i, x)
			}
		}
	} else {
		for ; i+8 <= len(s); i += 8 {
			w := stringLoad8(s, i)
			store8(b, n+i, w)
			if m := special(w); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				return appendRest(b[:n+i], s, i, x)
			}
		}
	}
	// The last word may overlap the previous one.
	switch {
	case i == len(s):
	case len(s) >= 8:
		w := stringLoad8(s, len(s)-8)
		if isSpecial(w, x) {
			return appendRest(b[:n+i], s, i, x)
		}
		store8(b, n+len(s)-8, w)
	case len(s) >= 4:
		first, last := stringLoad4(s, 0), stringLoad4(s, len(s)-4)
		if isSpecial(uint64(first)|uint64(last)<<32, x) {
			return appendRest(b[:n], s, 0, x)
		}
		store4(b, n, first)
		store4(b, n+len(s)-4, last)
	default:
		first, middle, last := s[0], s[len(s)/2], s[len(s)-1]
		if isSpecial(0x7f7f7f7f7f<<24|uint64(first)|uint64(middle)<<8|uint64(last)<<16, x) {
			return appendRest(b[:n], s, 0, x)
		}
		b[n] = first
		b[n+len(s)/2] = middle
		b[n+len(s)-1] = last
	}
	b[n+len(s)] = '"'
	return b[:n+len(s)+1], true
}

func isSpecial(w uint64, x Escapes) bool {
	if x&EscapeHTML != 0 {
		return specialHTML(w) != 0
	}
	return special(w) != 0
}

// appendRest appends s[i:]. The first word of s[i:] has a byte that is not plain ASCII. appendRest
// copies each word while it checks it, and keeps the plain bytes before the first other byte.
func appendRest(dst []byte, s string, i int, x Escapes) ([]byte, bool) {
	if len(s)-i >= vector.MinQuote && vector.Enabled {
		if dst, i = appendVector(dst, s, i, x); i == len(s) {
			return append(dst, '"'), true
		}
	}
	valid := true
	// From here on b has room for the rest of s and a quote.
	n := len(dst)
	b := slices.Grow(dst, len(s)-i+1)
	b = b[:cap(b)]
	for i < len(s) {
		var w uint64
		left := len(s) - i
		if left >= 8 {
			w = stringLoad8(s, i)
		} else if len(s) >= 8 && len(b)-n >= 8 {
			// The last bytes are padded with zeros, which are not plain.
			w = stringLoad8(s, len(s)-8) >> (64 - 8*left)
		} else {
			return appendTail(b, n, s, i, x, valid)
		}
		store8(b, n, w)
		if w&0x80 == 0 {
			m := special(w)
			if x&EscapeHTML != 0 {
				m = specialHTML(w)
			}
			if m == 0 {
				i, n = i+8, n+8
				continue
			}
			plain := min(bits.TrailingZeros64(m)>>3, left)
			i, n = i+plain, n+plain
			if c := byte(w >> (8 * plain)); plain < left && c < utf8.RuneSelf {
				if len(b)-n < len(s)-i+8 {
					b = slices.Grow(b[:n], len(s)-i+8)
					b = b[:cap(b)]
				}
				store8(b, n, escapeWords[c])
				i, n = i+1, n+int(escapeLens[c])
			}
			continue
		}
		k := 0
		if w&(threeMask|threeMask<<24) == three|three<<24 {
			k = copyThrees(b[n:], s[i:])
		} else if w&(twoMask|twoMask<<16) == two|two<<16 {
			k = copyTwos(b[n:], s[i:])
		}
		if k == 0 {
			k = wholeRunes(w)
		}
		if k > 0 {
			i, n = i+k, n+k
			continue
		}
		var ok bool
		b, n, i, ok = appendRune(b, n, s, i, x)
		valid = valid && ok
	}
	b[n] = '"'
	return b[:n+1], valid
}

// vectorEscapes are the escapes of strings, by EscapeHTML and EscapeJS.
var vectorEscapes = func() (list [4]*vector.Escapes) {
	for x := range list {
		if vector.Enabled {
			list[x] = vector.NewEscapes(Escapes(x)&EscapeHTML != 0, Escapes(x)&EscapeJS != 0, &escapeWords, &escapeLens)
		}
	}
	return list
}()

// appendVector appends s[i:] to dst with vector instructions. It returns dst and the index in s of
// the first byte that it has not written: it stops at invalid UTF-8, and before the last few bytes.
func appendVector(dst []byte, s string, i int, x Escapes) ([]byte, int) {
	e := vectorEscapes[x&(EscapeHTML|EscapeJS)]
	wide := false
	for len(s)-i >= vector.MinQuote {
		if s[i] >= utf8.RuneSelf && !wide {
			if wide = len(s)-i >= vector.MinValid && vector.ValidString(s[i:]); !wide {
				break
			}
		}
		read, written := vector.Quote(dst[len(dst):cap(dst)], s[i:], e, wide)
		dst, i = dst[:len(dst)+written], i+read
		if read == 0 {
			break
		}
	}
	return dst, i
}

// copyThrees copies characters of three bytes each from the start of s to b, which has room for all
// of s, and returns the number of copied bytes.
func copyThrees(b []byte, s string) int {
	i := 0
	for ; i+8 <= len(s) && i+8 <= len(b); i += 6 {
		w := stringLoad8(s, i)
		if w&(threeMask|threeMask<<24) != three|three<<24 ||
			simpleLeads>>(w&15)&(simpleLeads>>(w>>24&15))&1 == 0 && !(plainThree(w) && plainThree(w>>24)) {
			break
		}
		store8(b, i, w)
	}
	return i
}

// copyTwos is like copyThrees, for characters of two bytes.
func copyTwos(b []byte, s string) int {
	const lanes = 0x0001000100010001
	i := 0
	for ; i+8 <= len(s) && i+8 <= len(b); i += 8 {
		w := stringLoad8(s, i)
		if w&(twoMask*lanes) != two*lanes || (w&(twoLong*lanes)+0x7f*lanes)&(0x80*lanes) != 0x80*lanes {
			break
		}
		store8(b, i, w)
	}
	return i
}

// appendTail completes appendRest when fewer than eight bytes of s are left.
func appendTail(b []byte, n int, s string, i int, x Escapes, valid bool) ([]byte, bool) {
	mask := uint8(always)
	if x&EscapeHTML != 0 {
		mask |= inHTML
	}
	for i < len(s) {
		if c := s[i]; c >= utf8.RuneSelf {
			var ok bool
			b, n, i, ok = appendRune(b, n, s, i, x)
			valid = valid && ok
		} else if escapes[c]&mask != 0 {
			b, n = replace(b, n, escapeTexts[c], len(s)-i)
			i++
		} else {
			b[n] = c
			i, n = i+1, n+1
		}
	}
	b[n] = '"'
	return b[:n+1], valid
}

// The forms of UTF-8 (The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences"). The
// lowest byte of a word w begins a character of two bytes if w&twoMask == two. The masks and values
// for three and four bytes are used in the same way.
const (
	two       = 0x80c0
	twoMask   = 0xc0e0
	twoLong   = 0x001e // one of these bits is set unless the encoding is overlong
	three     = 0x8080e0
	threeMask = 0xc0c0f0
	four      = 0x808080f0
	fourMask  = 0xc0c0c0f8

	// simpleLeads has one bit for the low half of each lead byte of three-byte characters. The bit
	// is set if all continuation bytes are valid after the lead byte, and none of the characters is
	// escaped. It excludes e0, ed, and e2, with which U+2028 begins.
	simpleLeads = 0b1101_1111_1111_1010
)

// wholeRunes returns the number of bytes, from the lowest byte of w on, that are valid UTF-8 and
// need no escape. The lowest byte is not ASCII.
func wholeRunes(w uint64) int {
	switch {
	case w&threeMask == three:
		if plainThree(w) {
			return 3
		}
	case w&twoMask == two:
		if w&twoLong != 0 {
			return 2
		}
	case w&fourMask == four:
		// The range is U+10000 to U+10FFFF.
		if r := w&0x07<<18 | w>>8&0x3f<<12; r >= 0x10000 && r < 0x110000 {
			return 4
		}
	}
	return 0
}

// plainThree reports whether the three-byte character at the low end of w is valid and needs no
// escape: it is not overlong, and is not half of a surrogate pair.
func plainThree(w uint64) bool {
	switch w & 0xff {
	case 0xe0:
		return w&0x2000 != 0
	case 0xed:
		return w&0x2000 == 0
	case 0xe2:
		return w&0xfeff00 != 0xa88000
	}
	return true
}

// appendRune writes the character at s[i], which is not ASCII, to b[n:], escaped if necessary. It
// returns the next positions in b and s. ok is false if x has OnlyUTF8 and the character is
// invalid.
func appendRune(b []byte, n int, s string, i int, x Escapes) (_ []byte, nextN, nextI int, ok bool) {
	r, size := utf8.DecodeRuneInString(s[i:])
	switch {
	case r == utf8.RuneError && size == 1:
		text := "\ufffd"
		if x&EscapeInvalid != 0 {
			text = `\ufffd`
		}
		b, n = replace(b, n, text, len(s)-i)
		return b, n, i + 1, x&OnlyUTF8 == 0
	case r == '\u2028' && x&EscapeJS != 0:
		b, n = replace(b, n, `\u2028`, len(s)-i)
	case r == '\u2029' && x&EscapeJS != 0:
		b, n = replace(b, n, `\u2029`, len(s)-i)
	default:
		n += copy(b[n:], s[i:i+size])
	}
	return b, n, i + size, true
}

// replace writes escape to b[n:]. It grows b so that the given number of remaining bytes fits after
// the escape.
func replace(b []byte, n int, escape string, remaining int) ([]byte, int) {
	if len(b)-n < len(escape)+remaining {
		b = slices.Grow(b[:n], len(escape)+remaining)
		b = b[:cap(b)]
	}
	return b, n + copy(b[n:], escape)
}

// escapeOf returns the escape of an ASCII character.
func escapeOf(c byte) string {
	if short := strings.IndexByte("\"\\\b\f\n\r\t", c); short >= 0 {
		return `\"\\\b\f\n\r\t`[2*short:][:2]
	}
	return `\u00` + string([]byte{hex[c>>4], hex[c&0xf]})
}

// escapeTexts has the escapes of ASCII characters.
var escapeTexts = func() (texts [utf8.RuneSelf]string) {
	for c := range texts {
		texts[c] = escapeOf(byte(c))
	}
	return texts
}()

// escapeWords has the escapes as words. The bytes of a word after the escape are overwritten by the
// next write.
var escapeWords, escapeLens = func() (words [utf8.RuneSelf]uint64, lens [utf8.RuneSelf]uint8) {
	for c := range words {
		escape := escapeOf(byte(c))
		words[c] = stringLoad8(escape+"\x00\x00\x00\x00\x00\x00", 0)
		lens[c] = uint8(len(escape))
	}
	return words, lens
}()

// PlainRun returns the position of the first byte from pos on that ends a run of plain characters: a
// quotation mark, a backslash, a control character or a byte that is not ASCII. If there is none, it
// returns the length of data.
func PlainRun(data []byte, pos int) int {
	for ; pos+8 <= len(data); pos += 8 {
		if m := special(Load8(data, pos)); m != 0 {
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

// SkipString returns the position after the valid string whose opening quote is at pos. plain is
// set if the string is ASCII without escapes.
func SkipString(data []byte, pos int) (next int, plain bool) {
	plain = true
	for pos++; ; {
		pos = PlainRun(data, pos)
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

// AppendUnquoted appends the content of the JSON string raw, which includes the quotes. Invalid
// UTF-8 and lone surrogates become U+FFFD. The result is false if raw is not a valid string. Unlike
// RFC 8259, it accepts \' for an apostrophe, as the function unquote of encoding/json does.
func AppendUnquoted(dst, raw []byte) ([]byte, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return dst, false
	}
	// A character is never longer than its escape. Only bytes of invalid UTF-8 get longer, and
	// append grows dst for these.
	out, end, _ := unquote(slices.Grow(dst, len(raw)+unquoteRoom), raw, 1, true)
	return out, end == len(raw)
}

// ReadUnquoted appends the content of the JSON string that starts at data[pos], and returns the position
// after the string, or a negative number if it is invalid. exact is false if the content contains U+FFFD
// in place of invalid UTF-8 or of a lone surrogate.
func ReadUnquoted(dst, data []byte, pos int) (out []byte, end int, exact bool) {
	return unquote(dst, data, pos+1, false)
}

// unquoteRoom is the room in bytes below which unquote grows its buffer. It is enough for one word and one
// character.
const unquoteRoom = 16

// unquote implements [ReadUnquoted], from the first character of the string on. If apostrophe is set, it
// accepts the escape of an apostrophe.
func unquote(dst, data []byte, i int, apostrophe bool) (out []byte, end int, exact bool) {
	exact = true
	for i < len(data) {
		if cap(dst)-len(dst) < unquoteRoom {
			dst = slices.Grow(dst, 64)
		}
		// Copy eight bytes at once, and keep those before a character that is not plain.
		for i+8 <= len(data) && len(dst)+8 <= cap(dst) {
			w := Load8(data, i)
			store8(dst, len(dst), w)
			if m := (ending(w) | w) & highs; m != 0 {
				n := bits.TrailingZeros64(m) >> 3
				dst, i = dst[:len(dst)+n], i+n
				break
			}
			dst, i = dst[:len(dst)+8], i+8
		}
		if i == len(data) {
			break
		}
		switch c := data[i]; {
		case c == '"':
			return dst, i + 1, exact
		case c == '\\':
			if i+1 == len(data) {
				return dst, -1, false
			}
			if data[i+1] == 'u' {
				var same bool
				if dst, i, same = appendEscapes(dst, data, i); i < 0 {
					return dst, -1, false
				}
				exact = exact && same
				continue
			}
			c := unescaped[data[i+1]]
			if c == 0 || c == '\'' && !apostrophe {
				return dst, -1, false
			}
			dst = append(dst, c)
			i += 2
		case c < ' ':
			return dst, -1, false
		case c < utf8.RuneSelf && i+8 <= len(data): // dst is full
		default:
			end := TextRun(data, i)
			if ValidUTF8(data[i:end]) {
				dst = append(dst, data[i:end]...)
			} else {
				exact = false
				dst = appendReplaced(dst, data[i:end])
			}
			i = end
		}
	}
	return dst, -1, false
}

// appendEscapes appends the characters of the run of escapes \uXXXX that starts at s[i], and returns the
// position after the run, or a negative number if an escape is invalid. A surrogate that is not half of a
// pair becomes U+FFFD, and is not exact.
func appendEscapes(dst, s []byte, i int) (out []byte, end int, exact bool) {
	exact = true
	for i+1 < len(s) && s[i] == '\\' && s[i+1] == 'u' {
		r := hex4(s[i+2:])
		if r < 0 {
			return dst, -1, false
		}
		i += 6
		if utf16.IsSurrogate(r) {
			low := rune(-1)
			if i+1 < len(s) && s[i] == '\\' && s[i+1] == 'u' {
				low = hex4(s[i+2:])
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				i += 6
			} else {
				exact = false
			}
		}
		switch { // utf8.AppendRune, inlined
		case r < 0x80:
			dst = append(dst, byte(r))
		case r < 0x800:
			dst = append(dst, 0xc0|byte(r>>6), 0x80|byte(r)&0x3f)
		case r < 0x10000:
			dst = append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst, i, exact
}

// TextRun returns the position of the first byte from pos on that ends a run of string characters:
// a quote, a backslash or a control character.
func TextRun(s []byte, pos int) int {
	for ; pos+8 <= len(s); pos += 8 {
		if m := ending(Load8(s, pos)); m != 0 {
			return pos + bits.TrailingZeros64(m)>>3
		}
	}
	for pos < len(s) && s[pos] >= ' ' && s[pos] != '"' && s[pos] != '\\' {
		pos++
	}
	return pos
}

// appendReplaced appends text with U+FFFD for each byte of invalid UTF-8.
func appendReplaced(dst, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		dst = utf8.AppendRune(dst, r)
		text = text[size:]
	}
	return dst
}

var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', '\'': '\'',
	'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// hex4 returns the value of the first four bytes of s as hexadecimal digits. It returns a negative
// number if s is shorter, or if one of the bytes is not a digit.
func hex4(s []byte) rune {
	if len(s) < 4 {
		return -1
	}
	return rune(hexDigits[s[0]])<<12 | rune(hexDigits[s[1]])<<8 | rune(hexDigits[s[2]])<<4 | rune(hexDigits[s[3]])
}

// hexDigits has the value of each hexadecimal digit, and -1 for other bytes.
var hexDigits = func() (values [256]int8) {
	for c := range values {
		values[c] = -1
	}
	for i := range hex {
		values[hex[i]] = int8(i)
		values[strings.ToUpper(hex)[i]] = int8(i)
	}
	return values
}()
