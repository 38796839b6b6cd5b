package echo4

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// The methods of Echo v4's logger have one of three kinds of arguments: values, a format with values, or a map.
const (
	plain = iota
	formatted
	pairs
)

func loggerType(s *site) bool {
	r := s.r
	if f, ok := r.parent[s.node].(*ast.Field); ok && len(f.Names) == 0 {
		if list, ok := r.parent[f].(*ast.FieldList); ok {
			if _, ok := r.parent[list].(*ast.InterfaceType); ok {
				return false
			}
		}
	}
	r.sub(s.node, "*%sLogger", r.pkg("log/slog"))
	return true
}

func stdLogger(s *site) bool {
	if s.lvalue() || s.x == nil || !s.r.pure(s.x) {
		return false
	}
	q := s.r.pkg("log/slog")
	s.r.sub(s.node, "%sNewLogLogger(%s.Logger.Handler(), %sLevelInfo)", q, s.x, q)
	return true
}

// logs turns a call of Echo v4's logger into a call of a *slog.Logger. If the old call ended the
// program or panicked, the new code does the same.
func logs(level string, kind int, then string) func(*site) bool {
	return func(s *site) bool {
		r := s.r
		if s.call == nil || s.x == nil {
			return false
		}
		if then != "" && (s.stmt == nil || !r.inList(s.stmt)) {
			return false
		}
		if then == "exit" && kind == plain && s.startError() {
			return true
		}
		format, args, ok := r.logMessage(s.call, kind)
		if !ok {
			return false
		}
		switch then {
		case "exit":
			r.sub(s.call, "%s."+level+"("+format+")\n%sExit(1)", concat(s.x, args, r.pkg("os"))...)
			return true
		case "panic":
			if kind == pairs {
				return false
			}
			for _, a := range s.call.Args {
				if !r.pure(a) {
					return false
				}
			}
			r.sub(s.call, "%s."+level+"("+format+")\npanic("+format+")", append(concat(s.x, args), args...)...)
			return true
		}
		r.sub(s.call, "%s."+level+"("+format+")", concat(s.x, args)...)
		return true
	}
}

func concat(first any, args []any, more ...any) []any {
	list := append([]any{first}, args...)
	return append(list, more...)
}

// startError rewrites e.Logger.Fatal(e.Start(address)) and similar calls, which end the program
// with the error of the server. In package web the error is nil after a regular shutdown.
func (s *site) startError() bool {
	r := s.r
	if len(s.call.Args) != 1 {
		return false
	}
	call, ok := ast.Unparen(s.call.Args[0]).(*ast.CallExpr)
	if !ok || !isError(r.typeOf(call)) || !isInterface(r.typeOf(call)) {
		return false
	}
	r.sub(s.call, "if err := %s; err != nil {\n\t%s.Error(\"stopped\", \"error\", err)\n\t%sExit(1)\n}", call, s.x, r.pkg("os"))
	return true
}

// logMessage returns the arguments of a *slog.Logger's method, as a format and its arguments.
func (r *rewriter) logMessage(call *ast.CallExpr, kind int) (format string, args []any, ok bool) {
	switch {
	case kind == pairs:
		return r.logPairs(call)
	case len(call.Args) == 0:
		return `""`, nil, true
	case len(call.Args) == 1 && !call.Ellipsis.IsValid():
		arg := call.Args[0]
		t := r.typeOf(arg)
		text, isConst := r.constString(arg)
		if t != nil && types.Identical(types.Default(t), types.Typ[types.String]) && (kind == plain || isConst && !strings.Contains(text, "%")) {
			return "%s", []any{ast.Node(arg)}, true
		}
	}
	format, args = nodes(call.Args)
	if call.Ellipsis.IsValid() {
		format += "..."
	}
	f := "Sprint"
	if kind == formatted {
		f = "Sprintf"
	}
	return "%s" + f + "(" + format + ")", concat(r.pkg("fmt"), args), true
}

// logPairs converts a literal log.JSON to attributes.
func (r *rewriter) logPairs(call *ast.CallExpr) (format string, args []any, ok bool) {
	if len(call.Args) != 1 {
		return "", nil, false
	}
	lit, ok := ast.Unparen(call.Args[0]).(*ast.CompositeLit)
	if !ok {
		return "", nil, false
	}
	format = `""`
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return "", nil, false
		}
		format += ", %s, %s"
		args = append(args, ast.Node(kv.Key), ast.Node(kv.Value))
	}
	return format, args, true
}

// setLevel replaces a call of e.Logger.SetLevel by a new logger, if the argument is a constant.
func setLevel(s *site) bool {
	r := s.r
	if !s.ofEcho() {
		return false
	}
	v := r.constant(s.call.Args[0])
	if v == nil || v.Kind() != constant.Int {
		return false
	}
	n, _ := constant.Int64Val(v)
	const off = 5 // the level OFF of github.com/labstack/gommon/log
	levels := []string{"", "LevelDebug", "LevelInfo", "LevelWarn", "LevelError"}
	q := r.pkg("log/slog")
	switch {
	case n == off:
		r.sub(s.call, "%s = %sNew(%sDiscardHandler)", s.x, q, q)
	case n > 0 && n < off:
		r.sub(s.call, "%s = %sNew(%sNewJSONHandler(%sStdout, &%sHandlerOptions{Level: %s"+levels[n]+"}))", s.x, q, q, r.pkg("os"), q, q)
	default:
		return false
	}
	return true
}

// setOutput replaces e.Logger.SetOutput by a new logger, unless the function sets a level too.
func setOutput(s *site) bool {
	r := s.r
	if !s.ofEcho() {
		return false
	}
	level := false
	ast.Inspect(r.function(s.node), func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.p.Info.Uses[id] != nil && r.m.nameOf(r.p.Info.Uses[id]) == "echo.Logger.SetLevel" {
			level = true
		}
		return !level
	})
	if level {
		return false
	}
	q := r.pkg("log/slog")
	if sel, ok := ast.Unparen(s.call.Args[0]).(*ast.SelectorExpr); ok {
		if v, ok := r.p.Info.Uses[sel.Sel].(*types.Var); ok && v.Pkg() != nil && v.Pkg().Path() == "io" && v.Name() == "Discard" {
			r.sub(s.call, "%s = %sNew(%sDiscardHandler)", s.x, q, q)
			return true
		}
	}
	r.sub(s.call, "%s = %sNew(%sNewJSONHandler(%s, nil))", s.x, q, q, s.call.Args[0])
	return true
}

// ofEcho reports whether the site is a statement that calls a method of an Echo's Logger.
func (s *site) ofEcho() bool {
	r := s.r
	sel, ok := ast.Unparen(s.x).(*ast.SelectorExpr)
	if !ok || s.stmt == nil || len(s.call.Args) != 1 || r.function(s.node) == nil {
		return false
	}
	o := r.p.Info.Uses[sel.Sel]
	return o != nil && r.m.nameOf(o) == "echo.Echo.Logger"
}

// noEffect removes a setting that has no effect in web.
func noEffect(s *site) bool {
	r := s.r
	if s.pair != nil {
		lit, ok := r.parent[s.pair].(*ast.CompositeLit)
		if !ok || !r.pure(s.pair.Value) {
			return false
		}
		r.dropElement(lit, s.pair)
		return true
	}
	v := s.assigned()
	if v == nil || !r.pure(v) {
		return false
	}
	stmt := r.parent[s.node].(*ast.AssignStmt)
	if !r.inList(stmt) || stmt.Tok != token.ASSIGN {
		return false
	}
	r.dropLine(stmt)
	return true
}
