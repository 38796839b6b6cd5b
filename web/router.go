package web

import (
	"net/http"
	"net/url"
	"slices"
)

// ContextKeyHeaderAllow is the [Context.Get] key of the Allow list (a string)
// of a request whose path has routes, but none for its method.
const ContextKeyHeaderAllow = "echo_header_allow"

// A Router maps requests to handlers.
type Router interface {
	// Add registers a route and returns its description.
	Add(routable Route) (RouteInfo, error)
	// Remove takes a route out again; it may be left unimplemented.
	Remove(method string, path string) error
	// Routes describes all registered routes.
	Routes() Routes
	// Route finds the handler of a request, and tells the Context about the
	// route by [Context.InitializeRoute]. It never returns nil: where nothing
	// matches, it returns the handler that answers so.
	Route(c *Context) HandlerFunc
}

// A RouterConfig configures a [DefaultRouter]. The zero value is the default.
type RouterConfig struct {
	// NotFoundHandler answers a path without a route; by default it returns
	// [ErrNotFound].
	NotFoundHandler HandlerFunc
	// MethodNotAllowedHandler answers a path without a route for the method;
	// by default it sets the Allow header and returns [ErrMethodNotAllowed].
	MethodNotAllowedHandler HandlerFunc
	// OptionsMethodHandler answers an OPTIONS request to a path that has other
	// routes; by default with 204 and the Allow header.
	OptionsMethodHandler HandlerFunc
	// AllowOverwritingRoute lets a later route replace an earlier one of the
	// same method and path, which is otherwise an error.
	AllowOverwritingRoute bool
	// UnescapePathParamValues decodes path parameters of requests that are
	// matched by their escaped path; others arrive decoded.
	UnescapePathParamValues bool
	// UseEscapedPathForMatching matches the path as the client escaped it,
	// always. By default only a path with an escaped slash, or with other
	// bytes that decoding could confuse, is matched as it was sent.
	UseEscapedPathForMatching bool
	// AutoHandleHEAD lets a HEAD request run the GET route, whose body
	// net/http then leaves out.
	AutoHandleHEAD bool
}

// A DefaultRouter keeps routes in a radix tree. A literal beats a parameter
// and a parameter beats "*", position by position from the left; a branch that
// comes to nothing, or has no route for the method, is backed out of.
//
// A parameter takes one path segment and never crosses a '/'. It may be empty
// except at the end of a path.
//
// Routes may be looked up concurrently, but not while one is added or removed.
type DefaultRouter struct {
	config    RouterConfig
	root      node
	routes    Routes
	maxParams int
}

// NewRouter returns an empty router.
func NewRouter(config RouterConfig) *DefaultRouter {
	if config.NotFoundHandler == nil {
		config.NotFoundHandler = notFound
	}
	if config.MethodNotAllowedHandler == nil {
		config.MethodNotAllowedHandler = methodNotAllowed
	}
	if config.OptionsMethodHandler == nil {
		config.OptionsMethodHandler = answerOptions
	}
	return &DefaultRouter{config: config}
}

func notFound(*Context) error { return ErrNotFound }

func methodNotAllowed(c *Context) error {
	setAllow(c)
	return ErrMethodNotAllowed
}

func answerOptions(c *Context) error {
	setAllow(c)
	return c.NoContent(http.StatusNoContent)
}

func setAllow(c *Context) {
	if allow, ok := c.Get(ContextKeyHeaderAllow).(string); ok && allow != "" {
		c.Response().Header().Set(HeaderAllow, allow)
	}
}

// Add registers a route. The error is an [*AddRouteError] that wraps
// [ErrRouteDuplicate] if the same method has a route that matches the same
// paths, or [ErrRoutePattern].
func (r *DefaultRouter) Add(route Route) (RouteInfo, error) {
	refuse := func(err error) (RouteInfo, error) {
		return RouteInfo{}, &AddRouteError{Err: err, Method: route.Method, Path: route.Path}
	}
	if route.Handler == nil {
		return refuse(errNilHandler)
	}
	if route.Method == "" {
		return refuse(errNoMethod)
	}
	parts, names, err := parsePattern(route.Path)
	if err != nil {
		return refuse(err)
	}
	if n := len(names); route.restName != "" && n > 0 && names[n-1] == "*" {
		names[n-1] = route.restName
	}
	l := r.root.insert(parts)
	if old := l.get(route.Method); old != nil {
		switch {
		case route.auto404 && !old.auto404:
			return old.info, nil // the user's own route stands
		case old.auto404, r.config.AllowOverwritingRoute:
			r.forget(old)
		default:
			return refuse(ErrRouteDuplicate)
		}
	}
	ep := &endpoint{
		handler: route.compiled(),
		info:    route.ToRouteInfo(names),
		auto404: route.auto404,
		head:    route.head || r.config.AutoHandleHEAD,
	}
	l.set(route.Method, ep)
	r.routes = append(r.routes, ep.info)
	r.maxParams = max(r.maxParams, len(names))
	return ep.info.Clone(), nil
}

