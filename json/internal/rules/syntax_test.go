package rules

import (
	"encoding/json"
	"testing"

	"github.com/hone-go/hone/json/internal/option"
)

// FuzzSyntaxOffset decodes invalid text. By the rules of the linked release, SyntaxOffset must
// return the offset in the error of encoding/json.
func FuzzSyntaxOffset(f *testing.F) {
	for _, text := range []string{
		"", " ", "-", "tru", "nul ", "fals\"", "1x", "01", "[1,]", "[1 2]", "[,", "{1", "{\"a\" 1", "{\"a\":}", "{\"a\":1,}", "{\"a\":1]", "]", "}", ",", ":", ",1", "1,", "1 é",
		"é", "[é", "\xff", "[\xe2\x82", "\"\xe2\x82", "\"abc", "\"\\", "\"\\q\"", "\"\\é\"", "\"\\u12\"", "\"\\u12", "\"\\u12xyz\"", "\"\\u1\xe2\x82\xac9\"", "\"a\nb\"", "\"\\ud800\"x",
		"-x", "1.", "[1.", "[1.x", "1e+", "[-", "[-]", "1e400x", "{\"a\\u", "{\"a\n", "{\"a\":tru}", "[true,fale]", "{}x", "[[[", "[{\"a\":[", "{\"a\"", "{,", "[:", "{\"a\":1,2", " \xef\xbb\xbf1",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var raw RawMessage
		e, ok := json.Unmarshal(data, &raw).(*SyntaxError)
		if !ok {
			return
		}
		if got := SyntaxOffset(data, option.Linked); got != e.Offset {
			t.Errorf("%q: offset %d, want %d (%v)", data, got, e.Offset, e)
		}
	})
}
