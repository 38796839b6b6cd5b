package migrate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/imports"
	"golang.org/x/tools/txtar"
)

// Each case in testdata/layouts has the settings of a module, its files, and the files after the change of
// encoding/json:
//
//	-- .golangci.yml --  settings
//	-- NAME.go --        a file
//	-- NAME.go.want --   the file after the change; without it the file stays as it is
func TestLayouts(t *testing.T) {
	cases, err := filepath.Glob("testdata/layouts/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal(err, len(cases))
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { testLayout(t, file) })
	}
}

func testLayout(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir, want := t.TempDir(), map[string]string{}
	out := &txtar.Archive{Comment: a.Comment}
	for _, f := range a.Files {
		if name, is := strings.CutSuffix(f.Name, ".want"); is {
			want[name] = string(f.Data)
			continue
		}
		out.Files = append(out.Files, f)
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree := arranged(t, dir, Rules(false, ""))
	for _, s := range tree.sources {
		for _, u := range s.units {
			u.change = true
		}
		got := s.rewritten()
		out.Files = append(out.Files, txtar.File{Name: s.name + ".want", Data: got})
		if string(got) != want[s.name] && !update {
			t.Errorf("%s:\n%s", s.name, Diff("want", "got", []byte(want[s.name]), got))
		}
	}
	if update {
		if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func arranged(t *testing.T, dir string, rules []Rule) *tree {
	t.Helper()
	tree, err := walk(dir, "", rules)
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.arrange(dir, "example.com/app"); err != nil {
		t.Fatal(err)
	}
	return tree
}

// A file that is clean under goimports stays clean, and loses no import or comment.
func TestCleanUnderGoimports(t *testing.T) {
	t.Cleanup(func() { imports.LocalPrefix = "" })
	r := rand.New(rand.NewPCG(1, 2))
	paths := []string{
		"bytes", "fmt", "os", "embed", "net/http", "github.com/a/b", "github.com/z/z", "golang.org/x/mod", "k8s.io/api",
		"example.com/app", "example.com/app/x", "example.com/apple", "example.com/other",
	}
	for _, local := range []string{"", "example.com/app", "example.com/app,k8s.io", "example.com"} {
		imports.LocalPrefix = local
		clean := func(text []byte) []byte {
			out, err := imports.Process("a.go", text, &imports.Options{FormatOnly: true, Comments: true, TabIndent: true, TabWidth: 8})
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		for range 500 {
			var b bytes.Buffer
			b.WriteString("package a\n\nimport (\n\t\"encoding/json\"\n")
			for _, i := range r.Perm(len(paths))[:r.IntN(len(paths))] {
				if r.IntN(3) == 0 {
					b.WriteByte('\n')
				}
				if r.IntN(5) == 0 {
					b.WriteString("\t// about it\n")
				}
				fmt.Fprintf(&b, "\t%s %q", []string{"", "", "", "_", "name"}[r.IntN(5)], paths[i])
				b.WriteString([]string{"\n", " // why\n"}[r.IntN(8)/7])
			}
			b.WriteString(")\n")
			before := clean(b.Bytes())
			if again := clean(before); !bytes.Equal(again, before) {
				continue // goimports needs several passes for some comments
			}
			dir := t.TempDir()
			if local != "" {
				settings := "version: 2\nformatters:\n  enable: [goimports]\n  settings:\n    goimports:\n      local-prefixes:\n"
				for p := range strings.SplitSeq(local, ",") {
					settings += "        - " + p + "\n"
				}
				if err := os.WriteFile(filepath.Join(dir, ".golangci.yml"), []byte(settings), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(filepath.Join(dir, ".golangci.yml"), []byte("linters:\n  enable: [goimports]\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "a.go"), before, 0o644); err != nil {
				t.Fatal(err)
			}
			tree := arranged(t, dir, Rules(false, ""))
			s := tree.sources[0]
			s.units["json"].change = true
			after := s.rewritten()
			if again := clean(after); !bytes.Equal(again, after) {
				t.Fatalf("goimports -local %q changes\n%s, which was\n%s", local, Diff("clean", "goimports", after, again), before)
			}
			rest := fieldCounts(after)
			for word, n := range fieldCounts(before) {
				if word != `"encoding/json"` && rest[word] != n {
					t.Fatalf("%q is %d times in\n%s, and %d times in\n%s", word, n, before, rest[word], after)
				}
			}
		}
	}
}

// fieldCounts counts the words of a text.
func fieldCounts(text []byte) map[string]int {
	counts := map[string]int{}
	for word := range strings.FieldsSeq(string(text)) {
		counts[word]++
	}
	return counts
}

// Settings that cannot be read are named, and do not prevent the change.
func TestUnreadableSettings(t *testing.T) {
	for name, text := range map[string]string{".golangci.yml": "linters: [", ".golangci.toml": "[[", ".golangci.json": "{"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readLayout(dir, "example.com/app"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A folder is refused like a pipe, whose text would never end.
	for _, name := range []string{".golangci.yml", ".editorconfig"} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := readLayout(dir, "example.com/app"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
		large := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(large, make([]byte, maxSettings+1), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readLayout(filepath.Dir(large), "example.com/app"); err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
