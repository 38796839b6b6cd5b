package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// ContextKeyHeaderAllow is the [Context.Get] key of the Allow list (a string)
// of a request whose path has routes, but none for its method.
const ContextKeyHeaderAllow = "echo_header_allow"

// A Router maps requests to handlers.
type Router interface {
	// Add registers a route and returns its description.
	Add(routable Route) (RouteInfo, error)
	// Remove takes a route out again. A router that cannot do so returns an error.
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
	// UseEscapedPathForMatching matches the path decoded, always: "/a%2Fb" is
	// then routed as "/a/b". By default a path with an escaped slash, or with
	// other bytes that decoding could confuse, is matched as it was sent. (The
	// name is Echo's, and says the contrary of what it does there and here.)
	UseEscapedPathForMatching bool
	// AutoHandleHEAD lets a HEAD request run the GET route, whose body
	// net/http then leaves out.
	AutoHandleHEAD bool
}

// A DefaultRouter keeps routes in a radix tree. A literal beats a parameter
// and a parameter beats "*", position by position from the left; a branch that
// comes to nothing, or has no route for the method, is backed out of.
//
// A parameter takes one path segment, which may be empty except at the end of a
// path. One that ends its pattern takes the rest of the path instead, slashes
// and all, as long as no other pattern goes on behind it: "/users/:id" matches
// "/users/7/files" until there is a route "/users/:id/photo". The parameters of
// typed handlers never do.
//
// Routes may be looked up concurrently, but not while one is added or removed.
type DefaultRouter struct {
	config    RouterConfig
	root      node
	endpoints []*endpoint
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
	allow, ok := c.Get(ContextKeyHeaderAllow).(string)
	switch {
	case !ok || allow == "":
	case c.allow != nil && c.allow[0] == allow:
		c.Response().Header()[HeaderAllow] = c.allow
	default:
		c.Response().Header().Set(HeaderAllow, allow)
	}
}

// Add registers a route. A [RouteNotFound] or OPTIONS route without a handler
// gets the router's own. The error is an [*AddRouteError], which wraps
// [ErrRouteDuplicate] if the same method has a route that matches the same
// paths: of a typed handler always, of others unless overwriting is allowed.
func (r *DefaultRouter) Add(route Route) (RouteInfo, error) {
	refuse := func(err error) (RouteInfo, error) {
		return RouteInfo{}, &AddRouteError{Err: err, Method: route.Method, Path: route.Path}
	}
	if route.Handler == nil {
		switch route.Method {
		case RouteNotFound:
			route.Handler = r.config.NotFoundHandler
		case http.MethodOptions:
			route.Handler = r.config.OptionsMethodHandler
		default:
			return refuse(errNilHandler)
		}
	}
	if route.Method == "" {
		return refuse(errNoMethod)
	}
	if route.typed != nil {
		if err := checkPattern(route.Path); err != nil {
			return refuse(err)
		}
	}
	parts, names := parsePattern(route.Path)
	if n := len(names); route.restName != "" && n > 0 && names[n-1] == "*" {
		names[n-1] = route.restName
	}
	old := r.known(route.Method, parts)
	if old != nil {
		switch {
		case route.auto404 && !old.auto404:
			return old.listed.Clone(), nil // the user's own route stands
		case !old.auto404 && (route.typed != nil || !r.config.AllowOverwritingRoute):
			return refuse(ErrRouteDuplicate)
		}
	}
	info := route.ToRouteInfo(names)
	ep := &endpoint{
		handler: route.compiled(),
		listed:  info,
		info:    info,
		parts:   parts,
		auto404: route.auto404,
		typed:   route.typed != nil,
		missing: route.Method == RouteNotFound,
	}
	if !strings.HasPrefix(route.Path, "/") {
		ep.info.Path = "/" + route.Path
	}
	if route.Method == http.MethodGet && (route.typed != nil || r.config.AutoHandleHEAD) {
		ep.onHead = withoutBody(ep.handler)
	}
	if old == nil {
		r.endpoints = append(r.endpoints, ep)
	} else {
		r.endpoints[slices.Index(r.endpoints, old)] = ep
	}
	r.plant(ep)
	return ep.listed.Clone(), nil
}

// plant puts an endpoint into the tree.
func (r *DefaultRouter) plant(ep *endpoint) {
	r.root.insert(ep.parts).set(ep.info.Method, ep)
	if ep.typed {
		r.root.endTail(ep.parts)
	}
	r.maxParams = max(r.maxParams, len(ep.info.Parameters))
}

// known returns the endpoint of a method and of a pattern, whatever its
// parameters are called, or nil.
func (r *DefaultRouter) known(method string, parts []part) *endpoint {
	l := r.root.lookUp(parts)
	if l == nil {
		return nil
	}
	if i := slotOf(method); i != methodOther {
		return l.byMethod[i]
	}
	return l.others[method]
}

