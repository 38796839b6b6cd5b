package migrate

import (
	"os"
	"path/filepath"
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
			s := &source{path: path, data: []byte(c.before)}
			if err := parseSource(s, Rules(false, false)); err != nil || len(s.specs) != 1 {
				t.Fatal(err, s.specs)
			}
			s.units["json"].change = true
			s.units["json"].asked = true
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
