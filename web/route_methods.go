package web

import "net/http"

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
