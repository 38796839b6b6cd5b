package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An api has the exported declarations of packages, one a line, by their import paths. Paths of Hone's packages are
// relative to the core module.
type api map[string][]string

// readAPI returns the declarations of the packages of modules that users can import. It builds the packages.
func (t *tree) readAPI(ctx context.Context, modules []unit) (api, error) {
	all := api{}
	for _, u := range modules {
		list, err := output(ctx, filepath.Join(t.root, u.dir), "go", "list", "-export", "-deps", "-json=ImportPath,Name,Export,DepOnly", "./...")
		if err != nil {
			return nil, err
		}
		var paths []string
		exports := map[string]string{} // the files with the compiled declarations
		for d := json.NewDecoder(strings.NewReader(list)); ; {
			var p struct {
				ImportPath, Name, Export string
				DepOnly                  bool
			}
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			exports[p.ImportPath] = p.Export
			if !p.DepOnly && p.Export != "" && p.Name != "main" && isPublic(p.ImportPath) {
				paths = append(paths, p.ImportPath)
			}
		}
		imports := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
		for _, path := range paths {
			pkg, err := imports.Import(path)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if lines := declarations(pkg); len(lines) > 0 {
				all[relative(path)] = lines
			}
		}
	}
	return all, nil
}

// isPublic reports whether all modules can import a package.
func isPublic(path string) bool { return !slices.Contains(strings.Split(path, "/"), "internal") }

func relative(path string) string { return strings.TrimPrefix(path, core+"/") }

// declarations returns the exported declarations of a package: constants with their values, variables, functions, and
// types with their exported fields and methods. A type of Hone's internal packages is described where it has a public name.
func declarations(pkg *types.Package) []string {
	w := &declarationWriter{qualify: func(other *types.Package) string {
		if other == pkg {
			return ""
		}
		return relative(other.Path())
	}}
	for _, name := range pkg.Scope().Names() {
		if !token.IsExported(name) {
			continue
		}
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.Const:
			w.line("const %s %s = %s", name, w.text(o.Type()), o.Val())
		case *types.Var:
			w.line("var %s %s", name, w.text(o.Type()))
		case *types.Func:
			w.line("func %s%s", name, w.signature(o.Signature()))
		case *types.TypeName:
			w.typeName(o)
		}
	}
	return w.lines
}

type declarationWriter struct {
	lines   []string
	qualify types.Qualifier
}

func (w *declarationWriter) line(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

func (w *declarationWriter) text(t types.Type) string { return types.TypeString(t, w.qualify) }

// signature returns the type parameters, parameters and results of a function without the names of parameters, which
// callers do not use.
func (w *declarationWriter) signature(s *types.Signature) string {
	params := w.tuple(s.Params())
	if s.Variadic() {
		last := len(params) - 1
		params[last] = "..." + strings.TrimPrefix(params[last], "[]")
	}
	text := w.typeParams(s.TypeParams()) + "(" + strings.Join(params, ", ") + ")"
	switch results := w.tuple(s.Results()); len(results) {
	case 0:
		return text
	case 1:
		return text + " " + results[0]
	default:
		return text + " (" + strings.Join(results, ", ") + ")"
	}
}

func (w *declarationWriter) tuple(t *types.Tuple) (list []string) {
	for v := range t.Variables() {
		list = append(list, w.text(v.Type()))
	}
	return list
}

func (w *declarationWriter) typeParams(list *types.TypeParamList) string {
	if list.Len() == 0 {
		return ""
	}
	var params []string
	for p := range list.TypeParams() {
		params = append(params, p.Obj().Name()+" "+w.text(p.Constraint()))
	}
	return "[" + strings.Join(params, ", ") + "]"
}

func (w *declarationWriter) typeName(o *types.TypeName) {
	if a, ok := o.Type().(*types.Alias); ok {
		w.line("type %s%s = %s", o.Name(), w.typeParams(a.TypeParams()), w.text(a.Rhs()))
		if target, ok := types.Unalias(a).(*types.Named); ok && isHidden(target.Obj()) {
			w.members(o.Name(), target)
		}
		return
	}
	named, ok := o.Type().(*types.Named)
	if !ok {
		w.line("type %s = %s", o.Name(), w.text(o.Type()))
		return
	}
	kind := w.text(named.Underlying())
	switch u := named.Underlying().(type) {
	case *types.Struct:
		kind = "struct"
	case *types.Interface:
		if u.IsMethodSet() {
			kind = "interface"
		}
	}
	w.line("type %s%s %s", o.Name(), w.typeParams(named.TypeParams()), kind)
	w.members(o.Name(), named)
}

// isHidden reports whether a type has no name that users can write, and no description elsewhere.
func isHidden(o *types.TypeName) bool {
	return o.Pkg() != nil && (!o.Exported() || isOurs(o.Pkg().Path()) && !isPublic(o.Pkg().Path()))
}

// members writes the exported fields and methods of a type under a name.
func (w *declarationWriter) members(name string, t *types.Named) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		w.fields(name, u, map[*types.Struct]bool{})
	case *types.Interface:
		closed := ""
		for m := range u.Methods() {
			if !m.Exported() {
				closed = " // other packages cannot implement this type"
			}
		}
		for m := range u.Methods() {
			if m.Exported() {
				w.line("%s.%s%s%s", name, m.Name(), w.signature(m.Signature()), closed)
			}
		}
		return
	}
	lines := map[string]string{} // by the name of the method
	for m := range t.Methods() {
		if m.Exported() {
			_, pointer := m.Signature().Recv().Type().(*types.Pointer)
			lines[m.Name()] = receiver(name, pointer) + "." + m.Name() + w.signature(m.Signature())
		}
	}
	onValue := types.NewMethodSet(t)
	for s := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		m, ok := s.Obj().(*types.Func)
		if !ok || !m.Exported() || len(s.Index()) == 1 {
			continue
		}
		if isDescribed(t.Underlying().(*types.Struct).Field(s.Index()[0])) {
			continue
		}
		lines[m.Name()] = receiver(name, onValue.Lookup(m.Pkg(), m.Name()) == nil) + "." + m.Name() + w.signature(m.Signature())
	}
	for _, method := range slices.Sorted(maps.Keys(lines)) {
		w.line("%s", lines[method])
	}
}

func receiver(name string, pointer bool) string {
	if pointer {
		return "(*" + name + ")"
	}
	return name
}

// fields writes the exported fields of a struct, and those that it gets from embedded types that users cannot name.
func (w *declarationWriter) fields(name string, s *types.Struct, seen map[*types.Struct]bool) {
	seen[s] = true
	for f := range s.Fields() {
		note := ""
		if f.Embedded() {
			note = " // embedded"
		}
		if f.Exported() {
			w.line("%s.%s %s%s", name, f.Name(), w.text(f.Type()), note)
		}
		if f.Embedded() && !isDescribed(f) {
			if inner, ok := dereferenced(f.Type()).Underlying().(*types.Struct); ok && !seen[inner] {
				w.fields(name, inner, seen)
			}
		}
	}
}

// isDescribed reports whether the type of an embedded field is described elsewhere, and the methods that it promotes with it.
func isDescribed(f *types.Var) bool {
	named, ok := dereferenced(f.Type()).(*types.Named)
	return f.Exported() && (!ok || !isHidden(named.Obj()))
}

func dereferenced(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}
