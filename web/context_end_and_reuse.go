package web

import (
	"fmt"
	"net/http"
)

func (e *Echo) newContext() *Context {
	c := &Context{echo: e}
	c.Reset(nil, nil)
	return c
}

// AcquireContext takes a Context from the pool. Give it a request with
// [Context.Reset].
func (e *Echo) AcquireContext() *Context { return e.contexts.Get().(*Context) }

// ReleaseContext returns a Context to the pool. The Context and its Response must
// not be used afterwards.
func (e *Echo) ReleaseContext(c *Context) {
	c.returned = true
	e.end(c)
}

// end is called when the handler chain has returned or panicked. It releases the
// Context, unless other code may still use it.
func (e *Echo) end(c *Context) {
	if e.reuse && c.returned && !c.abandoned && !c.own.hijacked {
		c.release()
		e.contexts.Put(c)
		return
	}
	if !e.reuse {
		c.cutoff.cut(ended{})
	}
	switch {
	case c.abandoned: // the goroutine that still uses the Context removes the files
	case !c.returned, c.own.hijacked: // the Context or its Response may still be in use
		c.removeFiles()
	default:
		c.removeFiles()
		if raceEnabled {
			c.path = c.Path()
			c.released = true
			c.cutoff.cut(panicking{c.path})
		}
	}
}

// Reset prepares the Context for a new request.
func (c *Context) Reset(r *http.Request, w http.ResponseWriter) {
	c.release()
	c.own.logger = c.echo.Logger
	c.take(r, w)
}

// take sets the request of a released Context.
func (c *Context) take(r *http.Request, w http.ResponseWriter) {
	c.request = r
	c.own.ResponseWriter = w
	if !c.echo.reuse {
		c.cutoff.out, c.own.ResponseWriter = w, &c.cutoff
	}
}

// release resets the Context after a request. Later writes to its Response fail. The
// path values stay in memory: the router overwrites them before anything reads them
// again.
func (c *Context) release() {
	if c.files != nil || c.request != nil && c.request.MultipartForm != nil {
		c.removeFiles()
	}
	if len(c.store) > 0 {
		clear(c.store)
		c.store = c.store[:0]
	}
	c.own.reset()
	c.bodyLimit = c.echo.bodyLimit
	c.request = nil
	c.response = &c.own
	c.released, c.returned = false, false
	c.perRequest = perRequest{}
}

// live returns c. In a build for the race detector it panics if the request is
// over. In other builds it has no cost.
func (c *Context) live() *Context {
	if raceEnabled && c.released {
		panic(lateCall(c.path))
	}
	return c
}

func lateCall(route string) string {
	return fmt.Sprintf("web: the Context or Response of a request to %q is used after its handler has returned", route)
}
