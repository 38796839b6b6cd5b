package echo4

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// A site is a use of a name of Echo v4.
type site struct {
	r    *rewriter
	id   *ast.Ident
	node ast.Expr          // the identifier with its qualifier or operand
	x    ast.Expr          // the operand or the package before the dot, or nil
	call *ast.CallExpr     // the call of node, or nil
	stmt *ast.ExprStmt     // the statement that consists of this call, or nil
	pair *ast.KeyValueExpr // the element "node: value" of a struct literal, or nil
}

func (r *rewriter) site(id *ast.Ident) *site {
	s := &site{r: r, id: id, node: id}
	if sel, ok := r.parent[id].(*ast.SelectorExpr); ok && sel.Sel == id {
		s.node, s.x = sel, sel.X
		r.embedded(sel)
	}
	var outer ast.Node = s.node
	for {
		p := r.parent[outer]
		switch x := p.(type) {
		case *ast.ParenExpr:
			outer = x
			continue
		case *ast.IndexExpr:
			if x.X == outer {
				outer = x
				continue
			}
		case *ast.IndexListExpr:
			if x.X == outer {
				outer = x
				continue
			}
		case *ast.CallExpr:
			if x.Fun == outer {
				s.call = x
				s.stmt, _ = r.parent[x].(*ast.ExprStmt)
			}
		case *ast.KeyValueExpr:
			if x.Key == outer {
				s.pair = x
			}
		}
		return s
	}
}

