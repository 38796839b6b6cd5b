package arch

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// readsTags lists the packages that may read struct tags, with reasons.
var readsTags = map[string]string{
	"shape": "the one field model: what a tag means is said in one place",
}

// readsFields lists the packages that may list the fields of a reflect.Type, with reasons.
var readsFields = map[string]string{
	"internal/shadow":          "it names the field in which two values part, once it has found that they do",
	"shape":                    "it describes types for every engine",
	"internal/memory/mem":      "the purego twin finds the field at an offset",
	"internal/memory/optional": "it says how mo's types lie in memory, for shape",
	"internal/test/testkit":    "it writes private fields as text, for tests that compare what was compiled",
	"mo":                       "Equal looks for fields that == compares by identity",
}

// TestReflection fails if another package reads struct tags or the fields of a reflect.Type. It
// finds the calls by type: methods of other types with the same names are allowed.
func TestReflection(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks the core module")
	}
	all := []string{""}
	if testkit.IsSlow() {
		all = append(all, "purego")
	}
	for _, tags := range all {
		tagReaders, fieldReaders := map[string]bool{}, map[string]bool{}
		for _, pkg := range checkedPackages(t, tags) {
			for _, use := range pkg.reflection() {
				may, met, what := readsFields, fieldReaders, "the fields of a type"
				if use.tag {
					may, met, what = readsTags, tagReaders, "a struct tag"
				}
				met[pkg.path] = true
				if may[pkg.path] == "" {
					t.Errorf("%s (tags %q) reads %s: use package shape", use.at, tags, what)
				}
			}
		}
		for pkg := range readsTags {
			if !tagReaders[pkg] {
				t.Errorf("%s does not read tags (tags %q): remove it from the list", pkg, tags)
			}
		}
		for pkg := range readsFields {
			// The default build of mem uses only offsets.
			if !fieldReaders[pkg] && (pkg != "internal/memory/mem" || tags == "purego") {
				t.Errorf("%s does not read fields (tags %q): remove it from the list", pkg, tags)
			}
		}
	}
}

// A checkedPackage is a package of the core module with its types.
type checkedPackage struct {
	path  string // path from the root of the module
	fset  *token.FileSet
	files []*ast.File
	info  *types.Info
}

// A reflectionUse is a place that reads a tag or lists the fields of a type.
type reflectionUse struct {
	at  token.Position
	tag bool
}

func (p *checkedPackage) reflection() (uses []reflectionUse) {
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || p.info.Selections[s] == nil {
				return true
			}
			switch of, name := p.info.Selections[s].Recv().String(), s.Sel.Name; strings.TrimPrefix(of, "*") + "." + name {
			case "reflect.StructField.Tag":
				// Only shape may have a value of type reflect.StructTag, so that no other
				// package can read it later.
				uses = append(uses, reflectionUse{p.fset.Position(s.Pos()), true})
			case "reflect.Type.Field", "reflect.Type.FieldByIndex", "reflect.Type.FieldByName",
				"reflect.Type.FieldByNameFunc", "reflect.Type.Fields":
				uses = append(uses, reflectionUse{p.fset.Position(s.Pos()), false})
			}
			return true
		})
	}
	return uses
}

// checkedPackages type-checks the production code of the core module, using the export data that
// the compiler has written for the imports.
func checkedPackages(t *testing.T, tags string) (packages []*checkedPackage) {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-tags", tags, "-json=ImportPath,Dir,GoFiles,Export", "./...")
	cmd.Dir = filepath.Join("..", "..", "..")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	var ours []listed
	exports := map[string]string{}
	for d := json.NewDecoder(out); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[l.ImportPath] = l.Export
		if strings.HasPrefix(l.ImportPath, module+"/") {
			ours = append(ours, l)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(ours) < 10 {
		t.Fatalf("found %d packages: is this the root of the module?", len(ours))
	}
	fset := token.NewFileSet()
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	for _, l := range ours {
		p := &checkedPackage{path: strings.TrimPrefix(l.ImportPath, module+"/"), fset: fset, info: &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}, Defs: map[*ast.Ident]types.Object{}}}
		for _, name := range l.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			p.files = append(p.files, f)
		}
		if _, err := config.Check(l.ImportPath, fset, p.files, p.info); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}
