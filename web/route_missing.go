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

// missing finds the answer to a request that no route takes: the nearest
// RouteNotFound route, or 405 if its path has routes of other methods, or 404.
func (r *DefaultRouter) missing(c *Context, path string, raw bool) HandlerFunc {
	allow, header, pattern := c.search.Allow()
	if allow != nil {
		c.Set(ContextKeyHeaderAllow, allow)
		c.allow = header
	}
	if found := c.search.NotFound(&r.tree, path); found != nil {
		c.enter(&found.Value)
		if raw {
			r.escaped(c)
		}
		return found.Value.handler
	}
	c.pathValues = c.search.Values()[:0]
	if allow == nil {
		c.route = &notFoundInfo
		return r.config.NotFoundHandler
	}
	c.route, c.path = &methodNotAllowedInfo, pattern
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