func (r *DefaultRouter) forget(ep *endpoint) {
	r.routes = slices.DeleteFunc(r.routes, func(ri RouteInfo) bool {
		return ri.Method == ep.info.Method && ri.Path == ep.info.Path
	})
}

// Remove takes out the route of a method and a path. The parameter names of
// the path need not be those that it was added with.
func (r *DefaultRouter) Remove(method string, path string) error {
	parts, names, err := parsePattern(path)
	if err != nil {
		return err
	}
	// Looking a pattern up makes a place for it where there is none.
	r.maxParams = max(r.maxParams, len(names))
	l := r.root.insert(parts)
	ep := l.get(method)
	if ep == nil {
		return errRouteNotFound
	}
	l.set(method, nil)
	r.forget(ep)
	return nil
}

// Routes describes all registered routes, in the order of registration.
func (r *DefaultRouter) Routes() Routes { return r.routes.Clone() }

// What a Context's RouteInfo is when no route matched.
var (
	notFoundInfo         = RouteInfo{Name: NotFoundRouteName}
	methodNotAllowedInfo = RouteInfo{Name: MethodNotAllowedRouteName}
)

// Route finds the handler for c's request and sets c's route and path values.
func (r *DefaultRouter) Route(c *Context) HandlerFunc {
	path, raw := requestPath(c.request.URL)
	if r.config.UseEscapedPathForMatching && !raw {
		path = c.request.URL.EscapedPath()
		raw = path != c.request.URL.Path
	}
	if len(c.valueSpace) < r.maxParams {
		c.valueSpace = make(PathValues, r.maxParams)
	}
	method := c.request.Method
	s := lookup{method: method, index: methodIndex(method), values: c.valueSpace}
	ep := r.root.find(path, &s)
	if ep == nil {
		return r.missing(c, path, raw, s.method)
	}
	r.enter(c, ep, s.n, raw)
	return ep.handler
}

func (r *DefaultRouter) enter(c *Context, ep *endpoint, n int, raw bool) {
	values := c.valueSpace[:n]
	for i := range values {
		values[i].Name = ep.info.Parameters[i]
		if raw && r.config.UnescapePathParamValues {
			if v, err := url.PathUnescape(values[i].Value); err == nil {
				values[i].Value = v
			}
		}
	}
	c.pathValues = values
	c.rawPath = raw && !r.config.UnescapePathParamValues
	c.route = &ep.info
}

// missing finds the answer to a request that no route takes: the nearest
// RouteNotFound route, or 405 if its path has routes of other methods, or 404.
func (r *DefaultRouter) missing(c *Context, path string, raw bool, method string) HandlerFunc {
	var leaves []*leaf
	s := lookup{want: wantLeaves, values: c.valueSpace, leaves: &leaves}
	r.root.find(path, &s)
	if allow := mergeAllow(leaves); allow != nil {
		c.Set(ContextKeyHeaderAllow, allow)
	}
	s = lookup{want: wantNotFound, values: c.valueSpace}
	if ep := r.root.find(path, &s); ep != nil {
		r.enter(c, ep, s.n, raw)
		return ep.handler
	}
	return r.unrouted(c, method)
}

// unrouted is the answer where there is not even a RouteNotFound route. It
// depends on whether the path has routes of other methods.
func (r *DefaultRouter) unrouted(c *Context, method string) HandlerFunc {
	c.pathValues = c.valueSpace[:0]
	if c.Get(ContextKeyHeaderAllow) == nil {
		c.route = &notFoundInfo
		return r.config.NotFoundHandler
	}
	c.route = &methodNotAllowedInfo
	if method == http.MethodOptions {
		return r.config.OptionsMethodHandler
	}
	return r.config.MethodNotAllowedHandler
}

// groupFallback is the handler inside a Group's middleware for the paths under
// its prefix that no route takes.
func groupFallback(c *Context) error {
	if c.Get(ContextKeyHeaderAllow) == nil {
		return ErrNotFound
	}
	if c.request.Method == http.MethodOptions {
		return answerOptions(c)
	}
	return methodNotAllowed(c)
}

// mergeAllow returns the Allow list of all the leaves, boxed, or nil.
func mergeAllow(leaves []*leaf) any {
	var only any
	n := 0
	for _, l := range leaves {
		if l.allow != nil {
			only = l.allow
			n++
		}
	}
	if n <= 1 {
		return only
	}
	var methods []string
	for _, l := range leaves {
		methods = l.methods(methods)
	}
	return renderAllow(methods)
}
