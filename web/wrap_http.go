package web

import (
	"net/http"
	"sync/atomic"
)

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
