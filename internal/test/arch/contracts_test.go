package arch

import (
	"go/ast"
	"go/types"
	"testing"
)

// unnamedContracts are interfaces without a name that production code may use, with the reason. The methods are those
// of the standard library or of users' types.
var unnamedContracts = map[string]string{
	"interface{Unwrap() http.ResponseWriter}":                               "http.ResponseController finds the method in this way",
	"interface{Unwrap() []error}":                                           "package errors finds the method in this way",
	"interface{UnmarshalJSON([]byte) error}":                                "it is json.Unmarshaler, without an import of encoding/json",
	"interface{GobDecode([]byte) error}":                                    "it is gob.GobDecoder, without an import of encoding/gob",
	"interface{Equal(T) bool}":                                              "it has a type parameter",
	"interface{PathValue(name string) string}":                              "it is in signatures of package api, where users implement it and cannot name an internal type",
	"interface{Sign() int; BitLen() int; FillBytes([]byte) []byte}":         "it is a *big.Int, without an import of math/big",
	"interface{Append(buf []byte, format byte, digits int) []byte}":         "it is a *big.Float, without an import of math/big",
	"interface{ExecuteTemplate(wr io.Writer, name string, data any) error}": "text/template and html/template have the method",
	"interface{ValidateCtx(ctx context.Context, i any) error}":              "users' validators implement it",
	"interface{IsZero() bool}":                                              "encoding/json finds the method in this way",
}

// TestContracts fails if production code looks for methods of another package's types by an interface without a name.
// A named interface stands once, and the types that implement it are checked by the compiler:
//
//	var _ routed.Request = (*RouteContext)(nil)
//
// Otherwise a renamed method is no longer found, and everything still compiles.
func TestContracts(t *testing.T) {
	used := map[string]bool{}
	for _, p := range checkedPackages(t, "") {
		for _, f := range p.files {
			named := map[ast.Expr]bool{} // type declarations and constraints of type parameters
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.TypeSpec:
					named[n.Type] = true
				case *ast.InterfaceType:
					if named[n] || n.Methods.NumFields() == 0 || len(n.Methods.List[0].Names) == 0 || !n.Methods.List[0].Names[0].IsExported() {
						return true
					}
					text := types.ExprString(n)
					used[text] = true
					if unnamedContracts[text] == "" {
						t.Errorf("%s: name %s, and assert it for the types that implement it", p.fset.Position(n.Pos()), text)
					}
				}
				return true
			})
		}
	}
	for text := range unnamedContracts {
		if !used[text] {
			t.Errorf("nothing uses %s: remove it from the list", text)
		}
	}
}
