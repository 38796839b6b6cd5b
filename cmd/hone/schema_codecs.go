package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// The types of codecs, and the functions whose calls make a codec, are in these packages.
const (
	wirePath   = "github.com/hone-go/hone/wire"
	layoutPath = wirePath + "/layout"
)

// callers are the functions of package wire that derive a codec from their type
// argument.
var callers = map[string]bool{"Append": true, "Marshal": true, "Unmarshal": true, "Size": true, "For": true, "SchemaOf": true}

// subjects returns the schemas of the packages of a folder. The keys are the package path and the
// name in the package.
func subjects(dir string, packages []string) (map[string]subject, error) {
	all, err := list(dir, append([]string{"-export", "-deps", "--"}, packages...)...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	out := map[string]subject{}
	for _, p := range all {
		if p.DepOnly || p.Module == nil || len(p.GoFiles) == 0 {
			continue
		}
		codecs, err := p.codecs(exports)
		if err != nil {
			return nil, err
		}
		if len(codecs) == 0 {
			continue
		}
		schemas, err := p.export(codecs)
		if err != nil {
			return nil, err
		}
		for _, s := range schemas {
			name := p.ImportPath + "." + s.Name
			is := subject{reason: s.Error}
			if s.Error == "" {
				if is, err = parseSubject(name, s.Schema); err != nil {
					return nil, err
				}
			}
			out[name] = is
		}
	}
	return out, nil
}

// codecs returns the variables of the package that contain a codec or a registry. It also returns
// the types for which the package derives codecs by calls of package wire.
func (p *goPackage) codecs(exports map[string]string) ([]codec, error) {
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	open := func(path string) (io.ReadCloser, error) {
		if mapped, ok := p.ImportMap[path]; ok {
			path = mapped
		}
		if exports[path] == "" {
			return nil, fmt.Errorf("%s imports %s, which does not compile", p.ImportPath, path)
		}
		return os.Open(exports[path])
	}
	info := types.Info{Instances: map[*ast.Ident]types.Instance{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(files, "gc", open), FakeImportC: true}
	pkg, err := config.Check(p.ImportPath, files, parsed, &info)
	if err != nil {
		return nil, err
	}
	found := map[string]codec{}
	for _, name := range pkg.Scope().Names() {
		if v, ok := pkg.Scope().Lookup(name).(*types.Var); ok && hasSchema(v.Type()) {
			found[name] = codec{name: name, expr: name}
		}
	}
	for ident, instance := range info.Instances {
		f := info.Uses[ident]
		if f.Pkg() == nil || f.Pkg().Path() != wirePath || !callers[f.Name()] || f.Parent() != f.Pkg().Scope() {
			continue
		}
		if c, ok := derivedFrom(pkg, instance.TypeArgs.At(0)); ok {
			found[c.name] = c
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b codec) int {
		if a.name < b.name {
			return -1
		}
		return 1
	}), nil
}

// hasSchema reports whether t is a codec, a registry of models, or a pointer to one of them.
func hasSchema(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() + "." + n.Obj().Name() {
	case wirePath + ".Codec", wirePath + ".AnyCodec", layoutPath + ".Models":
		return true
	}
	return false
}

// derivedFrom returns the type t as an expression in the package's scope. ok is false if t cannot
// be written there, because it is declared in a function or depends on a type parameter.
func derivedFrom(pkg *types.Package, t types.Type) (c codec, ok bool) {
	c = codec{isType: true, imports: map[string]string{}}
	if !c.nameable(pkg, t) {
		return c, false
	}
	c.name = types.TypeString(t, types.RelativeTo(pkg))
	c.expr = types.TypeString(t, func(other *types.Package) string {
		if other == pkg {
			return ""
		}
		return c.imports[other.Path()]
	})
	return c, true
}

// nameable reports whether t can be named at the package level, and records the imports that the
// name needs.
func (c *codec) nameable(pkg *types.Package, t types.Type) bool {
	named := func(o *types.TypeName, arguments *types.TypeList) bool {
		for i := range arguments.Len() {
			if !c.nameable(pkg, arguments.At(i)) {
				return false
			}
		}
		if o.Pkg() == nil {
			return true
		}
		if o.Parent() != o.Pkg().Scope() || o.Pkg() != pkg && !o.Exported() {
			return false
		}
		if o.Pkg() != pkg {
			c.imports[o.Pkg().Path()] = fmt.Sprintf("hone_%x", o.Pkg().Path())
		}
		return true
	}
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Alias:
		return named(t.Obj(), t.TypeArgs())
	case *types.Named:
		return named(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		return c.nameable(pkg, t.Elem())
	case *types.Slice:
		return c.nameable(pkg, t.Elem())
	case *types.Array:
		return c.nameable(pkg, t.Elem())
	case *types.Map:
		return c.nameable(pkg, t.Key()) && c.nameable(pkg, t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if !c.nameable(pkg, t.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}
