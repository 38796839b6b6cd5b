package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/http/routed"
)

// A Group is a set of routes that share a path prefix and middleware.
type Group struct {
	prefix        string
	middleware    []MiddlewareFunc
	middlewareIDs []*middlewareID // one for each middleware
	routeMethods
}

func newGroup(with Group, middleware []MiddlewareFunc) *Group {
	g := &with
	g.routes = g
	g.Use(middleware...)
	return g
}

// Group returns a group below g. Its prefix is the prefix of g followed by the argument prefix.
func (g *Group) Group(prefix string, middleware ...MiddlewareFunc) (sg *Group) {
	return newGroup(Group{prefix: g.prefix + prefix, middleware: g.middleware, middlewareIDs: g.middlewareIDs, routeMethods: g.routeMethods}, middleware)
}

// AddRoute registers a route under the prefix, inside the group's middleware.
func (g *Group) AddRoute(route Route) (RouteInfo, error) {
	route = route.WithPrefix(g.prefix, g.middleware)
	route.middlewareIDs = g.middlewareIDs
	return g.echo.AddRoute(route)
}

// groupMissing answers requests below a group's prefix without a route, if
// [RouterConfig.GroupMethodNotAllowed] is set. It runs inside the group's middleware.
func (r *DefaultRouter) groupMissing(c *Context) error {
	if c.Get(ContextKeyHeaderAllow) == nil {
		return r.config.NotFoundHandler(c)
	}
	return r.otherMethods(c)(c)
}

// Use adds middleware around the routes that the group registers later.
//
// The middleware also runs for other paths at and under the prefix: paths without a route, paths
// without a route for the method, and paths that only a route with a wider pattern matches. So
// middleware that authorizes requests guards every path under the prefix, and a refusal does not
// reveal whether the path has a route (see [Config.NoGroupAutoRegister404Routes]).
func (g *Group) Use(middleware ...MiddlewareFunc) {
	if len(middleware) == 0 && len(g.middleware) == 0 {
		return
	}
	g.middleware = append(slices.Clip(g.middleware), middleware...)
	g.middlewareIDs = withMiddlewareIDs(g.middlewareIDs, g.middleware, g.prefix)
	if !g.echo.group404 {
		return
	}
	prefix := strings.TrimRight(g.prefix, "/") // "/admin/" guards "/admin" too
	for _, path := range []string{prefix, prefix + "/*"} {
		must(g.echo.AddRoute(Route{
			Method:        RouteNotFound,
			Path:          path,
			Middlewares:   g.middleware,
			auto404:       true,
			middlewareIDs: g.middlewareIDs,
		}))
	}
}

// A Registrar registers routes. An [*Echo] and a [*Group] are Registrars.
type Registrar interface {
	AddRoute(route Route) (RouteInfo, error)
}

// routeMethods are the methods that register a route in one call. An Echo and a
// Group have them.
type routeMethods struct {
	routes Registrar
	echo   *Echo
}

// Add registers a route. It panics with an [*AddRouteError] if the pattern is
// invalid or the route is already registered.
func (r *routeMethods) Add(method, path string, handler HandlerFunc, middleware ...MiddlewareFunc) RouteInfo {
	return must(r.routes.AddRoute(Route{Method: method, Path: path, Handler: handler, Middlewares: middleware}))
}

// Match registers a route for each of the methods. If some routes cannot be
// registered, it registers the others and panics with a []error.
func (r *routeMethods) Match(methods []string, path string, handler HandlerFunc, middleware ...MiddlewareFunc) Routes {
	var added Routes
	var errs []error
	for _, m := range methods {
		ri, err := r.routes.AddRoute(Route{Method: m, Path: path, Handler: handler, Middlewares: middleware})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		added = append(added, ri)
	}
	if errs != nil {
		panic(errs)
	}
	return added
}

// GET registers a route for the method; see [Echo.Add].
func (r *routeMethods) GET(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(http.MethodGet, path, h, m...)
}

// POST registers a route for the method; see [Echo.Add].
func (r *routeMethods) POST(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(http.MethodPost, path, h, m...)
}

// PUT registers a route for the method; see [Echo.Add].
func (r *routeMethods) PUT(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(http.MethodPut, path, h, m...)
}

// PATCH registers a route for the method; see [Echo.Add].
func (r *routeMethods) PATCH(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(http.MethodPatch, path, h, m...)
}

// DELETE registers a route for the method; see [Echo.Add].
func (r *routeMethods) DELETE(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(http.MethodDelete, path, h, m...)
}

// HEAD registers a route for the method; see [Echo.Add].
func (r *routeMethods) HEAD(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(http.MethodHead, path, h, m...)
}

// OPTIONS registers a route for the method; see [Echo.Add].
func (r *routeMethods) OPTIONS(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(http.MethodOptions, path, h, m...)
}

