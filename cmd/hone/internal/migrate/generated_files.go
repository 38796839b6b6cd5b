package migrate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
)

// jsonMethods are the methods by which a type encodes itself.
var jsonMethods = []string{"MarshalJSON", "UnmarshalJSON", "MarshalJSONTo", "UnmarshalJSONFrom"}

// noteGenerated says how many types the generated files encode, if they keep their imports.
func (c *Change) noteGenerated(sources []*source) {
	types, files := map[string]bool{}, 0
	for _, s := range sources {
		if !s.generated || s.keep != "" || !slices.ContainsFunc([]string{"json", "json/v2"}, func(symbol string) bool {
			return s.units[symbol] != nil && s.units[symbol].selected && !s.units[symbol].change
		}) {
			continue
		}
		before := len(types)
		for _, name := range s.jsonTypes() {
			types[path.Dir(s.name)+" "+name] = true
		}
		if len(types) > before {
			files++
		}
	}
	if len(types) > 0 {
		have := "have"
		if files == 1 {
			have = "has"
		}
		c.note("%s %s the JSON methods of %s, which encode with encoding/json wherever you encode these types: -generated adds the files, until their generator writes them again", count(files, "generated file"), have, count(len(types), "type"))
	}
}

// jsonTypes returns the names of the types whose JSON methods the file declares.
func (s *source) jsonTypes() (names []string) {
	f, err := parser.ParseFile(token.NewFileSet(), "", s.data, parser.SkipObjectResolution)
	if err != nil {
		return nil // the package has been reported as one that does not compile
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || len(fn.Recv.List) != 1 || !slices.Contains(jsonMethods, fn.Name.Name) {
			continue
		}
		t := fn.Recv.List[0].Type
		for {
			switch x := t.(type) {
			case *ast.StarExpr:
				t = x.X
				continue
			case *ast.IndexExpr:
				t = x.X
				continue
			case *ast.IndexListExpr:
				t = x.X
				continue
			}
			break
		}
		if id, ok := t.(*ast.Ident); ok && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
	}
	return names
}
