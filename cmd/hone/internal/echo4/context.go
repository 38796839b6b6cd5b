package echo4

import (
	"go/ast"
	"go/token"
	"go/types"
)

// unchanged is the entry for a name that needs no edit, because only its type changes.
func unchanged(*site) bool { return true }

// rename returns an entry that replaces a name by another name. The use of the name does not
// change.
func rename(to string) func(*site) bool {
	return func(s *site) bool {
		s.r.sub(s.id, to)
		return true
	}
}

// byHelper returns an entry that turns a method call x.M(args) into a call f(x, args) of a helper.
func byHelper(name string) func(*site) bool {
	return func(s *site) bool {
		if s.call == nil || s.x == nil {
			return false
		}
		s.toFunc(s.r.help(name))
		return true
	}
}

// toFunc turns x.M(args) into f(x, args).
func (s *site) toFunc(f string) {
	r := s.r
	r.sub(s.call.Fun, "%s", f)
	sep := ""
	if len(s.call.Args) > 0 {
		sep = ", "
	}
	at := r.offset(s.call.Lparen) + 1
	r.subRange(at, at, "%s"+sep, s.x)
}

func contextType(s *site) bool {
	r := s.r
	switch p := r.parent[s.node].(type) {
	case *ast.Field:
		if list, ok := r.parent[p].(*ast.FieldList); ok && len(p.Names) == 0 {
			if _, ok := r.parent[list].(*ast.InterfaceType); ok {
				return false
			}
			if _, ok := r.parent[list].(*ast.StructType); ok {
				r.warn(s.node, "echo.Context", "a handler gets a *web.Context and never this struct: store its additional values with Context.Set")
			}
		}
	case *ast.SelectorExpr:
		r.sub(s.node, "(*%s)", s.node)
		return true
	case *ast.CallExpr:
		if p.Fun == s.node {
			r.sub(s.node, "(*%s)", s.node)
			return true
		}
	}
	r.sub(s.node, "*%s", s.node)
	return true
}

func contextError(s *site) bool {
	if s.call == nil || len(s.call.Args) != 1 || !s.r.pure(s.x) {
		return false
	}
	s.r.sub(s.call, "%s.Echo().HTTPErrorHandler(%s, %s)", s.x, s.x, s.call.Args[0])
	return true
}

// realIP leaves c.RealIP() unchanged. It warns of the different result if the program does not set
// Echo.IPExtractor.
func realIP(s *site) bool {
	if !s.r.m.ip {
		s.r.warn(s.id, "echo.Context.RealIP", sayAddress)
	}
	return true
}

func mapType(s *site) bool {
	s.r.sub(s.node, "map[string]any")
	return true
}

// setParams combines SetParamNames and SetParamValues into one call, or uses helpers.
func setParams(s *site) bool {
	r := s.r
	if s.call == nil {
		return false
	}
	mine := s.id.Name
	if other := s.partner(); other != nil {
		names, values := s.call, other.call
		if mine == "SetParamValues" {
			names, values = values, names
		}
		format, args := "%s.SetPathValues(%sPathValues{", []any{s.x, r.echo()}
		for i := range names.Args {
			if i > 0 {
				format += ", "
			}
			format += "{Name: %s, Value: %s}"
			args = append(args, names.Args[i], values.Args[i])
		}
		r.sub(s.call, format+"})", args...)
		r.dropLine(other.stmt)
		r.done[other.id] = true
		return true
	}
	name := "setParamNames"
	if mine == "SetParamValues" {
		name = "setParamValues"
	}
	s.toFunc(r.help(name))
	return true
}

