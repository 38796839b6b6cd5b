package web

import "net/http"

// A Registrar takes routes: an [*Echo] or a [*Group].
type Registrar interface {
	AddRoute(route Route) (RouteInfo, error)
}

// AddRoute registers a route. The error is an [*AddRouteError], or the one that
// OnAddRoute refused it with.
func (e *Echo) AddRoute(route Route) (RouteInfo, error) {
	if e.OnAddRoute != nil {
		if err := e.OnAddRoute(route); err != nil {
			return RouteInfo{}, err
		}
	}
	return e.router.Add(route)
}

// Add registers a route. It panics with an [*AddRouteError] if the pattern is
// bad or the route is there already.
func (e *Echo) Add(method, path string, handler HandlerFunc, middleware ...MiddlewareFunc) RouteInfo {
	return must(e.AddRoute(Route{Method: method, Path: path, Handler: handler, Middlewares: middleware}))
}

func must(ri RouteInfo, err error) RouteInfo {
	if err != nil {
		panic(err)
	}
	return ri
}

// Match registers a route for each of the methods. It panics with a []error if
// it cannot, once it has registered those that it can.
func (e *Echo) Match(methods []string, path string, handler HandlerFunc, middleware ...MiddlewareFunc) Routes {
	return match(e, methods, path, handler, middleware)
}

func match(r Registrar, methods []string, path string, handler HandlerFunc, middleware []MiddlewareFunc) Routes {
	var routes Routes
	var errs []error
	for _, m := range methods {
		ri, err := r.AddRoute(Route{Method: m, Path: path, Handler: handler, Middlewares: middleware})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		routes = append(routes, ri)
	}
	if errs != nil {
		panic(errs)
	}
	return routes
}

// GET registers a route for the method; see [Echo.Add].
func (e *Echo) GET(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(http.MethodGet, path, h, m...)
}

// POST registers a route for the method; see [Echo.Add].
func (e *Echo) POST(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(http.MethodPost, path, h, m...)
}

// PUT registers a route for the method; see [Echo.Add].
func (e *Echo) PUT(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(http.MethodPut, path, h, m...)
}

// PATCH registers a route for the method; see [Echo.Add].
func (e *Echo) PATCH(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(http.MethodPatch, path, h, m...)
}

// DELETE registers a route for the method; see [Echo.Add].
func (e *Echo) DELETE(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(http.MethodDelete, path, h, m...)
}

// HEAD registers a route for the method; see [Echo.Add].
func (e *Echo) HEAD(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(http.MethodHead, path, h, m...)
}

// OPTIONS registers a route for the method; see [Echo.Add].
func (e *Echo) OPTIONS(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(http.MethodOptions, path, h, m...)
}

// CONNECT registers a route for the method; see [Echo.Add].
func (e *Echo) CONNECT(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(http.MethodConnect, path, h, m...)
}

// TRACE registers a route for the method; see [Echo.Add].
func (e *Echo) TRACE(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(http.MethodTrace, path, h, m...)
}

// QUERY registers a route for the method; see [Echo.Add].
func (e *Echo) QUERY(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(QUERY, path, h, m...)
}

// Any registers a route for all methods that have none of their own.
func (e *Echo) Any(path string, handler HandlerFunc, middleware ...MiddlewareFunc) RouteInfo {
	return e.Add(RouteAny, path, handler, middleware...)
}

// RouteNotFound registers the handler for paths that match the pattern and that
// no other route takes.
func (e *Echo) RouteNotFound(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo {
	return e.Add(RouteNotFound, path, h, m...)
}

// Group returns a set of routes under a path prefix, with middleware around
// them.
func (e *Echo) Group(prefix string, m ...MiddlewareFunc) (g *Group) {
	g = &Group{prefix: prefix, echo: e}
	g.Use(m...)
	return g
}
