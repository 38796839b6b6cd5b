package echo4

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// reordered lists signatures of functions with a Context. The Context is the last parameter in Echo
// v4, and the first parameter in web. Every function with such a signature changes, so that all its
// uses still compile. If method is set, only methods with this name change.
var reordered = []struct{ method, params, results, of string }{
	{"", "error, Context", "", "echo.HTTPErrorHandler"},
	{"", "error, Context", "error", "middleware.CSRFErrorHandler, middleware.KeyAuthErrorHandler, middleware.ContextTimeoutConfig.ErrorHandler"},
	{"", "string, string, Context", "bool, error", "middleware.BasicAuthValidator"},
	{"Bind", "any, Context", "error", "echo.Binder, echo.DefaultBinder"},
	{"Render", "io.Writer, string, any, Context", "error", "echo.Renderer, echo.TemplateRenderer"},
}

// extras has the function types that get one more parameter in web. A function changes if it is
// converted to such a type.
var extras = map[string]struct {
	param func(r *rewriter) string // the type of the parameter
	arg   string                   // the argument that is added to calls in the program
	move  bool                     // the Context also becomes the first parameter
}{
	"middleware.KeyAuthValidator": {func(r *rewriter) string { return r.middleware() + "ExtractorSource" }, `""`, true},
	"middleware.BodyDumpHandler":  {func(r *rewriter) string { return "error" }, "nil", false},
}

func (r *rewriter) extraFor(t types.Type) string {
	if t == nil {
		return ""
	}
	name := r.m.typeName(t)
	if _, ok := extras[name]; ok {
		return name
	}
	return ""
}

// shape describes a tuple in the notation of reordered, such as "error, Context".
func (m *program) shape(t *types.Tuple) string {
	var list []string
	for v := range t.Variables() {
		switch {
		case m.is(v.Type(), "echo.Context"):
			list = append(list, "Context")
		default:
			s := types.TypeString(v.Type(), nil)
			if s == "interface{}" {
				s = "any"
			}
			list = append(list, s)
		}
	}
	return strings.Join(list, ", ")
}

// moves reports whether the Context becomes the first parameter of a signature.
func (m *program) moves(sig *types.Signature, method string) bool {
	if sig == nil || sig.Variadic() || sig.TypeParams().Len() > 0 {
		return false
	}
	params, results := "", ""
	for _, x := range reordered {
		if x.method != "" && x.method != method {
			continue
		}
		if params == "" {
			params, results = m.shape(sig.Params()), m.shape(sig.Results())
		}
		if x.params == params && x.results == results {
			return true
		}
	}
	return false
}

// funcType rewrites the parameters of a function, a method of an interface or a function type.
func (r *rewriter) funcType(t *ast.FuncType) {
	var sig *types.Signature
	method, extra := "", ""
	object := func(id *ast.Ident) {
		if f, ok := r.p.Info.Defs[id].(*types.Func); ok {
			sig, method, extra = f.Signature(), f.Name(), r.m.adapted[f.FullName()]
		}
	}
	switch p := r.parent[t].(type) {
	case *ast.FuncDecl:
		object(p.Name)
		if p.Recv == nil {
			method = ""
		}
	case *ast.FuncLit:
		sig, _ = r.typeOf(p).(*types.Signature)
		extra = r.extraFor(r.target(p))
	case *ast.Field:
		if len(p.Names) == 1 {
			object(p.Names[0])
		}
	}
	if sig == nil {
		if sig, _ = r.typeOf(t).(*types.Signature); sig == nil {
			return
		}
	}
	fields := slices.Clone(t.Params.List)
	if len(fields) == 0 {
		return
	}
	move := r.m.moves(sig, method)
	x, more := extras[extra]
	if !move && !more {
		return
	}
	if move || more && x.move {
		i := slices.IndexFunc(fields, func(f *ast.Field) bool { return r.m.is(r.typeOf(f.Type), "echo.Context") })
		if i > 0 {
			c := fields[i]
			fields = slices.Insert(slices.Delete(fields, i, i+1), 0, c)
		}
	}
	format, args := nodes(fields)
	if more {
		if len(fields[0].Names) > 0 {
			format += ", _ %s"
		} else {
			format += ", %s"
		}
		args = append(args, x.param(r))
	}
	r.subRange(r.offset(t.Params.List[0].Pos()), r.offset(t.Params.List[len(fields)-1].End()), format, args...)
}

// nodes returns a format for a list of nodes, and the arguments of the format.
func nodes[N ast.Node](list []N) (format string, args []any) {
	for i, n := range list {
		if i > 0 {
			format += ", "
		}
		format += "%s"
		args = append(args, ast.Node(n))
	}
	return format, args
}

// reorderCall moves the Context to the first argument of a call.
func (r *rewriter) reorderCall(call *ast.CallExpr) {
	tv := r.p.Info.Types[call.Fun]
	if tv.Type == nil || tv.IsType() || len(call.Args) == 0 {
		return
	}
	sig, ok := tv.Type.Underlying().(*types.Signature)
	if !ok {
		return
	}
	method, extra := "", ""
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	}
	if id != nil {
		if f, ok := r.p.Info.Uses[id].(*types.Func); ok {
			extra = r.m.adapted[f.FullName()]
			if f.Signature().Recv() != nil {
				method = f.Name()
			}
		}
	}
	if extra == "" {
		extra = r.extraFor(tv.Type)
	}
	x, more := extras[extra]
	move := r.m.moves(sig, method) || more && x.move
	if !move && !more {
		return
	}
	if len(call.Args) != sig.Params().Len() {
		r.list(call, types.TypeString(tv.Type, types.RelativeTo(r.p.Types)), "the parameters have another order in Hone: pass each argument separately")
		return
	}
	args := slices.Clone(call.Args)
	if move {
		i := sig.Params().Len() - 1
		c := args[i]
		args = slices.Insert(slices.Delete(args, i, i+1), 0, c)
	}
	format, list := nodes(args)
	if more {
		format += ", " + x.arg
	}
	r.subRange(r.offset(call.Args[0].Pos()), r.offset(call.Args[len(call.Args)-1].End()), format, list...)
}
