package web

import (
	"slices"
	"strings"
)

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
