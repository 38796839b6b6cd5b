package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/hone-go/hone/internal/memory/buffer"
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

// ended replaces the connection once a request is over. If a goroutine still has the Response, its
// later writes fail.
type ended struct{}

var errEnded = errors.New("web: write after the handler returned")

func (ended) Header() http.Header       { return http.Header{} }
func (ended) WriteHeader(int)           {}
func (ended) Write([]byte) (int, error) { return 0, errEnded }
func (ended) FlushError() error         { return errEnded }

// A cutoff wraps the connection of a request if Contexts are not reused. When the request ends, cut
// replaces the connection. Before that, it waits until a write by another goroutine has returned,
// because net/http reuses its buffers.
type cutoff struct {
	mu  sync.Mutex
	out http.ResponseWriter
}

func (c *cutoff) cut(to http.ResponseWriter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = to
}

// Unwrap returns the connection, for http.ResponseController.
func (c *cutoff) Unwrap() http.ResponseWriter {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out
}

func (c *cutoff) Header() http.Header { return c.Unwrap().Header() }

func (c *cutoff) WriteHeader(code int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out.WriteHeader(code)
}

func (c *cutoff) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Write(b)
}

func (c *cutoff) WriteString(s string) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return io.WriteString(c.out, s)
}

func (c *cutoff) FlushError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return http.NewResponseController(c.out).Flush()
}

// A bufferWriter writes to a buffer that other requests use later. After cut, its
// writes fail, so code that keeps the writer cannot write to another request's
// response.
type bufferWriter struct {
	mu sync.Mutex
	to *buffer.Buffer
}

func (w *bufferWriter) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = nil
}

func (w *bufferWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.to == nil {
		return 0, errEnded
	}
	w.to.B = append(w.to.B, b...)
	return len(b), nil
}

// panicking replaces the connection in a build for the race detector. Unlike ended, it panics at each
// call, with a message that contains the route.
type panicking struct{ route string }

func (p panicking) Header() http.Header       { panic(lateCall(p.route)) }
func (p panicking) WriteHeader(int)           { panic(lateCall(p.route)) }
func (p panicking) Write([]byte) (int, error) { panic(lateCall(p.route)) }
func (p panicking) FlushError() error         { panic(lateCall(p.route)) }
