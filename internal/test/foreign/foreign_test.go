package foreign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	listed, err := parseList("# a comment\n\n..TestA/b,_c: a reason: with a colon\nmiddleware.TestB: another\n")
	if err != nil || listed["..TestA/b,_c"] != "a reason: with a colon" || len(listed) != 2 {
		t.Fatal(listed, err)
	}
	for _, test := range []struct {
		failed map[string]string
		ran    int
		want   string
	}{
		{map[string]string{"..TestA/b,_c": "fails", "middleware.TestB": "fails"}, 1000, ""},
		{map[string]string{"..TestA/b,_c": "fails"}, 1000, "does not fail: middleware.TestB"},
		{map[string]string{"..TestA/b,_c": "fails", "middleware.TestB": "fails", "..TestC": "fails"}, 1000, "not listed: ..TestC"},
		{map[string]string{"..TestA/b,_c": "fails", "middleware.TestB": "fails"}, 10, "only 10 tests"},
	} {
		got := strings.Join((&Results{test.ran, test.failed}).compare(listed, 500), "\n")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%v: %q, want %q", test.failed, got, test.want)
		}
	}
	for _, text := range []string{"TestA\n", "TestA: \n", "TestA: x\nTestA: y\n"} {
		if _, err := parseList(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// TestRemove compiles tests of which one uses an unknown name. The declaration that uses it, and
// the import and the test that need the declaration, must be removed, and the other tests must run.
func TestRemove(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/x\n\ngo 1.26\n",
		"x.go":      "package x\n",
		"x_test.go": "package x\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc help() string { return strings.ToUpper(hidden) }\n\nfunc TestGone(t *testing.T) { t.Log(help()) }\n\nfunc TestStays(t *testing.T) { t.Run(\"a b\", func(t *testing.T) {}); t.Run(\"fails\", func(t *testing.T) { t.Fail() }) }\n\nfunc TestPanics(*testing.T) { panic(1) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := &testPackage{Results: &Results{Failed: map[string]string{}}, dir: dir, name: "x"}
	if err := p.compile(); err != nil {
		t.Fatal(err)
	}
	if err := p.run(); err != nil || p.Tests != 4 || len(p.Failed) != 3 {
		t.Errorf("%d tests, %v, %v", p.Tests, p.Failed, err)
	}
	for name, cause := range map[string]string{"x.TestGone": "does not compile: undefined: hidden", "x.TestStays/fails": "fails", "x.TestPanics": "fails"} {
		if p.Failed[name] != cause {
			t.Errorf("%s: %q, want %q", name, p.Failed[name], cause)
		}
	}
}
