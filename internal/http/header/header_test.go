package header

import (
	"mime"
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

// No file name can end the quotes or the header line, or contain a character that a header must
// not contain.
func TestDisposition(t *testing.T) {
	got := Disposition("attachment", "a\\\"b\r\nX: y.csv")
	if want := `attachment; filename="a\\\"b%0D%0AX: y.csv"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for c := range rune(0x100) {
		got := Disposition("inline", "a"+string(c)+"b")
		plain, _, _ := strings.Cut(got, "; filename*=")
		inside := strings.TrimSuffix(strings.TrimPrefix(plain, `inline; filename="`), `"`)
		if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r == 0x7f }) || strings.Contains(strings.ReplaceAll(inside, `\"`, ""), `"`) {
			t.Errorf("%q: %q", c, got)
		}
	}
	if got := Disposition("inline", "\x00\t\x1f\x7fé"); got != `inline; filename="%00%09%1F%7Fé"; filename*=UTF-8''%2500%2509%251F%257F%C3%A9` {
		t.Errorf("%q", got)
	}
}

// TestDispositionReadBack parses the results of Disposition with package mime, which prefers
// filename*. The names must be the original ones.
func TestDispositionReadBack(t *testing.T) {
	names := []string{"", "plain.txt", "naïve \"1\".txt", "Übersicht; x=y.csv", "報告 100%.pdf", "a'b*c(d)é", "😀\\", "é\r\nSet-Cookie: a=b", "a\xffb"}
	for c := rune(0x20); c < 0x3000; c += 7 {
		names = append(names, "a"+string(c)+"b")
	}
	for _, name := range names {
		got := Disposition("attachment", name)
		kind, params, err := mime.ParseMediaType(got)
		want := strings.ToValidUTF8(strings.NewReplacer("\r", "%0D", "\n", "%0A", "\x7f", "%7F").Replace(name), "\uFFFD")
		if err != nil || kind != "attachment" || params["filename"] != want {
			t.Errorf("%q: %s is read as %q, %v", name, got, params["filename"], err)
		}
		if extended := strings.Contains(got, "filename*="); extended != strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 }) {
			t.Errorf("%q: %s", name, got)
		}
	}
}
