package middleware

import (
	"errors"
	"io"
	"net/http"

	"github.com/hone-go/hone/internal/http/body"
	"github.com/hone-go/hone/web"
)

// A BodyLimitConfig configures BodyLimit.
type BodyLimitConfig struct {
	Skipper Skipper
	// LimitBytes is the maximum length of a request body.
	LimitBytes int64
}

// BodyLimit answers a request with 413 if its body is longer than the limit, and ensures that no more
// than the limit is read. It replaces the default limit of the binder and of the handlers of package
// api.
func BodyLimit(limitBytes int64) web.MiddlewareFunc {
	return BodyLimitWithConfig(BodyLimitConfig{LimitBytes: limitBytes})
}

// BodyLimitWithConfig is BodyLimit with a configuration.
func BodyLimitWithConfig(config BodyLimitConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config BodyLimitConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.LimitBytes < 0 {
		return nil, errors.New("middleware: BodyLimit: the limit is negative")
	}
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		r := c.Request()
		if r.ContentLength > config.LimitBytes {
			return web.ErrStatusRequestEntityTooLarge
		}
		c.SetBodyLimit(max(config.LimitBytes, 1)) // 0 would select the default
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &limitedBody{body.Bound(r.Body, config.LimitBytes)}
		}
		return next(c)
	}), nil
}

// A limitedBody is a body with a limit. Reading past the limit is an error of status 413.
type limitedBody struct{ io.ReadCloser }

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && errors.As(err, new(*http.MaxBytesError)) {
		err = web.ErrStatusRequestEntityTooLarge
	}
	return n, err
}
