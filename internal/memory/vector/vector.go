package vector

// MinQuote is the number of bytes from which a call of Quote is worth what it costs, and
// MinValid the same for Valid, which needs at least 35. A call of Text is worth it once
// PlainText bytes of a string were plain.
const (
	MinQuote  = 16
	MinValid  = 48
	PlainText = 24
)

// Spare is how much room Quote needs for another block and an escape.
const Spare = 40

// Escapes says which characters of a string are not written as they are, and how they are
// written. The assembly knows where its fields are.
type Escapes struct {
	// A byte is not plain if it is the character under the mask. Control characters and
	// backslashes never are.
	quoteMask, quote, angleMask, angle uint8
	// The first byte of U+2028 and U+2029, or a quotation mark if these are plain.
	line uint8
	_    [3]uint8

	words [128]uint64 // the escapes of ASCII characters, as they lie in memory
	lens  [128]uint8  // their lengths, at most 6
}

// NewEscapes returns the escapes of control characters, quotation marks and backslashes,
// of <, > and & if html is set, and of U+2028 and U+2029 if js is. Words has the escape of
// each ASCII character, and lens its length.
func NewEscapes(html, js bool, words *[128]uint64, lens *[128]uint8) *Escapes {
	e := &Escapes{quoteMask: 0xff, quote: '"', angleMask: 0xff, angle: '"', line: '"', words: *words, lens: *lens}
	if html {
		// The quotation mark and & differ in one bit, and so do < and >.
		e.quoteMask, e.angleMask, e.angle = 0xff&^4, 0xff&^2, '<'
	}
	if js {
		e.line = 0xe2
	}
	return e
}
