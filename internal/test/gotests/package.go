package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/test/foreign"
)

// makePackage creates a package with the tests of a package below the folder source, and with the
// exported names of Hone's package in the folder honeDir.
func makePackage(dir, source, name, honeDir string) error {
	from := filepath.Join(source, name)
	names, err := exportNames(from, honeDir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tests, err := filepath.Glob(filepath.Join(from, "*_test.go"))
	if err != nil {
		return err
	}
	texts := map[string][]byte{}
	methods := map[string]bool{} // the methods that the tests add to types of the package
	declared := map[string]bool{}
	for _, test := range tests {
		base := filepath.Base(test)
		if ok, err := build.Default.MatchFile(from, base); err != nil || !ok {
			continue
		}
		text, err := os.ReadFile(test)
		if err != nil {
			return err
		}
		for _, s := range substitutes[name] {
			text = regexp.MustCompile(s.old).ReplaceAll(text, []byte(s.new))
		}
		texts[base] = text
		f, err := parser.ParseFile(token.NewFileSet(), test, texts[base], 0)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			for _, name := range declaredBy(d) {
				declared[name] = true
			}
			if d, ok := d.(*ast.FuncDecl); ok && names.types[receiver(d)] {
				methods[d.Name.Name] = true
			}
		}
	}
	for base, text := range texts {
		text, err = rewriteTest(text, names.types, methods)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, base), text, 0o644); err != nil {
			return err
		}
	}
	helper, err := parser.ParseFile(token.NewFileSet(), "", cmp.Or(helpers[name], "package json"), 0)
	if err != nil {
		return err
	}
	for _, d := range helper.Decls {
		for _, name := range declaredBy(d) {
			declared[name] = true
		}
	}
	borrowed, err := borrow(from, declared)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "borrowed.go"), borrowed, 0o644); err != nil {
		return err
	}
	if data := filepath.Join(from, "testdata"); exists(data) {
		if err := foreign.CopyFiles(filepath.Join(dir, "testdata"), data, func(string) bool { return true }); err != nil {
			return err
		}
	}
	return writeFiles(dir, map[string]string{"hone.go": string(names.text), "helpers.go": helpers[name]})
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// exported holds the exported names of a package of the standard library, as declarations that
// refer to Hone's names.
type exported struct {
	types map[string]bool
	text  []byte
}

// exportNames declares the names that both packages export: the package in stdDir, and the package in
// honeDir.
func exportNames(stdDir, honeDir string) (*exported, error) {
	wanted := map[string]bool{}
	if _, err := eachDecl(stdDir, func(name string, _ ast.Node, _ *token.FileSet) { wanted[name] = ast.IsExported(name) }); err != nil {
		return nil, err
	}
	out := &exported{types: map[string]bool{}}
	var decls bytes.Buffer
	name, err := eachDecl(honeDir, func(name string, n ast.Node, files *token.FileSet) {
		if !wanted[name] {
			return
		}
		switch n := n.(type) {
		case *ast.TypeSpec:
			out.types[name] = true
			fmt.Fprintf(&decls, "type %s = hone.%s\n", name, name)
		case *ast.FuncDecl:
			if n.Type.TypeParams == nil {
				fmt.Fprintf(&decls, "var %s = hone.%s\n", name, name)
				return
			}
			var signature bytes.Buffer
			_ = printer.Fprint(&signature, files, &ast.FuncDecl{Name: n.Name, Type: n.Type}) // printed before the names of arguments change
			var args []string
			for _, p := range n.Type.Params.List {
				for _, arg := range p.Names {
					if _, variadic := p.Type.(*ast.Ellipsis); variadic {
						arg.Name += "..."
					}
					args = append(args, arg.Name)
				}
			}
			fmt.Fprintf(&decls, "%s { return hone.%s(%s) }\n", signature.String(), name, strings.Join(args, ", "))
		case *ast.ValueSpec:
			word := "var"
			if n.Names[0].Obj != nil && n.Names[0].Obj.Kind == ast.Con {
				word = "const"
			}
			fmt.Fprintf(&decls, "%s %s = hone.%s\n", word, name, name)
		}
	})
	if err != nil {
		return nil, err
	}
	path := hone + "/json"
	if sub := filepath.Base(honeDir); sub != "json" {
		path += "/" + sub
	}
	var head bytes.Buffer
	fmt.Fprintf(&head, "package %s\n\nimport (\n\thone %q\n", name, path)
	if bytes.Contains(decls.Bytes(), []byte("jsontext.")) {
		fmt.Fprintf(&head, "\t%q\n", hone+"/json/jsontext")
	}
	head.WriteString(")\n\n")
	out.text = append(head.Bytes(), decls.Bytes()...)
	return out, nil
}

