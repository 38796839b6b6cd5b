package echo4

import (
	"go/ast"
	"go/token"
	"go/types"
)

// inOnePackage reports whether only this package starts and stops servers of the program, so that
// functions of the package can store them.
func (s *site) inOnePackage() bool {
	me := s.r.p.Types.Path()
	for p := range s.r.m.servers {
		if p != me {
			return false
		}
	}
	for p := range s.r.m.starts {
		if p != me {
			return false
		}
	}
	return true
}

// start leaves e.Start unchanged if the program does not stop the server: e.Start then serves until
// the process is interrupted.
func start(s *site) bool {
	r := s.r
	if len(r.m.servers) == 0 {
		return true
	}
	if !s.inOnePackage() {
		return true // unchanged: a listed place already tells the user about the call that stops the server
	}
	if s.call == nil {
		return false
	}
	s.toFunc(r.help("startEcho"))
	return true
}

func startTLS(s *site) bool {
	r := s.r
	if s.call == nil || len(s.call.Args) != 3 {
		return false
	}
	if len(r.m.servers) == 0 {
		r.sub(s.call, "%sStartConfig{Address: %s}.StartTLS(%sBackground(), %s, %s, %s)",
			r.echo(), s.call.Args[0], r.pkg("context"), s.x, s.call.Args[1], s.call.Args[2])
		return true
	}
	for _, a := range s.call.Args[1:] {
		if t := r.typeOf(a); !s.inOnePackage() || t == nil || !types.Identical(types.Default(t), types.Typ[types.String]) {
			return false
		}
	}
	s.toFunc(r.help("startEchoTLS"))
	return true
}

func onServer(name string) func(*site) bool {
	return func(s *site) bool {
		if s.call == nil {
			return false
		}
		s.toFunc(s.r.help(name))
		return true
	}
}

// serverMethod turns e.Shutdown and e.Close into methods of the http.Server.
func serverMethod(s *site) bool {
	if s.x == nil || !s.inOnePackage() {
		return false
	}
	s.r.sub(s.x, "%s(%s)", s.r.help("echoServer"), s.x)
	return true
}

func serverField(s *site) bool {
	if s.x == nil || s.lvalue() || !s.inOnePackage() {
		return false
	}
	s.r.sub(s.node, "%s(%s)", s.r.help("echoServer"), s.x)
	return true
}

// routeType turns *echo.Route into web.RouteInfo.
func routeType(s *site) bool {
	star, ok := s.r.parent[s.node].(*ast.StarExpr)
	if !ok {
		return false
	}
	s.r.sub(star, "%sRouteInfo", s.r.echo())
	return true
}

func routerType(s *site) bool {
	star, ok := s.r.parent[s.node].(*ast.StarExpr)
	if !ok {
		return false
	}
	s.r.sub(star, "%s", s.node)
	return true
}

func newRouter(s *site) bool {
	if s.call == nil || len(s.call.Args) != 1 || !s.r.pure(s.call.Args[0]) {
		return false
	}
	s.r.sub(s.call.Args[0], "%sRouterConfig{}", s.r.echo())
	return true
}

func routes(s *site) bool {
	if s.call == nil {
		return false
	}
	s.r.sub(s.call, "%s.Router().Routes()", s.x)
	return true
}

// verbs are the methods that register a route.
var verbs = map[string]string{
	"CONNECT": "MethodConnect", "DELETE": "MethodDelete", "GET": "MethodGet", "HEAD": "MethodHead", "OPTIONS": "MethodOptions",
	"PATCH": "MethodPatch", "POST": "MethodPost", "PUT": "MethodPut", "TRACE": "MethodTrace", "Add": "",
}

// routeName turns e.GET(path, handler).Name = name into a call of AddRoute.
func routeName(s *site) bool {
	r := s.r
	if !s.lvalue() {
		return true
	}
	name := s.assigned()
	call, ok := ast.Unparen(s.x).(*ast.CallExpr)
	if name == nil || !ok || call.Ellipsis.IsValid() {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	stmt := r.parent[s.node].(*ast.AssignStmt)
	method, known := verbs[sel.Sel.Name]
	if !known || !r.inList(stmt) || stmt.Tok != token.ASSIGN {
		return false
	}
	args := call.Args
	var format string
	list := []any{sel.X, r.echo()}
	if method == "" {
		format, list = "Method: %s", append(list, args[0])
		args = args[1:]
	} else {
		format, list = "Method: %s%s", append(list, r.pkg("net/http"), method)
	}
	format += ", Path: %s, Name: %s, Handler: %s"
	list = append(list, args[0], name, args[1])
	if more := args[2:]; len(more) > 0 {
		f, nodes := nodes(more)
		format += ", Middlewares: []%sMiddlewareFunc{" + f + "}"
		list = append(append(list, r.echo()), nodes...)
	}
	r.sub(stmt, "if _, err := %s.AddRoute(%sRoute{"+format+"}); err != nil {\n\tpanic(err)\n}", list...)
	return true
}

func httpMethod(name string) func(*site) bool {
	return func(s *site) bool {
		s.r.sub(s.node, "%s%s", s.r.pkg("net/http"), name)
		return true
	}
}
