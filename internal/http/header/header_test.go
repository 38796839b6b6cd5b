package header

import (
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for _, test := range []struct{ list, item, rest string }{
		{list: "", item: "", rest: ""},
		{list: "a, b", item: "a", rest: " b"},
		{list: `"a,b",c`, item: `"a,b"`, rest: "c"},
		{list: `"a\",b",c`, item: `"a\",b"`, rest: "c"},
		{list: `"a,b`, item: `"a,b`, rest: ""},
	} {
		if item, rest := Cut(test.list, ','); item != test.item || rest != test.rest {
			t.Errorf("%q: %q and %q", test.list, item, rest)
		}
	}
}

func TestParam(t *testing.T) {
	for _, test := range []struct{ params, name, want string }{
		{params: ` Charset = "UTF-8" ; q=1`, name: "charset", want: "UTF-8"},
		{params: `a="x;q=2"; q=1`, name: "q", want: "1"},
		{params: `a=1`, name: "b", want: ""},
	} {
		if got := Param(test.params, test.name); got != test.want {
			t.Errorf("%q, %s: %q", test.params, test.name, got)
		}
	}
}

// The name of a file ends neither its quotes nor its header, and contains no character that a
// header must not contain.
func TestDisposition(t *testing.T) {
	got := Disposition("attachment", "a\\\"b\r\nX: y.csv")
	if want := `attachment; filename="a\\\"b%0D%0AX: y.csv"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for c := range rune(0x100) {
		got := Disposition("inline", "a"+string(c)+"b")
		inside := strings.TrimSuffix(strings.TrimPrefix(got, `inline; filename="`), `"`)
		if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r == 0x7f }) || strings.Contains(strings.ReplaceAll(inside, `\"`, ""), `"`) {
			t.Errorf("%q: %q", c, got)
		}
	}
	if got := Disposition("inline", "\x00\t\x1f\x7fé"); got != `inline; filename="%00%09%1F%7Fé"` {
		t.Errorf("%q", got)
	}
}