// Remove takes out the route of a method and a path. The parameter names of
// the path need not be those that it was added with.
func (r *DefaultRouter) Remove(method string, path string) error {
	parts, _ := parsePattern(path)
	ep := r.known(method, parts)
	if ep == nil {
		return errRouteNotFound
	}
	place := slices.Index(r.endpoints, ep)
	r.endpoints = slices.Delete(r.endpoints, place, place+1)
	r.root = node{}
	for _, ep := range r.endpoints {
		r.plant(ep)
	}
	return nil
}

// Routes describes all registered routes, in the order of registration.
func (r *DefaultRouter) Routes() Routes {
	routes := make(Routes, len(r.endpoints))
	for i, ep := range r.endpoints {
		routes[i] = ep.listed.Clone()
	}
	return routes
}

// What a Context's RouteInfo is when no route matched.
var (
	notFoundInfo         = RouteInfo{Name: NotFoundRouteName}
	methodNotAllowedInfo = RouteInfo{Name: MethodNotAllowedRouteName}
)

// Route finds the handler for c's request and sets c's route and path values.
func (r *DefaultRouter) Route(c *Context) HandlerFunc {
	path, raw := requestPath(c.request.URL)
	if raw && r.config.UseEscapedPathForMatching {
		path, raw = c.request.URL.Path, false
	}
	s := &c.search
	if len(s.values) < r.maxParams {
		s.values = make(PathValues, r.maxParams)
	}
	s.index, s.n, s.leaves = methodIndex(c.request.Method), 0, s.leaves[:0]
	if s.index == methodOther {
		s.method = c.request.Method
	}
	ep := r.root.route(path, s)
	if ep == nil || ep.missing {
		return r.missing(c, path, raw)
	}
	c.enter(ep)
	if raw {
		r.escaped(c)
	}
	if s.index == methodHead && ep.onHead != nil {
		return ep.onHead
	}
	return ep.handler
}

// enter tells c about the route that its search has found.
func (c *Context) enter(ep *endpoint) {
	values := c.search.values[:c.search.n]
	for i := range values {
		values[i].Name = ep.info.Parameters[i]
	}
	c.pathValues = values
	c.route = &ep.info
	c.request.Pattern = ep.info.Path
}

// escaped deals with path values that are as the client sent them.
func (r *DefaultRouter) escaped(c *Context) {
	if !r.config.UnescapePathParamValues {
		c.rawPath = true
		return
	}
	for i, value := range c.pathValues {
		if v, err := url.PathUnescape(value.Value); err == nil {
			c.pathValues[i].Value = v
		}
	}
}

// missing finds the answer to a request that no route takes: the nearest
// RouteNotFound route, or 405 if its path has routes of other methods, or 404.
// The search has seen every leaf of the path, or those up to a RouteNotFound route
// that goes before the rest of them.
func (r *DefaultRouter) missing(c *Context, path string, raw bool) HandlerFunc {
	s := &c.search
	allowed := c.allowOf(s.leaves)
	if slices.ContainsFunc(s.leaves, func(l *leaf) bool { return l.byMethod[methodNotFound] != nil }) {
		s.index, s.n = methodNotFound, 0
		ep := r.root.route(path, s)
		c.enter(ep)
		if raw {
			r.escaped(c)
		}
		return ep.handler
	}
	return r.unrouted(c, allowed)
}

// unrouted is the answer where there is not even a RouteNotFound route. It
// depends on whether other methods are allowed.
func (r *DefaultRouter) unrouted(c *Context, allowed bool) HandlerFunc {
	c.pathValues = c.search.values[:0]
	if !allowed {
		c.route = &notFoundInfo
		return r.config.NotFoundHandler
	}
	c.route = &methodNotAllowedInfo
	for _, l := range c.search.leaves {
		if l.allow != nil {
			c.path = l.path
			break
		}
	}
	if c.request.Method == http.MethodOptions {
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

// allowOf sets the Allow list of all the leaves that a path matches, unless it is
// empty.
func (c *Context) allowOf(leaves []*leaf) bool {
	var only *leaf
	n := 0
	for _, l := range leaves {
		if l.allow != nil {
			if n++; n == 1 {
				only = l
			}
		}
	}
	switch n {
	case 0:
		return false
	case 1:
		c.Set(ContextKeyHeaderAllow, only.allow)
		c.allow = only.header
	default:
		var methods []string
		for _, l := range leaves {
			methods = l.methods(methods)
		}
		c.Set(ContextKeyHeaderAllow, renderAllow(methods))
	}
	return true
}
