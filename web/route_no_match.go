package web

import (
	"net/http"
)

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

// groupMissing answers requests below a group's prefix without a route, if
// [RouterConfig.GroupMethodNotAllowed] is set. It runs inside the group's middleware.
func (r *DefaultRouter) groupMissing(c *Context) error {
	if c.Get(ContextKeyHeaderAllow) == nil {
		return r.config.NotFoundHandler(c)
	}
	return r.otherMethods(c)(c)
}
