package migrate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The text around an import stays, byte for byte.
func TestRewritten(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"byte order mark", "\ufeffpackage p\n\nimport \"encoding/json\"\n", "\ufeffpackage p\n\nimport \"" + Hone + "/json\"\n"},
		{"no line end", "package p\n\nimport \"encoding/json\"", "package p\n\nimport \"" + Hone + "/json\""},
		{"mixed line ends", "package p\r\n\nimport (\r\n\t\"encoding/json\"\n\t\"fmt\"\r\n)\n", "package p\r\n\nimport (\r\n\t\"" + Hone + "/json\"\n\t\"fmt\"\r\n)\n"},
		{"escapes", "package p\n\nimport \"encoding/\\x6ason\"\n", "package p\n\nimport \"" + Hone + "/json\"\n"},
		{"comment within", "package p\n\nimport /* a */ j /* b */ \"encoding/json\" /* c */\n", "package p\n\nimport /* a */ j /* b */ \"" + Hone + "/json\" /* c */\n"},
		{"line directive", "package p\n\n//line other.go:7\nimport \"encoding/json\"\n", "package p\n\n//line other.go:7\nimport \"" + Hone + "/json\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "p.go")
			if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
				t.Fatal(err)
			}
			s := &source{path: path, data: []byte(c.before), layout: &layout{}}
			if err := parseSource(s, Rules(false, "")); err != nil || len(s.specs) != 1 {
				t.Fatal(err, s.specs)
			}
			s.units["json"].change = true
			s.units["json"].selected = true
			after := s.rewritten()
			if string(after) != c.after {
				t.Fatalf("%q, want %q", after, c.after)
			}
			var j journal
			j.record("p.go", s.data, after, false)
			if back, ok := j.file("p.go").undo(after); !ok || string(back) != c.before {
				t.Errorf("undone: %q", back)
			}
		})
	}
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\n", "a\n", ""},
		{"", "a\n", "--- x\n+++ y\n@@ -0,0 +1,1 @@\n+a\n"},
		{"a", "b", "--- x\n+++ y\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n", "--- x\n+++ y\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
		{"a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n", "--- x\n+++ y\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
	} {
		if got := Diff("x", "y", []byte(c.before), []byte(c.after)); got != c.want {
			t.Errorf("%q to %q:\n%s\nwant\n%s", c.before, c.after, got, c.want)
		}
	}
}

func TestReadable(t *testing.T) {
	for _, test := range []struct {
		mod, own  string
		toolchain string // in the advice; "" if the module can be checked
	}{
		{"go 1.26", "go1.26.8", ""}, {"go 1.26.9", "go1.26.8", ""}, {"go 1.27", "go1.27.4", ""}, {"go 1.28", "devel go1.28-abc", ""},
		{"", "go1.26.8", ""}, {"go 1.21", "go1.26.8", ""},
		{"go 1.27.2", "go1.26.8", "go1.27.2"}, {"go 1.27", "go1.26.8", "go1.27.0"}, {"go 1.28rc1", "go1.26.8", "go1.28rc1"},
	} {
		err := readable([]byte("module example.com/app\n"+test.mod+"\n"), test.own)
		// The test is not built from a release.
		if want := "GOTOOLCHAIN=" + test.toolchain + " go install . in the folder cmd/hone of the clone of Hone"; (err == nil) != (test.toolchain == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s by %s: %v", test.mod, test.own, err)
		}
	}
}

// TestBlameGoLine: after blameGoLine, the copy of the module has its original go.mod again.
func TestBlameGoLine(t *testing.T) {
	dir := t.TempDir()
	mod := "module example.com/app\n\ngo 1.21\n"
	for name, text := range map[string]string{
		"go.mod":    mod,
		"p.go":      "package app\n\nimport \"fmt\"\n\nfunc print(text string) { fmt.Printf(text) }\n",
		"p_test.go": "package app\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) { print(\"x\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Parallel()
	c := &Change{m: &module{ctx: t.Context(), root: dir, path: "example.com/app"}, mod: text{[]byte(mod), []byte("module example.com/app\n\ngo 1.26.0\n")}}
	differences := []Difference{{Package: "example.com/app", Test: "TestOne", Before: "pass"}, {Package: "example.com/app", Test: "TestTwo", After: "pass"}}
	trials := []*Trial{
		{Differences: differences},
		{NotBuilt: []NotBuilt{{Package: "example.com/app", Cause: "example.com/app", When: whenAfter}}},
		{NotBuilt: []NotBuilt{{Package: "example.com/app", Cause: "example.com/app", When: whenAfter, vet: true}}},
		{NotBuilt: []NotBuilt{{Package: "example.com/app", Cause: "example.com/app", When: whenAfter}}},
		{NotBuilt: []NotBuilt{{Package: "example.com/app", Cause: "example.com/app", When: whenBefore, vet: true}}},
	}
	for i, trial := range trials {
		if i == 2 { // from here on, the package changes
			c.Files = []File{{Name: "p.go", text: text{[]byte("a"), []byte("b")}}}
		}
		if err := c.blameGoLine(dir, trial, func(string, ...any) {}); err != nil {
			t.Fatal(err)
		}
	}
	if !differences[0].GoLine || differences[1].GoLine {
		t.Errorf("%+v", differences)
	}
	for i, want := range []bool{true, true, false, false} {
		if got := trials[i+1].NotBuilt[0]; got.GoLine != want {
			t.Errorf("%+v: want %v", got, want)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "go.mod")); err != nil || string(got) != mod {
		t.Errorf("%s %v", got, err)
	}
}
