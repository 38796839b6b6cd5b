package migrate

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A reacher finds values that would lose a method by the change. If the parameter of a method
// MarshalJSONTo is a stream of Hone, encoding/json does not call the method: it encodes the fields of
// the type instead, without an error. So a reacher looks for values of types with such methods in
// calls of packages that encode with encoding/json.
type reacher struct {
	p       *planner
	g       *graph
	own     map[string]bool // packages whose files may change
	streams []*types.Named  // types with methods whose parameter becomes a stream of Hone by a change of imports
	rpc     bool            // the module uses net/rpc/jsonrpc
	params  map[*types.Var]string
	more    bool // params has grown in this round
	given   map[*types.Var][]ast.Expr
	nodes   map[*types.Var]*node // the packages in which the values in given are assigned
	seen    map[ast.Expr]bool
	found   map[*unit][]reachedType
}

// A reachedType is a type whose values are passed to a package that encodes with encoding/json.
type reachedType struct {
	typ   string
	path  string // the package
	where position
}

// encoders are the packages of the standard library that encode or decode their arguments with
// encoding/json. Package net/rpc does so if its codec is from net/rpc/jsonrpc.
var encoders = []string{"encoding/json", "encoding/json/v2", "expvar", "html/template", "log/slog", "net/rpc", "net/rpc/jsonrpc"}

// harmless lists modules that import encoding/json, but do not encode the values that their callers
// pass.
var harmless = []string{"github.com/stretchr/testify", "github.com/google/go-cmp", "gotest.tools/v3"}

// reached returns the units of jsontext that change, each with the values that would lose methods by
// the change.
func (p *planner) reached(g *graph) map[*unit][]reachedType {
	r := &reacher{p: p, g: g, own: map[string]bool{}, params: map[*types.Var]string{}, found: map[*unit][]reachedType{}}
	var nodes []*node
	for _, n := range g.nodes {
		if n.own && !n.broken && n.info != nil && n.types != nil {
			nodes = append(nodes, n)
			r.own[n.pkg.PkgPath] = true
			r.rpc = r.rpc || n.pkg.Imports["net/rpc/jsonrpc"] != nil
		}
	}
	for _, n := range nodes {
		r.findStreams(n)
	}
	if len(r.streams) == 0 {
		return nil
	}
	r.given, r.nodes = map[*types.Var][]ast.Expr{}, map[*types.Var]*node{}
	for _, n := range nodes {
		r.findGiven(n)
	}
	for {
		r.more, r.seen = false, map[ast.Expr]bool{}
		for _, n := range nodes {
			for _, f := range n.files {
				ast.Inspect(f, func(x ast.Node) bool {
					r.look(n, x)
					return true
				})
			}
		}
		if !r.more {
			break
		}
	}
	for u, list := range r.found {
		compare := func(a, b reachedType) int {
			return cmp.Or(strings.Compare(a.typ, b.typ), strings.Compare(a.path, b.path), strings.Compare(a.where.String(), b.where.String()))
		}
		slices.SortFunc(list, compare)
		r.found[u] = slices.CompactFunc(list, func(a, b reachedType) bool { return compare(a, b) == 0 })
	}
	return r.found
}

// findStreams finds the types of a package with methods on streams of Hone.
func (r *reacher) findStreams(n *node) {
	for _, o := range n.info.Defs {
		t, ok := o.(*types.TypeName)
		if !ok || t.IsAlias() {
			continue
		}
		if named, ok := t.Type().(*types.Named); ok && r.unitOf(named) != nil && !slices.Contains(r.streams, named) {
			r.streams = append(r.streams, named)
		}
	}
}

// unitOf returns the unit of the jsontext import that a method of the type uses, or nil if there is
// no such method or the unit does not change.
func (r *reacher) unitOf(t *types.Named) *unit {
	for _, name := range []string{"MarshalJSONTo", "UnmarshalJSONFrom"} {
		o, _, _ := types.LookupFieldOrMethod(t, true, t.Obj().Pkg(), name)
		m, ok := o.(*types.Func)
		if !ok || m.Signature().Params().Len() != 1 {
			continue
		}
		p, ok := types.Unalias(m.Signature().Params().At(0).Type()).(*types.Pointer)
		if !ok {
			continue
		}
		stream, ok := types.Unalias(p.Elem()).(*types.Named)
		if !ok || stream.Obj().Pkg() == nil || stream.Obj().Pkg().Path() != jsontextHone {
			continue
		}
		file, _ := r.g.at(m.Pos())
		if s := r.p.byPath[file]; s != nil && s.units[jsontextSymbol] != nil && s.units[jsontextSymbol].change {
			return s.units[jsontextSymbol]
		}
	}
	return nil
}

