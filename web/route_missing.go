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

// missing is the answer to a request that no route takes.
func (r *DefaultRouter) missing(c *Context) HandlerFunc {
	pattern, allowed := noteAllow(c)
	if !allowed {
		return r.nowhere(c)
	}
	c.pathValues = c.search.Values()[:0]
	c.route, c.path = &methodNotAllowedInfo, pattern
	return r.instead(c)
}

// nowhere is the answer to a request that is told of no route.
func (r *DefaultRouter) nowhere(c *Context) HandlerFunc {
	c.pathValues = c.search.Values()[:0]
	c.route = &notFoundInfo
	return r.config.NotFoundHandler
}

// noteAllow tells c of the methods that its path has routes for, and returns the
// pattern of the first.
func noteAllow(c *Context) (pattern string, ok bool) {
	allow, header, pattern := c.search.Allow()
	if allow == nil {
		return "", false
	}
	c.Set(ContextKeyHeaderAllow, allow)
	c.allow = header
	return pattern, true
}

// instead is what answers a path that has routes of other methods.
func (r *DefaultRouter) instead(c *Context) HandlerFunc {
	if c.request.Method == http.MethodOptions {
		return r.config.OptionsMethodHandler
	}
	return r.config.MethodNotAllowedHandler
}

// groupMissing is the handler inside a Group's middleware with
// [RouterConfig.GroupMethodNotAllowed].
func (r *DefaultRouter) groupMissing(c *Context) error {
	if c.Get(ContextKeyHeaderAllow) == nil {
		return r.config.NotFoundHandler(c)
	}
	return r.instead(c)(c)
}
