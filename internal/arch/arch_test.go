package arch

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/hone-go/hone"

// rules is the lattice of imports between the packages of the core module. A
// package may import those of its own rule and what stands in nothing else.
// The reasons are printed when a rule is broken.
var rules = []struct {
	pkg    string // "web/..." stands for web and all below it
	may    []string
	reason string
}{
	{"internal/mem", nil, "memory access is the floor of the house: it must be readable alone"},
	{"internal/jsontext/...", nil, "JSON's syntax serves mo and json alike, and knows no Go types"},
	{"mo/...", []string{"internal/mem", "internal/jsontext", "mo/..."},
		"mo is a drop-in that people adopt alone; it must not pull in engines"},
	{"shape", []string{"internal/mem", "mo"},
		"a shape describes types for every engine, so it knows none of them; it knows mo.Option"},
	{"internal/plan", []string{"internal/mem"},
		"the cache keeps any engine's programs, so it knows none of them"},
	{"wire", []string{"internal/mem", "internal/plan", "shape", "wire/internal/program", "wire/schema"},
		"derived codecs come from shapes, which describe mo's types, and engines never see one another"},
	{"wire/internal/program", []string{"internal/mem", "shape"},
		"programs are made of specs and do not know who made those; of shape they know only how a union lies in memory"},
	{"wire/layout", []string{"internal/mem", "mo", "shape", "wire", "wire/internal/program"},
		"a layout is declared: shapes only name the fields that it points to; its Option takes an mo.Option"},
	{"wire/schema", []string{"internal/jsontext", "wire/internal/program"},
		"a schema stands for bytes without the Go type, so it knows no types: only how numbers, lengths and times are written"},
	{"json", []string{"internal/mem", "internal/jsontext", "internal/plan", "shape", "mo"}, "engines never see one another"},
	{"bind", []string{"internal/mem", "internal/plan", "shape", "mo"}, "engines never see one another"},
	{"internal/limit", []string{"internal/mem", "shape"}, "limits know values, not how they came in"},
	{"web/...", []string{"bind", "json", "wire", "web/...", "mo", "shape", "internal/plan", "internal/limit"},
		"web joins the engines and stands on top of them; raw memory is theirs to touch"},
	{"internal/arch", nil, "the tests of the house look at its files, not through its code"},
	{"internal/testkit/...", []string{"mo"}, "what tests share must be usable in every room's tests"},
}

// testsMay lists what tests may import beyond their package's own rule.
var testsMay = []string{"internal/testkit", "internal/testkit/random", "internal/mem", "mo", "shape"}

// A file is one Go file of the core module.
type file struct {
	path    string // from the root, with slashes
	imports []string
}

func (f file) pkg() string { return filepath.ToSlash(filepath.Dir(f.path)) }

// coreFiles parses every file of the core module, whatever its build tags.
func coreFiles(t *testing.T) []file {
	t.Helper()
	root := filepath.Join("..", "..")
	var files []file
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return filepath.SkipDir
			}
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		f := file{path: filepath.ToSlash(rel)}
		for _, i := range parsed.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			f.imports = append(f.imports, name)
		}
		files = append(files, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("found %d files: is this the root of the module?", len(files))
	}
	return files
}

func matches(pattern, pkg string) bool {
	base, all := strings.CutSuffix(pattern, "/...")
	return pkg == base || all && strings.HasPrefix(pkg, base+"/")
}

// neighbours reports whether two packages lie below one folder of the root: what
// one of them makes is at times tested through the other.
func neighbours(a, b string) bool {
	a, _, _ = strings.Cut(a, "/")
	b, _, _ = strings.Cut(b, "/")
	return a == b && a != "internal"
}

