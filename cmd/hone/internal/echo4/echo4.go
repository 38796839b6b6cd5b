// Package echo4 rewrites programs for Echo v4 to Hone's package web, which has the API of Echo v5.
//
// [Rewrite] takes the type-checked packages of a program and returns the edits of each file. It
// works on objects and types, never on text. A table (table.go) has an entry for each name of
// Echo v4 that web lacks or has with another type. An entry either rewrites a use of the name, or
// has advice for the user on the new code. The caller changes the imports of Echo itself.
package echo4

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// These are the import paths of Echo v4, and the import paths after the change.
const (
	Module     = "github.com/labstack/echo/v4"
	middleware = Module + "/middleware"
	web        = "github.com/hone-go/hone/web"
)

// A Package is one package of the program. Types and Info describe the code before the change.
type Package struct {
	Fset  *token.FileSet
	Types *types.Package
	Info  *types.Info
	Files []File
}

// A File is a file of a Package.
type File struct {
	Name        string
	Syntax      *ast.File
	Text        []byte
	Constrained bool // some builds exclude the file, so helpers that other files call cannot be declared in it
}

// An Edit replaces bytes of a file.
type Edit struct {
	From, To int
	Text     string
}

// A Place is a use of Echo v4 that the user has to look at.
type Place struct {
	Offset   int    // the offset in the file before the change
	Old      string // the name in Echo v4, such as "echo.Echo.Debug"
	Say      string // the advice
	Compiles bool   // the code compiles, but may behave differently
}

// A Result is the outcome for one file.
type Result struct {
	Name      string
	Edits     []Edit // sorted, without overlap
	Places    []Place
	Rewritten int      // places that were rewritten
	Dropped   []string // imports that Edits remove, since nothing uses them any more
}

// Rewrite returns a Result for each file that changes or has Places. pkgs must have all packages of
// the program that change, since a function in one package may be the error handler of another
// package.
func Rewrite(pkgs []*Package) []Result {
	m := &program{adapted: map[string]string{}, servers: map[string]bool{}, starts: map[string]bool{}, writers: map[string]bool{}, fields: map[*types.Var]string{}}
	var all []*rewriter
	for _, p := range pkgs {
		group := &pkgState{unwraps: map[string]bool{}, defined: definedNames(p)}
		var files []*rewriter
		for _, f := range p.Files {
			r := &rewriter{m: m, p: p, group: group, f: f, parent: parents(f.Syntax), done: map[ast.Node]bool{}, paths: map[ast.Expr]string{}, dropped: map[*ast.CompositeLit][]ast.Expr{}, needs: map[string]string{}}
			r.findImports()
			files = append(files, r)
		}
		group.files = files
		all = append(all, files...)
	}
	for _, r := range all {
		r.collectFacts()
	}
	for _, r := range all {
		r.walk()
	}
	for _, r := range all {
		r.group.placeHelpers()
	}
	var list []Result
	for _, r := range all {
		if res := r.result(); len(res.Edits)+len(res.Places) > 0 {
			list = append(list, res)
		}
	}
	return list
}

// A program has facts about all files, which the rewriting of each file needs.
type program struct {
	adapted map[string]string     // full name of a function that gets an additional parameter -> key in extras
	servers map[string]bool       // packages that use the server of an Echo
	starts  map[string]bool       // packages that start a server
	handler bool                  // the program sets Echo.HTTPErrorHandler
	ip      bool                  // the program sets Echo.IPExtractor
	lookups bool                  // the program calls middleware.CreateExtractors
	writers map[string]bool       // packages that read the writer inside a Response
	fields  map[*types.Var]string // fields of Echo's structs -> name in the table
	scanned map[*types.Package]bool
}

// A pkgState is the state that the files of a package share.
type pkgState struct {
	files   []*rewriter
	defined map[string]bool // names that the package declares anywhere
	unwraps map[string]bool // types that get a method Unwrap
	placed  bool
}

// A rewriter rewrites one file.
type rewriter struct {
	m       *program
	p       *Package
	group   *pkgState
	f       File
	parent  map[ast.Node]ast.Node
	done    map[ast.Node]bool                // identifiers that are already part of another identifier's replacement
	dropped map[*ast.CompositeLit][]ast.Expr // elements to remove
	paths   map[ast.Expr]string              // embedded fields that the selector of an operand omits
	repls   []*replacement
	places  []Place
	imports map[string]string // import path -> name in the file
	needs   map[string]string // imports to add
	tail    string            // declarations to add at the end
	wants   map[string]bool   // helpers that this file uses
}

func parents(f *ast.File) map[ast.Node]ast.Node {
	m := map[ast.Node]ast.Node{}
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			m[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		return true
	})
	return m
}

func definedNames(p *Package) map[string]bool {
	names := map[string]bool{}
	for id := range p.Info.Defs {
		names[id.Name] = true
	}
	for _, n := range p.Types.Scope().Names() {
		names[n] = true
	}
	return names
}

func (r *rewriter) offset(p token.Pos) int { return r.p.Fset.PositionFor(p, false).Offset }

func (r *rewriter) typeOf(e ast.Expr) types.Type {
	if tv, ok := r.p.Info.Types[e]; ok {
		return tv.Type
	}
	if id, ok := e.(*ast.Ident); ok {
		if o := r.p.Info.ObjectOf(id); o != nil {
			return o.Type()
		}
	}
	return nil
}