// CONNECT registers a route for the method; see [Echo.Add].
func (r *routeMethods) CONNECT(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(http.MethodConnect, path, h, m...)
}

// TRACE registers a route for the method; see [Echo.Add].
func (r *routeMethods) TRACE(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(http.MethodTrace, path, h, m...)
}

// QUERY registers a route for the method; see [Echo.Add].
func (r *routeMethods) QUERY(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(QUERY, path, h, m...)
}

// Any registers a route for all methods for which the path has no other route.
func (r *routeMethods) Any(path string, handler HandlerFunc, middleware ...MiddlewareFunc) RouteInfo {
	return r.Add(RouteAny, path, handler, middleware...)
}

// RouteNotFound registers the handler for paths that match the pattern and no
// other route.
func (r *routeMethods) RouteNotFound(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return r.Add(RouteNotFound, path, h, m...)
}

func must(ri RouteInfo, err error) RouteInfo {
	if err != nil {
		panic(err)
	}
	return ri
}

// AddHandler registers a handler under a pattern of net/http, split into a method and a path: "GET" and
// "/v1/hosts/{host}". The route is Strict (see [Route]). Package api registers its typed handlers by this method, so an
// Echo or a Group is an api.Router. The error is an [*AddRouteError]. The prefix of a Group is a pattern in Echo's
// syntax even though the path is a pattern of net/http.
//
// If the handler has a method
//
//	ServeRoute(w http.ResponseWriter, r *http.Request, path interface{ PathValue(name string) string }) error
//
// then AddHandler's route calls it, and its error passes through the middleware to
// the [HTTPErrorHandler]. path returns the decoded path values and has the methods
// of [RouteContext]. Any other handler gets path values from Request.PathValue, as
// under http.ServeMux, which costs an allocation.
func (r *routeMethods) AddHandler(method, path string, h http.Handler) error {
	refuse := func(err error) error { return &AddRouteError{Err: err, Method: method, Path: path} }
	if h == nil {
		return refuse(errNilHandler)
	}
	parts, err := route.ParseHTTP(path)
	if err != nil {
		return refuse(err)
	}
	added := Route{Method: method, Strict: true, Handler: serveHTTP(h)}
	var pattern strings.Builder // in Echo's syntax
	for _, p := range parts {
		switch p.Kind {
		case route.Literal:
			if strings.ContainsAny(p.Text, `*\`) {
				return refuse(fmt.Errorf("package web does not support %q in a pattern", p.Text))
			}
			pattern.WriteString(strings.ReplaceAll(p.Text, ":", `\:`))
		case route.Param:
			pattern.WriteString(":" + p.Text)
		case route.Rest:
			pattern.WriteByte('*')
			added.RestName = p.Text
		}
	}
	added.Path = pattern.String()
	_, err = r.routes.AddRoute(added)
	return err
}

// serveHTTP makes a HandlerFunc from a handler passed to AddHandler.
func serveHTTP(h http.Handler) HandlerFunc {
	if h, ok := h.(routed.Handler); ok {
		return func(c *Context) error { return h.ServeRoute(c.response, c.request, (*RouteContext)(c)) }
	}
	return func(c *Context) error {
		for _, v := range c.pathValues {
			c.request.SetPathValue(v.Name, (*RouteContext)(c).PathValue(v.Name))
		}
		h.ServeHTTP(c.response, c.request)
		return nil
	}
}

// A RouteContext is the part of a Context that a handler of [Echo.AddHandler] may
// use. It is valid until the handler returns.
type RouteContext Context

var _ routed.Request = (*RouteContext)(nil)

// PathValue returns a path parameter, decoded, or "".
func (p *RouteContext) PathValue(name string) string {
	v, _ := p.Get(name)
	return v
}

// Get is like PathValue and also reports whether the route has the parameter.
func (p *RouteContext) Get(name string) (value string, ok bool) {
	value, ok = (*Context)(p).live().pathValues.Get(name)
	if ok && p.rawPath {
		if d, err := url.PathUnescape(value); err == nil {
			value = d
		}
	}
	return value, ok
}

// BodyLimit returns the limit set by [Context.SetBodyLimit].
func (p *RouteContext) BodyLimit() int64 { return (*Context)(p).live().bodyLimit }

// FormMemory returns the number of bytes of a multipart form's files kept in memory.
func (p *RouteContext) FormMemory() int64 { return (*Context)(p).live().echo.formMemory }

// Stored returns the value that [Context.Set] stored under a key, or nil.
func (p *RouteContext) Stored(key string) any { return (*Context)(p).live().Get(key) }

// Logger returns the request's logger.
func (p *RouteContext) Logger() *slog.Logger { return (*Context)(p).Logger() }
