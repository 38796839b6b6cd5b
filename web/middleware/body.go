package middleware

import (
	"bytes"
	"cmp"
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

// A BodyDumpHandler receives the bodies of a request and its response, and the
// handler's error. It may retain the slices.
type BodyDumpHandler func(c *web.Context, reqBody []byte, resBody []byte, err error)

// A BodyDumpConfig configures BodyDump.
type BodyDumpConfig struct {
	Skipper Skipper
	// Handler must be set.
	Handler BodyDumpHandler
	// MaxRequestBytes and MaxResponseBytes limit the part of the bodies that is
	// dumped; 0 means 5 MB, and a negative number no limit. The handlers and the
	// client see the whole bodies.
	MaxRequestBytes  int64
	MaxResponseBytes int64
}

// BodyDump passes the bodies of each request and its response to a function.
func BodyDump(handler BodyDumpHandler) web.MiddlewareFunc {
	return BodyDumpWithConfig(BodyDumpConfig{Handler: handler})
}

// BodyDumpWithConfig is BodyDump with a configuration.
func BodyDumpWithConfig(config BodyDumpConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config BodyDumpConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.Handler == nil {
		return nil, errors.New("echo body-dump middleware requires a handler function")
	}
	config.MaxRequestBytes = cmp.Or(config.MaxRequestBytes, 5*MB)
	config.MaxResponseBytes = cmp.Or(config.MaxResponseBytes, 5*MB)
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		request, err := config.peek(c.Request())
		if err != nil {
			return err
		}
		w := &dumpWriter{wrapper: wrapper{c.Response()}, limit: config.MaxResponseBytes}
		err = func() error {
			defer c.SetResponse(w.ResponseWriter) // restore the writer after a panic too; the answer to the panic is not dumped
			c.SetResponse(w)
			return next(c)
		}()
		config.Handler(c, request, w.body, err)
		return err
	}), nil
}

// peek reads the beginning of the body, and makes it readable again.
func (config *BodyDumpConfig) peek(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return []byte{}, nil
	}
	var body io.Reader = r.Body
	if config.MaxRequestBytes > 0 {
		body = io.LimitReader(body, config.MaxRequestBytes)
	}
	begun, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	r.Body = &putBack{io.MultiReader(bytes.NewReader(bytes.Clone(begun)), r.Body), r.Body}
	return begun, nil
}

type putBack struct {
	io.Reader
	io.Closer
}

// A dumpWriter records the bytes that it writes, up to a limit.
type dumpWriter struct {
	wrapper
	body  []byte
	limit int64 // negative means no limit
}

func (w *dumpWriter) Write(b []byte) (int, error) {
	n, err := w.ResponseWriter.Write(b)
	keep := b[:n]
	if w.limit >= 0 {
		keep = keep[:min(int64(n), w.limit-int64(len(w.body)))]
	}
	w.body = append(w.body, keep...)
	return n, err
}
