package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// apiClone makes a repository with the core module, which has the given files.
func apiClone(t *testing.T, files map[string]string) *tree {
	t.Helper()
	t.Setenv("GOWORK", "off")
	c := &tree{root: t.TempDir()}
	writeFiles(t, c.root, map[string]string{"go.mod": "module " + core + "\n\ngo 1.26.0\n", "CHANGELOG.md": "# Changes\n\n## Unreleased\n"})
	writeFiles(t, c.root, files)
	c.modules = []unit{{dir: ".", path: core}}
	gitIn(t, c.root, "init", "--quiet")
	return c
}

func writeFiles(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func gitIn(t *testing.T, root string, args ...string) string {
	t.Helper()
	args = append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)
	out, err := output(t.Context(), root, "git", args...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// TestDeclarations lists the declarations of packages with each kind of declaration.
func TestDeclarations(t *testing.T) {
	c := apiClone(t, map[string]string{
		"p/p.go": `// Package p has each kind of declaration.
package p

import (
	"io"
	"sync"

	"github.com/hone-go/hone/p/internal/q"
	"github.com/hone-go/hone/r"
)

const C, d = 1, 2

const D = "a"

var V io.Reader

var v int

func F[T comparable, U ~[]T](t T, more ...U) (n int, err error) { return 0, nil }

func f() {}

type S struct {
	A int
	b int
	sync.Mutex
	embedded
	*q.Q
}

type embedded struct {
	E, e int
	*embedded
}

func (embedded) M()  {}
func (*embedded) P() {}

func (S) Value()           {}
func (s *S) Pointer() *S   { return s }
func (s *S) pointer()      {}

type G[T any] []T

func (g G[T]) First() T { return g[0] }

type I interface {
	io.Reader
	M(x int) string
}

type Closed interface{ M(); m() }

type Constraint interface{ ~int | string }

type (
	Hidden = q.Q
	Seen   = r.R
	Std    = io.EOF2
)
`,
		"p/internal/q/q.go": "package q\n\ntype Q struct{ X, y int }\n\nfunc (Q) Method() {}\n",
		"r/r.go":            "package r\n\ntype R struct{ A int }\n",
		"tool/main.go":      "package main\n\nfunc F() {}\n\nfunc main() {}\n",
		"none/none.go":      "package none\n",
		"r/r_test.go":       "package r\n\nfunc F() {}\n",
	})
	name := filepath.Join(c.root, "p", "p.go")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.readAPI(t.Context(), c.modules); err == nil || !strings.Contains(err.Error(), "EOF2") {
		t.Errorf("a package that does not compile: %v", err)
	}
	writeFiles(t, c.root, map[string]string{"p/p.go": strings.Replace(string(text), "io.EOF2", "io.Reader", 1)})
	got, err := c.readAPI(t.Context(), c.modules)
	if err != nil {
		t.Fatal(err)
	}
	const want = `p
	const C untyped int = 1
	type Closed interface
	Closed.M() // other packages cannot implement this type
	type Constraint interface{~int | string}
	const D untyped string = "a"
	func F[T comparable, U ~[]T](T, ...U) (int, error)
	type G[T any] []T
	G.First() T
	type Hidden = p/internal/q.Q
	Hidden.X int
	Hidden.Method()
	type I interface
	I.M(int) string
	I.Read([]byte) (int, error)
	type S struct
	S.A int
	S.Mutex sync.Mutex // embedded
	S.E int
	S.Q *p/internal/q.Q // embedded
	S.X int
	S.M()
	S.Method()
	(*S).P()
	(*S).Pointer() *S
	S.Value()
	type Seen = r.R
	type Std = io.Reader
	var V io.Reader
r
	type R struct
	R.A int
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again := parseAPI(want); again.String() != want {
		t.Errorf("%s", again)
	}
}

// TestCompareAPI changes a package, and expects an error until the file and the change log have the change.
func TestCompareAPI(t *testing.T) {
	c := apiClone(t, map[string]string{"p/p.go": "package p\n\nfunc F(x int) {}\n", "p/sub/sub.go": "package sub\n\nfunc G() {}\n"})
	compare := func(base string, update bool, want ...string) {
		t.Helper()
		err := c.compareAPI(t.Context(), base, oldest, update)
		if err == nil && len(want) > 0 || err != nil && len(want) == 0 {
			t.Fatalf("got %v, want %q", err, want)
		}
		for _, text := range want {
			if !strings.Contains(err.Error(), text) {
				t.Fatalf("got %v, want %q", err, want)
			}
		}
	}
	compare("", false, "no such file")
	gitIn(t, c.root, "add", "--all")
	gitIn(t, c.root, "commit", "--quiet", "-m", "without the file")
	writeFiles(t, c.root, map[string]string{apiFile: ""})
	compare("HEAD", true)
	gitIn(t, c.root, "add", "--all")
	gitIn(t, c.root, "commit", "--quiet", "-m", "with the file")
	base := gitIn(t, c.root, "rev-parse", "HEAD")
	compare(base, false)

	writeFiles(t, c.root, map[string]string{"p/p.go": "package p\n\nfunc F(renamed int) {}\n\nfunc f() {}\n"})
	compare(base, false)
	writeFiles(t, c.root, map[string]string{"p/p.go": "package p\n\nfunc F(x string) {}\n"})
	stale := []string{"- p: func F(int)\n+ p: func F(string)\n", "HONE_UPDATE=1 .ci/run api"}
	compare(base, false, stale...)
	compare("", false, stale...)
	undocumented := []string{"differ from " + base[:12], "- p: func F(int)\n+ p: func F(string)\n", "CHANGELOG.md"}
	compare(base, true, undocumented...)
	compare(base, false, undocumented...)
	compare("", false)
	writeFiles(t, c.root, map[string]string{"CHANGELOG.md": "# Changes\n\n## Unreleased\n\n- `p/sub` is faster.\n"})
	compare(base, false, undocumented...)
	writeFiles(t, c.root, map[string]string{"CHANGELOG.md": "# Changes\n\n## Unreleased\n\n- `p/sub` is faster.\n- Breaking: `p.F`\n  takes a string.\n"})
	compare(base, false)
	gitIn(t, c.root, "commit", "--quiet", "--all", "-m", "a string")
	base = gitIn(t, c.root, "rev-parse", "HEAD")

	// The entry of the base does not name the next change.
	writeFiles(t, c.root, map[string]string{"p/p.go": "package p\n"})
	compare(base, true, "- p: func F(string)\n")
	if text, err := os.ReadFile(filepath.Join(c.root, apiFile)); err != nil || string(text) != "p/sub\n\tfunc G()\n" {
		t.Errorf("%s has %q, %v", apiFile, text, err)
	}
}

// TestMergeAPI combines the recorded declarations with those of each release of Go.
func TestMergeAPI(t *testing.T) {
	recorded := api{"p": {"func A()", "go1.27: func B()"}, "old": {"func G()"}, "integrations/i": {"func I()"}, "github.com/labstack/echo/v5": {"func E()"}}
	for _, test := range []struct {
		release string
		found   api
		want    string
	}{
		{oldest, api{"p": {"func A()", "func C()"}, "integrations/i": {"func I()"}},
			"integrations/i\n\tfunc I()\np\n\tfunc A()\n\tfunc C()\n\tgo1.27: func B()\n"},
		{"go1.27", api{"p": {"func A()", "func B()"}},
			"github.com/labstack/echo/v5\n\tfunc E()\nintegrations/i\n\tfunc I()\nold\n\tfunc G()\np\n\tfunc A()\n\tgo1.27: func B()\n"},
		{"go1.27", api{"p": {"func A()", "func D()"}, "q": {"func Q()"}},
			"github.com/labstack/echo/v5\n\tfunc E()\nintegrations/i\n\tfunc I()\nold\n\tfunc G()\np\n\tfunc A()\n\tgo1.27: func D()\nq\n\tgo1.27: func Q()\n"},
		{"go1.28", api{"p": {"func B()", "func D()"}},
			"github.com/labstack/echo/v5\n\tfunc E()\nintegrations/i\n\tfunc I()\nold\n\tfunc G()\np\n\tfunc A()\n\tgo1.27: func B()\n\tgo1.28: func D()\n"},
	} {
		if got := test.found.merge(recorded, test.release).String(); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.release, got, test.want)
		}
	}
}

// TestNewEntries compares versions of a change log.
func TestNewEntries(t *testing.T) {
	const before = "# Changes\n\n## Unreleased\n\n### Added\n\n- one\n- two\n  lines\n\n## v0.1.0 (2026-01-01)\n\n- old\n"
	for _, test := range []struct {
		what, now string
		want      []string
	}{
		{"the same", before, nil},
		{"an entry", strings.Replace(before, "- one\n", "- one\n- three\n", 1), []string{"three"}},
		{"a changed line", strings.Replace(before, "lines", "words", 1), []string{"two\n  words"}},
		{"an entry of a release that is out", before + "- late\n", nil},
		{"an entry before the heading of the next release", strings.Replace(before, "## Unreleased\n\n### Added\n\n", "## Unreleased\n\n## v0.2.0 (2026-02-01)\n\n### Added\n\n- three\n", 1), []string{"three"}},
	} {
		if got := newEntries(before, test.now); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.what, got, test.want)
		}
	}
}

// TestMissing looks for the names of changes in an entry.
func TestMissing(t *testing.T) {
	for _, test := range []struct {
		pkg, line, entry string
		missing          bool
	}{
		{"web/middleware", "func F()", "`web/middleware`: F", false},
		{"web/middleware", "func F()", "`middleware` is new", false},
		{"web/middleware", "func F()", "`web` is new", true},
		{"web", "func F()", "`web/middleware` is new", true},
		{"web", "(*T).M() error", "`T.M` is new", false},
		{"web", "T.M() error", "M is new", false},
		{"web", "func F[T any](T)", "F is new", false},
		{"web", "type T struct", "the type Tx", true},
		{"mo", "go1.27: Option.Map(int)", "Option", false},
		{"mo", "const C untyped int = 1", "", true},
	} {
		changes := apiChanges{{pkg: test.pkg, line: test.line}}
		if got := changes.missing([]string{test.entry}); (len(got) > 0) != test.missing {
			t.Errorf("%s: %s, %q: missing %v", test.pkg, test.line, test.entry, got)
		}
	}
}
