package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
)

// Methods and special methods beside those of net/http.
const (
	// PROPFIND is the WebDAV method (RFC 4918).
	PROPFIND = "PROPFIND"
	// REPORT is the versioning method (RFC 3253).
	REPORT = "REPORT"
	// QUERY is a safe, idempotent request with a body.
	QUERY = "QUERY"
	// RouteNotFound registers a route that runs when nothing else under its
	// path matches.
	RouteNotFound = "echo_route_not_found"
	// RouteAny registers a route for every method that has none of its own on
	// the same path.
	RouteAny = "echo_route_any"
)

// Names of the [RouteInfo] that a Context carries when no route matched.
const (
	NotFoundRouteName         = "echo_route_not_found_name"
	MethodNotAllowedRouteName = "echo_route_method_not_allowed_name"
)

// A Route is what a [Router] registers: a handler under a method and a path.
type Route struct {
	Method      string
	Path        string
	Name        string // "" names the route "METHOD:path"
	Handler     HandlerFunc
	Middlewares []MiddlewareFunc // around Handler, the first outermost

	auto404  bool
	typed    *Typed // of a typed handler: its last parameter ends at a '/', and GET answers HEAD too
	restName string // what to call the "*" parameter
}

// ToRouteInfo describes the route, whose path has the given parameters.
func (r Route) ToRouteInfo(params []string) RouteInfo {
	name := r.Name
	if name == "" {
		name = r.Method + ":" + r.Path
	}
	return RouteInfo{Name: name, Method: r.Method, Path: r.Path, Parameters: params, typed: r.typed}
}

// WithPrefix returns the route under a path prefix, with the given middleware
// outside its own. The receiver is left as it was.
func (r Route) WithPrefix(pathPrefix string, middlewares []MiddlewareFunc) Route {
	r.Path = pathPrefix + r.Path
	r.Middlewares = slices.Concat(middlewares, r.Middlewares)
	return r
}

// compiled wraps the handler in its middleware, once.
func (r Route) compiled() HandlerFunc {
	return chain(r.Handler, r.Middlewares)
}

func chain(h HandlerFunc, middleware []MiddlewareFunc) HandlerFunc {
	for _, m := range slices.Backward(middleware) {
		h = m(h)
	}
	return h
}

// A RouteInfo describes a registered route.
type RouteInfo struct {
	Name       string
	Method     string
	Path       string
	Parameters []string // names, in the order of the path; "*" for the rest

	typed *Typed
}

// Typed is what a typed handler reads and writes; see [Handle].
type Typed struct {
	In        reflect.Type
	Out       reflect.Type // nil for a stream of events
	Operation Operation
	// TakesWire and SendsWire are set if the body and the answer may be in the
	// format of package wire, beside JSON.
	TakesWire, SendsWire bool
	// TakesElements and SendsElements are the types of what there are [Elements]
	// of, in the body and in the answer; nil if they are something else.
	TakesElements, SendsElements reflect.Type
	// TakesBytes is set if the body is an io.Reader, of any of BytesTypes or, if
	// there are none, of any media type.
	TakesBytes bool
	BytesTypes []string
	// Events is set if the answer is a stream of server-sent events.
	Events bool
}

// Typed returns what the route's handler reads and writes, and false if that is
// not a typed one.
func (r RouteInfo) Typed() (Typed, bool) {
	if r.typed == nil {
		return Typed{}, false
	}
	return *r.typed, true
}

// Clone returns a copy that shares nothing with r.
func (r RouteInfo) Clone() RouteInfo {
	r.Parameters = slices.Clone(r.Parameters)
	return r
}

