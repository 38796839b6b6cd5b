package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/http/routed"
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

// serveHTTP makes a HandlerFunc from a handler passed to AddHandler.
func serveHTTP(h http.Handler) HandlerFunc {
	if h, ok := h.(routed.Handler); ok {
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

var _ routed.Request = (*RouteContext)(nil)

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