// eachDecl calls visit for each declaration, other than methods, of the package in a folder, and returns the
// package's name.
func eachDecl(dir string, visit func(name string, n ast.Node, files *token.FileSet)) (string, error) {
	pkg, err := build.Default.ImportDir(dir, 0)
	if err != nil {
		return "", err
	}
	files := token.NewFileSet()
	for _, name := range pkg.GoFiles {
		f, err := parser.ParseFile(files, filepath.Join(dir, name), nil, 0)
		if err != nil {
			return "", err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					visit(d.Name.Name, d, files)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					for _, name := range foreign.SpecNames(s) {
						visit(name, s, files)
					}
				}
			}
		}
	}
	return pkg.Name, nil
}

// borrow returns a file with private declarations of a package: its constants, its errors, and
// its variables of type reflect.Type. It omits the names that the tests declare.
func borrow(from string, declared map[string]bool) ([]byte, error) {
	var decls bytes.Buffer
	uses := map[string]bool{}
	name, err := eachDecl(from, func(name string, n ast.Node, files *token.FileSet) {
		s, ok := n.(*ast.ValueSpec)
		if !ok || declared[name] || ast.IsExported(name) || s.Type != nil || len(s.Values) != 1 || len(s.Names) != 1 {
			return
		}
		packages, ok := packagesIn(s.Values[0])
		if !ok {
			return
		}
		for _, p := range packages {
			uses[p] = true
		}
		word := "var "
		if s.Names[0].Obj.Kind == ast.Con {
			word = "const "
		}
		decls.WriteString(word)
		_ = printer.Fprint(&decls, files, &ast.ValueSpec{Names: s.Names, Values: s.Values})
		decls.WriteByte('\n')
	})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\n", name)
	for p := range uses {
		fmt.Fprintf(&out, "import %q\n", p)
	}
	return append(out.Bytes(), decls.Bytes()...), nil
}

// packagesIn returns the packages that an expression uses. ok is false if the expression uses a
// name that is neither exported nor predeclared, or a package other than errors, math, reflect and
// time.
func packagesIn(e ast.Expr) (list []string, ok bool) {
	ok = true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, isName := n.X.(*ast.Ident)
			ok = ok && isName && slices.Contains([]string{"errors", "math", "reflect", "time"}, x.Name)
			if ok {
				list = append(list, x.Name)
			}
			return false
		case *ast.Ident:
			ok = ok && n.Name != "iota" && types.Universe.Lookup(n.Name) != nil
		}
		return ok
	})
	return list, ok
}

// declaredBy returns the names that d declares. It returns none if d is a method.
func declaredBy(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			names = append(names, foreign.SpecNames(s)...)
		}
	}
	return names
}

// imports are the packages of the standard library that have another path in the module.
var imports = map[string]string{
	"encoding/json":          hone + "/json",
	"encoding/json/v2":       hone + "/json/v2",
	"encoding/json/jsontext": hone + "/json/jsontext",
	"encoding/json/internal": module + "/internal",
	"internal/zstd":          module + "/internal/zstd",
	"internal/testenv":       module + "/internal/testenv",
}

func newImport(path string) string {
	if to := imports[path]; to != "" {
		return to
	}
	if sub, ok := strings.CutPrefix(path, "encoding/json/internal/"); ok {
		return module + "/internal/" + sub
	}
	return path
}

// rewriteImports rewrites the imports of the files in a folder and below it.
func rewriteImports(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err = rewrite(text, func(*ast.File) {})
		if err != nil {
			return err
		}
		return os.WriteFile(path, text, 0o644)
	})
}

