package web

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/http/urlpath"
)

// ContextKeyHeaderAllow is the [Context.Get] key of the Allow list (a string) if the path of a
// request has routes, but none for the request's method.
const ContextKeyHeaderAllow = "echo_header_allow"

// A Router maps requests to handlers.
type Router interface {
	// Add registers a route and returns its description.
	Add(routable Route) (RouteInfo, error)
	// Remove removes a route. A router that cannot do so returns an error.
	Remove(method string, path string) error
	// Routes describes all registered routes.
	Routes() Routes
	// Route finds the handler of a request, and passes the route to the Context by
	// [Context.InitializeRoute]. It never returns nil: if no route matches, it
	// returns the handler that answers the request with an error.
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
	// GroupMethodNotAllowed is for groups with middleware. It selects the answer to a request if
	// its path has only routes of other methods. If it is set, the MethodNotAllowedHandler or the
	// OptionsMethodHandler answers, through the group's middleware. By default the NotFoundHandler
	// answers.
	GroupMethodNotAllowed bool
	// OptionsMethodHandler answers an OPTIONS request to a path that has other
	// routes; by default with 204 and the Allow header.
	OptionsMethodHandler HandlerFunc
	// AllowOverwritingRoute lets a later route replace an earlier route with the
	// same method and path. By default that is an error.
	AllowOverwritingRoute bool
	// UnescapePathParamValues decodes the path parameters of requests that are
	// matched by their escaped path. The parameters of other requests are always
	// decoded.
	UnescapePathParamValues bool
	// UseEscapedPathForMatching always matches the decoded path: "/a%2Fb" is then routed as
	// "/a/b". By default a path is matched as it was sent if it has an escaped slash or other
	// bytes that decoding could confuse. (The name comes from Echo, where it is misleading in
	// the same way.)
	UseEscapedPathForMatching bool
	// AutoHandleHEAD lets a HEAD request run the GET route. net/http then omits
	// the body.
	AutoHandleHEAD bool
}

// A DefaultRouter keeps routes in a radix tree. At each position of the path, from
// left to right, a literal is preferred to a parameter and a parameter to "*". The
// search backtracks from a branch that does not match or has no route for the
// method.
//
// A parameter matches one path segment, which may be empty except at the end of a
// path. A parameter at the end of its pattern matches the rest of the path
// instead, including slashes, unless another pattern continues after the
// parameter: "/users/:id" matches "/users/7/files" until there is a route
// "/users/:id/photo". The parameters of a Strict [Route] match one segment only.
//
// Routes may be looked up concurrently, but not while one is added or removed.
type DefaultRouter struct {
	config        RouterConfig
	tree          route.Tree[endpoint]
	hasMiddleware bool // a route has middleware
}

// An endpoint is the tree's entry for a route.
type endpoint struct {
	handler       HandlerFunc
	onHead        HandlerFunc     // handler for HEAD, if this is a GET route that answers HEAD; else nil
	info          RouteInfo       // the RouteInfo that a Context returns
	middlewareIDs []*middlewareID // one for each middleware
	checkFrom     int32           // the result of checkFrom for the pattern
	bare          bool            // the route was registered without the leading '/'
	auto404       bool            // registered by a Group for its middleware, not by the user
	mount         bool            // the pattern ends in "*", and auto404 is not set
}

// Method and Pattern return the method and the pattern to the tree.
func (ep endpoint) Method() string  { return ep.info.Method }
func (ep endpoint) Pattern() string { return ep.info.Path }

