package web

import "slices"

// chains are the compiled middleware of an Echo; a nil chain has no middleware.
type chains struct {
	pre HandlerFunc // the chain of Pre, which ends in dispatching the request
	use HandlerFunc // the chain of Use, which ends in the route's handler
}

// Use adds middleware that runs after routing, around every handler, including
// the handlers that answer 404 and 405. The next request compiles the chain.
func (e *Echo) Use(middleware ...MiddlewareFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.use = append(e.use, middleware...)
	e.runs.Store(nil)
}

// Pre adds middleware that runs before routing. So it may change the path and the method before the
// request is routed.
func (e *Echo) Pre(middleware ...MiddlewareFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pre = append(e.pre, middleware...)
	e.runs.Store(nil)
}

// Middlewares returns the middleware added by Use.
func (e *Echo) Middlewares() []MiddlewareFunc {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.use)
}

// PreMiddlewares returns the middleware added by Pre.
func (e *Echo) PreMiddlewares() []MiddlewareFunc {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.pre)
}

func (e *Echo) compile() *chains {
	e.mu.Lock()
	defer e.mu.Unlock()
	if ch := e.runs.Load(); ch != nil {
		return ch
	}
	ch := &chains{}
	if len(e.use) > 0 {
		ch.use = chain(runHandler, e.use)
	}
	if len(e.pre) > 0 {
		ch.pre = chain(func(c *Context) error { return e.dispatch(c, ch) }, e.pre)
	}
	e.runs.Store(ch)
	return ch
}

func runHandler(c *Context) error { return c.handler(c) }

// dispatch routes the request and runs the chain around its handler.
func (e *Echo) dispatch(c *Context, ch *chains) error {
	var h HandlerFunc
	if e.tree != nil {
		h = e.tree.Route(c)
	} else {
		h = e.router.Route(c)
	}
	if ch.use == nil {
		return h(c)
	}
	c.handler = h
	return ch.use(c)
}

func chain(h HandlerFunc, middleware []MiddlewareFunc) HandlerFunc {
	for _, m := range slices.Backward(middleware) {
		h = m(h)
	}
	return h
}
