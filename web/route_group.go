package web

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
