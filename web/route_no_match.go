package web

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
