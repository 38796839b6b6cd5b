package web

import (
	"net/http"
	"slices"
	"strings"
)

// A Group is a set of routes that share a path prefix and middleware.
type Group struct {
	prefix     string
	middleware []MiddlewareFunc
	echo       *Echo
}

// Use adds middleware around the routes that the group registers from here on.
//
// It also runs for paths under the prefix that have no route, or none for the
// method, so that an authorizing middleware does not tell those apart for
// strangers (see [Config.NoGroupAutoRegister404Routes]).
func (g *Group) Use(middleware ...MiddlewareFunc) {
	if len(middleware) == 0 && len(g.middleware) == 0 {
		return
	}
	g.middleware = append(slices.Clip(g.middleware), middleware...)
	if !g.echo.group404 {
		return
	}
	for _, path := range []string{g.prefix, strings.TrimSuffix(g.prefix, "/") + "/*"} {
		must(g.echo.AddRoute(Route{
			Method:      RouteNotFound,
			Path:        path,
			Handler:     groupFallback,
			Middlewares: g.middleware,
			auto404:     true,
		}))
	}
}

// Group returns a group below this one.
func (g *Group) Group(prefix string, middleware ...MiddlewareFunc) (sg *Group) {
	sg = &Group{prefix: g.prefix + prefix, middleware: g.middleware, echo: g.echo}
	sg.Use(middleware...)
	return sg
}

// AddRoute registers a route under the prefix, inside the group's middleware.
func (g *Group) AddRoute(route Route) (RouteInfo, error) {
	return g.echo.AddRoute(route.WithPrefix(g.prefix, g.middleware))
}

// Add registers a route; see [Echo.Add].
func (g *Group) Add(method, path string, handler HandlerFunc, middleware ...MiddlewareFunc) RouteInfo {
	return must(g.AddRoute(Route{Method: method, Path: path, Handler: handler, Middlewares: middleware}))
}

// Match registers a route for each of the methods; see [Echo.Match].
func (g *Group) Match(methods []string, path string, handler HandlerFunc, middleware ...MiddlewareFunc) Routes {
	return match(g, methods, path, handler, middleware)
}

// GET registers a route for the method; see [Echo.Add].
func (g *Group) GET(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(http.MethodGet, path, h, m...)
}

// POST registers a route for the method; see [Echo.Add].
func (g *Group) POST(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(http.MethodPost, path, h, m...)
}

// PUT registers a route for the method; see [Echo.Add].
func (g *Group) PUT(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(http.MethodPut, path, h, m...)
}

// PATCH registers a route for the method; see [Echo.Add].
func (g *Group) PATCH(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(http.MethodPatch, path, h, m...)
}

// DELETE registers a route for the method; see [Echo.Add].
func (g *Group) DELETE(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(http.MethodDelete, path, h, m...)
}

// HEAD registers a route for the method; see [Echo.Add].
func (g *Group) HEAD(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(http.MethodHead, path, h, m...)
}

// OPTIONS registers a route for the method; see [Echo.Add].
func (g *Group) OPTIONS(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(http.MethodOptions, path, h, m...)
}

// CONNECT registers a route for the method; see [Echo.Add].
func (g *Group) CONNECT(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(http.MethodConnect, path, h, m...)
}

// TRACE registers a route for the method; see [Echo.Add].
func (g *Group) TRACE(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(http.MethodTrace, path, h, m...)
}

// QUERY registers a route for the method; see [Echo.Add].
func (g *Group) QUERY(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(QUERY, path, h, m...)
}

// Any registers a route for all methods that have none of their own.
func (g *Group) Any(path string, handler HandlerFunc, middleware ...MiddlewareFunc) RouteInfo {
	return g.Add(RouteAny, path, handler, middleware...)
}

// RouteNotFound registers the handler for paths that match the pattern and that
// no other route takes.
func (g *Group) RouteNotFound(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return g.Add(RouteNotFound, path, h, m...)
}
