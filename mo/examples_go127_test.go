//go:build go1.27

package mo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// Each method with type parameters has an Example of its own.
func TestGenericMethodsHaveExamples(t *testing.T) {
	paths, err := filepath.Glob("*_go127*.go")
	if err != nil {
		t.Fatal(err)
	}
	examples := map[string]bool{}
	var methods []string
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if f.Recv == nil {
				examples[f.Name.Name] = true
			} else if f.Type.TypeParams != nil {
				methods = append(methods, receiver(f)+"_"+f.Name.Name)
			}
		}
	}
	if len(methods) < 69 {
		t.Errorf("found %d methods with type parameters, there are 69 at least", len(methods))
	}
	for _, method := range methods {
		if !examples["Example"+method] {
			t.Errorf("there is no Example%s", method)
		}
	}
}

// receiver returns the name of the type of which f is a method.
func receiver(f *ast.FuncDecl) string {
	e := f.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			panic("unexpected receiver")
		}
	}
}
