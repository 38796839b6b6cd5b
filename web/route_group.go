package web

import (
	"slices"
	"strings"
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