// partner returns the next statement if the two statements together set the names and the values of
// the path parameters.
func (s *site) partner() *site {
	r := s.r
	if s.stmt == nil || s.call.Ellipsis.IsValid() {
		return nil
	}
	block, ok := r.parent[s.stmt].(*ast.BlockStmt)
	if !ok {
		return nil
	}
	for i, stmt := range block.List[:max(0, len(block.List)-1)] {
		if stmt != ast.Stmt(s.stmt) {
			continue
		}
		next, ok := block.List[i+1].(*ast.ExprStmt)
		if !ok {
			return nil
		}
		name, call, x := r.calledName(next.X)
		if (name != "echo.Context.SetParamNames" && name != "echo.Context.SetParamValues") || name == "echo.Context."+s.id.Name {
			return nil
		}
		if call.Ellipsis.IsValid() || len(call.Args) != len(s.call.Args) || r.raw(x) != r.raw(s.x) {
			return nil
		}
		return r.site(ast.Unparen(call.Fun).(*ast.SelectorExpr).Sel)
	}
	return nil
}

// response rewrites a call c.Response(). In package web the result is an http.ResponseWriter, so the
// new code depends on the use of the result.
func response(s *site) bool {
	r := s.r
	if s.call == nil {
		return false
	}
	unwrapped := func() bool {
		r.sub(s.call, "%s(%s)", r.help("echoResponse"), s.x)
		return true
	}
	sel, ok := r.up(s.call).(*ast.SelectorExpr)
	if !ok {
		if r.writerSuffices(s.call) {
			return true
		}
		return unwrapped()
	}
	outer := r.site(sel.Sel)
	switch sel.Sel.Name {
	case "Header", "Write", "WriteHeader":
		return true
	case "Flush", "Hijack":
		if outer.call == nil {
			return unwrapped()
		}
		r.sub(sel.X, "%sNewResponseController(%s)", r.pkg("net/http"), s.call)
		return true
	case "Writer":
		// The new writer usually wraps the Response. If other code reads the writer inside the
		// Response, the new writer has to be stored in the Response.
		if r.m.writers[r.p.Types.Path()] {
			if outer.assigned() != nil {
				r.warn(sel.Sel, "echo.Response.Writer", sayInner)
			}
			r.sub(sel.Sel, "ResponseWriter")
			return unwrapped()
		}
		if rhs := outer.assigned(); rhs != nil {
			r.sub(r.parent[sel], "%s.SetResponse(%s)", s.x, rhs)
			if t := r.typeOf(rhs); t != nil && !types.IsInterface(t) && !hasUnwrap(t) && !r.addUnwrap(t) {
				r.warn(sel.Sel, "echo.Response.Writer", sayWriter)
			}
			return true
		}
		if outer.lvalue() {
			r.sub(sel.Sel, "ResponseWriter")
			return unwrapped()
		}
		r.sub(sel, "%s", s.call)
		return true
	}
	return unwrapped()
}

func hasUnwrap(t types.Type) bool {
	o, _, _ := types.LookupFieldOrMethod(t, true, nil, "Unwrap")
	_, ok := o.(*types.Func)
	return ok
}

// addUnwrap declares the method Unwrap of a type of this package that embeds an http.ResponseWriter.
// Without the method, web.UnwrapResponse could not find the Response inside the writer.
func (r *rewriter) addUnwrap(t types.Type) bool {
	star := ""
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, star = p.Elem(), "*"
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() != r.p.Types || named.Obj().Parent() != r.p.Types.Scope() || named.TypeParams().Len() > 0 {
		return false
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Embedded() && types.TypeString(f.Type(), nil) == "net/http.ResponseWriter" {
			name := named.Obj().Name()
			if !r.group.unwraps[name] {
				r.group.unwraps[name] = true
				r.tail += "// Unwrap returns the writer that w wraps.\nfunc (w " + star + name + ") Unwrap() " + r.pkg("net/http") + "ResponseWriter { return w.ResponseWriter }\n"
			}
			return true
		}
	}
	return false
}

