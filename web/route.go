package web

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/route"
)

// Methods that net/http does not define, and two special values for a Route's Method.
const (
	// PROPFIND is the WebDAV method (RFC 4918).
	PROPFIND = route.PROPFIND
	// REPORT is the versioning method (RFC 3253).
	REPORT = route.REPORT
	// QUERY is the method of safe, idempotent requests with a body.
	QUERY = route.QUERY
	// RouteNotFound registers a route that runs when no other route under its path
	// matches.
	RouteNotFound = route.NotFound
	// RouteAny registers a route for all methods for which the path has no other route.
	RouteAny = route.Any
)

// The Name of the [RouteInfo] that Context.RouteInfo returns when no route matched.
const (
	NotFoundRouteName         = "echo_route_not_found_name"
	MethodNotAllowedRouteName = "echo_route_method_not_allowed_name"
)

// A Route is a handler with a method and a path, for a [Router] to register.
type Route struct {
	Method      string
	Path        string
	Name        string // "" names the route "METHOD:path"
	Handler     HandlerFunc
	Middlewares []MiddlewareFunc // around Handler, the first outermost

	// Strict gives the route the rules of http.ServeMux: its last parameter ends
	// at the next '/', GET answers HEAD too, parameter names are distinct, and a
	// second route for the same requests is an error.
	Strict bool
	// RestName is the name of the parameter "*"; by default "*".
	RestName string

	auto404       bool
	middlewareIDs []*middlewareID // the IDs of the middlewares that a Group has put at the start of Middlewares
}

// ToRouteInfo describes the route. params are the names of its path's parameters.
func (r Route) ToRouteInfo(params []string) RouteInfo {
	name := r.Name
	if name == "" {
		name = r.Method + ":" + r.Path
	}
	return RouteInfo{Name: name, Method: r.Method, Path: r.Path, Parameters: params}
}

// WithPrefix returns the route with a path prefix, and with the given middleware
// around its own. The receiver is unchanged.
func (r Route) WithPrefix(pathPrefix string, middlewares []MiddlewareFunc) Route {
	r.Path = pathPrefix + r.Path
	r.Middlewares = slices.Concat(middlewares, r.Middlewares)
	return r
}

// compiled returns the handler wrapped in its middleware.
func (r Route) compiled() HandlerFunc {
	return chain(r.Handler, r.Middlewares)
}

// A RouteInfo describes a registered route.
type RouteInfo struct {
	Name       string
	Method     string
	Path       string
	Parameters []string // names, in the order of the path; "*" for the rest of the path
}

// Clone returns a copy that shares no memory with r.
func (r RouteInfo) Clone() RouteInfo {
	r.Parameters = slices.Clone(r.Parameters)
	return r
}

// Reverse returns the route's path with the parameters replaced, in order, by
// the given values. The values are formatted as by fmt and not escaped.
// Parameters without a value are left as they are.
func (r RouteInfo) Reverse(pathValues ...any) string {
	var b strings.Builder
	path := r.Path
	for i := 0; i < len(path); {
		c := path[i]
		switch {
		case c == '\\' && i+1 < len(path) && path[i+1] == ':':
			b.WriteByte(':')
			i += 2
		case (c == ':' || c == '*') && len(pathValues) > 0:
			if c == ':' {
				i += route.ParamLen(path[i:])
			} else {
				i++
			}
			fmt.Fprint(&b, pathValues[0])
			pathValues = pathValues[1:]
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// HandlerName returns the name of h as the runtime knows it.
func HandlerName(h HandlerFunc) string {
	if f := runtime.FuncForPC(reflect.ValueOf(h).Pointer()); f != nil {
		return f.Name()
	}
	return ""
}