// streamTypes returns the types with methods on streams: t itself, and types that t contains.
func (r *reacher) streamTypes(t types.Type, seen map[types.Type]bool) []*types.Named {
	if t == nil || seen[t] {
		return nil
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if r.unitOf(t) != nil {
			return []*types.Named{t}
		}
		var list []*types.Named
		for a := range t.TypeArgs().Types() {
			list = append(list, r.streamTypes(a, seen)...)
		}
		if pkg := t.Obj().Pkg(); pkg == nil || !r.own[pkg.Path()] {
			return list
		}
		if i, ok := t.Underlying().(*types.Interface); ok {
			// A value in an interface of the module may have any type that implements the
			// interface.
			for _, s := range r.streams {
				if i.NumMethods() > 0 && s.TypeParams().Len() == 0 && (types.Implements(s, i) || types.Implements(types.NewPointer(s), i)) {
					list = append(list, s)
				}
			}
			return list
		}
		return append(list, r.streamTypes(t.Underlying(), seen)...)
	case *types.Pointer:
		return r.streamTypes(t.Elem(), seen)
	case *types.Slice:
		return r.streamTypes(t.Elem(), seen)
	case *types.Array:
		return r.streamTypes(t.Elem(), seen)
	case *types.Map:
		return append(r.streamTypes(t.Key(), seen), r.streamTypes(t.Elem(), seen)...)
	case *types.Struct:
		var list []*types.Named
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				list = append(list, r.streamTypes(f.Type(), seen)...)
			}
		}
		return list
	case *types.Tuple:
		var list []*types.Named
		for v := range t.Variables() {
			list = append(list, r.streamTypes(v.Type(), seen)...)
		}
		return list
	}
	return nil
}

// findGiven records the expressions that are assigned to variables and fields of a package, or to
// their elements.
func (r *reacher) findGiven(n *node) {
	give := func(to, value ast.Expr) {
		if v := r.variable(n, to); v != nil {
			r.given[v] = append(r.given[v], value)
			r.nodes[v] = n
		}
	}
	for _, f := range n.files {
		ast.Inspect(f, func(x ast.Node) bool {
			switch x := x.(type) {
			case *ast.AssignStmt:
				if len(x.Lhs) == len(x.Rhs) {
					for i := range x.Lhs {
						give(x.Lhs[i], x.Rhs[i])
					}
				}
			case *ast.ValueSpec:
				if len(x.Names) == len(x.Values) {
					for i := range x.Names {
						give(x.Names[i], x.Values[i])
					}
				}
			}
			return true
		})
	}
}

// variable returns the variable or field that an assignment to e changes. For an element of a list
// or map it returns the variable or field of the list or map.
func (r *reacher) variable(n *node, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		o := n.info.Defs[e]
		if o == nil {
			o = n.info.Uses[e]
		}
		v, _ := o.(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := n.info.Uses[e.Sel].(*types.Var)
		return v
	case *ast.IndexExpr:
		return r.variable(n, e.X)
	}
	return nil
}

// look examines a node for values that are passed to a package that encodes with encoding/json.
func (r *reacher) look(n *node, x ast.Node) {
	switch x := x.(type) {
	case *ast.CallExpr:
		r.call(n, x)
	case *ast.CompositeLit:
		// The node is a struct literal whose type is of a package that encodes with encoding/json.
		t := n.info.Types[ast.Expr(x)].Type
		if t == nil {
			return
		}
		if named, ok := types.Unalias(t).(*types.Named); ok {
			if path := r.encodes(named.Obj().Pkg()); path != "" {
				r.value(n, x, path)
			}
		}
	case *ast.AssignStmt:
		for i, l := range x.Lhs {
			sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
			if !ok || len(x.Lhs) != len(x.Rhs) {
				continue
			}
			if f, ok := n.info.Uses[sel.Sel].(*types.Var); ok && f.IsField() {
				if path := r.encodes(f.Pkg()); path != "" {
					r.value(n, x.Rhs[i], path)
				}
			}
		}
	}
}

// call examines the arguments of a call.
func (r *reacher) call(n *node, c *ast.CallExpr) {
	tv := n.info.Types[c.Fun]
	if tv.IsType() {
		if named, ok := types.Unalias(tv.Type).(*types.Named); ok && len(c.Args) == 1 {
			if path := r.encodes(named.Obj().Pkg()); path != "" {
				r.value(n, c.Args[0], path)
			}
		}
		return
	}
	f, _ := n.callee(c)
	if f == nil {
		return
	}
	path := r.encodes(f.Pkg())
	if path == "" {
		path = r.asLogger(f)
	}
	params := f.Signature().Params()
	for i, arg := range c.Args {
		if path != "" {
			r.value(n, arg, path)
			if path == "net/rpc" && strings.HasPrefix(f.Name(), "Register") {
				r.receiver(n, arg, path)
			}
		} else if params.Len() > 0 {
			if to := r.params[params.At(min(i, params.Len()-1))]; to != "" {
				r.value(n, arg, to)
			}
		}
	}
}

// receiver examines a value whose methods package net/rpc calls.
func (r *reacher) receiver(n *node, e ast.Expr, path string) {
	t := n.info.Types[e].Type
	if t == nil {
		return
	}
	for m := range types.NewMethodSet(t).Methods() {
		if f, ok := m.Obj().(*types.Func); ok && f.Exported() && f.Signature().Params().Len() == 2 {
			r.report(r.streamTypes(f.Signature().Params(), map[types.Type]bool{}), e, path)
		}
	}
}

