package syntax

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// encoding/json is the oracle of all tests in this file.

var documents = []string{
	``, ` `, `null`, ` true `, `false`, `nul`, `nulll`, `0`, `-0`, `-`, `01`, `1.`, `1.5`, `.5`, `1e`, `1e+`, `1e+7`,
	`1E-07`, `0e0`, `0.0e0`, `--1`, `+1`, `""`, `"a`, `"\"`, `"\u12"`, `"\u12aF"`, `"\x"`, `"\'"`, "\"\x01\"",
	"\"\xff\"", `"ü"`, `[]`, `[ ]`, `[1`, `[1,]`, `[,1]`, `[1 2]`, `[1,2]`, `[[[]]]`, `[}`, `{]`, `{}`, `{ }`,
	`{"a":1}`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a":1 "b":2}`, `{"a":{"b":[1,{"c":null}]}}`, `1 2`, `[] []`,
	`{"a":"b\\\"c"}`, "\n[\t1 ,\r2 ]\n", `[true,false,null]`, `[tru]`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`,
	strings.Repeat("[", 70) + strings.Repeat("]", 70), strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70),
	strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth),
	strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1),
	`"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa<>&\n"`,
	"\"\u2028\u2029\"", `["<",">","&"]`,
}

func checkDocument(t *testing.T, data []byte) {
	valid := json.Valid(data)
	if got := Valid(data); got != valid {
		t.Fatalf("Valid(%.100q) = %v", data, got)
	}
	// This Index only checks the text. Its four words are too few, so it must drop words
	// repeatedly.
	if got := (&Index{words: make([]Word, 4), check: true}).Build(data); got != valid {
		t.Fatalf("with a capacity of four words, Build(%.100q) = %v", data, got)
	}
	// The scanner gets the text in pieces of one byte.
	var s scanner
	var pos int
	status := Incomplete
	for pos < len(data) && status == Incomplete {
		var n int
		n, status = s.Scan(data[pos : pos+1])
		pos += n
	}
	pieces := status == Complete && SkipSpace(data, pos) == len(data) || status == Incomplete && s.End()
	if pieces != valid {
		t.Fatalf("byte by byte, the scanner reports %v for %.100q", pieces, data)
	}
	for _, html := range []bool{false, true} {
		if _, ok := AppendCompact(nil, data, html); ok != valid {
			t.Fatalf("AppendCompact(%.100q) reports %v", data, ok)
		}
	}
	if _, ok := AppendIndent(nil, data, "", " "); ok != valid {
		t.Fatalf("AppendIndent(%.100q) reports %v", data, ok)
	}
	if !valid {
		return
	}
	if start := SkipSpace(data, 0); SkipSpace(data, SkipValue(data, start)) != len(data) {
		t.Fatalf("SkipValue(%.100q) = %d", data, SkipValue(data, start))
	}
	var compact, escaped bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		t.Fatal(err)
	}
	if got, _ := AppendCompact(nil, data, false); !bytes.Equal(got, compact.Bytes()) {
		t.Fatalf("AppendCompact(%.100q) = %.100q", data, got)
	}
	json.HTMLEscape(&escaped, compact.Bytes())
	if got, _ := AppendCompact(nil, data, true); !bytes.Equal(got, escaped.Bytes()) {
		t.Fatalf("AppendCompact(%.100q, html) = %.100q", data, got)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, data, "> ", "\t"); err != nil {
		t.Fatal(err)
	}
	if got, _ := AppendIndent(nil, data, "> ", "\t"); !bytes.Equal(got, indented.Bytes()) {
		t.Fatalf("AppendIndent(%.100q) = %.200q; want %.200q", data, got, indented.Bytes())
	}
	checkLines(t, compact.Bytes())
	for _, tail := range []string{"", "\n", " \n\t"} {
		if got, ok := AppendCompact([]byte("x"), append(bytes.Clone(compact.Bytes()), tail...), true); !ok || string(got) != "x"+escaped.String() {
			t.Fatalf("AppendCompact(%.100q, html) = %.100q, %v", compact.Bytes(), got, ok)
		}
	}
	var text string
	if json.Unmarshal(data, &text) == nil && compact.Bytes()[0] == '"' {
		if got, ok := AppendUnquoted(nil, compact.Bytes()); !ok || string(got) != text {
			t.Fatalf("AppendUnquoted(%.100q) = %.100q, %v; want %.100q", compact.Bytes(), got, ok, text)
		}
	}
}

// TestUnquote unquotes strings with each byte, escape or long character at each position, after a prefix and
// into memory of several sizes, and compares the result with encoding/json.
func TestUnquote(t *testing.T) {
	pieces := []string{"", `\n`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\u12`, "é", "😀", "\xf0\x9f\x98", "\xff\xff\xff\xff\xff\xff\xff\xff\xff"}
	for c := range 256 {
		pieces = append(pieces, string([]byte{byte(c)}))
	}
	for _, piece := range pieces {
		for before := range 18 {
			for _, after := range []int{0, 1, 7, 8, 9, 20} {
				raw := `"` + "abcdefghijklmnopqr"[:before] + piece + "ABCDEFGHIJKLMNOPQRST"[:after] + `"`
				var want string
				err := json.Unmarshal([]byte(raw), &want)
				for _, free := range []int{0, 3, 100} {
					got, ok := AppendUnquoted(append(make([]byte, 0, 1+free), 'x'), []byte(raw))
					if ok != (err == nil) || ok && string(got) != "x"+want {
						t.Fatalf("AppendUnquoted(%q) = %q, %v; want %q, %v", raw, got, ok, want, err)
					}
				}
			}
		}
	}
}

