package schema

import (
	"strconv"
	"testing"
	"unicode/utf8"
)

// TestAppendName compares the results of appendName with strconv.Quote. They must be equal, except
// that appendName does not escape unprintable characters outside of ASCII.
func TestAppendName(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		s := "a" + string(r) + "b"
		var want string
		if r < utf8.RuneSelf || strconv.IsPrint(r) {
			want = strconv.Quote(s)
		} else {
			want = `"` + s + `"`
		}
		if got := string(appendName(nil, s)); got != want {
			t.Fatalf("%U is %s, not %s", r, got, want)
		}
	}
	for _, s := range []string{"", "\xff", "a\xc3", "\xed\xa0\x80", "\a\b\t\n\v\f\r\x00\x1f\x7f\"\\'`"} {
		if got, want := string(appendName(nil, s)), strconv.Quote(s); got != want {
			t.Errorf("%q is %s, not %s", s, got, want)
		}
	}
}
