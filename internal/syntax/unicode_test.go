package syntax

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// TestValidUTF8 compares ValidUTF8 with utf8.Valid. It checks sequences of up to four bytes, alone and
// next to other sequences, and valid characters in which one byte was changed.
func TestValidUTF8(t *testing.T) {
	check := func(b []byte) {
		if got, want := ValidUTF8(b), utf8.Valid(b); got != want {
			t.Fatalf("%x: %v, want %v", b, got, want)
		}
	}
	edges := []byte{0, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xe2, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				for _, d := range edges {
					for _, around := range []string{"", "x", "日本語", "é", "\u2028", "12345678"} {
						check([]byte(around + string([]byte{a, b, c, d}) + around + around))
					}
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		var b []byte
		for range r.IntN(12) {
			c := []rune{'a', 'é', '日', '語', '\u0800', '\ud7ff', '\ue000', '\ufffd', '\uffff', '😀', '\U0010ffff', '\u2028'}[r.IntN(12)]
			b = utf8.AppendRune(b, c)
		}
		if len(b) > 0 && r.IntN(2) == 0 {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		check(b)
	}
}
