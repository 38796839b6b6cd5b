package syntax

import (
	"math/bits"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/memory/vector"
)

// anyLeads has one bit for the low half of each lead byte of three-byte characters. The bit is set
// if all continuation bytes are valid after the lead byte. It excludes e0 and ed.
const anyLeads = 0b1101_1111_1111_1110

// ValidUTF8 is like utf8.Valid, but faster for text with many consecutive three-byte characters: it
// checks two of them at a time.
func ValidUTF8(b []byte) bool {
	if len(b) >= vector.MinValid && vector.Enabled {
		return vector.Valid(b)
	}
	i := 0
	for i+8 <= len(b) {
		w := Load8(b, i)
		if m := w & highs; m == 0 {
			i += 8
			continue
		} else if k := bits.TrailingZeros64(m) >> 3; k > 0 {
			i += k
			continue
		}
		switch {
		case w&(threeMask|threeMask<<24) == three|three<<24 && anyLeads>>(w&15)&(anyLeads>>(w>>24&15))&1 != 0:
			i += 6
		case w&threeMask == three:
			if c := w & 0xff; c == 0xe0 && w&0x2000 == 0 || c == 0xed && w&0x2000 != 0 {
				return false
			}
			i += 3
		default:
			// wholeRunes returns 0 for some characters of three bytes, which the cases above have
			// handled, and for invalid UTF-8.
			n := wholeRunes(w)
			if n == 0 {
				return false
			}
			i += n
		}
	}
	return utf8.Valid(b[i:])
}
