package api

import (
	"context"
	"net/http"
	"sync"

	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/internal/http/routed"
)

// A call is the context of a handler for one request. It is allocated together with the In.
// When the handler has returned, the call drops its references to the request: routers reuse
// parts of a request, and a handler that retains the In also retains the call.
type call struct {
	context.Context
	mu    sync.Mutex
	r     *http.Request
	path  any
	found security.Found
}

// An invocation is an In with its call.
type invocation[In any] struct {
	in   In
	call call
}

func (c *call) begin(x *exchange) {
	c.Context, c.r, c.path = x.r.Context(), x.r, x.path
}

func (c *call) end() {
	c.mu.Lock()
	c.r, c.path = nil, nil
	c.mu.Unlock()
}

type callKey struct{}

// Value returns the call for callKey, and the value of the request's context for other keys.
func (c *call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// Request returns the request that a typed handler answers. ctx is the handler's context or is
// derived from it. Request returns nil for other contexts, and after the handler has returned.
// The body has already been read, unless In has a field that reads it.
func Request(ctx context.Context) *http.Request {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.r
}

// Value returns a value that a security scheme, middleware or the router stored before the
// typed handler ran. ok reports whether there is a value of type T. ctx is the handler's
// context or is derived from it. The key is one of:
//
//   - a *[security.Scheme]: the value that the scheme's check returned for the caller
//   - a string: the value that middleware has stored under this key with Context.Set of package
//     web, until the handler has returned
//   - any key of the request's context: the value there
func Value[T any](ctx context.Context, key any) (value T, ok bool) {
	if c, isCall := ctx.Value(callKey{}).(*call); isCall {
		switch key := key.(type) {
		case *security.Scheme:
			found, _ := c.found.Value(key)
			value, ok = found.(T)
			return value, ok
		case string:
			if value, ok = c.stored(key).(T); ok {
				return value, true
			}
		}
	}
	value, ok = ctx.Value(key).(T)
	return value, ok
}

// stored returns the value that the router has stored under a key.
func (c *call) stored(key string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if path, ok := c.path.(routed.Store); ok {
		return path.Stored(key)
	}
	return nil
}
