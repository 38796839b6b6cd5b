package web

import "net/http"

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
