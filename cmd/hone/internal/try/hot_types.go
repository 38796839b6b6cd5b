package try

import (
	"cmp"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A use says whether a function encodes or decodes its argument.
type use struct{ encodes, decodes bool }

// A sink is a parameter whose value is encoded or decoded.
type sink struct {
	index int
	use
}

const stdlib = "encoding/json"

// sinks are the functions that encode and decode values with version 1 of JSON, by the names of go/types. The
// written benchmarks compare its engines.
var sinks = map[string]sink{
	"encoding/json.Marshal":                             {0, use{encodes: true}},
	"encoding/json.MarshalIndent":                       {0, use{encodes: true}},
	"(*encoding/json.Encoder).Encode":                   {0, use{encodes: true}},
	"encoding/json.Unmarshal":                           {1, use{decodes: true}},
	"(*encoding/json.Decoder).Decode":                   {0, use{decodes: true}},
	"(*github.com/labstack/echo/v5.Context).Bind":       {0, use{decodes: true}},
	"(*github.com/labstack/echo/v5.Context).JSON":       {1, use{encodes: true}},
	"(*github.com/labstack/echo/v5.Context).JSONPretty": {1, use{encodes: true}},
}

// A hotType is a type whose values a package encodes or decodes.
type hotType struct {
	name    string // for people
	text    string // as in the package's code
	imports []string
	use
	calls int
}

// hotTypes returns the types that a package passes to sinks, those with the most calls first. A function that
// passes its parameter to a sink is a sink too, within the package.
func hotTypes(pkg *packages.Package, module string) []hotType {
	all := map[string]sink{}
	for {
		before := len(all)
		for _, f := range pkg.Syntax {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
					calls(pkg, d, all, func(arg ast.Expr, u use) { forward(pkg, d, arg, u, all) })
				}
			}
		}
		if len(all) == before {
			break
		}
	}
	found := map[string]*hotType{}
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil {
				continue
			}
			calls(pkg, d, all, func(arg ast.Expr, u use) {
				t, ok := describe(pkg, pkg.TypesInfo.TypeOf(arg), module)
				if !ok {
					return
				}
				h := found[t.text]
				if h == nil {
					h = &t
					found[t.text] = h
				}
				h.calls++
				h.encodes, h.decodes = h.encodes || u.encodes, h.decodes || u.decodes
			})
		}
	}
	var list []hotType
	for _, h := range found {
		list = append(list, *h)
	}
	slices.SortFunc(list, func(a, b hotType) int { return cmp.Or(b.calls-a.calls, strings.Compare(a.name, b.name)) })
	return list
}

// calls calls yield for each argument of a function's calls that a sink encodes or decodes.
func calls(pkg *packages.Package, d *ast.FuncDecl, more map[string]sink, yield func(arg ast.Expr, u use)) {
	ast.Inspect(d.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		var id *ast.Ident
		switch f := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			id = f
		case *ast.SelectorExpr:
			id = f.Sel
		default:
			return true
		}
		f, ok := pkg.TypesInfo.Uses[id].(*types.Func)
		if !ok {
			return true
		}
		s, ok := sinks[f.FullName()]
		if !ok {
			s, ok = more[f.FullName()]
		}
		if ok && s.index < len(call.Args) {
			yield(call.Args[s.index], s.use)
		}
		return true
	})
}

// forward makes a function a sink if arg is one of its parameters and an interface.
func forward(pkg *packages.Package, d *ast.FuncDecl, arg ast.Expr, u use, all map[string]sink) {
	id, ok := ast.Unparen(arg).(*ast.Ident)
	if !ok {
		return
	}
	f, ok := pkg.TypesInfo.Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	params := f.Signature().Params()
	for i := range params.Len() {
		if p := params.At(i); pkg.TypesInfo.Uses[id] == p && types.IsInterface(p.Type()) {
			s := all[f.FullName()]
			s.index, s.encodes, s.decodes = i, s.encodes || u.encodes, s.decodes || u.decodes
			all[f.FullName()] = s
		}
	}
}

// describe returns the type of a value as code of the package can write it. ok is false if it cannot, or if
// the type says nothing about the value.
func describe(pkg *packages.Package, t types.Type, module string) (h hotType, ok bool) {
	for {
		p, is := types.Unalias(t).(*types.Pointer)
		if !is {
			break
		}
		t = p.Elem()
	}
	if t == nil || !writable(pkg.Types, t, module, &h.imports, 0) {
		return h, false
	}
	inner := t
	for {
		switch x := types.Unalias(inner).(type) {
		case *types.Slice:
			inner = x.Elem()
			continue
		case *types.Map:
			inner = x.Elem()
			continue
		case *types.Pointer:
			inner = x.Elem()
			continue
		}
		break
	}
	// A value of a basic type or an interface has no program of its own.
	if _, is := inner.Underlying().(*types.Struct); !is {
		return h, false
	}
	slices.Sort(h.imports)
	h.imports = slices.Compact(h.imports)
	h.text = types.TypeString(t, func(p *types.Package) string {
		if p == pkg.Types {
			return ""
		}
		return alias(p.Path(), h.imports)
	})
	h.name = types.TypeString(t, func(p *types.Package) string {
		if p == pkg.Types {
			return ""
		}
		return p.Name()
	})
	return h, true
}

// alias is the name under which a written benchmark imports a package.
func alias(path string, imports []string) string {
	return "honeTry" + string(rune('A'+slices.Index(imports, path)))
}

// writable reports whether code of a package can name a type, and appends the packages that it has to import.
func writable(in *types.Package, t types.Type, module string, imports *[]string, depth int) bool {
	if depth > 4 || len(*imports) > 20 {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		o := t.Obj()
		switch {
		case o.Pkg() == nil:
			return false // error
		case o.Parent() != o.Pkg().Scope():
			return false // declared in a function
		case o.Pkg() != in:
			own := o.Pkg().Path() == module || strings.HasPrefix(o.Pkg().Path(), module+"/")
			if !o.Exported() || !own && strings.Contains("/"+o.Pkg().Path()+"/", "/internal/") {
				return false
			}
			*imports = append(*imports, o.Pkg().Path())
		}
		for a := range t.TypeArgs().Types() {
			if !writable(in, a, module, imports, depth+1) {
				return false
			}
		}
		return t.TypeParams().Len() == t.TypeArgs().Len()
	case *types.Basic:
		return t.Kind() != types.UnsafePointer && t.Info()&types.IsUntyped == 0
	case *types.Slice:
		return writable(in, t.Elem(), module, imports, depth+1)
	case *types.Pointer:
		return writable(in, t.Elem(), module, imports, depth+1)
	case *types.Array:
		return writable(in, t.Elem(), module, imports, depth+1)
	case *types.Map:
		return writable(in, t.Key(), module, imports, depth+1) && writable(in, t.Elem(), module, imports, depth+1)
	}
	return false // a type parameter, a function, an interface or a struct without a name
}

// testData returns the first 60 JSON files of a copy that have at most 1 MiB, relative to a package's folder.
func testData(root, dir string) []string {
	const most, largest = 60, 1 << 20
	var list []string
	// A folder that cannot be read has no test data.
	_ = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "vendor" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case !d.Type().IsRegular() || filepath.Ext(path) != ".json" || len(list) == most:
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() > largest {
			return nil
		}
		if rel, err := filepath.Rel(filepath.Join(root, dir), path); err == nil {
			list = append(list, filepath.ToSlash(rel))
		}
		return nil
	})
	return list
}
