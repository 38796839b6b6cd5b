package syntax

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// checkIndex walks the values of data, which is valid, in the order of encoding/json's scanner,
// and compares the words of the index.
func checkIndex(t *testing.T, data []byte) {
	t.Helper()
	var x Index
	if !x.Build(data) {
		t.Fatalf("%.100q is valid, but was not indexed", data)
	}
	words := x.Words()
	at := 0
	var value func(pos int) int
	value = func(pos int) int {
		pos = SkipSpace(data, pos)
		end := SkipValue(data, pos)
		w := words[at]
		if w.Pos() != pos {
			t.Fatalf("word %d of %.100q is at %d, not %d", at, data, w.Pos(), pos)
		}
		switch c := data[pos]; c {
		case '"':
			raw := string(data[pos:end])
			wide := strings.ContainsFunc(raw, func(r rune) bool { return r > 127 })
			if w.StringEnd(data) != end || w.Escaped() != strings.Contains(raw, `\`) || w.Wide() != wide || w.Plain() != (!w.Escaped() && !w.Wide()) {
				t.Fatalf("string %.100q: word %x", raw, w)
			}
		case '{', '[':
			open, count := at, 0
			at += ContainerWords
			p := SkipSpace(data, pos+1)
			for data[p] != c+2 {
				if c == '{' {
					p = SkipSpace(data, value(p)) + 1
				}
				count++
				if p = SkipSpace(data, value(p)); data[p] == ',' {
					p = SkipSpace(data, p+1)
				}
			}
			if w.Count() != count || After(words, open) != at || End(words, open) != end {
				t.Fatalf("container %.100q: count %d, want %d; %d words, want %d; end %d, want %d",
					data[pos:end], w.Count(), count, After(words, open), at, End(words, open), end)
			}
			return end
		case 't', 'f', 'n':
		default:
			if w.NumberEnd(data) != end || w.Fraction() != strings.ContainsAny(string(data[pos:end]), ".eE") {
				t.Fatalf("number %.100q: word %x", data[pos:end], w)
			}
		}
		at++
		return end
	}
	value(0)
	if at != len(words) {
		t.Fatalf("%d words for %d in %.100q", len(words), at, data)
	}
}

// FuzzIndex builds the Index of a text. It must accept the same texts as encoding/json's Valid,
// return the same status as the scanner for every prefix, and have the words of a simple walk.
func FuzzIndex(f *testing.F) {
	for _, s := range []string{
		"", " ", "null", "nul", "tru", "falsee", "0", "-", "-0", "01", "1.", "1.5e", "1e+9", "123456789012345678901234567890",
		`"`, `"a`, `"a"`, `"\`, `"\"`, `"\u12`, `"\u12g4"`, `"\'"`, "\"\x1f\"", "\"\x7f\"", "\"\xff\"", `"abcdefgh\n"`, `"abcdefghé"`, `"é"`,
		"[]", "[ ]", "[1]", "[1,]", "[,1]", "[1 2]", "[1}", "{}", "{ }", `{"a":1}`, `{"a" : 1 , "b":[{}]}`, `{"a":1,}`, `{"a"}`, `{1:2}`, `{true:1}`, `{{}:1}`, `{"a":}`,
		"[[[[]]]]", "[[],[[1],2],{}]", "\xef\xbb\xbf1", "1 2", " \t\r\n[ \t\r\n1 \t\r\n] \t\r\n", "[1\v]", "                         1                        ",
		"{\"\":null,\"\x00", `[true,"`, `[null,nulx`, `{"a":{"b":{"c":[1,2,3]},"d":"e"},"f":null}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var x Index
		valid := json.Valid(data)
		if got := x.Build(data); got != valid {
			t.Fatalf("Build(%q) = %v", data, got)
		}
		if valid {
			checkIndex(t, data)
		}
		var s scanner
		wantN, want := s.Scan(data)
		for _, x.Waits = range []bool{true, false} {
			want, scalar := want, wantN > 0 && data[wantN-1] != ']' && data[wantN-1] != '}'
			n, got := x.BuildFirst(data, false)
			if want == Complete && wantN == len(data) && (x.Waits && scalar || data[wantN-1]-'0' <= 9) {
				want = Incomplete // because no byte follows
			}
			if got != want || want == Complete && n != wantN {
				t.Fatalf("BuildFirst(%q) = %d, %v; the scanner returns %d, %v", data, n, got, wantN, want)
			}
		}
		checkPieces(t, data)
	})
}

// checkPieces indexes the first value in data in pieces of several sizes, and compares the
// result with the index of the whole text.
func checkPieces(t *testing.T, data []byte) {
	var whole Index
	wantN, want := whole.BuildFirst(data, true)
	for _, size := range []int{1, 2, 3, 7, 8, 20} {
		var x Index
		n, got := x.BuildFirst(data[:0], len(data) == 0)
		for end := 0; got == Incomplete && end < len(data); {
			end = min(end+size, len(data))
			n, got = x.BuildMore(data[:end:end], end == len(data))
		}
		if got != want || want == Complete && (n != wantN || !slices.Equal(x.Words(), whole.Words())) {
			t.Fatalf("%q in pieces of %d: %d, %v, %x; as a whole %d, %v, %x", data, size, n, got, x.Words(), wantN, want, whole.Words())
		}
	}
}

// TestIndexPieceTime indexes long tokens that arrive byte by byte. If each piece were read from
// the start of its token, the test would take hours.
func TestIndexPieceTime(t *testing.T) {
	for _, text := range []string{
		`"` + strings.Repeat("a", 1<<20) + `"`, `"` + strings.Repeat(`\n`, 1<<19) + `"`, `"` + strings.Repeat(`\u0041`, 1<<17) + `"`,
		"[" + strings.Repeat("1", 1<<20) + "]", strings.Repeat(" ", 1<<20) + "1 ", "[" + strings.Repeat("[],", 1<<18) + "1]",
	} {
		data := []byte(text)
		var x Index
		status := Incomplete
		for end := 0; status == Incomplete; end++ {
			if end == 0 {
				_, status = x.BuildFirst(data[:0], false)
			} else {
				_, status = x.BuildMore(data[:end], end == len(data))
			}
		}
		if status != Complete {
			t.Errorf("%.20s: %v", text, status)
		}
	}
}

func TestIndexLongValues(t *testing.T) {
	long := strings.Repeat("0123456789", 500_000)
	checkIndex(t, []byte(`["`+long+`",1`+long+`,"\n`+long+`",0.`+long+`]`))
	checkIndex(t, []byte(strings.Repeat("[", MaxDepth)+strings.Repeat("]", MaxDepth)))
	if new(Index).Build([]byte(strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1))) {
		t.Error("nesting deeper than MaxDepth was accepted")
	}
}

// TestIndexMemory indexes texts with many short values. The length of the text limits the memory of
// the Index. A text that needs more memory is still checked, but not indexed.
func TestIndexMemory(t *testing.T) {
	for _, test := range []struct {
		part  string
		dense bool // whether the long text is too dense
	}{
		{part: "[],", dense: true}, {part: "[[]],", dense: true}, {part: "[1],", dense: true}, {part: "{},", dense: true}, {part: `{"":0},`, dense: true},
		{part: `"",`}, {part: "12,"}, {part: `"a string of some length",`}, {part: `{"name":"value","other":12345},`},
	} {
		for _, size := range []int{10_000, 5 << 20} {
			data := []byte("[" + strings.Repeat(test.part, size/len(test.part)) + "0]")
			var x Index
			if !x.Build(data) {
				t.Fatalf("%q repeated is not valid", test.part)
			}
			if used := 8 * x.Cap(); used > max(4*len(data), denseBytes) {
				t.Errorf("%q repeated: %d bytes of index for %d", test.part, used, len(data))
			}
			if dense := test.dense && size > denseBytes/4; x.Dense() != dense {
				t.Errorf("%q repeated to %d bytes: Dense returned %v", test.part, len(data), x.Dense())
			}
			data[len(data)-1] = '}'
			if x.Build(data) {
				t.Errorf("%q repeated, then a wrong bracket, was reported as valid", test.part)
			}
			if !x.Build([]byte("[1]")) || x.Dense() || len(x.Words()) != ContainerWords+1 {
				t.Error("after a dense text, the next text is not indexed")
			}
		}
	}
}

// TestBreakAndReuse builds an Index for a first text, calls Break if the text is invalid, and
// builds the Index of a second text. The second Index must be equal to a newly allocated one,
// although Break has left a slice of few words.
func TestBreakAndReuse(t *testing.T) {
	texts := []string{"", " ", "\x01", "1", `"`, "{", "[", `{"a":`, `[1,`, "x", `{"n":1,"any":{"a":[1]}}`, "[[],[],[]]", "null"}
	for _, first := range texts {
		for _, second := range texts {
			var x, fresh Index
			if _, status := x.BuildFirst([]byte(first), true); status != Complete {
				x.Break([]byte(first), false)
			}
			for range 2 {
				end, status := x.BuildNested([]byte(second), 0)
				wantEnd, want := fresh.BuildNested([]byte(second), 0)
				if end != wantEnd || status != want || status == Complete && !slices.Equal(x.Words(), fresh.Words()) {
					t.Errorf("%q after %q: %d %v, want %d %v", second, first, end, status, wantEnd, want)
				}
			}
		}
	}
}