// TestValidLong checks long documents, and the memory of the Index.
func TestValidLong(t *testing.T) {
	row := `{"a":[1,2,{"b":null}],"c":"d"},`
	long := "[[" + strings.Repeat(row, 5000) + strings.Repeat("[", 2000) + strings.Repeat("1,", 5000) + "1" + strings.Repeat("]", 2000) + `],{"x":[` + strings.Repeat("2,", 5000) + "3]}]"
	for _, doc := range []string{long, long + "]", long[:len(long)-1], strings.Replace(long, "1,1]", "1,1}", 1), long[:len(long)-3] + "]]]"} {
		if got, want := Valid([]byte(doc)), json.Valid([]byte(doc)); got != want {
			t.Errorf("a document that ends with %s is valid: %v", doc[len(doc)-10:], got)
		}
	}
	x := Index{words: make([]Word, 2048), check: true}
	if !x.Build([]byte(long)) || x.Cap() > 16384 {
		t.Errorf("the Index has %d words for %d bytes nested 2,003 levels deep", x.Cap(), len(long))
	}
}

func TestDocuments(t *testing.T) {
	for _, d := range documents {
		checkDocument(t, []byte(d))
	}
}

func FuzzDocument(f *testing.F) {
	for _, d := range documents {
		if len(d) < 1000 {
			f.Add([]byte(d))
		}
	}
	f.Fuzz(checkDocument)
}

func checkString(t *testing.T, s string) {
	for _, html := range []bool{false, true} {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(html)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		// dst has no capacity, or enough for the functions to copy whole words.
		for _, dst := range [][]byte{nil, make([]byte, 0, 8*len(s)+64)} {
			if got := AppendString(dst, s, html); string(got) != strings.TrimSuffix(want.String(), "\n") {
				t.Fatalf("AppendString(%q, %v) = %s, want %s", s, html, got, want.String())
			}
		}
	}
	if _, err := json.Number(s).Float64(); ValidNumber(s) != (json.Valid([]byte(s)) && s != "" && strings.Trim(s, " \n\t\r") == s && (s[0] == '-' || '0' <= s[0] && s[0] <= '9')) {
		t.Fatalf("ValidNumber(%q) = %v (%v)", s, ValidNumber(s), err)
	}
}

