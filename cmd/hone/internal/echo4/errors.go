package echo4

import (
	"go/ast"
	"go/token"
	"go/types"
)

// errorsAs replaces a call of errors.As by a helper. In Echo v4 more errors are HTTPErrors, and the
// helper finds these errors too.
func (r *rewriter) errorsAs(call *ast.CallExpr) {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && len(call.Args) == 2 {
		f, ok := r.p.Info.Uses[sel.Sel].(*types.Func)
		if ok && f.FullName() == "errors.As" && r.m.is(r.typeOf(call.Args[1]), "**echo.HTTPError") {
			r.sub(call.Fun, "%s", r.help("asHTTPError"))
		}
	}
}

// asType lists a use of errors.AsType for an HTTPError, since errors.AsType does not find errors such
// as ErrNotFound.
func (r *rewriter) asType(x *ast.IndexExpr) {
	sel, ok := ast.Unparen(x.X).(*ast.SelectorExpr)
	if !ok || !r.m.is(r.typeOf(x.Index), "*echo.HTTPError") {
		return
	}
	if f, ok := r.p.Info.Uses[sel.Sel].(*types.Func); ok && f.FullName() == "errors.AsType" {
		r.warn(sel.Sel, "echo.HTTPError", "variables such as web.ErrNotFound are not HTTPErrors: assert web.HTTPStatusCoder, or call web.StatusCode(err)")
	}
}

// keptError returns the entry for an error that web also has, with a type other than HTTPError.
func keptError(status string) func(*site) bool { return sentinel(status, true) }

// goneError returns the entry for an error that web does not have.
func goneError(status string) func(*site) bool { return sentinel(status, false) }

func sentinel(status string, kept bool) func(*site) bool {
	return func(s *site) bool {
		r := s.r
		if s.lvalue() {
			return false
		}
		made := func() bool {
			code := r.pkg("net/http")
			r.sub(s.node, "%sNewHTTPError(%s%s, %sStatusText(%s%s))", r.echo(), code, status, code, code, status)
			return true
		}
		want := r.target(s.node)
		switch p := r.up(s.node).(type) {
		case *ast.BinaryExpr:
			return kept && isInterface(want)
		case *ast.CaseClause:
			return kept
		case *ast.SelectorExpr:
			if kept && p.Sel.Name == "Code" {
				r.sub(p.Sel, "StatusCode()")
				return true
			}
			if kept && (p.Sel.Name == "SetInternal" || p.Sel.Name == "WithInternal" || p.Sel.Name == "Error") {
				return true
			}
			return made()
		case *ast.CallExpr:
			// A new HTTPError never equals another error.
			if sel, ok := ast.Unparen(p.Fun).(*ast.SelectorExpr); ok && !kept {
				switch sel.Sel.Name {
				case "Is", "ErrorIs", "ErrorIsf", "NotErrorIs", "Equal", "Same":
					return false
				}
			}
		}
		if kept && (want == nil || isInterface(want)) {
			return true
		}
		return made()
	}
}

// message rewrites the message of an HTTPError, if it is a string or an error.
func (r *rewriter) message(e ast.Expr) bool {
	t := r.typeOf(e)
	switch {
	case t == nil:
		return false
	case types.Identical(types.Default(t), types.Typ[types.String]):
		return true
	case isError(t):
		r.sub(e, operand(e)+".Error()", e)
		return true
	case isString(t):
		r.sub(e, "string(%s)", e)
		return true
	}
	return false
}

func newHTTPError(s *site) bool {
	r := s.r
	if s.call == nil || s.call.Ellipsis.IsValid() || len(s.call.Args) == 0 {
		return false
	}
	args := s.call.Args
	if len(args) == 1 {
		code := args[0]
		if !r.pure(code) {
			r.sub(code, `%s, ""`, code)
			return true
		}
		r.sub(code, "%s, %sStatusText(%s)", code, r.pkg("net/http"), code)
		return true
	}
	for _, more := range args[2:] {
		if !r.pure(more) {
			return false
		}
	}
	if !r.message(args[1]) {
		return false
	}
	if len(args) > 2 {
		r.subRange(r.offset(args[1].End()), r.offset(args[len(args)-1].End()), "")
	}
	return true
}