// Reverse returns the route's path with the parameters replaced, in order, by
// the given values, printed as by fmt and left unescaped. Parameters beyond the
// values stay as they are.
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
			for i++; c == ':' && i < len(path) && path[i] != '/'; i++ {
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

var errRouteNotFound = errors.New("route not found")

// Reverse builds the path of the named route; see [RouteInfo.Reverse].
func (r Routes) Reverse(routeName string, pathValues ...any) (string, error) {
	for i := range r {
		if r[i].Name == routeName {
			return r[i].Reverse(pathValues...), nil
		}
	}
	return "", errRouteNotFound
}

// FindByMethodPath returns the route registered for a method and a path.
func (r Routes) FindByMethodPath(method string, path string) (RouteInfo, error) {
	for i := range r {
		if r[i].Method == method && r[i].Path == path {
			return r[i], nil
		}
	}
	return RouteInfo{}, errRouteNotFound
}

// FilterByMethod returns the routes of a method.
func (r Routes) FilterByMethod(method string) (Routes, error) {
	return r.filter(func(ri RouteInfo) bool { return ri.Method == method })
}

// FilterByPath returns the routes of a path.
func (r Routes) FilterByPath(path string) (Routes, error) {
	return r.filter(func(ri RouteInfo) bool { return ri.Path == path })
}

// FilterByName returns the routes of a name.
func (r Routes) FilterByName(name string) (Routes, error) {
	return r.filter(func(ri RouteInfo) bool { return ri.Name == name })
}

func (r Routes) filter(keep func(RouteInfo) bool) (Routes, error) {
	var kept Routes
	for _, ri := range r {
		if keep(ri) {
			kept = append(kept, ri)
		}
	}
	if kept == nil {
		return nil, errRouteNotFound
	}
	return kept, nil
}

// An AddRouteError reports a route that could not be registered. The methods
// that register a route panic with it: such a mistake belongs to set-up.
type AddRouteError struct {
	Err    error
	Method string
	Path   string
}

func (e *AddRouteError) Error() string {
	return "web: adding route " + e.Method + " " + e.Path + ": " + e.Err.Error()
}

func (e *AddRouteError) Unwrap() error { return e.Err }

// A PathValue is one path parameter of a request.
type PathValue struct {
	Name  string
	Value string
}

// PathValues are the path parameters of a request, in the order of the path.
type PathValues []PathValue

// Get returns the value of a parameter and whether the route has it.
func (p PathValues) Get(name string) (string, bool) {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value, true
		}
	}
	return "", false
}

// GetOr returns the value of a parameter, or defaultValue without one.
func (p PathValues) GetOr(name string, defaultValue string) string {
	if v, ok := p.Get(name); ok {
		return v
	}
	return defaultValue
}

// HandlerName returns the name of h as the runtime knows it.
func HandlerName(h HandlerFunc) string {
	if f := runtime.FuncForPC(reflect.ValueOf(h).Pointer()); f != nil {
		return f.Name()
	}
	return ""
}

// requestPath is the path that routes are matched against: as the client sent
// it if decoding it would lose something (an escaped slash), else decoded.
func requestPath(u *url.URL) (path string, raw bool) {
	if u.RawPath != "" {
		return u.RawPath, true
	}
	if u.Path == "" {
		return "/", false
	}
	return u.Path, false
}

// WrapHandler makes a HandlerFunc of an http.Handler. Path parameters are set
// on the request, so that Request.PathValue finds them.
func WrapHandler(h http.Handler) HandlerFunc {
	return func(c *Context) error {
		setPathValues(c)
		h.ServeHTTP(c.Response(), c.Request())
		return nil
	}
}

// setPathValues tells the request about the route, for what knows net/http only.
func setPathValues(c *Context) {
	r := c.Request()
	r.Pattern = c.Path()
	for _, v := range c.PathValues() {
		r.SetPathValue(v.Name, v.Value)
	}
}

// WrapMiddleware makes a MiddlewareFunc of net/http middleware. The request and
// response that it passes on are those that the rest of the chain sees.
//
// It may run the rest of the chain in another goroutine and return before that
// has, as http.TimeoutHandler does. The Context is then not reused.
func WrapMiddleware(m func(http.Handler) http.Handler) MiddlewareFunc {
	return func(next HandlerFunc) HandlerFunc {
		return func(c *Context) error {
			outer := c.Response()
			setPathValues(c)
			run := &wrappedRun{}
			m(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !run.state.CompareAndSwap(runIdle, runActive) {
					return // the middleware has returned, and c is no longer ours
				}
				c.SetRequest(r)
				if _, err := UnwrapResponse(w); err != nil {
					w = NewResponse(w, c.echo.Logger)
				}
				c.SetResponse(w)
				run.err = next(c)
				run.state.Store(runIdle)
			})).ServeHTTP(outer, c.Request())
			if !run.state.CompareAndSwap(runIdle, runClosed) {
				c.abandoned = true
				return nil
			}
			c.SetResponse(outer)
			return run.err
		}
	}
}

// A wrappedRun is what the two sides of a net/http middleware share.
type wrappedRun struct {
	state atomic.Int32
	err   error // of the last run that came to its end
}

const (
	runIdle   = iota // the rest of the chain is not running
	runActive        // it is
	runClosed        // the middleware has returned: it must not run any more
)
