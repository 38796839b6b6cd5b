package web

import (
	"net/http"
	"slices"
	"sync/atomic"
)

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
