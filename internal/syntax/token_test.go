package syntax

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// slowStringEnd scans a string without escapes character by character. It returns the end, and whether more text
// is needed.
func slowStringEnd(data []byte) (n int, more bool) {
	for n = 1; n < len(data); {
		if data[n] == '"' {
			return n + 1, false
		}
		if !utf8.FullRune(data[n:]) {
			return n, true
		}
		_, size := utf8.DecodeRune(data[n:])
		n += size
	}
	return n, true
}

// TestScanStringEnd compares ScanString with slowStringEnd for strings that are not valid UTF-8 and end within a
// character, read at once and in two parts.
func TestScanStringEnd(t *testing.T) {
	parts := []string{"a", "12345678", "é", "€", "😀", "\xff", "\x80", "\xc5", "\xe6", "\xe6\x80", "\xf0\x90", "\xf0\x90\x80", "\xf0\x80", "\""}
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 1))
		data := []byte{'"'}
		for range r.IntN(8) {
			data = append(data, parts[r.IntN(len(parts))]...)
		}
		want, more := slowStringEnd(data)
		end, _, problem := ScanString(data, 0, 0, false)
		if end != want || (problem.Kind == NeedsMore) != more {
			t.Fatalf("%q: end %d, problem %d; want end %d, more %t", data, end, problem.Kind, want, more)
		}
		half := 1 + r.IntN(len(data))
		n, f, problem := ScanString(data[:half], 0, 0, false)
		if problem.Kind == NeedsMore {
			n, _, problem = ScanString(data, n, f, false)
		}
		if n != want || (problem.Kind == NeedsMore) != more {
			t.Fatalf("%q in two parts, the first of %d bytes: end %d, problem %d; want end %d, more %t", data, half, n, problem.Kind, want, more)
		}
	}
}
