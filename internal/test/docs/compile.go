package docs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Files returns the Go files that a block contains: two for a diff, one for Go, none for another
// language.
func Files(b Block) []Block {
	switch b.Language {
	case "go":
		return []Block{b}
	case "diff":
		before, after := b, b
		before.Text, after.Text = "", ""
		for line := range strings.Lines(b.Text) {
			if line[0] != '+' {
				before.Text += line[1:]
			}
			if line[0] != '-' {
				after.Text += line[1:]
			}
		}
		return []Block{before, after}
	}
	return nil
}

// Compile type-checks the files of blocks in a module. It returns the errors, which name the page
// and the line. It uses the packages that the go command finds in dir.
func Compile(dir string, files []Block) (errs []error, err error) {
	known, err := packageNames(dir)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var parsed []*ast.File
	imports := map[string]bool{}
	for _, b := range files {
		f, err := assemble(fset, b, known)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			imports[path] = true
		}
		parsed = append(parsed, f)
	}
	exports, err := exportData(dir, slices.Sorted(maps.Keys(imports)))
	if err != nil {
		return nil, err
	}
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no package %s", path)
		}
		return os.Open(exports[path])
	})
	for _, f := range parsed {
		config := types.Config{Importer: from, Error: func(err error) {
			if e := err.(types.Error); !e.Soft || f.Name.Name != fragment { // in a fragment a variable may be unused
				errs = append(errs, fmt.Errorf("%s: %s", e.Fset.Position(e.Pos), e.Msg))
			}
		}}
		_, _ = config.Check(f.Name.Name, fset, []*ast.File{f}, nil) // the errors are in errs
	}
	return errs, nil
}

const fragment = "fragment" // the package name of a block that is not a whole file

var (
	declares = regexp.MustCompile(`^(import|type|func|var|const)\b(\s*\(|\s+["\w])`)
	elided   = regexp.MustCompile(`(?m)^\s*(…|\.\.\.)$|\{ … \}`)
)

// assemble parses a block as a Go file. If the block is only a part of a file, assemble adds the
// package clause, the imports and a function around the statements.
func assemble(fset *token.FileSet, b Block, known map[string][]string) (*ast.File, error) {
	if strings.HasPrefix(b.Text, "package ") || strings.Contains(b.Text, "\npackage ") {
		return parser.ParseFile(fset, "", fmt.Sprintf("//line %s:%d:1\n%s", b.Page, b.Line, b.Text), 0)
	}
	text := elided.ReplaceAllStringFunc(b.Text, func(s string) string {
		return strings.NewReplacer("…", `panic("")`, "...", `panic("")`).Replace(s)
	})
	imports, decls, stmts := split(text, b.Line, b.Page)
	own, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+imports+decls, 0)
	if err != nil {
		return nil, err
	}
	declared := names(own)
	var given strings.Builder
	for _, c := range slices.Backward(b.Contexts) {
		more, rest, loose := split(c.Text, c.Line, b.Page)
		if strings.TrimSpace(position.ReplaceAllString(loose, "")) != "" {
			return nil, fmt.Errorf("%s:%d: the comment has statements: %s", b.Page, c.Line, loose)
		}
		imports += more
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, "", "package p\n"+rest, 0)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if slices.ContainsFunc(declarations(d), func(name string) bool { return declared[name] }) {
				continue
			}
			start, end := set.PositionFor(d.Pos(), false).Offset, set.PositionFor(d.End(), false).Offset
			fmt.Fprintf(&given, "//line %s:%d:1\n%s\n", b.Page, set.Position(d.Pos()).Line, ("package p\n" + rest)[start:end])
		}
		maps.Copy(declared, names(f))
	}
	result, end := "", ""
	if n := results(stmts); n > 0 {
		result, end = "error", "panic(\"\")\n"
	}
	body := imports + decls + given.String() + "func _() " + result + " {\n" + stmts + end + "}\n"
	f, err := parser.ParseFile(fset, "", "package "+fragment+"\n"+body, 0)
	if err != nil {
		return nil, err
	}
	var found strings.Builder
	for _, id := range f.Unresolved {
		if paths := known[id.Name]; len(paths) > 0 && !strings.Contains(found.String(), " "+id.Name+" ") && !declared[id.Name] {
			if importsName(f, id.Name, known) {
				continue
			}
			if len(paths) > 1 {
				return nil, fmt.Errorf("%s: %s may be any of the packages %q; import one in a comment", fset.Position(id.Pos()), id.Name, paths)
			}
			fmt.Fprintf(&found, "import %s %q\n", id.Name, paths[0])
		}
	}
	return parser.ParseFile(fset, "", "package "+fragment+"\n"+found.String()+body, 0)
}

