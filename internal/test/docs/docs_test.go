package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

var root = filepath.Join("..", "..", "..")

// blocks returns the blocks of all pages, except for the reports of benchmark runs, and the quickstart, which
// TestQuickstart runs.
func blocks(t *testing.T) (all []Block) {
	t.Helper()
	pages, err := Pages(root, "docs/benchmarks")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if page == quickstart {
			continue
		}
		list, err := Read(root, page)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	return all
}

// TestGo compiles the Go code of all pages, which must have no errors. If a block names another
// module, a test of that module compiles the block instead.
func TestGo(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	testkit.SkipInVariant(t)
	var files []Block
	for _, b := range blocks(t) {
		if b.Omitted == "" && b.Module == "." {
			files = append(files, Files(b)...)
		}
	}
	if len(files) < 50 {
		t.Errorf("the pages have only %d blocks of Go", len(files))
	}
	errs, err := Compile(root, files)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range errs {
		t.Error(err)
	}
}

// TestFaults compiles blocks that have faults, and expects the errors with their places.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	for _, test := range []struct{ what, language, text, context, want string }{
		{"a name that nothing declares", "go", "x := 1\ny := x + z\n", "", "page.md:11:10: undefined: z"},
		{"a wrong type", "go", "type T struct{}\n\nvar n int = T{}\n", "", "page.md:12:13: cannot use T{} (value of struct type T) as int value in variable declaration"},
		{"a method that is not there", "go", "json.Marshall(1)\n", "", "page.md:10:6: undefined: json.Marshall"},
		{"no code", "go", "x := = 1\n", "", "page.md:10:6: expected operand, found '='"},
		{"a whole file with an unused import", "go", "package p\n\nimport \"fmt\"\n", "", `page.md:12:8: "fmt" imported and not used`},
		{"the line that a change removes", "diff", "-x := y\n+x := 1\n", "", "page.md:10:6: undefined: y"},
		{"an ambiguous package", "go", "shadow.Set(shadow.Settings{})\n", "", "page.md:10:1: shadow may be any of the packages"},
		{"a fault in the context", "go", "_ = v\n", "var v missing\n", "page.md:3:7: undefined: missing"},
		{"none: a variable that is not used, an omission, imports", "go", "data, err := json.Marshal(1)\nif err != nil {\n\t…\n}\n", "", ""},
		{"none: declarations and statements", "go", "type T struct{}\nv := T{}\nfunc (T) M() {}\nv.M()\nreturn nil\n", "", ""},
		{"none: what the block declares is ignored in the context", "go", "type T struct{ A int }\n_ = T{}.A + b\n", "type T struct{}\nvar b int\n", ""},
	} {
		b := Block{Page: "page.md", Line: 10, Language: test.language, Text: test.text, Contexts: []Text{{Line: 3, Text: test.context}}}
		errs, err := Compile(root, Files(b))
		switch {
		case err != nil:
			t.Errorf("%s: %v", test.what, err)
		case test.want == "" && len(errs) > 0:
			t.Errorf("%s: %v", test.what, errs)
		case test.want != "" && (len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), test.want)):
			t.Errorf("%s: %v, want %s", test.what, errs, test.want)
		}
	}
}

// TestRead reads a page with each kind of comment, and pages with mistakes, which must be errors.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "page.md"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("<!-- snippet: from go1.1\nin other/module\nvar a int\n-->\n```go\n_ = a\n```\n\n<!-- snippet: not compiled: it has\nno end -->\n```go\n{\n```\n" +
		"<!-- shell: not run: takes hours -->\n```sh\nsleep 1h\n```\n```sh\ntrue\n```\n<!-- snippet: from go1.9999 -->\n```go\nnew syntax\n```\n<!-- snippets:\nvar b int\n-->\n")
	got, err := Read(dir, "page.md")
	if err != nil {
		t.Fatal(err)
	}
	page := Text{25, "\nvar b int\n\n"}
	want := []Block{
		{Page: "page.md", Line: 6, Language: "go", Text: "_ = a\n", Module: "other/module", Contexts: []Text{page, {3, "var a int\n\n"}}},
		{Page: "page.md", Line: 12, Language: "go", Text: "{\n", Module: ".", Omitted: "it has no end", Contexts: []Text{page}},
		{Page: "page.md", Line: 16, Language: "sh", Text: "sleep 1h\n", Module: ".", Omitted: "takes hours"},
		{Page: "page.md", Line: 19, Language: "sh", Text: "true\n", Module: "."},
		{Page: "page.md", Line: 23, Language: "go", Text: "new syntax\n", Module: ".", Omitted: "not compiled before go1.9999", Contexts: []Text{page, {22, ""}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, text := range []string{"```go\n", "<!-- snippet:\nvar a int\n", "<!-- snippet:\nvar a int\n-->\nno block\n", "<!-- snippet: not compiled: -->\n```go\n```\n"} {
		write(text)
		if got, err := Read(dir, "page.md"); err == nil {
			t.Errorf("%q: %+v, want an error", text, got)
		}
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	dropped = regexp.MustCompile(`[^\pL\pN _-]`)
)

// TestLinks follows the links of all pages to files and headings of the repository. They must
// exist.
func TestLinks(t *testing.T) {
	pages, err := Pages(root)
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]map[string]bool{}
	seen := 0
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], ":") {
				continue // of another site
			}
			seen++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := filepath.Join(root, filepath.Dir(page), file)
			if file == "" {
				target = filepath.Join(root, page)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links %s: %v", page, m[1], err)
				continue
			}
			if anchor == "" || filepath.Ext(target) != ".md" {
				continue
			}
			if anchors[target] == nil {
				data, err := os.ReadFile(target)
				if err != nil {
					t.Fatal(err)
				}
				anchors[target] = slugs(string(data))
			}
			if !anchors[target][anchor] {
				t.Errorf("%s links %s, which has no such heading", page, m[1])
			}
		}
	}
	if seen < 300 {
		t.Errorf("the pages have only %d links", seen)
	}
}

var code = regexp.MustCompile("(?ms)^ *```.*?^ *```$|`[^`\n]*`")

// slugs returns the names of a page's headings in links.
func slugs(text string) map[string]bool {
	all, times := map[string]bool{}, map[string]int{}
	fenced := regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		name := link.ReplaceAllString(m[1], "]")
		name = strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(name), ""), " ", "-")
		if n := times[name]; n > 0 {
			all[fmt.Sprintf("%s-%d", name, n)] = true
		}
		times[name]++
		all[name] = true
	}
	return all
}