// embedded records in r.paths the embedded fields that a selector omits. If a is a struct that embeds
// an *echo.Echo, the path for the a of a.Start() is .Echo, since a.Echo is the receiver.
func (r *rewriter) embedded(sel *ast.SelectorExpr) {
	selection := r.p.Info.Selections[sel]
	if selection == nil || len(selection.Index()) < 2 {
		return
	}
	t, path := selection.Recv(), ""
	for _, i := range selection.Index()[:len(selection.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		path += "." + s.Field(i).Name()
		t = s.Field(i).Type()
	}
	if !strings.HasPrefix(r.m.typeName(deref(t)), "echo.") {
		return
	}
	if named, ok := types.Unalias(deref(t)).(*types.Named); ok && !named.Obj().Exported() {
		// The embedded type is unexported, such as echo.common in an Echo. Code outside of Echo cannot
		// name the field, so the selector gets no path.
		return
	}
	r.paths[sel.X] = path
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// up returns the parent of a node, skipping parentheses.
func (r *rewriter) up(n ast.Node) ast.Node {
	p := r.parent[n]
	for {
		paren, ok := p.(*ast.ParenExpr)
		if !ok {
			return p
		}
		p = r.parent[paren]
	}
}

// assigned returns x if the site is the only target of an assignment, as in site = x, and otherwise
// nil.
func (s *site) assigned() ast.Expr {
	a, ok := s.r.parent[s.node].(*ast.AssignStmt)
	if ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 && a.Lhs[0] == s.node {
		return a.Rhs[0]
	}
	return nil
}

// lvalue reports whether the site is the target of an assignment, or its address is taken.
func (s *site) lvalue() bool {
	switch p := s.r.parent[s.node].(type) {
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if l == s.node {
				return true
			}
		}
	case *ast.IncDecStmt:
		return true
	case *ast.UnaryExpr:
		return p.Op == token.AND
	}
	return false
}

// inList reports whether a statement is in a list of statements. Only in a list can two statements
// replace the statement.
func (r *rewriter) inList(s ast.Stmt) bool {
	switch r.parent[s].(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// pure reports whether an expression can be omitted or evaluated twice.
func (r *rewriter) pure(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if tv := r.p.Info.Types[n.Fun]; !tv.IsType() {
				ok = false
			}
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

// constant returns the value of a constant expression, or nil.
func (r *rewriter) constant(e ast.Expr) constant.Value { return r.p.Info.Types[e].Value }

// constString returns the value of a constant string.
func (r *rewriter) constString(e ast.Expr) (string, bool) {
	if v := r.constant(e); v != nil && v.Kind() == constant.String {
		return constant.StringVal(v), true
	}
	return "", false
}

// target returns the type to which an expression is implicitly converted in its context, or nil if
// there is no conversion.
func (r *rewriter) target(e ast.Expr) types.Type {
	switch p := r.parent[e].(type) {
	case *ast.ParenExpr:
		return r.target(p)
	case *ast.CallExpr:
		return r.argTarget(p, e)
	case *ast.AssignStmt:
		if p.Tok == token.ASSIGN && len(p.Lhs) == len(p.Rhs) {
			for i, rhs := range p.Rhs {
				if rhs == e {
					return r.typeOf(p.Lhs[i])
				}
			}
		}
	case *ast.ValueSpec:
		if p.Type != nil {
			return r.typeOf(p.Type)
		}
	case *ast.ReturnStmt:
		if sig := r.enclosing(p); sig != nil && sig.Results().Len() == len(p.Results) {
			for i, x := range p.Results {
				if x == e {
					return sig.Results().At(i).Type()
				}
			}
		}
	case *ast.KeyValueExpr:
		if lit, ok := r.parent[p].(*ast.CompositeLit); ok && p.Value == e {
			return r.elementType(lit, p)
		}
	case *ast.CompositeLit:
		return r.elementType(p, e)
	case *ast.BinaryExpr:
		if p.Op == token.EQL || p.Op == token.NEQ {
			if p.X == e {
				return r.typeOf(p.Y)
			}
			return r.typeOf(p.X)
		}
	}
	return nil
}

func (r *rewriter) argTarget(call *ast.CallExpr, e ast.Expr) types.Type {
	fun := r.p.Info.Types[call.Fun]
	if fun.IsType() {
		return fun.Type
	}
	if fun.Type == nil {
		return nil
	}
	sig, ok := fun.Type.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	for i, arg := range call.Args {
		if arg != e {
			continue
		}
		last := sig.Params().Len() - 1
		if i < last || i == last && !sig.Variadic() {
			return sig.Params().At(i).Type()
		}
		if sig.Variadic() {
			t := sig.Params().At(last).Type()
			if s, ok := t.(*types.Slice); ok && !call.Ellipsis.IsValid() {
				return s.Elem()
			}
			return t
		}
	}
	return nil
}

func (r *rewriter) elementType(lit *ast.CompositeLit, e ast.Expr) types.Type {
	t := r.typeOf(lit)
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Struct:
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && r.p.Info.Uses[id] != nil {
				return r.p.Info.Uses[id].Type()
			}
			return nil
		}
		for i, x := range lit.Elts {
			if x == e && i < u.NumFields() {
				return u.Field(i).Type()
			}
		}
	}
	return nil
}

// enclosing returns the signature of the function around a node.
func (r *rewriter) enclosing(n ast.Node) *types.Signature {
	switch f := r.function(n).(type) {
	case *ast.FuncLit:
		sig, _ := r.typeOf(f).(*types.Signature)
		return sig
	case *ast.FuncDecl:
		if o := r.p.Info.Defs[f.Name]; o != nil {
			sig, _ := o.Type().(*types.Signature)
			return sig
		}
	}
	return nil
}

// function returns the function around a node.
func (r *rewriter) function(n ast.Node) ast.Node {
	for n = r.parent[n]; n != nil; n = r.parent[n] {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return n
		}
	}
	return nil
}

// calledName returns the name of the method or function of Echo v4 that an expression calls, and the call.
func (r *rewriter) calledName(e ast.Expr) (string, *ast.CallExpr, ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return "", nil, nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || r.p.Info.Uses[sel.Sel] == nil {
		return "", nil, nil
	}
	return r.m.nameOf(r.p.Info.Uses[sel.Sel]), call, sel.X
}

// isInterface reports whether t is known to be an interface.
func isInterface(t types.Type) bool { return t != nil && types.IsInterface(t) }

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

func isError(t types.Type) bool { return t != nil && types.Implements(t, errorType) }

// operand returns the format for the text of an expression on which a method is called: in parentheses
// if it needs them.
func operand(e ast.Expr) string {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.ParenExpr:
		return "%s"
	}
	return "(%s)"
}
