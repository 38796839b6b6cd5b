package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/gofile"
)

// lists are structs of which a function takes any number.
var lists = map[string]bool{
	"union.Variant": true, "wire/code/print.Type": true,
}

// TestOptionsOnce fails if an exported function of the core takes a struct that the caller may leave out, a variadic
// parameter, and accepts several of them. variadic.Only refuses a second one.
func TestOptionsOnce(t *testing.T) {
	found := 0
	for _, p := range checkedPackages(t, "") {
		if strings.Contains("/"+p.path+"/", "/internal/") {
			continue
		}
		for _, f := range p.files {
			for _, decl := range f.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || !fn.Name.IsExported() {
					continue
				}
				signature := p.info.Defs[fn.Name].Type().(*types.Signature)
				if !signature.Variadic() {
					continue
				}
				last := signature.Params().At(signature.Params().Len() - 1)
				of := last.Type().(*types.Slice).Elem()
				if _, ok := of.Underlying().(*types.Struct); !ok || lists[strings.TrimPrefix(of.String(), module+"/")] {
					continue
				}
				found++
				if !refusesSecond(fn.Body, last.Name()) {
					t.Errorf("%s: %s accepts several values of %s (%s)", p.path, fn.Name.Name, last.Name(), of)
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d functions have options that may be left out", found)
	}
}

// TestOptionsOnceOfIntegrations is like TestOptionsOnce for the integrations, which cannot import internal packages of
// the core: their functions panic themselves. The test finds the parameters by the names of their types, because
// type-checking the integrations would compile all their dependencies.
func TestOptionsOnceOfIntegrations(t *testing.T) {
	files, err := filepath.Glob("../../../integrations/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range files {
		f, err := gofile.ParseFile(token.NewFileSet(), name, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || len(fn.Type.Params.List) == 0 {
				continue
			}
			last := fn.Type.Params.List[len(fn.Type.Params.List)-1]
			list, ok := last.Type.(*ast.Ellipsis)
			if !ok {
				continue
			}
			of := types.ExprString(list.Elt)
			if of[strings.LastIndex(of, ".")+1:] != "Config" && !strings.HasSuffix(of, "Options") && of != "Consumption" {
				continue
			}
			found++
			if !refusesSecond(fn.Body, last.Names[0].Name) {
				t.Errorf("%s: %s accepts several values of %s", name, fn.Name.Name, last.Names[0].Name)
			}
		}
	}
	if found < 8 {
		t.Errorf("only %d functions have options that may be left out", found)
	}
}

// refusesSecond reports whether a function passes a variadic parameter to variadic.Only or to another variadic
// function, or panics if it has more than one element.
func refusesSecond(body *ast.BlockStmt, param string) (refuses bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if len(n.Args) == 0 || types.ExprString(n.Args[len(n.Args)-1]) != param {
				break
			}
			refuses = refuses || n.Ellipsis.IsValid() || types.ExprString(n.Fun) == "variadic.Only"
		case *ast.IfStmt:
			if types.ExprString(n.Cond) != fmt.Sprintf("len(%s) > 1", param) || len(n.Body.List) != 1 {
				break
			}
			statement, ok := n.Body.List[0].(*ast.ExprStmt)
			refuses = refuses || ok && strings.HasPrefix(types.ExprString(statement.X), "panic(")
		}
		return true
	})
	return refuses
}
