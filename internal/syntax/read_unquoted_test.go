package syntax

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// replacements counts the characters U+FFFD that the valid JSON string text contains, as a character or as an
// escape.
func replacements(text string) (n int) {
	for len(text) > 0 {
		switch {
		case strings.HasPrefix(text, `\u`):
			if strings.EqualFold(text[2:6], "fffd") {
				n++
			}
			text = text[6:]
		case text[0] == '\\':
			text = text[2:]
		default:
			r, size := utf8.DecodeRuneInString(text)
			if r == utf8.RuneError && size == 3 {
				n++
			}
			text = text[size:]
		}
	}
	return n
}

// FuzzReadUnquoted compares ReadUnquoted with encoding/json, for strings with other text before and after
// them and for buffers of all sizes.
func FuzzReadUnquoted(f *testing.F) {
	for _, seed := range []string{
		``, `a`, `\n`, `\u0041`, `\ud83d\ude00`, `\ud83d`, `\ude00\ud83d`, `\ud83d\u0041`, `\ufffd`, "\ufffd", "\xff", "a\xc3", "é", `\'`, `\x`, `\u12`, `\`,
		"\x01", "tab\there", strings.Repeat("plain text ", 20), strings.Repeat(`\"é`, 30), strings.Repeat("x", 64) + `\\`, "日本語のテキスト\\n",
	} {
		f.Add(seed, uint8(0), "")
		f.Add(seed, uint8(7), `,"next":1}`)
	}
	f.Fuzz(func(t *testing.T, content string, room uint8, after string) {
		data := []byte(`{"` + content + `"` + after)
		dst := append(make([]byte, 0, int(room)+2), "ab"...)
		out, end, exact := ReadUnquoted(dst, data, 1)
		// The string ends at the first quotation mark that no backslash escapes.
		length := 1
		for length < len(data)-1 && data[1+length] != '"' {
			if data[1+length] == '\\' {
				length++
			}
			length++
		}
		if length+2 > len(data) {
			length = len(data) - 2
		}
		text := string(data[1 : 2+length])
		var want string
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			if end >= 0 {
				t.Fatalf("%q: end %d, encoding/json %v", data, end, err)
			}
			return
		}
		if end != 1+len(text) || string(out) != "ab"+want {
			t.Fatalf("%q: %q, %d, encoding/json %q", data, out, end, want)
		}
		if same := strings.Count(want, "\ufffd") == replacements(text[1:len(text)-1]); exact != same {
			t.Errorf("%q: exact %v", data, exact)
		}
	})
}
