package web

import (
	"slices"
	"strings"
)

// A Group is a set of routes that share a path prefix and middleware.
type Group struct {
	prefix     string
	middleware []MiddlewareFunc
	routeMethods
}

func newGroup(with Group, middleware []MiddlewareFunc) *Group {
	g := &with
	g.routes = g
	g.Use(middleware...)
	return g
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
	return newGroup(Group{prefix: g.prefix + prefix, middleware: g.middleware, routeMethods: g.routeMethods}, middleware)
}

// AddRoute registers a route under the prefix, inside the group's middleware.
func (g *Group) AddRoute(route Route) (RouteInfo, error) {
	return g.echo.AddRoute(route.WithPrefix(g.prefix, g.middleware))
}