// asLogger returns "log/slog" if f is a method of one of the module's own interfaces, and a
// *slog.Logger implements this interface. Otherwise it returns "".
func (r *reacher) asLogger(f *types.Func) string {
	const slog = "log/slog"
	recv := f.Signature().Recv()
	n := r.g.byPath[slog]
	if recv == nil || n == nil || n.types == nil || f.Pkg() == nil || !r.own[f.Pkg().Path()] {
		return ""
	}
	i, ok := recv.Type().Underlying().(*types.Interface)
	if !ok || i.NumMethods() == 0 {
		return ""
	}
	logger := n.types.Scope().Lookup("Logger")
	if logger == nil || !types.Implements(types.NewPointer(logger.Type()), i) {
		return ""
	}
	return slog
}

// value examines a value that is passed to a package that encodes with encoding/json. It follows
// literals and variables, since the type of an interface does not show the type of the value.
func (r *reacher) value(n *node, e ast.Expr, path string) {
	e = ast.Unparen(e)
	if r.seen[e] {
		return
	}
	r.seen[e] = true
	if t := n.info.Types[e].Type; t != nil {
		if list := r.streamTypes(t, map[types.Type]bool{}); len(list) > 0 {
			r.report(list, e, path)
			return
		}
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				r.value(n, kv.Key, path)
				x = kv.Value
			}
			r.value(n, x, path)
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			r.value(n, e.X, path)
		}
	case *ast.CallExpr:
		if fun := n.info.Types[e.Fun]; fun.IsType() || fun.IsBuiltin() {
			for _, a := range e.Args {
				r.value(n, a, path)
			}
		}
	case *ast.FuncLit:
		r.returned(n, e.Body, path)
	case *ast.Ident, *ast.SelectorExpr:
		id, _ := e.(*ast.Ident)
		if sel, ok := e.(*ast.SelectorExpr); ok {
			id = sel.Sel
		}
		if f, ok := n.info.Uses[id].(*types.Func); ok {
			if d := declaration(n, f); d != nil && d.Body != nil {
				r.returned(n, d.Body, path)
			}
			return
		}
		v := r.variable(n, e)
		if v == nil {
			return
		}
		if r.params[v] == "" && v.Kind() == types.ParamVar && holdsInterface(v.Type()) {
			r.params[v], r.more = path, true
		}
		for _, x := range r.given[v] {
			r.value(r.nodes[v], x, path)
		}
	}
}

// holdsInterface reports whether a type is an interface, or a list or map of them.
func holdsInterface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Slice:
		return holdsInterface(u.Elem())
	case *types.Map:
		return holdsInterface(u.Elem())
	}
	return false
}

// returned examines the values that a function returns.
func (r *reacher) returned(n *node, body *ast.BlockStmt, path string) {
	ast.Inspect(body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, e := range x.Results {
				r.value(n, e, path)
			}
		}
		return true
	})
}

// declaration returns the declaration of the function f in the package.
func declaration(n *node, f *types.Func) *ast.FuncDecl {
	for _, file := range n.files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && n.info.Defs[d.Name] == f {
				return d
			}
		}
	}
	return nil
}

func (r *reacher) report(list []*types.Named, at ast.Expr, path string) {
	for _, t := range list {
		u := r.unitOf(t)
		if u == nil {
			continue
		}
		name := t.Obj().Pkg().Name() + "." + t.Obj().Name()
		r.found[u] = append(r.found[u], reachedType{name, path, r.p.position(r.g, at.Pos())})
	}
}

// encodes returns the path of a package that encodes with encoding/json, or "".
func (r *reacher) encodes(pkg *types.Package) string {
	if pkg == nil || r.own[pkg.Path()] {
		return ""
	}
	path := pkg.Path()
	n := r.g.byPath[path]
	if n == nil || n.pkg.Module == nil {
		if slices.Contains(encoders, path) && (path != "net/rpc" || r.rpc) {
			return path
		}
		return ""
	}
	module := n.pkg.Module.Path
	if module == Hone || strings.HasPrefix(module, Hone+"/") || slices.Contains(harmless, module) || n.own {
		return ""
	}
	if importsEncoder(n, module, map[*node]bool{}) {
		return path
	}
	return ""
}

// importsEncoder reports whether a package imports encoding/json, directly or through a package of the same module.
func importsEncoder(n *node, module string, seen map[*node]bool) bool {
	if seen[n] {
		return false
	}
	seen[n] = true
	for _, path := range sortedKeys(n.pkg.Imports) {
		if path == "encoding/json" || strings.HasPrefix(path, "encoding/json/") {
			return true
		}
	}
	for _, d := range n.deps {
		if inModule(d.pkg, module) && importsEncoder(d, module, seen) {
			return true
		}
	}
	return false
}

func inModule(p *packages.Package, module string) bool {
	return p.Module != nil && p.Module.Path == module
}
