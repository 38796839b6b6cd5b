package api

import (
	"context"
	"net/http"
	"sync"
)

// A call is the context of a handler for one request. It lies beside the In, so that neither
// costs an allocation of its own. What it knows of the request it forgets when the handler
// has returned, since routers use some of that again and In may be kept.
type call struct {
	context.Context
	mu    sync.Mutex
	r     *http.Request
	path  any
	found []found
}

// A found is what a [Scheme] has found out about the caller.
type found struct {
	scheme *Scheme
	value  any
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

// Value returns the call itself for its key, and else what the request's context has.
func (c *call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// Request returns the request that a typed handler answers, given its context or one made of
// it. It returns nil for another context, and once the handler has returned. A body has
// been read by then, or is In's to read.
func Request(ctx context.Context) *http.Request {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.r
}

// Value returns what was found out about a request before its typed handler ran, given the
// handler's context or one made of it, and reports whether there is such a value of type T:
// for a *[Scheme] what that has made of the caller's proof, for a string what middleware has
// put under this key by Context.Set of package web, and for any key what the request's
// context has. What web has is forgotten once the handler has returned.
func Value[T any](ctx context.Context, key any) (value T, ok bool) {
	if c, isCall := ctx.Value(callKey{}).(*call); isCall {
		switch key := key.(type) {
		case *Scheme:
			for _, f := range c.found {
				if f.scheme == key {
					value, ok = f.value.(T)
					return value, ok
				}
			}
			return value, false
		case string:
			if value, ok = c.stored(key).(T); ok {
				return value, true
			}
		}
	}
	value, ok = ctx.Value(key).(T)
	return value, ok
}

// stored returns what the router has under a key.
func (c *call) stored(key string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if path, ok := c.path.(interface{ Stored(key string) any }); ok {
		return path.Stored(key)
	}
	return nil
}