// TestCharacters quotes every character, and every kind of invalid character, before plain text and
// at the end of a text. The output must be the same as with encoding/json.
func TestCharacters(t *testing.T) {
	var all []string
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if testing.Short() && r > 0x3000 && r%251 != 0 {
			continue
		}
		all = append(all, string(r))
	}
	edges := []byte{0, 'a', '"', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xa8, 0xa9, 0xbf, 0xc0, 0xe2, 0xff}
	for lead := 0x80; lead <= 0xff; lead++ {
		for _, a := range edges {
			for _, b := range edges {
				for _, c := range edges {
					all = append(all, string([]byte{byte(lead), a, b, c}))
				}
			}
		}
	}
	for chunk := range slices.Chunk(all, 100) {
		checkString(t, strings.Join(chunk, ""))
		checkString(t, strings.Join(chunk, "abcdefg"))
	}
	for i := 0; i < len(all); i += 97 {
		checkString(t, all[i])
		checkString(t, "abcdefgh"+all[i])
	}
}

func FuzzString(f *testing.F) {
	for _, s := range []string{"", "abc", "<&>", "\x00\x1f\x7f\b\f\n\r\t\"\\/", "ü\u2028\u2029\ufffd", "a\xffb\xc3", "-0", "1.5e+07", "01", "1e"} {
		f.Add(s)
	}
	f.Fuzz(checkString)
}

// FuzzInt parses JSON numbers with ParseInt and ParseUint. The results must be the same as with
// strconv.
func FuzzInt(f *testing.F) {
	for _, s := range []string{"0", "-0", "7", "-1", "12345678", "123456789", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"-9223372036854775809", "18446744073709551615", "18446744073709551616", "19999999999999999999", "29999999999999999999",
		"100000000000000000000", "1.0", "1e3", "123456781", "1234567812345678"} {
		f.Add(s, "")
		f.Add(s, ",12345678")
	}
	f.Fuzz(func(t *testing.T, s, tail string) {
		if !ValidNumber(s) || tail != "" && strings.Trim(tail[:1], "0123456789.eE+-") == "" {
			return
		}
		data := []byte(s + tail)
		wantInt, err := strconv.ParseInt(s, 10, 64)
		if got, ok := ParseInt(data, 0, len(s)); ok != (err == nil) || ok && got != wantInt {
			t.Fatalf("ParseInt(%s) = %d, %v; want %d, %v", s, got, ok, wantInt, err)
		}
		wantUint, err := strconv.ParseUint(s, 10, 64)
		if got, ok := ParseUint(data, 0, len(s)); ok != (err == nil) || ok && got != wantUint {
			t.Fatalf("ParseUint(%s) = %d, %v; want %d, %v", s, got, ok, wantUint, err)
		}
	})
}

func TestAppendInt(t *testing.T) {
	for shift := range 64 {
		for _, v := range []int64{1 << shift, 1<<shift - 1, -1 << shift, -1<<shift + 1} {
			for _, v := range []int64{v, v / 3, v / 7 * 5} {
				if got, want := AppendInt([]byte("x"), v), strconv.AppendInt([]byte("x"), v, 10); string(got) != string(want) {
					t.Errorf("AppendInt(%d) = %s", v, got)
				}
				if got, want := AppendUint([]byte("x"), uint64(v)), strconv.AppendUint([]byte("x"), uint64(v), 10); string(got) != string(want) {
					t.Errorf("AppendUint(%d) = %s", uint64(v), got)
				}
			}
		}
	}
	for v, n := uint64(1), 1; n < 20; v, n = v*10, n+1 {
		for _, v := range []uint64{v - 1, v, v + 1} {
			if got, want := AppendUint(nil, v), strconv.FormatUint(v, 10); string(got) != want {
				t.Errorf("AppendUint(%d) = %s", v, got)
			}
		}
	}
}
