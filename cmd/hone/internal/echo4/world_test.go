package echo4

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/hone-go/hone/internal/test/testkit"
)

// A world has the packages that test programs import, of Echo v4 and of this repository.
type world map[string]*types.Package

func (w world) Import(path string) (*types.Package, error) {
	if p := w[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

var loadWorld = sync.OnceValues(func() (world, error) {
	dir, err := os.MkdirTemp("", "echo4-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	checkout, err := filepath.Abs("../../../..")
	if err != nil {
		return nil, err
	}
	paths := []string{
		Module, middleware, web, web + "/middleware", "github.com/labstack/gommon/log", "golang.org/x/time/rate",
		"bytes", "cmp", "context", "errors", "fmt", "io", "log/slog", "net/http", "net/http/httptest", "os", "sync",
	}
	text := "package p\n"
	for _, p := range paths {
		text += fmt.Sprintf("import _ %q\n", p)
	}
	mod := "module p\n\ngo 1.26.0\n\nrequire " + Module + " v4.16.0\nrequire github.com/hone-go/hone v0.0.0\nreplace github.com/hone-go/hone => " + checkout + "\n"
	for name, text := range map[string]string{"p.go": text, "go.mod": mod} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	tidy := exec.Command("go", "mod", "tidy")
	tidy.Dir, tidy.Env = dir, env
	if out, err := tidy.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s%w", out, err)
	}
	roots, err := packages.Load(&packages.Config{Dir: dir, Env: env, Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps}, paths...)
	if err != nil {
		return nil, err
	}
	w := world{}
	packages.Visit(roots, nil, func(p *packages.Package) { w[p.PkgPath] = p.Types })
	return w, nil
})

func theWorld(t *testing.T) world {
	t.Helper()
	testkit.SkipInVariant(t)
	w, err := loadWorld()
	if err != nil {
		if os.Getenv("HONE_REQUIRE_SERVICES") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return w
}

// program returns a file with the declarations, and with imports of the packages that they use.
func (w world) program(decls string) string {
	imports := "package p\n\nimport (\n"
	for path, p := range w {
		if path == web || path == web+"/middleware" || strings.Contains(path, "internal") || strings.Contains(path, "vendor") || strings.HasPrefix(path, "text/") || path == "log" {
			continue
		}
		for _, f := range strings.FieldsFunc(decls, func(r rune) bool { return strings.ContainsRune(" \t\n()*&[]{}!,", r) }) {
			if strings.HasPrefix(f, p.Name()+".") {
				imports += fmt.Sprintf("\t%q\n", path)
				break
			}
		}
	}
	text, err := format.Source([]byte(imports + ")\n\n" + decls))
	if err != nil {
		return imports + ")\n\n" + decls
	}
	return string(text)
}

// check type-checks a file.
func (w world) check(fset *token.FileSet, text string) (*Package, error) {
	f, err := parser.ParseFile(fset, "p.go", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
	}
	conf := types.Config{Importer: w}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, info)
	return &Package{Fset: fset, Types: pkg, Info: info, Files: []File{{Name: "p.go", Syntax: f, Text: []byte(text)}}}, err
}

// rewrite rewrites a program. It also changes the imports of Echo, which Rewrite leaves to its
// caller.
func (w world) rewrite(decls string) (before, after string, places []Place, err error) {
	before = w.program(decls)
	p, err := w.check(token.NewFileSet(), before)
	if err != nil {
		return before, "", nil, fmt.Errorf("before: %w", err)
	}
	after = before
	for _, r := range Rewrite([]*Package{p}) {
		after, places = string(applyEdits([]byte(before), r.Edits)), r.Places
	}
	after = strings.Replace(after, `"`+middleware+`"`, `"`+web+`/middleware"`, 1)
	after = strings.Replace(after, "\t\""+Module+`"`, "\techo \""+web+`"`, 1)
	text, err := format.Source([]byte(after))
	if err != nil {
		return before, after, places, fmt.Errorf("after: %w", err)
	}
	after = string(text)
	_, err = w.check(token.NewFileSet(), after)
	if err != nil {
		err = fmt.Errorf("after: %w", err)
	}
	return before, after, places, err
}
