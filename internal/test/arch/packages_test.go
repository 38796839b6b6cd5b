package arch

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPackages fails if the table of packages in docs/architecture.md differs from the package
// comments, or if a package has no comment.
func TestPackages(t *testing.T) {
	var b strings.Builder
	b.WriteString("| folder | package |\n|---|---|\n")
	for _, p := range synopses(t) {
		fmt.Fprintf(&b, "| `%s/` | %s |\n", p.dir, strings.ReplaceAll(p.synopsis, "|", "\\|"))
	}
	comparePart(t, "architecture.md", "packages", b.String())
}

type synopsis struct{ dir, synopsis string }

// subject is the beginning of a package comment.
var subject = regexp.MustCompile(`^(Package|Command) [a-z0-9]+ `)

// synopses returns the first sentence of the package comments: for each package of the core, and
// for the first package of each other module that users import.
func synopses(t *testing.T) (list []synopsis) {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	comments := map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && file != root) {
			return filepath.SkipDir
		}
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(rel)
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		if text := f.Doc.Text(); len(text) > len(comments[dir]) {
			comments[dir] = text
		} else if _, there := comments[dir]; !there {
			comments[dir] = ""
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	others := slices.DeleteFunc(modules(t), func(m string) bool { return m == "." })
	for dir, text := range comments {
		if slices.ContainsFunc(others, func(m string) bool { return strings.HasPrefix(dir, m+"/") }) {
			continue // belongs to another module
		}
		first := new(doc.Package).Synopsis(text)
		if first == "" {
			t.Errorf("%s has no package comment", dir)
			continue
		}
		list = append(list, synopsis{path.Clean(dir), strings.TrimSuffix(subject.ReplaceAllString(first, ""), ":")})
	}
	slices.SortFunc(list, func(a, b synopsis) int { return strings.Compare(a.dir, b.dir) })
	return list
}

// comparePart compares text with the part of a page in docs between the two comments that contain
// the given name. With HONE_UPDATE=1 it writes the part.
func comparePart(t *testing.T, page, name, text string) {
	t.Helper()
	start := "<!-- " + name + ": written by HONE_UPDATE=1 go test ./internal/test/arch, do not edit -->\n"
	end := "<!-- end of " + name + " -->\n"
	file := filepath.Join("..", "..", "..", "docs", page)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), start)
	written, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks the comments of the part %s", file, name)
	}
	if written == text {
		return
	}
	if os.Getenv("HONE_UPDATE") == "" {
		t.Fatalf("the part of %s called %s is old: run HONE_UPDATE=1 go test ./internal/test/arch", file, name)
	}
	if err := os.WriteFile(file, []byte(before+start+text+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
