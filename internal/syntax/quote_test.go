package syntax

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// BenchmarkAppendString writes texts of the kinds that docs/performance/json-text.md names.
// Builds with the tag purego have no vector instructions.
func BenchmarkAppendString(b *testing.B) {
	dst := make([]byte, 0, 1<<14)
	for _, text := range []struct{ name, text string }{
		{"plain 8", "abcdefgh"}, {"plain 24", strings.Repeat("abcdefgh", 3)}, {"plain 40", strings.Repeat("abcdefgh", 5)},
		{"plain 56", strings.Repeat("abcdefgh", 7)}, {"plain 64", strings.Repeat("abcdefgh", 8)}, {"plain 1000", strings.Repeat("abcdefgh", 125)},
		{"three bytes 9", "日本語日本語日本語"}, {"three bytes", strings.Repeat("日本語", 100)},
		{"Cyrillic", strings.Repeat("Привет, мир! Hello ", 10)}, {"German", "Größe für Müller"},
		{"some escapes", strings.Repeat("hello\nworld \"a\" bcd ", 10)}, {"only escapes", strings.Repeat("\n\"\\", 100)},
		{"HTML", strings.Repeat("<a href=\"x\">some text in here</a>\n", 10)},
	} {
		b.Run(text.name, func(b *testing.B) {
			for b.Loop() {
				AppendString(dst, text.text, true)
			}
		})
	}
}

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
	}
	for i := range 1_000_000 {
		var b [8]byte
		for k := range b {
			b[k] = 'a'
			if r.IntN(4) == 0 {
				b[k] = byte(r.Uint32())
			}
		}
		b[i%8] = byte(i / 8)
		for _, test := range tests {
			want := slices.IndexFunc(b[:], test.ends)
			m := test.find(binary.LittleEndian.Uint64(b[:]))
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
