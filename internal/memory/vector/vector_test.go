//go:build (amd64 || arm64) && !purego

package vector

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/test/testkit"
)

// Loops with package simd/archsimd, or nil if the package is not built: GOEXPERIMENT=simd on Go 1.27.
var (
	simdQuote func(s string, html, js, wide bool) (read int, out []byte)
	simdText  func(b []byte, pos int) int
	simdValid func(b []byte) bool
)

// escapeOf returns an escape for an ASCII character. The texts are arbitrary and have different
// lengths.
func escapeOf(c byte) string { return `\` + strings.Repeat("e", int(c)%5) + string(rune('A'+c%26)) }

// escapes has the tables of escapesOf for html and js.
var escapes = [2][2]*Escapes{{escapesOf(false, false), escapesOf(false, true)}, {escapesOf(true, false), escapesOf(true, true)}}

func escapesOf(html, js bool) *Escapes {
	var words [128]uint64
	var lens [128]uint8
	for c := range words {
		text := escapeOf(byte(c))
		for i := range text {
			words[c] |= uint64(text[i]) << (8 * i)
		}
		lens[c] = uint8(len(text))
	}
	return NewEscapes(html, js, &words, &lens)
}

// slowQuote is Quote character by character, with unlimited space.
func slowQuote(s string, html, js, wide bool) (read int, out []byte) {
	for i, r := range s {
		switch {
		case r < ' ' || r == '"' || r == '\\' || html && (r == '<' || r == '>' || r == '&'):
			out = append(out, escapeOf(byte(r))...)
		case js && (r == '\u2028' || r == '\u2029') && wide:
			out = append(out, `\u202`...)
			out = append(out, byte(r-'\u2028'+'8'))
		case r >= utf8.RuneSelf && !wide:
			return i, out
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return len(s), out
}

// checkQuote compares Quote with slowQuote. The destination has room bytes.
func checkQuote(t *testing.T, s string, room int, form uint8) {
	t.Helper()
	html, js, wide := form&1 != 0, form&2 != 0, form&4 != 0
	if wide && !utf8.ValidString(s) {
		return
	}
	const guard = 0xa5
	dst := bytes.Repeat([]byte{guard}, room+64)
	read, written := Quote(dst[:room:room], s, escapes[form&1][form>>1&1], wide)
	if i := bytes.IndexFunc(dst[room:], func(r rune) bool { return r != utf8.RuneError }); i >= 0 || !bytes.Equal(dst[room:], bytes.Repeat([]byte{guard}, 64)) {
		t.Fatalf("%q: wrote past the %d bytes of the destination", s, room)
	}
	if read < 0 || read > len(s) || written > room {
		t.Fatalf("%q: %d bytes of %d read, %d of %d written", s, read, len(s), written, room)
	}
	most, all := slowQuote(s, html, js, wide)
	if simdQuote != nil {
		if read, out := simdQuote(s, html, js, wide); read != most || !bytes.Equal(out, all) {
			t.Fatalf("%q (html %v, js %v, wide %v): archsimd read %d bytes, want %d\ngot  %q\nwant %q", s, html, js, wide, read, most, out, all)
		}
	}
	if most < read {
		t.Fatalf("%q: %d bytes read, want at most %d", s, read, most)
	}
	_, want := slowQuote(s[:read], html, js, wide)
	if !bytes.Equal(dst[:written], want) {
		t.Fatalf("%q (html %v, js %v, wide %v)\ngot  %q\nwant %q", s, html, js, wide, dst[:written], want)
	}
	if read < most && room-written >= Spare+utf8.UTFMax && most-read >= 34+utf8.UTFMax {
		t.Fatalf("%q: ends after %d bytes of %d, with room for %d more", s, read, most, room-written)
	}
}

func needs(t testing.TB) {
	if !Enabled {
		t.Skip("this processor does not have the vector instructions")
	}
}

// eachLoop runs f with the loops that are used on this processor, and then with the loops for older
// processors, if there are any.
func eachLoop(t *testing.T, f func(*testing.T)) {
	needs(t)
	f(t)
	older(t, f)
}

var pieces = []string{"a", "plain text ", strings.Repeat("x", 31), strings.Repeat("word ", 20), `"`, `\`, "<", ">", "&", "\n", "\x00", "\x1f", "\x7f", "\x80"[:0],
	"é", "ß", "日本語", "語", "\u07ff", "\u0800", "\u2027", "\u2028", "\u2029", "\u202a", "\u20ac", "\ud7ff", "\ue000", "\uffff", "😀", "\U0010ffff", "\U00010000", " ", " ", " "}

