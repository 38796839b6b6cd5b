package vector

// MinQuote is the length from which on Quote is faster than a loop in Go for text that is not plain.
// PlainText is the number of plain bytes that a string has to begin with for Text to be faster.
const (
	MinQuote  = 16
	PlainText = 24
)

// Spare is the number of free bytes in dst that Quote needs for a block and an escape.
const Spare = 72

// Escapes has the characters of a string that are escaped, and their escapes. The assembly depends
// on the layout of its fields.
type Escapes struct {
	// A byte c is escaped if c&quoteMask == quote or c&angleMask == angle. Control characters and
	// backslashes are always escaped.
	quoteMask, quote, angleMask, angle uint8
	// The first byte of U+2028 and U+2029, or a byte that UTF-8 does not use if they are not escaped.
	line uint8
	_    [3]uint8

	words [128]uint64 // the escape of each ASCII character, its first byte at the lowest address
	lens  [128]uint8  // their lengths, at most 6

	classes [128]uint8 // 0x80 for each ASCII character that is escaped, and 0 for the others
}

// NewEscapes returns the escapes of control characters, quotation marks and backslashes, of <, >
// and & if html is set, and of U+2028 and U+2029 if js is set. words has the escape of each ASCII
// character, lens its length.
func NewEscapes(html, js bool, words *[128]uint64, lens *[128]uint8) *Escapes {
	e := &Escapes{quoteMask: 0xff, quote: '"', angleMask: 0xff, angle: '"', line: 0xff, words: *words, lens: *lens}
	if html {
		// The quotation mark and & differ in one bit, as do < and >.
		e.quoteMask, e.angleMask, e.angle = 0xff&^4, 0xff&^2, '<'
	}
	if js {
		e.line = 0xe2
	}
	for i := range e.classes {
		if c := uint8(i); c < ' ' || c == '\\' || c&e.quoteMask == e.quote || c&e.angleMask == e.angle {
			e.classes[i] = 0x80
		}
	}
	return e
}
