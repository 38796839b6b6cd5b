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

// genericMethods lists the methods of generic types in packages whose types are made for each operation of a
// service, with the reason why a method depends on the type parameter.
var genericMethods = map[string]string{
	"api Checker.Check":         "users call it with a *T",
	"api Elements.Stream":       "it makes the sequence of T",
	"api reader.read":           "it binds the parameters to an *In",
	"api sequence.Elem":         "it returns the type T",
	"api sequence.Fill":         "it makes a sequence of T",
	"api sequence.WriteTo":      "it ranges over values of type T",
	"api sequence.writeRecords": "it ranges over values of type T",
	"api/client sender.request": "it encodes the parameters of an *In",
}

// TestGenericMethods fails if a generic type of these packages gets a method that the list lacks, or embeds a type.
// The compiler compiles the methods of a generic type, and those that it gets by embedding, again for each type
// argument: for each operation of a service.
func TestGenericMethods(t *testing.T) {
	met := map[string]bool{}
	for _, pkg := range []string{"api", "api/client", "api/internal/message"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", pkg, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := gofile.ParseFile(token.NewFileSet(), file, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, method := range methodsOfGenericTypes(f) {
				met[pkg+" "+method] = true
			}
			for _, name := range embeddingGenericTypes(f) {
				t.Errorf("%s: the generic type %s embeds a type", file, name)
			}
		}
	}
	for method := range met {
		if genericMethods[method] == "" {
			t.Errorf("%s is compiled for each type argument: move it to a type without type parameters, or list it with a reason", method)
		}
	}
	for method := range genericMethods {
		if !met[method] {
			t.Errorf("there is no method %s: remove it from the list", method)
		}
	}
}

// methodsOfGenericTypes returns the methods of generic types in a file, in the form "Type.method".
func methodsOfGenericTypes(f *ast.File) (methods []string) {
	for _, decl := range f.Decls {
		method, ok := decl.(*ast.FuncDecl)
		if !ok || method.Recv == nil {
			continue
		}
		typ := method.Recv.List[0].Type
		if star, ok := typ.(*ast.StarExpr); ok {
			typ = star.X
		}
		switch generic := typ.(type) {
		case *ast.IndexExpr:
			methods = append(methods, generic.X.(*ast.Ident).Name+"."+method.Name.Name)
		case *ast.IndexListExpr:
			methods = append(methods, generic.X.(*ast.Ident).Name+"."+method.Name.Name)
		}
	}
	return methods
}

// embeddingGenericTypes returns the names of the generic structs in a file that embed a type.
func embeddingGenericTypes(f *ast.File) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.TypeParams == nil {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				if len(field.Names) == 0 {
					names = append(names, spec.Name.Name)
				}
			}
		}
		return true
	})
	return names
}
