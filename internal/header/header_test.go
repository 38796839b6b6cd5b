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

// The name of a file cannot end its quotes, or its header.
func TestDisposition(t *testing.T) {
	got := Disposition("attachment", "a\\\"b\r\nX: y.csv")
	if want := `attachment; filename="a\\\"b%0D%0AX: y.csv"`; got != want || strings.ContainsAny(got, "\r\n") {
		t.Errorf("%s, want %s", got, want)
	}
}