// list adds a place to r.places: a use that is not rewritten.
func (r *rewriter) list(at ast.Node, old, say string) {
	r.places = append(r.places, Place{Offset: r.offset(at.Pos()), Old: old, Say: say})
}

// warn adds a place to r.places: a use that compiles after the change, but may behave differently.
func (r *rewriter) warn(at ast.Node, old, say string) {
	r.places = append(r.places, Place{Offset: r.offset(at.Pos()), Old: old, Say: say, Compiles: true})
}

// walk rewrites the uses in a file, in the order of the text.
func (r *rewriter) walk() {
	ast.Inspect(r.f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Ident:
			r.use(n)
		case *ast.FuncType:
			r.funcType(n)
		case *ast.CallExpr:
			r.reorderCall(n)
			r.errorsAs(n)
		case *ast.IndexExpr:
			r.asType(n)
		case *ast.TypeAssertExpr:
			r.assertion(n)
		case *ast.TypeSwitchStmt:
			r.typeSwitch(n)
		}
		return true
	})
}

// use rewrites or lists an identifier if it denotes a name of the table.
func (r *rewriter) use(id *ast.Ident) {
	o := r.p.Info.Uses[id]
	if o == nil || r.done[id] {
		return
	}
	name := r.m.nameOf(o)
	if name == "" {
		return
	}
	e, ok := byName[name]
	if !ok {
		return
	}
	s := r.site(id)
	mark := len(r.repls)
	if e.rewrite != nil && e.rewrite(s) {
		return
	}
	r.repls = r.repls[:mark]
	r.list(id, name, e.say)
}

// nameOf returns the table's name of an object of Echo v4, or "".
func (m *program) nameOf(o types.Object) string {
	pkg := o.Pkg()
	if pkg == nil {
		return ""
	}
	var prefix string
	switch pkg.Path() {
	case Module:
		prefix = "echo."
	case middleware:
		prefix = "middleware."
	default:
		return ""
	}
	switch o := o.(type) {
	case *types.PkgName:
		return ""
	case *types.Var:
		if o.IsField() {
			m.scan(pkg, prefix)
			return m.fields[o]
		}
	case *types.Func:
		if recv := o.Signature().Recv(); recv != nil {
			t := recv.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			if named, ok := types.Unalias(t).(*types.Named); ok {
				return prefix + named.Obj().Name() + "." + o.Name()
			}
			return ""
		}
	}
	if o.Parent() != pkg.Scope() {
		return ""
	}
	return prefix + o.Name()
}

// scan records the fields of a package's structs with their names in the table.
func (m *program) scan(pkg *types.Package, prefix string) {
	if m.scanned[pkg] {
		return
	}
	if m.scanned == nil {
		m.scanned = map[*types.Package]bool{}
	}
	m.scanned[pkg] = true
	for _, name := range pkg.Scope().Names() {
		t, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if s, ok := t.Type().Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				m.fields[f] = prefix + name + "." + f.Name()
			}
		}
	}
}

// typeName returns the table's name of a named type of Echo v4, or "".
func (m *program) typeName(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return m.nameOf(named.Obj())
	}
	return ""
}

// is reports whether t is the type with the given name in the table. If the name begins with '*', is
// reports whether t is a pointer to this type.
func (m *program) is(t types.Type, name string) bool {
	if rest, ok := strings.CutPrefix(name, "*"); ok {
		p, is := types.Unalias(t).(*types.Pointer)
		return is && m.is(p.Elem(), rest)
	}
	return t != nil && m.typeName(t) == name
}

// collectFacts adds the facts about a file to the program.
func (r *rewriter) collectFacts() {
	ast.Inspect(r.f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			o := r.p.Info.Uses[n]
			if o == nil {
				return true
			}
			switch name := r.m.nameOf(o); name {
			case "echo.Echo.Shutdown", "echo.Echo.Close", "echo.Echo.Server":
				r.m.servers[r.p.Types.Path()] = true
			case "echo.Echo.Start":
				r.m.starts[r.p.Types.Path()] = true
			case "echo.Echo.HTTPErrorHandler":
				if s := r.site(n); s.assigned() != nil {
					r.m.handler = true
				}
			case "echo.Echo.IPExtractor":
				r.m.ip = true
			case "middleware.CreateExtractors":
				r.m.lookups = true
			case "echo.Response.Writer":
				if from, _, _ := r.calledName(r.site(n).x); from != "echo.Context.Response" {
					r.m.writers[r.p.Types.Path()] = true
				}
			case "":
				if f, ok := o.(*types.Func); ok {
					if x := r.extraFor(r.target(r.site(n).node)); x != "" {
						r.m.adapted[f.FullName()] = x
					}
				}
			}
		}
		return true
	})
}

// result returns the outcome for the file.
func (r *rewriter) result() Result {
	r.dropElements()
	res := Result{Name: r.f.Name, Places: r.places, Rewritten: len(r.repls)}
	slices.SortStableFunc(res.Places, func(a, b Place) int { return cmp.Compare(a.Offset, b.Offset) })
	edits := r.flatten()
	edits, res.Dropped = r.importEdits(edits)
	res.Edits = edits
	return res
}