func errorMessage(s *site) bool {
	r := s.r
	if s.pair != nil {
		return r.message(s.pair.Value)
	}
	if s.lvalue() {
		v := s.assigned()
		return v != nil && r.message(v)
	}
	switch p := r.up(s.node).(type) {
	case *ast.TypeAssertExpr, *ast.ValueSpec:
		r.sub(s.node, "any(%s)", s.node)
	case *ast.AssignStmt:
		if p.Tok == token.DEFINE {
			r.sub(s.node, "any(%s)", s.node)
		}
	case *ast.BinaryExpr:
		if other, ok := ast.Unparen(p.Y).(*ast.Ident); ok && other.Name == "nil" {
			r.sub(other, `""`)
		}
	}
	return true
}

func errorInternal(s *site) bool {
	r := s.r
	if s.pair != nil {
		lit, ok := r.parent[s.pair].(*ast.CompositeLit)
		if !ok {
			return false
		}
		address, ok := r.up(lit).(*ast.UnaryExpr)
		if !ok || address.Op != token.AND {
			return false
		}
		r.dropElement(lit, s.pair)
		format := "%s.Wrap(%s)"
		if want := r.target(address); !isInterface(want) {
			format += ".(*" + r.echo() + "HTTPError)"
		}
		r.sub(address, format, lit, s.pair.Value)
		return true
	}
	if s.lvalue() {
		v := s.assigned()
		return v != nil && s.rewrap(r.parent[s.node].(*ast.AssignStmt), v)
	}
	r.sub(s.id, "Unwrap()")
	return true
}

// wrap turns SetInternal and WithInternal into Wrap, which returns a new error.
func wrap(s *site) bool {
	r := s.r
	if s.call == nil {
		return false
	}
	if s.stmt != nil {
		return len(s.call.Args) == 1 && s.rewrap(s.stmt, s.call.Args[0])
	}
	if s.id.Name == "SetInternal" && r.isGlobal(s.x) {
		r.warn(s.id, "echo.HTTPError.SetInternal", "Wrap returns a copy, and errors.Is does not find the variable in it")
	}
	r.sub(s.id, "Wrap")
	if want := r.target(s.call); !isInterface(want) {
		r.sub(s.call, "%s.(*%sHTTPError)", s.call, r.echo())
	}
	return true
}

// isGlobal reports whether an expression is a package-level variable.
func (r *rewriter) isGlobal(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if sel, is := ast.Unparen(e).(*ast.SelectorExpr); is {
		id, ok = sel.Sel, true
	}
	if !ok {
		return false
	}
	v, ok := r.p.Info.Uses[id].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// rewrap assigns the error with its cause to the variable. The variable must hold a new error,
// since other references to the error would not see the cause.
func (s *site) rewrap(stmt ast.Stmt, cause ast.Expr) bool {
	r := s.r
	id, ok := ast.Unparen(s.x).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := r.p.Info.Uses[id].(*types.Var)
	if !ok || v.Parent() == r.p.Types.Scope() {
		return false
	}
	made := false
	if f := r.function(stmt); f != nil {
		ast.Inspect(f, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || len(a.Lhs) != len(a.Rhs) {
				return true
			}
			for i, l := range a.Lhs {
				if d, ok := l.(*ast.Ident); ok && r.p.Info.Defs[d] == v {
					name, _, _ := r.calledName(a.Rhs[i])
					u, isAddress := ast.Unparen(a.Rhs[i]).(*ast.UnaryExpr)
					made = name == "echo.NewHTTPError" || isAddress && u.Op == token.AND
				}
			}
			return true
		})
	}
	if !made {
		return false
	}
	r.sub(stmt, "%s = %s.Wrap(%s).(*%sHTTPError)", id, id, cause, r.echo())
	return true
}

// missingHandler returns the entry for a variable of Echo v4 that has the handler of requests without
// a route.
func missingHandler(name string) func(*site) bool {
	return func(s *site) bool {
		r := s.r
		if s.lvalue() {
			return false
		}
		if s.call != nil {
			r.sub(s.call, "%s%s", r.echo(), name)
			return true
		}
		r.sub(s.node, "func(*%sContext) error { return %s%s }", r.echo(), r.echo(), name)
		return true
	}
}

func defaultErrorHandler(s *site) bool {
	r := s.r
	if s.x == nil || !r.pure(s.x) {
		return false
	}
	r.sub(s.node, "%sDefaultHTTPErrorHandler(false)", r.echo())
	return true
}

// debug turns e.Debug = x into the error handler that shows causes.
func debug(s *site) bool {
	r := s.r
	v := s.assigned()
	if v == nil {
		return false
	}
	if r.m.handler {
		if !r.pure(v) {
			return false
		}
		r.dropLine(r.parent[s.node])
		return true
	}
	r.sub(r.parent[s.node], "%s.HTTPErrorHandler = %sDefaultHTTPErrorHandler(%s)", s.x, r.echo(), v)
	return true
}