func randomText(r *rand.Rand, most int) []byte {
	var b []byte
	kinds := 1 + r.IntN(len(pieces))
	for n := r.IntN(most); len(b) < n; {
		b = append(b, pieces[r.IntN(kinds)]...)
	}
	return b
}

// skipTwice skips a test that would repeat the same work: no build variant changes the assembly.
// The tests for the assembly of another processor run with -short.
func skipTwice(t *testing.T) {
	if !testing.Short() {
		testkit.SkipInVariant(t)
	}
}

// times returns the number of random cases of a test.
func times(t *testing.T) int {
	switch {
	case testing.Short():
		return 20_000
	case testkit.IsSlow():
		return 1_000_000
	}
	return 100_000
}

// TestQuote quotes random texts of many lengths into destinations of many sizes. The results must
// be the same as with slowQuote.
func TestQuote(t *testing.T) { eachLoop(t, testQuote) }

func testQuote(t *testing.T) {
	skipTwice(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range times(t) {
		s := string(randomText(r, 1+r.IntN(150)))
		checkQuote(t, s, r.IntN(7*len(s)+100), uint8(r.IntN(8)))
	}
	for _, c := range []byte{0, 1, 0x1f, ' ', '!', '"', '#', '%', '&', '\'', ';', '<', '=', '>', '?', '[', '\\', ']', 0x7f, 0x80, 0xa6, 0xbc, 0xbe, 0xdc, 0xe2, 0xff} {
		for at := range 140 {
			for form := range uint8(4) {
				s := []byte(strings.Repeat("a", 140))
				s[at] = c
				checkQuote(t, string(s), 500, form)
			}
		}
	}
}

func FuzzQuote(f *testing.F) {
	needs(f)
	for _, p := range pieces {
		f.Add(p+p, uint16(100), uint8(7))
	}
	f.Fuzz(func(t *testing.T, s string, room uint16, form uint8) {
		eachLoop(t, func(t *testing.T) { checkQuote(t, s, int(room)%8192, form) })
	})
}

// checkText compares Text with a loop in Go.
func checkText(t *testing.T, b []byte, pos int) {
	t.Helper()
	want := pos
	for want < len(b) && b[want] >= ' ' && b[want] != '"' && b[want] != '\\' {
		want++
	}
	if simdText != nil && simdText(b, pos) != want {
		t.Fatalf("archsimd: %q, %d: %d, want %d", b, pos, simdText(b, pos), want)
	}
	got := Text(b, pos)
	if got != want && (got < pos || got > want || len(b)-got >= 32) {
		t.Fatalf("Text(%q, %d): %d, want %d", b, pos, got, want)
	}
}

// TestText calls Text for texts with each byte at all positions, and for random texts. The results
// must be the same as with a loop in Go.
func TestText(t *testing.T) { eachLoop(t, testText) }

func testText(t *testing.T) {
	skipTwice(t)
	for c := range 256 {
		for at := range 140 {
			b := bytes.Repeat([]byte{'a'}, 140)
			b[at] = byte(c)
			checkText(t, b, at/2)
			checkText(t, b[:at+1], 0)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range times(t) {
		b := randomText(r, 1+r.IntN(300))
		checkText(t, b, r.IntN(len(b)+1))
	}
}

func FuzzText(f *testing.F) {
	needs(f)
	for _, p := range pieces {
		f.Add([]byte(strings.Repeat(p, 40)), uint16(3))
	}
	f.Fuzz(func(t *testing.T, b []byte, pos uint16) {
		eachLoop(t, func(t *testing.T) { checkText(t, b, min(int(pos), len(b))) })
	})
}

func checkValid(t *testing.T, b []byte) {
	t.Helper()
	if len(b) < 35 {
		b = append([]byte(strings.Repeat("-", 35)), b...)
	}
	want := utf8.Valid(b)
	if simdValid != nil && simdValid(b) != want {
		t.Fatalf("archsimd: %x is valid: %v, want %v", b, !want, want)
	}
	if got := Valid(b); got != want {
		t.Fatalf("Valid(%x): %v, want %v", b, got, want)
	}
	if got := ValidString(string(b)); got != want {
		t.Fatalf("ValidString(%x): %v, want %v", b, got, want)
	}
}

// TestValid compares Valid with package unicode/utf8. It checks all pairs and triples of bytes
// of different classes, at all positions of a block and at its end. It also checks random texts
// with one byte changed.
func TestValid(t *testing.T) { eachLoop(t, testValid) }

func testValid(t *testing.T) {
	skipTwice(t)
	edges := []byte{0, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				for _, d := range edges {
					four := []byte{a, b, c, d}
					for _, before := range []int{31, 33, 61, 62, 63} {
						text := append(bytes.Repeat([]byte{'.'}, before), four...)
						checkValid(t, text)
						checkValid(t, append(text, "é"...))
						checkValid(t, append(text, strings.Repeat("日", 11)...))
					}
				}
			}
		}
	}
	for a := range 256 {
		for b := range 256 {
			checkValid(t, append(bytes.Repeat([]byte{'.'}, 34), byte(a), byte(b)))
			for _, before := range []int{31, 61, 62, 63} {
				checkValid(t, append(bytes.Repeat([]byte{'.'}, before), byte(a), byte(b), 0x80, 0x80, '.', '.', '.', '.'))
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range times(t) {
		b := randomText(r, 40+r.IntN(200))
		if len(b) > 0 && r.IntN(2) == 0 {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		if len(b) > 0 && r.IntN(4) == 0 {
			b = b[:r.IntN(len(b))]
		}
		checkValid(t, b)
	}
}

func FuzzValid(f *testing.F) {
	needs(f)
	for _, p := range pieces {
		f.Add([]byte(strings.Repeat(p, 40)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		eachLoop(t, func(t *testing.T) { checkValid(t, b) })
	})
}

// TestGuardPage puts the ends of texts and destinations at the end of accessible memory, so that a
// read or write past them crashes the program.
func TestGuardPage(t *testing.T) { eachLoop(t, testGuardPage) }

func testGuardPage(t *testing.T) {
	text, out := guarded(t), guarded(t)
	e := escapesOf(true, true)
	for n := range 300 {
		for _, p := range []string{"a", "é", "日", "😀", `"`, "\u2028", "ab\n"} {
			b := text[len(text)-n:]
			for i := range b {
				b[i] = p[i%len(p)]
			}
			for len(b) > 0 && !utf8.Valid(b) {
				b[len(b)-1] = ' '
				if utf8.Valid(b[:len(b)-1]) {
					break
				}
				b = b[:len(b)-1]
			}
			for _, room := range []int{0, 39, 40, 41, 71, 72, 73, n, n + 40, n + 72, 6*n + 100} {
				read, written := Quote(out[len(out)-room:], mem.String(b), e, true)
				_, want := slowQuote(string(b[:read]), true, true, true)
				if !bytes.Equal(out[len(out)-room:][:written], want) {
					t.Fatalf("%q: got %q, want %q", b, out[len(out)-room:][:written], want)
				}
			}
			for pos := range b {
				checkText(t, b, pos)
			}
			if len(b) >= 35 && Valid(b) != utf8.Valid(b) {
				t.Fatalf("%q: %v", b, Valid(b))
			}
		}
	}
}

func BenchmarkQuote(b *testing.B) {
	needs(b)
	e := escapesOf(true, true)
	dst := make([]byte, 10000)
	for _, s := range []string{strings.Repeat("a", 16), strings.Repeat("a", 24), strings.Repeat("a", 64), strings.Repeat("a", 1000), strings.Repeat("日本語", 100), strings.Repeat("a\nb \"c\" ", 100)} {
		b.Run(s[:6], func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Quote(dst, s, e, true)
			}
		})
	}
}

func BenchmarkValid(b *testing.B) {
	needs(b)
	for _, s := range []string{strings.Repeat("日本語", 6), strings.Repeat("日本語", 100), strings.Repeat("é a", 100)} {
		for _, by := range []struct {
			name  string
			valid func(string) bool
		}{{"vector", ValidString}, {"utf8", utf8.ValidString}} {
			b.Run(by.name, func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					by.valid(s)
				}
			})
		}
	}
}

// TestCopyShort compares CopyShort with a loop, for all lengths, and for many bytes at each position. Memory
// that cannot be accessed follows the string and the destination.
func TestCopyShort(t *testing.T) {
	if !Enabled || !Short {
		t.Skip("the processor has no loop for short strings")
	}
	from, to := guarded(t), guarded(t)
	for size := range 65 {
		s, dst := from[len(from)-size:], to[len(to)-size:]
		for _, c := range []byte("\x00\x1f !\"#%&';<=>?[\\]^a\x7f\x80\xe2\xff") {
			for at := range max(size, 1) {
				copy(s, strings.Repeat("plain text ", 7))
				if size > 0 {
					s[at] = c
				}
				for form := range 4 {
					html, js := form&1, form>>1
					clear(dst)
					plain := CopyShort(dst, mem.String(s), escapes[html][js])
					read, out := slowQuote(string(s), html != 0, js != 0, false)
					want := size
					if read < size || string(out) != string(s) {
						want = at
					}
					if plain != want || string(dst) != string(s) {
						t.Fatalf("%q (html %v, js %v): %d plain bytes, copied %q", s, html != 0, js != 0, plain, dst)
					}
				}
			}
		}
	}
}