// listed returns the description of the route as it was registered.
func (ep *endpoint) listed() RouteInfo {
	info := ep.info.Clone()
	if ep.bare {
		info.Path = info.Path[1:]
	}
	return info
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

// Remove removes the route with a method and a path. The parameters of the path must have the same
// names as in the registered route.
func (r *DefaultRouter) Remove(method string, path string) error {
	parts := route.Parse(nil, path)
	found := r.tree.Get(method, parts)
	// Routes that differ in parameter names only have the same position in the tree.
	if found != nil && strings.TrimPrefix(found.Value.Pattern(), "/") == strings.TrimPrefix(path, "/") {
		r.tree.Remove(found)
		return nil
	}
	// The texts of these errors are Echo's.
	switch all := r.tree.Routes(); {
	case len(all) == 0:
		return errors.New("router has no routes to remove")
	case !slices.ContainsFunc(all, func(other *route.Route[endpoint]) bool { return r.tree.Get(other.Value.info.Method, parts) != nil }):
		return errors.New("could not find route to remove by given path")
	}
	return errors.New("could not find route to remove by given path and method")
}

// Routes describes all registered routes, in the order of registration.
func (r *DefaultRouter) Routes() Routes {
	all := r.tree.Routes()
	routes := make(Routes, len(all))
	for i := range all {
		routes[i] = all[i].Value.listed()
	}
	return routes
}

// A Context has one of these RouteInfos if no route matched.
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
	found := c.search.Find(&r.tree, c.request.Method, path)
	if found == nil {
		return r.missing(c)
	}
	ep := &found.Value
	if ep.checkFrom >= 0 && (r.hasMiddleware || ep.mount) {
		plain := urlpath.Plain(path[ep.checkFrom:]) && (!raw || path == c.request.URL.Path)
		if !plain && r.refuses(c, ep, path) {
			return r.noRoute(c)
		}
	}
	if ep.info.Method == RouteNotFound {
		noteAllow(c)
	}
	c.enter(ep)
	if raw {
		r.escaped(c)
	}
	if ep.onHead != nil && c.request.Method == http.MethodHead {
		return ep.onHead
	}
	return ep.handler
}

// enter sets c's route and path values from the route that its search has found.
func (c *Context) enter(ep *endpoint) {
	values := c.search.Values()
	for i, name := range ep.info.Parameters[:len(values)] {
		values[i].Name = name
	}
	c.pathValues = values
	c.route = &ep.info
	c.request.Pattern = ep.info.Path
}

// NewConcurrentRouter returns a Router that passes each call to r under a lock, so that
// routes can be added and removed while the router serves requests.
func NewConcurrentRouter(r Router) Router { return &concurrentRouter{router: r} }

type concurrentRouter struct {
	mu     sync.RWMutex
	router Router
}

func (r *concurrentRouter) Route(c *Context) HandlerFunc {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.router.Route(c)
}

func (r *concurrentRouter) Routes() Routes {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.router.Routes().Clone()
}

func (r *concurrentRouter) Add(route Route) (RouteInfo, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.router.Add(route)
}

func (r *concurrentRouter) Remove(method string, path string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.router.Remove(method, path)
}

func notFound(*Context) error { return ErrNotFound }

// missing returns the handler for a request without a route.
func (r *DefaultRouter) missing(c *Context) HandlerFunc {
	pattern, allowed := noteAllow(c)
	if !allowed {
		return r.noRoute(c)
	}
	c.pathValues = c.search.Values()[:0]
	c.route, c.path = &methodNotAllowedInfo, pattern
	return r.otherMethods(c)
}

// noRoute returns the NotFoundHandler, and records in c that no route matched.
func (r *DefaultRouter) noRoute(c *Context) HandlerFunc {
	c.pathValues = c.search.Values()[:0]
	c.route = &notFoundInfo
	return r.config.NotFoundHandler
}

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

// noteAllow stores in c the methods that have a route for the path, and returns the pattern of the
// first of these routes.
func noteAllow(c *Context) (pattern string, ok bool) {
	allow, header, pattern := c.search.Allow()
	if allow == nil {
		return "", false
	}
	c.Set(ContextKeyHeaderAllow, allow)
	c.allow = header
	return pattern, true
}

// otherMethods returns the handler for a path that has only routes of other methods.
func (r *DefaultRouter) otherMethods(c *Context) HandlerFunc {
	if c.request.Method == http.MethodOptions {
		return r.config.OptionsMethodHandler
	}
	return r.config.MethodNotAllowedHandler
}
