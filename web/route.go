package web

import (
	"errors"
	"fmt"
	"net/http"
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

// A PathValue is one path parameter of a request.
type PathValue struct {
	Name  string
	Value string
}

// PathValues are the path parameters of a request, in the order of the path.
type PathValues []PathValue

// Get returns the value of a parameter, and whether the route has the parameter.
func (p PathValues) Get(name string) (string, bool) {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value, true
		}
	}
	return "", false
}

// GetOr returns the value of a parameter, or defaultValue if there is no such parameter.
func (p PathValues) GetOr(name string, defaultValue string) string {
	if v, ok := p.Get(name); ok {
		return v
	}
	return defaultValue
}

// Routes is a list of route descriptions.
type Routes []RouteInfo

// Clone returns a deep copy.
func (r Routes) Clone() Routes {
	c := make(Routes, len(r))
	for i := range r {
		c[i] = r[i].Clone()
	}
	return c
}

// The texts of these errors are Echo's.
var (
	errNoRouteForMethodPath = errors.New("route not found by method and path")
	errNoRouteForMethod     = errors.New("route not found by method")
	errNoRouteForPath       = errors.New("route not found by path")
	errNoRouteForName       = errors.New("route not found by name")
)

// Reverse builds the path of the named route; see [RouteInfo.Reverse]. It returns an
// error if there is no such route.
func (r Routes) Reverse(routeName string, pathValues ...any) (string, error) {
	for i := range r {
		if r[i].Name == routeName {
			return r[i].Reverse(pathValues...), nil
		}
	}
	return "", errors.New("route not found")
}

// FindByMethodPath returns the first route with the given method and path, or an error if
// there is none.
func (r Routes) FindByMethodPath(method string, path string) (RouteInfo, error) {
	for i := range r {
		if r[i].Method == method && r[i].Path == path {
			return r[i], nil
		}
	}
	return RouteInfo{}, errNoRouteForMethodPath
}

// FilterByMethod returns the routes with the given method, or an error if there are none.
func (r Routes) FilterByMethod(method string) (Routes, error) {
	return r.filter(func(ri RouteInfo) bool { return ri.Method == method }, errNoRouteForMethod)
}

// FilterByPath returns the routes with the given path, or an error if there are none.
func (r Routes) FilterByPath(path string) (Routes, error) {
	return r.filter(func(ri RouteInfo) bool { return ri.Path == path }, errNoRouteForPath)
}

// FilterByName returns the routes with the given name, or an error if there are none.
func (r Routes) FilterByName(name string) (Routes, error) {
	return r.filter(func(ri RouteInfo) bool { return ri.Name == name }, errNoRouteForName)
}

// filter returns the routes to keep, or the error missing if there are none.
func (r Routes) filter(keep func(RouteInfo) bool, missing error) (Routes, error) {
	var kept Routes
	for _, ri := range r {
		if keep(ri) {
			kept = append(kept, ri)
		}
	}
	if kept == nil {
		return nil, missing
	}
	return kept, nil
}

// ErrRouteDuplicate is the cause inside an [*AddRouteError] if the route is
// already registered.
var ErrRouteDuplicate = errors.New("adding duplicate route (same method+path) is not allowed")

// An AddRouteError reports a route that could not be registered. The methods
// that register a route panic with it, because the mistake is in the program.
type AddRouteError struct {
	Err    error
	Method string
	Path   string
}

func (e *AddRouteError) Error() string {
	return e.Method + " " + e.Path + ": " + e.Err.Error()
}

func (e *AddRouteError) Unwrap() error { return e.Err }

// Add registers a route. A [RouteNotFound] or OPTIONS route without a handler
// gets the router's default handler. The error is an [*AddRouteError]. It wraps
// [ErrRouteDuplicate] if the method already has a route that matches the same
// paths: always for a Strict route, for others unless overwriting is allowed.
func (r *DefaultRouter) Add(added Route) (RouteInfo, error) {
	refuse := func(err error) (RouteInfo, error) {
		return RouteInfo{}, &AddRouteError{Err: err, Method: added.Method, Path: added.Path}
	}
	if added.Handler == nil {
		switch added.Method {
		case RouteNotFound:
			added.Handler = r.config.NotFoundHandler
			if added.auto404 && r.config.GroupMethodNotAllowed {
				added.Handler = r.groupMissing
			}
		case http.MethodOptions:
			added.Handler = r.config.OptionsMethodHandler
		default:
			return refuse(errNilHandler)
		}
	}
	if added.Method == "" {
		return refuse(errNoMethod)
	}
	var buf [8]route.Part // space for the parts on the stack
	parts := route.Parse(buf[:0], added.Path)
	names := route.Names(parts)
	if n := len(names); added.RestName != "" && n > 0 && names[n-1] == "*" {
		names[n-1] = added.RestName
	}
	if added.Strict {
		if err := checkNames(names); err != nil {
			return refuse(err)
		}
	}
	guard := added.auto404 && added.Path != "" && added.Path != "/*" // a guard for "" or "/*" would have no effect, because no pattern is wider
	if old := r.tree.Get(added.Method, parts); old != nil {
		switch {
		case added.auto404 && !old.Value.auto404:
			replaced := *old // keep the user's own route, which guards the prefix against wider routes
			replaced.Guard = guard
			r.tree.Add(&replaced, parts)
			return old.Value.listed(), nil
		case !old.Value.auto404 && (added.Strict || !r.config.AllowOverwritingRoute):
			return refuse(ErrRouteDuplicate)
		}
	}
	ep := endpoint{handler: added.compiled(), info: added.ToRouteInfo(names), auto404: added.auto404, checkFrom: int32(checkFrom(parts))}
	ep.mount = parts[len(parts)-1].Kind == route.Rest && !added.auto404
	if len(added.Middlewares) > 0 {
		ep.middlewareIDs = withMiddlewareIDs(added.middlewareIDs, added.Middlewares, added.Method+" "+added.Path)
		r.hasMiddleware = true
	}
	if ep.bare = !strings.HasPrefix(added.Path, "/"); ep.bare {
		ep.info.Path = "/" + added.Path
	}
	if added.Method == http.MethodGet && (added.Strict || r.config.AutoHandleHEAD) {
		ep.onHead = withoutBody(ep.handler)
	}
	r.tree.Add(&route.Route[endpoint]{
		AnswersHEAD: ep.onHead != nil, Segments: added.Strict, Guard: guard, Value: ep,
	}, parts)
	return ep.listed(), nil
}

// checkNames reports a parameter without a name, a '*' in a name, and a name that appears twice.
func checkNames(names []string) error {
	for i, name := range names {
		switch {
		case name == "":
			return errors.New("a ':' without a parameter name")
		case name != "*" && strings.Contains(name, "*"):
			return fmt.Errorf("parameter %q contains '*'", name)
		case slices.Contains(names[:i], name):
			return fmt.Errorf("parameter %q appears twice", name)
		}
	}
	return nil
}
