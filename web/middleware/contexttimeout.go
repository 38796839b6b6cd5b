package middleware

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hone-go/hone/web"
)

// A ContextTimeoutConfig configures ContextTimeout.
type ContextTimeoutConfig struct {
	Skipper Skipper
	// ErrorHandler handles the handler's error. By default an error that wraps
	// context.DeadlineExceeded becomes a 503.
	ErrorHandler func(c *web.Context, err error) error
	// Timeout must be set.
	Timeout time.Duration
}

// ContextTimeout sets a deadline on the context of each request. It does not
// interrupt a handler that ignores its context.
func ContextTimeout(timeout time.Duration) web.MiddlewareFunc {
	return ContextTimeoutWithConfig(ContextTimeoutConfig{Timeout: timeout})
}

// ContextTimeoutWithConfig is ContextTimeout with a configuration.
func ContextTimeoutWithConfig(config ContextTimeoutConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config ContextTimeoutConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Timeout == 0 {
		return nil, errors.New("timeout must be set")
	}
	if config.ErrorHandler == nil {
		config.ErrorHandler = func(c *web.Context, err error) error {
			if errors.Is(err, context.DeadlineExceeded) {
				return web.ErrServiceUnavailable.Wrap(err)
			}
			return err
		}
	}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		r := c.Request()
		ctx := &deadlineContext{Context: r.Context(), deadline: time.Now().Add(config.Timeout)}
		if d, ok := ctx.Context.Deadline(); ok && d.Before(ctx.deadline) {
			ctx.deadline = d
		}
		defer ctx.end()
		c.SetRequest(r.WithContext(ctx))
		if err := next(c); err != nil {
			return config.ErrorHandler(c, err)
		}
		return nil
	}), nil
}

// A deadlineContext is like a context of context.WithDeadline, but its timer and its
// channel are created when Done is first called. Few handlers call it.
type deadlineContext struct {
	context.Context // the parent
	deadline        time.Time

	mu     sync.Mutex
	inner  context.Context // nil until Done is called
	cancel context.CancelFunc
	over   error // result of Err after the handler has returned
}

func (d *deadlineContext) Deadline() (time.Time, bool) { return d.deadline, true }

func (d *deadlineContext) Done() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inner == nil {
		if d.over != nil {
			d.inner, d.cancel = context.WithCancel(d.Context)
			d.cancel()
		} else {
			d.inner, d.cancel = context.WithDeadline(d.Context, d.deadline)
		}
	}
	return d.inner.Done()
}

func (d *deadlineContext) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.over != nil:
		return d.over
	case d.inner != nil:
		return d.inner.Err()
	case d.Context.Err() != nil:
		return d.Context.Err()
	case !time.Now().Before(d.deadline):
		return context.DeadlineExceeded
	}
	return nil
}

// Value returns the inner context to package context, so that child contexts attach to it without a
// goroutine.
func (d *deadlineContext) Value(key any) any {
	d.mu.Lock()
	inner := d.inner
	d.mu.Unlock()
	if inner != nil {
		return inner.Value(key)
	}
	return d.Context.Value(key)
}

// end cancels the context after the handler has returned.
func (d *deadlineContext) end() {
	err := d.Err()
	if err == nil {
		err = context.Canceled
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = err
	if d.cancel != nil {
		d.cancel()
	}
}
