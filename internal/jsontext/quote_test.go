package jsontext

import (
	"strings"
	"testing"
)

// BenchmarkAppendString writes texts of the kinds that docs/performance/json-text.md names. With
// the tag purego it is done without vector instructions.
func BenchmarkAppendString(b *testing.B) {
	dst := make([]byte, 0, 1<<14)
	for _, text := range []struct{ name, text string }{
		{"plain 8", "abcdefgh"}, {"plain 24", strings.Repeat("abcdefgh", 3)}, {"plain 56", strings.Repeat("abcdefgh", 7)},
		{"plain 64", strings.Repeat("abcdefgh", 8)}, {"plain 1000", strings.Repeat("abcdefgh", 125)},
		{"three bytes", strings.Repeat("日本語", 100)}, {"Cyrillic", strings.Repeat("Привет, мир! Hello ", 10)},
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
