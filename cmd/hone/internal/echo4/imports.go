package echo4

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
)

// findImports records the names of the file's imports.
func (r *rewriter) findImports() {
	r.imports, r.wants = map[string]string{}, map[string]bool{}
	for _, imp := range r.f.Syntax.Imports {
		p, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			continue
		}
		if name := r.importName(imp); name != "_" && r.imports[p] == "" {
			r.imports[p] = name
		}
	}
}

// importName returns the name that an import has in the file.
func (r *rewriter) importName(imp *ast.ImportSpec) string {
	if imp.Name != nil {
		return imp.Name.Name
	}
	if o, ok := r.p.Info.Implicits[imp].(*types.PkgName); ok {
		return o.Name()
	}
	p, _ := strconv.Unquote(imp.Path.Value)
	return path.Base(p)
}

// pkg returns the qualifier of a package of the standard library, with its dot, and imports the
// package if the file does not.
func (r *rewriter) pkg(importPath string) string {
	return r.qualifier(importPath, path.Base(importPath), "std"+path.Base(importPath))
}

// echo and middleware return the qualifiers of Echo and of its middleware.
func (r *rewriter) echo() string { return r.moved(Module, web, "echo") }

func (r *rewriter) middleware() string { return r.moved(middleware, web+"/middleware", "middleware") }

// moved returns the qualifier of a package in code, after its import path has changed.
func (r *rewriter) moved(from, to, name string) string {
	if r.imports[from] != "" {
		return r.qualifier(from, name, "")
	}
	return r.qualifier(to, name, "hone"+name)
}

func (r *rewriter) qualifier(importPath, name, other string) string {
	known := r.imports[importPath]
	if known == "." {
		return ""
	}
	if known != "" {
		return known + "."
	}
	if n := r.needs[importPath]; n != "" {
		return n + "."
	}
	taken := r.group.defined[name]
	for _, n := range r.imports {
		taken = taken || n == name
	}
	for _, n := range r.needs {
		taken = taken || n == name
	}
	if taken {
		name = other
	}
	r.needs[importPath] = name
	return name + "."
}

// importEdits adds r.tail and the changes of the imports to edits. It also returns the paths of the
// imports that the new text does not need any more.
func (r *rewriter) importEdits(edits []Edit) ([]Edit, []string) {
	if len(edits) == 0 && r.tail == "" {
		return nil, nil
	}
	if r.tail != "" {
		n := len(r.f.Text)
		text := "\n" + r.tail
		if n > 0 && r.f.Text[n-1] != '\n' {
			text = "\n" + text
		}
		edits = append(edits, Edit{n, n, text})
	}
	var dropped []string
	used := unresolved(applyEdits(r.f.Text, edits))
	for _, d := range r.f.Syntax.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, x := range g.Specs {
			imp := x.(*ast.ImportSpec)
			p, err := strconv.Unquote(imp.Path.Value)
			name := r.importName(imp)
			if err != nil || name == "_" || name == "." || p == "C" || used[name] {
				continue
			}
			from, to := r.offset(imp.Pos()), r.offset(imp.End())
			if !g.Lparen.IsValid() {
				from, to = r.offset(g.Pos()), r.offset(g.End())
			}
			from, to = r.lineOf(from, to)
			edits = append(edits, Edit{from, to, ""})
			dropped = append(dropped, p)
		}
	}
	if len(r.needs) > 0 {
		edits = append(edits, r.addImports())
	}
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return edits, dropped
}

// unresolved returns the names in a file that the file does not declare: packages, and names of
// other files.
func unresolved(text []byte) map[string]bool {
	names := map[string]bool{}
	f, _ := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if f == nil {
		return names
	}
	for _, id := range f.Unresolved {
		names[id.Name] = true
	}
	return names
}

func applyEdits(text []byte, edits []Edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.From]...), e.Text...)
		at = e.To
	}
	return append(out, text[at:]...)
}

// addImports returns the edit that adds imports above the first import of the standard library, so
// that gofmt sorts them.
func (r *rewriter) addImports() Edit {
	var paths []string
	for p := range r.needs {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	spec := func(p string) string {
		if name := r.needs[p]; name != path.Base(p) {
			return name + " " + strconv.Quote(p)
		}
		return strconv.Quote(p)
	}
	var specs []string
	for _, p := range paths {
		specs = append(specs, spec(p))
	}
	var first *ast.GenDecl
	for _, d := range r.f.Syntax.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		if !g.Lparen.IsValid() {
			if first == nil {
				first = g
			}
			continue
		}
		for _, x := range g.Specs {
			imp := x.(*ast.ImportSpec)
			if p, _ := strconv.Unquote(imp.Path.Value); !strings.Contains(strings.Split(p, "/")[0], ".") && p != "C" {
				// The new imports are on their own lines, since the existing import may be removed.
				from, to := r.lineOf(r.offset(imp.Pos()), r.offset(imp.End()))
				if to > r.offset(imp.End()) {
					return Edit{from, from, "\t" + strings.Join(specs, "\n\t") + "\n"}
				}
				at := r.offset(g.Lparen) + 1
				return Edit{at, at, "\n\t" + strings.Join(specs, "\n\t") + "\n"}
			}
		}
		at := r.offset(g.Lparen) + 1
		return Edit{at, at, "\n\t" + strings.Join(specs, "\n\t") + "\n"}
	}
	if first != nil && !isC(first) {
		at := r.offset(first.Pos())
		return Edit{at, at, "import " + strings.Join(specs, "\nimport ") + "\n"}
	}
	at := r.offset(r.f.Syntax.Name.End())
	return Edit{at, at, "\n\nimport " + strings.Join(specs, "\nimport ")}
}

func isC(g *ast.GenDecl) bool {
	return slices.ContainsFunc(g.Specs, func(s ast.Spec) bool { return s.(*ast.ImportSpec).Path.Value == `"C"` })
}
