package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/gofile"
)

// versions are the names that say which version, release or patch of encoding/json a call follows.
var versions = map[string]bool{
	"FirstEngine": true, "NewestPatch": true, "Release": true, "ReleaseIndex": true, "FollowsLinked": true, "Linked": true, "ByDefault": true,
	"Patch": true, "QuotedNull": true, "PlainKeys": true, "Overflow": true, "ErrorValue": true, "Applied": true, "Standard": true,
}

// TestEngineAsksNothing fails if the engine of JSON uses one of the versions. Only packages below
// json/internal/rules may depend on them.
func TestEngineAsksNothing(t *testing.T) {
	used := map[string]bool{}
	for _, room := range []string{"decode", "encode", "rules/v1", "rules/go126", "rules/go127"} {
		names, err := filepath.Glob(filepath.Join("..", "..", "..", "json", "internal", filepath.FromSlash(room), "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatal(room, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			files := token.NewFileSet()
			file, err := gofile.ParseFile(files, name, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok || !versions[s.Sel.Name] {
					return true
				}
				if of, ok := s.X.(*ast.Ident); !ok || of.Name != "option" && of.Name != "rules" && s.Sel.Name != "Applied" {
					return true
				}
				used[s.Sel.Name] = true
				if !strings.HasPrefix(room, "rules/") {
					t.Errorf("%v: the engine asks for %s: let the rules decide when the type is compiled", files.Position(n.Pos()), s.Sel.Name)
				}
				return true
			})
		}
	}
	for _, name := range []string{"FirstEngine", "NewestPatch", "QuotedNull", "PlainKeys", "Overflow", "ErrorValue", "Applied"} {
		if !used[name] {
			t.Errorf("no package of rules uses %s: has it been renamed?", name)
		}
	}
}