// writerSuffices reports whether the code that uses the *echo.Response e also compiles with an
// http.ResponseWriter.
func (r *rewriter) writerSuffices(e ast.Expr) bool {
	t := r.typeOf(e)
	if t == nil {
		return false
	}
	if want := r.target(e); want != nil {
		u, ok := want.Underlying().(*types.Interface)
		if !ok {
			return false
		}
		// The interface may only have methods that an http.ResponseWriter has.
		for m := range u.Methods() {
			switch m.Name() {
			case "Header", "Write", "WriteHeader":
			default:
				return false
			}
		}
		return true
	}
	// The expression is assigned to a variable, so examine the uses of the variable.
	a, ok := r.parent[e].(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 {
		return false
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	if !ok {
		return false
	}
	o := r.p.Info.Defs[id]
	if o == nil {
		return false
	}
	for use, x := range r.p.Info.Uses {
		if x != o || use.Pos() < r.f.Syntax.FileStart || use.Pos() > r.f.Syntax.FileEnd {
			continue
		}
		if sel, ok := r.parent[use].(*ast.SelectorExpr); ok {
			switch sel.Sel.Name {
			case "Header", "Write", "WriteHeader":
				continue
			}
			return false
		}
		if r.target(use) == nil || !r.writerSuffices(use) {
			return false
		}
	}
	return true
}

// responseStatus handles a read of the status. In Echo v4 the status is 200 until a handler sets it.
func responseStatus(s *site) bool {
	if !s.lvalue() && s.pair == nil {
		s.r.sub(s.node, "%sOr(%s, %sStatusOK)", s.r.pkg("cmp"), s.node, s.r.pkg("net/http"))
	}
	return true
}

func responseWriter(s *site) bool {
	if name, _, _ := s.r.calledName(s.x); name == "echo.Context.Response" {
		return true // response handles this use
	}
	s.r.sub(s.id, "ResponseWriter")
	return true
}

func newResponse(s *site) bool {
	if s.call == nil || len(s.call.Args) != 2 {
		return false
	}
	e := s.call.Args[1]
	if s.r.m.is(s.r.typeOf(e), "*echo.Echo") {
		s.r.sub(e, operand(e)+".Logger", e)
		return true
	}
	return false
}

// binder turns a method of a DefaultBinder into a function.
func binder(name string) func(*site) bool {
	return func(s *site) bool {
		x, ok := ast.Unparen(s.x).(*ast.CallExpr)
		isNew := ok && len(x.Args) == 1 && s.r.p.Info.Types[x.Fun].IsBuiltin()
		if s.call == nil || !isNew && !s.r.pure(s.x) {
			return false
		}
		s.r.sub(s.call.Fun, "%s%s", s.r.echo(), name)
		return true
	}
}

// assertion handles type assertions whose operand is a Context or an error.
func (r *rewriter) assertion(a *ast.TypeAssertExpr) {
	if a.Type == nil {
		return
	}
	switch t := r.typeOf(a.X); {
	case r.m.is(t, "echo.Context"):
		r.list(a, "echo.Context", "a Context is a struct, so a type assertion on it is not possible: store the value with Context.Set, and read it with web.ContextGet")
	case r.m.is(r.typeOf(a.Type), "*echo.HTTPError") && isError(t):
		r.sub(a.X, "%s(%s)", r.help("echoError"), a.X)
	}
}

func (r *rewriter) typeSwitch(s *ast.TypeSwitchStmt) {
	var a *ast.TypeAssertExpr
	switch x := s.Assign.(type) {
	case *ast.ExprStmt:
		a, _ = ast.Unparen(x.X).(*ast.TypeAssertExpr)
	case *ast.AssignStmt:
		a, _ = ast.Unparen(x.Rhs[0]).(*ast.TypeAssertExpr)
	}
	if a == nil {
		return
	}
	if r.m.is(r.typeOf(a.X), "echo.Context") {
		r.list(a, "echo.Context", "a Context is a struct, so a type assertion on it is not possible: store the value with Context.Set, and read it with web.ContextGet")
		return
	}
	if !isError(r.typeOf(a.X)) {
		return
	}
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if r.m.is(r.typeOf(e), "*echo.HTTPError") {
				r.sub(a.X, "%s(%s)", r.help("echoError"), a.X)
				return
			}
		}
	}
}