// importsName reports whether f imports a package by the name.
func importsName(f *ast.File, name string, known map[string][]string) bool {
	return slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool {
		if s.Name != nil {
			return s.Name.Name == name
		}
		path, _ := strconv.Unquote(s.Path.Value)
		return slices.Contains(known[name], path) || slices.Contains(known["\x00"+name], path)
	})
}

var position = regexp.MustCompile(`(?m)^//line .*$`)

// split returns the three parts of a block of code: imports, declarations that begin at the start of
// a line, and statements. The parts contain "//line" comments, so that errors name the page and its
// lines.
func split(text string, line int, page string) (imports, decls, stmts string) {
	depth, kind, last := 0, "", "none"
	parts := map[string]*strings.Builder{"import": {}, "decl": {}, "": {}}
	for s := range strings.Lines(text) {
		if depth == 0 {
			kind = ""
			if m := declares.FindStringSubmatch(s); m != nil {
				kind = "decl"
				if m[1] == "import" {
					kind = "import"
				}
			}
		}
		if kind != last || depth == 0 {
			fmt.Fprintf(parts[kind], "//line %s:%d:1\n", page, line)
		}
		parts[kind].WriteString(s)
		depth += nesting(s)
		last = kind
		line++
	}
	return parts["import"].String(), parts["decl"].String(), parts[""].String()
}

// nesting returns the number of brackets that a line opens, less the number that it closes.
func nesting(line string) (n int) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(line)), []byte(line), func(token.Position, string) {}, 0)
	for {
		switch _, tok, _ := s.Scan(); tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			n++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			n--
		case token.EOF:
			return n
		}
	}
}

// results returns the largest number of results of a return statement outside of function literals.
func results(stmts string) (n int) {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+stmts+"}\n", 0)
	if err != nil {
		return 0 // the caller parses the statements too, and reports the error
	}
	ast.Inspect(f, func(node ast.Node) bool {
		if r, ok := node.(*ast.ReturnStmt); ok {
			n = max(n, len(r.Results))
		}
		_, literal := node.(*ast.FuncLit)
		return !literal
	})
	return n
}

// names returns the names that a file declares, without methods.
func names(f *ast.File) map[string]bool {
	all := map[string]bool{}
	for _, d := range f.Decls {
		if method, ok := d.(*ast.FuncDecl); ok && method.Recv != nil {
			continue
		}
		for _, name := range declarations(d) {
			all[name] = name != "_"
		}
	}
	return all
}

// declarations returns the names that d declares. For a method it returns the name of the receiver's
// type.
func declarations(d ast.Decl) (all []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		t := d.Recv.List[0].Type
		if p, ok := t.(*ast.StarExpr); ok {
			t = p.X
		}
		if id, ok := t.(*ast.Ident); ok {
			return []string{id.Name}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				all = append(all, spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					all = append(all, id.Name)
				}
			}
		}
	}
	return all
}

// packageNames maps the name of each package to the import paths of the packages that have this name.
// If packages of Hone and of the standard library have the same name, the name maps to Hone's
// packages, and a zero byte followed by the name maps to the standard library's packages.
func packageNames(dir string) (map[string][]string, error) {
	all := map[string][]string{}
	for i, pattern := range []string{"github.com/hone-go/hone/...", "std"} {
		out, err := goList(dir, "-f", "{{.Name}} {{.ImportPath}}", pattern)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(out) {
			name, path, _ := strings.Cut(strings.TrimSpace(line), " ")
			private := slices.ContainsFunc(strings.Split(path, "/"), func(s string) bool { return s == "internal" || s == "vendor" || s == "examples" })
			if name == "main" || private {
				continue
			}
			if i == 1 && len(all[name]) > 0 && strings.HasPrefix(all[name][0], "github.com/") {
				all["\x00"+name] = append(all["\x00"+name], path)
				continue
			}
			all[name] = append(all[name], path)
		}
	}
	for name, first := range preferred {
		all["\x00"+name] = append(all["\x00"+name], all[name]...)
		all[name] = []string{first}
	}
	return all, nil
}

// preferred maps a name that several packages have to the import path of the package that the pages
// mean.
var preferred = map[string]string{
	"json":       "github.com/hone-go/hone/json",
	"rand":       "math/rand/v2",
	"template":   "html/template",
	"middleware": "github.com/hone-go/hone/web/middleware",
}

// exportData returns the files with the export data of packages and of their dependencies.
func exportData(dir string, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := goList(dir, append([]string{"-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, paths...)...)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for line := range strings.Lines(out) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return files, nil
}

func goList(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = filepath.FromSlash(dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w\n%s", err, &stderr)
	}
	return string(out), nil
}
