package syntax

import (
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
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

// TestUnquoteAllocs unquotes valid strings of all lengths into memory that does not exist yet: the content
// is never longer than the string, so the memory is allocated once.
func TestUnquoteAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	for n := range 100 {
		raw := []byte(`"` + strings.Repeat("a", n) + `\n\u00e9"`)
		if allocs := testing.AllocsPerRun(10, func() { unquoted, _ = AppendUnquoted(nil, raw) }); allocs != 1 {
			t.Errorf("%d letters: %v allocations", n, allocs)
		}
	}
}

var unquoted []byte // a result of TestUnquoteAllocs leaves the stack
