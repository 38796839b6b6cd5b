package web

import (
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/hone-go/hone/internal/memory/buffer"
)

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
