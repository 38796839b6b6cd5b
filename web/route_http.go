package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/hone-go/hone/internal/http/route"
)

// AddHandler registers a handler under a pattern of net/http, split into a method and a path: "GET" and
// "/v1/hosts/{host}". The route is Strict (see [Route]). Package api registers its typed handlers by this method, so an
// Echo or a Group is an api.Router. The error is an [*AddRouteError]. The prefix of a Group is a pattern in Echo's
// syntax even though the path is a pattern of net/http.
//
// If the handler has a method
//
//	ServeRoute(w http.ResponseWriter, r *http.Request, path interface{ PathValue(name string) string }) error
//
// then AddHandler's route calls it, and its error passes through the middleware to
// the [HTTPErrorHandler]. path returns the decoded path values and has the methods
// of [RouteContext]. Any other handler gets path values from Request.PathValue, as
// under http.ServeMux, which costs an allocation.
func (r *routeMethods) AddHandler(method, path string, h http.Handler) error {
	refuse := func(err error) error { return &AddRouteError{Err: err, Method: method, Path: path} }
	if h == nil {
		return refuse(errNilHandler)
	}
	parts, err := route.ParseHTTP(path)
	if err != nil {
		return refuse(err)
	}
	added := Route{Method: method, Strict: true, Handler: serveHTTP(h)}
	var pattern strings.Builder // in Echo's syntax
	for _, p := range parts {
		switch p.Kind {
		case route.Literal:
			if strings.ContainsAny(p.Text, `*\`) {
				return refuse(fmt.Errorf("package web does not support %q in a pattern", p.Text))
			}
			pattern.WriteString(strings.ReplaceAll(p.Text, ":", `\:`))
		case route.Param:
			pattern.WriteString(":" + p.Text)
		case route.Rest:
			pattern.WriteByte('*')
			added.RestName = p.Text
		}
	}
	added.Path = pattern.String()
	_, err = r.routes.AddRoute(added)
	return err
}

// routeServer is implemented by handlers that take path values and return an error.
type routeServer interface {
	ServeRoute(w http.ResponseWriter, r *http.Request, path interface{ PathValue(name string) string }) error
}

// serveHTTP makes a HandlerFunc from a handler passed to AddHandler.
func serveHTTP(h http.Handler) HandlerFunc {
	if h, ok := h.(routeServer); ok {
		return func(c *Context) error { return h.ServeRoute(c.response, c.request, (*RouteContext)(c)) }
	}
	return func(c *Context) error {
		for _, v := range c.pathValues {
			c.request.SetPathValue(v.Name, (*RouteContext)(c).PathValue(v.Name))
		}
		h.ServeHTTP(c.response, c.request)
		return nil
	}
}

// A RouteContext is the part of a Context that a handler of [Echo.AddHandler] may
// use. It is valid until the handler returns.
type RouteContext Context

// PathValue returns a path parameter, decoded, or "".
func (p *RouteContext) PathValue(name string) string {
	v, _ := p.Get(name)
	return v
}

// Get is like PathValue and also reports whether the route has the parameter.
func (p *RouteContext) Get(name string) (value string, ok bool) {
	value, ok = (*Context)(p).live().pathValues.Get(name)
	if ok && p.rawPath {
		if d, err := url.PathUnescape(value); err == nil {
			value = d
		}
	}
	return value, ok
}

// BodyLimit returns the limit set by [Context.SetBodyLimit].
func (p *RouteContext) BodyLimit() int64 { return (*Context)(p).live().bodyLimit }

// FormMemory returns the number of bytes of a multipart form's files kept in memory.
func (p *RouteContext) FormMemory() int64 { return (*Context)(p).live().echo.formMemory }

// Stored returns the value that [Context.Set] stored under a key, or nil.
func (p *RouteContext) Stored(key string) any { return (*Context)(p).live().Get(key) }

// Logger returns the request's logger.
func (p *RouteContext) Logger() *slog.Logger { return (*Context)(p).Logger() }

// WrapHandler makes a HandlerFunc from an http.Handler. Path parameters are set on the request, so that
// Request.PathValue finds them.
func WrapHandler(h http.Handler) HandlerFunc {
	return func(c *Context) error {
		setPathValues(c)
		h.ServeHTTP(c.Response(), c.Request())
		return nil
	}
}

// setPathValues sets the pattern and the path values on the request, for net/http handlers.
func setPathValues(c *Context) {
	r := c.Request()
	r.Pattern = c.Path()
	for _, v := range c.PathValues() {
		r.SetPathValue(v.Name, v.Value)
	}
}

// WrapMiddleware makes a MiddlewareFunc from net/http middleware. The rest of the chain gets the request and the
// response writer that the middleware passes to its next handler.
//
// The middleware may run the rest of the chain in another goroutine and return
// before the chain does, as http.TimeoutHandler does. The Context is then not
// reused.
func WrapMiddleware(m func(http.Handler) http.Handler) MiddlewareFunc {
	return func(next HandlerFunc) HandlerFunc {
		return func(c *Context) error {
			outer := c.Response()
			setPathValues(c)
			run := &wrappedRun{}
			returned := false
			defer func() {
				if !returned { // after a panic, the answer must go to the outer response
					c.SetResponse(outer)
				}
			}()
			m(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !run.state.CompareAndSwap(runIdle, runActive) {
					return // the middleware has returned, and c is in use elsewhere
				}
				c.SetRequest(r)
				if _, err := UnwrapResponse(w); err != nil {
					w = NewResponse(w, c.echo.Logger)
				}
				c.SetResponse(w)
				defer func() {
					if !run.state.CompareAndSwap(runActive, runIdle) {
						c.removeFiles() // the middleware has returned, so this goroutine cleans up
					}
				}()
				run.err = next(c)
			})).ServeHTTP(outer, c.Request())
			returned = true
			if run.state.Swap(runClosed) == runActive {
				c.abandoned = true
				return nil
			}
			c.SetResponse(outer)
			return run.err
		}
	}
}

// A wrappedRun is the state shared by a net/http middleware and the chain it runs.
type wrappedRun struct {
	state atomic.Int32
	err   error // the error of the last run of the chain that ended
}

const (
	runIdle   = iota // the rest of the chain is not running
	runActive        // the rest of the chain is running
	runClosed        // the middleware has returned: the chain must not run any more
)
