package syntax

import "encoding/binary"

const (
	ones  = 0x0101010101010101 // multiplied with a byte, it is a word of eight such bytes
	highs = 0x8080808080808080 // the high bit of each byte
)

// special finds the first byte of w that ends a run of plain characters: a quote, a backslash, a
// control character or a byte that is not ASCII. It returns a word with the high bit of this byte
// set, and no high bit of an earlier byte. The high bits of later bytes may be wrong. (Sean
// Anderson, Bit Twiddling Hacks, "Determine if a word has a byte less than n".)
func special(w uint64) uint64 {
	low := w ^ 2*ones // swaps ' ' and '"', so that the bytes that end a run are below '!'
	slash := w ^ '\\'*ones
	return ((low - '!'*ones) | (slash - ones) | w) & highs
}

// specialHTML is like special, with <, > and & among the characters that end a run.
func specialHTML(w uint64) uint64 {
	// '<' and '>' differ in one bit, and so do '"' and '&'. The xor with 2 swaps ' ' and '"'.
	angle := w&^(2*ones) ^ '<'*ones
	low := w&^(4*ones) ^ 2*ones
	slash := w ^ '\\'*ones
	return ((low - '!'*ones) | (slash - ones) | (angle - ones) | w) & highs
}

// specialHTMLWord returns a word that is not zero if [isSpecialHTML] is true for a byte of w.
func specialHTMLWord(w uint64) uint64 {
	angle := w&^(2*ones) ^ '<'*ones // '<' and '>' differ in one bit
	and := w ^ '&'*ones
	line := w ^ 0xe2*ones
	return ((angle-ones)&^angle | (and-ones)&^and | (line-ones)&^line) & highs
}

// ending finds the first byte of w that ends a run of string characters: a quotation mark, a
// backslash or a control character. It returns a word with the high bit of this byte set, and no
// high bit of an earlier byte.
func ending(w uint64) uint64 {
	low := w ^ 2*ones // swaps ' ' and '"', as in special
	slash := w ^ '\\'*ones
	return ((low - '!'*ones) | (slash - ones)) &^ w & highs
}

// notDigits finds the first byte of w that is not a digit. It returns a word with the high bit of
// this byte set, and no high bit of an earlier byte. The bytes of w have been xored with the ASCII
// character '0', so a digit plus 0x76 stays below 0x80. Any other byte either has its high bit set
// already, or gets it by the addition.
func notDigits(w uint64) uint64 { return (w + 0x76*ones | w) & highs }

// eightDigits returns the number whose digits are the bytes of w, the first digit in the lowest
// byte. It combines digits to pairs, to fours, and to the number (Johnny Lee, "Fast numeric string
// to int").
func eightDigits(w uint64) uint64 {
	w = w*10 + w>>8
	return ((w&0x000000ff000000ff)*(100+1000000<<32) + (w>>16&0x000000ff000000ff)*(1+10000<<32)) >> 32
}

// Load8 returns the eight bytes of data from pos on as a little-endian word. It panics if the
// capacity of data ends before them, so callers compare pos+8 with the length first.
//
// The third index makes the capacity of the slice known. Without it the compiler adds instructions
// that keep the address of an empty slice in bounds, and the load waits for them.
func Load8(data []byte, pos int) uint64 {
	return binary.LittleEndian.Uint64(data[pos : pos+8 : pos+8])
}

// Load4 is like [Load8], for four bytes.
func Load4(data []byte, pos int) uint32 {
	return binary.LittleEndian.Uint32(data[pos : pos+4 : pos+4])
}

// store8 sets the eight bytes of b from pos on to w, the lowest byte first. Like [Load8], it panics if
// the capacity of b ends before them.
func store8(b []byte, pos int, w uint64) {
	binary.LittleEndian.PutUint64(b[pos:pos+8:pos+8], w)
}

// store4 is like store8, for four bytes.
func store4(b []byte, pos int, w uint32) {
	binary.LittleEndian.PutUint32(b[pos:pos+4:pos+4], w)
}

// stringLoad8 is like Load8, for strings. The compiler turns it into one load.
func stringLoad8(s string, pos int) uint64 {
	s = s[pos : pos+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// stringLoad4 is like stringLoad8, for four bytes.
func stringLoad4(s string, pos int) uint32 {
	s = s[pos : pos+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}