// rewrite parses a file, rewrites its imports, calls change, and prints it.
func rewrite(text []byte, change func(f *ast.File)) ([]byte, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, s := range f.Imports {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			return nil, err
		}
		s.Path.Value = strconv.Quote(newImport(path))
	}
	change(f)
	var out bytes.Buffer
	err = printer.Fprint(&out, files, f)
	return out.Bytes(), err
}

// rewriteTest rewrites a file of tests for a package whose types are types of Hone.
//   - Methods that the file adds to these types become functions.
//   - An option that is written as flags becomes a call of the setters of the flags.
//   - A literal with private fields, such as the message of a SyntaxError, is made by private.New.
func rewriteTest(text []byte, types, methods map[string]bool) ([]byte, error) {
	needs := map[string]bool{}
	text, err := rewrite(text, func(f *ast.File) {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && types[receiver(d)] {
				d.Type.Params.List = append(slices.Clone(d.Recv.List), d.Type.Params.List...)
				d.Recv = nil
			}
		}
		var replace func(e ast.Expr) ast.Expr
		replace = func(e ast.Expr) ast.Expr {
			switch e := e.(type) {
			case *ast.BinaryExpr:
				if flags := withoutOne(e); flags != nil {
					needs["flags"] = true
					return call("flags", "Set", flags)
				}
			case *ast.UnaryExpr:
				if lit, ok := e.X.(*ast.CompositeLit); ok && e.Op == token.AND {
					if made := withPrivate(lit, types); made != nil {
						needs["private"] = true
						return made
					}
				}
			case *ast.KeyValueExpr:
				e.Value = replace(e.Value)
			case *ast.CallExpr:
				if s, ok := e.Fun.(*ast.SelectorExpr); ok {
					s.X = replace(s.X)
				}
			}
			return e
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && methods[s.Sel.Name] {
					n.Fun = s.Sel
					n.Args = append([]ast.Expr{s.X}, n.Args...)
				}
				replaceAll(n.Args, replace)
			case *ast.CompositeLit:
				replaceAll(n.Elts, replace)
			case *ast.ReturnStmt:
				replaceAll(n.Results, replace)
			}
			return true
		})
	})
	for _, name := range []string{"flags", "private"} {
		if err == nil && needs[name] {
			text = bytes.Replace(text, []byte("\nimport ("), []byte("\nimport (\n\t"+strconv.Quote(module+"/internal/"+name)), 1)
		}
	}
	return text, err
}

func replaceAll(list []ast.Expr, by func(ast.Expr) ast.Expr) {
	for i := range list {
		list[i] = by(list[i])
	}
}

func call(pkg, name string, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: &ast.SelectorExpr{X: ast.NewIdent(pkg), Sel: ast.NewIdent(name)}, Args: args}
}

// receiver returns the name of the type that d is a method of, or "".
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// withoutOne returns the flags in an expression "jsonflags.A | jsonflags.B | 1", or nil for any
// other expression. In package jsonflags, the bit 1 means that the flags are set to true.
func withoutOne(e *ast.BinaryExpr) ast.Expr {
	one, ok := e.Y.(*ast.BasicLit)
	if !ok || e.Op != token.OR || one.Value != "1" || !isFlag(e.X) {
		return nil
	}
	return e.X
}

func isFlag(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op == token.OR && isFlag(e.X) && isFlag(e.Y)
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && x.Name == "jsonflags"
	}
	return false
}

// withPrivate returns a call of private.New that replaces a literal of one of the types, if the
// literal sets private fields; otherwise nil. A literal without field names may set private
// fields.
func withPrivate(lit *ast.CompositeLit, types map[string]bool) ast.Expr {
	id, ok := lit.Type.(*ast.Ident)
	if !ok || !types[id.Name] {
		return nil
	}
	var args []ast.Expr
	var private bool
	for i, elt := range lit.Elts {
		name, value := strconv.Itoa(i), elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			key, ok := kv.Key.(*ast.Ident)
			if !ok {
				return nil
			}
			name, value = key.Name, kv.Value
		}
		private = private || !ast.IsExported(name)
		args = append(args, &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(name)}, value)
	}
	if !private {
		return nil
	}
	made := call("private", "New", args...)
	made.Fun = &ast.IndexExpr{X: made.Fun, Index: id}
	return made
}
