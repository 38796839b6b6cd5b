package path

import (
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	long := strings.Repeat("é", 40)
	for name, want := range map[string]string{
		"a": ".a", "_": "._", "A1": ".A1", "é": ".é", "1": `["1"]`, "": `[""]`, "a b": `["a b"]`, "a.b": `["a.b"]`, "a[0]": `["a[0]"]`, `"`: `["\""]`,
		"\xff": `["\xff"]`, "key": ".key", "…": `["…"]`, long: `["` + long[:32] + "…" + long[:32] + `"]`,
	} {
		if got := Name(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// FuzzFirst joins the steps of two names and an index, and splits the path again. A damaged path is split
// into steps that have all of its text.
func FuzzFirst(f *testing.F) {
	f.Add("a", "b c", 3)
	f.Add("", `"].`, 0)
	f.Fuzz(func(t *testing.T, first, second string, i int) {
		path := Name(first) + Index(i) + Name(second)
		for _, want := range []struct {
			name   string
			isName bool
		}{{first, true}, {"", false}, {second, true}} {
			var name string
			var isName bool
			_, name, path, isName = First(path)
			if isName != want.isName || len(want.name) <= MaxName && name != want.name {
				t.Fatalf("%q, %q: got %q %t", first, second, name, isName)
			}
		}
		if path != "" {
			t.Errorf("%q is left", path)
		}
		rest, joined := first, ""
		for rest != "" {
			step, _, after, _ := First(rest)
			if step == "" {
				t.Fatalf("no step at the start of %q", rest)
			}
			joined, rest = joined+step, after
		}
		if joined != first {
			t.Errorf("%q was split into %q", first, joined)
		}
	})
}
