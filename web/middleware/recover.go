package middleware

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"

	"github.com/hone-go/hone/web"
)

// A RecoverConfig configures Recover.
type RecoverConfig struct {
	Skipper Skipper
	// StackSize limits the recorded stack, in bytes; 0 means 4 KiB.
	StackSize int
	// StackAll records the stacks of all goroutines instead of only the panicking
	// one. This stops all goroutines while their stacks are read.
	StackAll bool
	// DisableStackAll overrides StackAll. It exists for compatibility with Echo.
	DisableStackAll bool
	// DisablePrintStack records no stack. The returned error is then the value of the
	// panic, and not a PanicStackError.
	DisablePrintStack bool
}

// DefaultRecoverConfig is the configuration of Recover.
var DefaultRecoverConfig = RecoverConfig{
	Skipper:   DefaultSkipper,
	StackSize: 4 << 10,
}

// A PanicStackError is the error that Recover returns after a panic.
type PanicStackError struct {
	Stack []byte
	Err   error
}

// Error omits the stack: Recover has already logged it, and logging the error would
// repeat it.
func (e *PanicStackError) Error() string { return "[PANIC RECOVER] " + e.Err.Error() }

// Unwrap returns the value of the panic as an error.
func (e *PanicStackError) Unwrap() error { return e.Err }

// Recover turns a panic in the rest of the chain into an error, and logs the panic with
// its stack. http.ErrAbortHandler passes through. A panic after the response has begun
// closes the connection, so that the client does not mistake a partial body for a
// complete one.
func Recover() web.MiddlewareFunc { return RecoverWithConfig(DefaultRecoverConfig) }

// RecoverWithConfig is Recover with a configuration.
func RecoverWithConfig(config RecoverConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RecoverConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	config.StackSize = cmp.Or(config.StackSize, DefaultRecoverConfig.StackSize)
	if config.StackSize < 0 {
		return nil, fmt.Errorf("middleware: Recover: StackSize %d is negative", config.StackSize)
	}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) (err error) {
		defer func() {
			if v := recover(); v != nil {
				err = config.recovered(c, v)
			}
		}()
		return next(c)
	}), nil
}

func (config *RecoverConfig) recovered(c *web.Context, v any) error {
	err, ok := v.(error)
	if !ok {
		err = fmt.Errorf("%v", v)
	}
	if err == http.ErrAbortHandler {
		panic(v)
	}
	cause := err
	var stack []byte
	if !config.DisablePrintStack {
		stack = make([]byte, config.StackSize)
		stack = stack[:runtime.Stack(stack, config.StackAll && !config.DisableStackAll)]
		err = &PanicStackError{Stack: stack, Err: err}
	}
	r := c.Request()
	c.Logger().LogAttrs(r.Context(), slog.LevelError, "web: panic",
		slog.String("method", r.Method), slog.String("route", c.Path()),
		slog.Any("error", cause), slog.String("stack", string(stack)))
	if resp, e := web.UnwrapResponse(c.Response()); e == nil && resp.Committed {
		panic(http.ErrAbortHandler)
	}
	return err
}
