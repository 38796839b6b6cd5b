package syntax

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestWords calls the functions that examine eight bytes at once for random words. They must find
// the same byte as a loop over the bytes.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	tests := []struct {
		name string
		find func(uint64) uint64
		ends func(byte) bool
	}{
		{"ending", ending, func(c byte) bool { return c < ' ' || c == '"' || c == '\\' }},
		{"special", special, func(c byte) bool { return c < ' ' || c == '"' || c == '\\' || c >= 0x80 }},
		{"specialHTML", specialHTML, func(c byte) bool { return c < ' ' || strings.IndexByte("\"\\<>&", c) >= 0 || c >= 0x80 }},
		{"specialHTMLWord", specialHTMLWord, func(c byte) bool { return strings.IndexByte("<>&\xe2", c) >= 0 }},
		{"notDigits", func(w uint64) uint64 { return notDigits(w ^ '0'*ones) }, func(c byte) bool { return c < '0' || c > '9' }},
	}
	for i := range 1_000_000 {
		var b [8]byte
		for k := range b {
			b[k] = '5' // no function ends a run here
			if r.IntN(4) == 0 {
				b[k] = byte(r.Uint32())
			}
		}
		b[i%8] = byte(i / 8)
		for _, test := range tests {
			want := slices.IndexFunc(b[:], test.ends)
			m := test.find(Load8(b[:], 0))
			got := bits.TrailingZeros64(m) >> 3
			if m == 0 {
				got = -1
			}
			if got != want {
				t.Fatalf("%s(%q): %d, want %d", test.name, b, got, want)
			}
		}
	}
}

// TestLoads compares the loads and stores of words with loops over bytes, at each position.
func TestLoads(t *testing.T) {
	data := []byte("\x00\x7f\x80\xff 0123456789abcdef")
	text := string(data)
	naive := func(pos, n int) (w uint64) {
		for i := n - 1; i >= 0; i-- {
			w = w<<8 | uint64(data[pos+i])
		}
		return w
	}
	for pos := 0; pos+4 <= len(data); pos++ {
		stored, want := make([]byte, len(data)), make([]byte, len(data))
		w4 := uint32(naive(pos, 4))
		if b, s := Load4(data, pos), stringLoad4(text, pos); b != w4 || s != w4 {
			t.Errorf("four bytes at %d: %x and, in a string, %x, want %x", pos, b, s, w4)
		}
		store4(stored, pos, w4)
		if copy(want[pos:], data[pos:pos+4]); !bytes.Equal(stored, want) {
			t.Errorf("store of four bytes at %d: %x, want %x", pos, stored, want)
		}
		if pos+8 > len(data) {
			continue
		}
		w8 := naive(pos, 8)
		if b, s := Load8(data, pos), stringLoad8(text, pos); b != w8 || s != w8 {
			t.Errorf("eight bytes at %d: %x and, in a string, %x, want %x", pos, b, s, w8)
		}
		store8(stored, pos, w8)
		if copy(want[pos:], data[pos:pos+8]); !bytes.Equal(stored, want) {
			t.Errorf("store of eight bytes at %d: %x, want %x", pos, stored, want)
		}
	}
}

// TestLoadOutOfRange loads and stores words at positions where the memory of a slice or a string has
// too few bytes. Each must panic.
func TestLoadOutOfRange(t *testing.T) {
	b, s := make([]byte, 7), "1234567"
	var w uint64
	for _, pos := range []int{-9, -8, -1, 0, 1, 7, 8, 1 << 30} {
		for name, access := range map[string]func(){
			"Load8":       func() { w = Load8(b, pos) },
			"store8":      func() { store8(b, pos, 0) },
			"stringLoad8": func() { w = stringLoad8(s, pos) },
			"Load4":       func() { w = uint64(Load4(b[:3:3], pos)) },
			"store4":      func() { store4(b[:3:3], pos, 0) },
			"stringLoad4": func() { w = uint64(stringLoad4(s[:3], pos)) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s at %d did not panic (%x)", name, pos, w)
					}
				}()
				access()
			}()
		}
	}
}

// TestIsSpecialHTML sets each byte of texts of up to 40 bytes to each character.
func TestIsSpecialHTML(t *testing.T) {
	for size := range 41 {
		text := bytes.Repeat([]byte("a"), size)
		if isSpecialHTML(text) {
			t.Errorf("%q is special", text)
		}
		for pos := range text {
			for c := range 256 {
				text[pos] = byte(c)
				if got, want := isSpecialHTML(text), strings.IndexByte("<>&\xe2", byte(c)) >= 0; got != want {
					t.Errorf("%q: %v, want %v", text, got, want)
				}
			}
			text[pos] = 'a'
		}
	}
}