func TestImports(t *testing.T) {
	for _, f := range coreFiles(t) {
		i := slices.IndexFunc(rules, func(r struct {
			pkg    string
			may    []string
			reason string
		}) bool {
			return matches(r.pkg, f.pkg())
		})
		if i < 0 {
			t.Errorf("%s: package %s has no rule; add one, with its reason", f.path, f.pkg())
			continue
		}
		rule := rules[i]
		isTest := strings.HasSuffix(f.path, "_test.go")
		for _, name := range f.imports {
			pkg, own := strings.CutPrefix(name, module+"/")
			if !own {
				if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
					t.Errorf("%s imports %s: the core module has no dependency but the standard library", f.path, name)
				}
				continue
			}
			ok := pkg == f.pkg() && isTest ||
				slices.ContainsFunc(rule.may, func(p string) bool { return matches(p, pkg) }) ||
				isTest && slices.Contains(testsMay, pkg) ||
				isTest && neighbours(f.pkg(), pkg)
			if !ok {
				t.Errorf("%s imports %s: %s", f.path, pkg, rule.reason)
			}
		}
	}
}

func TestUnsafe(t *testing.T) {
	importers := 0
	for _, f := range coreFiles(t) {
		if !slices.Contains(f.imports, "unsafe") {
			continue
		}
		importers++
		if f.pkg() != "internal/mem" {
			t.Errorf("%s imports unsafe: only internal/mem may, so that the purego build is free of it", f.path)
		}
		if data, err := os.ReadFile(filepath.Join("..", "..", f.path)); err != nil {
			t.Error(err)
		} else if !strings.Contains(string(data), "//go:build !purego") {
			t.Errorf("%s is part of the purego build", f.path)
		}
	}
	if importers == 0 {
		t.Error("nothing imports unsafe: this test looks in the wrong place")
	}
}

// TestNoLinkname keeps out what a Go release may take away.
func TestNoLinkname(t *testing.T) {
	for _, f := range coreFiles(t) {
		data, err := os.ReadFile(filepath.Join("..", "..", f.path))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "//go:"+"linkname") {
			t.Errorf("%s uses go:linkname, which a release of Go may break", f.path)
		}
	}
}

// TestWeight keeps what a program takes in with a package as small as its
// purpose. Both builds are looked at.
func TestWeight(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	for _, test := range []struct {
		pkg    string
		not    []string
		reason string
	}{
		{"./mo/...", []string{"testing", "net/http"}, "optional values must not bring in a web server or a test framework"},
		{"./wire/...", []string{"testing", "net/http"}, "a codec must not bring in a web server"},
		{"./json", []string{"testing", "net/http"}, "a codec must not bring in a web server"},
		{"./bind", []string{"testing"}, "no production code brings in a test framework"},
		{"./web", []string{"testing"}, "no production code brings in a test framework"},
	} {
		for _, tags := range []string{"", "purego"} {
			cmd := exec.Command("go", "list", "-deps", "-tags", tags, test.pkg)
			cmd.Dir = filepath.Join("..", "..")
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("go list %s: %v", test.pkg, err)
			}
			deps := strings.Fields(string(out))
			for _, not := range test.not {
				if slices.Contains(deps, not) {
					t.Errorf("%s (tags %q) depends on %s: %s", test.pkg, tags, not, test.reason)
				}
			}
		}
	}
}

// TestWorkspace holds go.work to the tree: every module is in it, or is one of
// those that keep their dependencies to themselves.
func TestWorkspace(t *testing.T) {
	apart := map[string]string{
		"bench/suite":                       "the module graphs of some thirty peers would slow down every first build",
		"integrations/echoshim/conformance": "it replaces Echo, and has the dependencies of libraries for it",
	}
	cmd := exec.Command("go", "work", "edit", "-json", filepath.Join("..", "..", "go.work"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var work struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(out, &work); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, u := range work.Use {
		used[filepath.ToSlash(filepath.Clean(u.DiskPath))] = true
	}
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "go.mod" {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		rel = filepath.ToSlash(rel)
		if !used[rel] && apart[rel] == "" && !strings.Contains(rel, "testdata") {
			t.Errorf("module %s is not in go.work, so `go test work` passes it over", rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
