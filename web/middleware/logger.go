package middleware

import (
	"log/slog"
	"time"

	"github.com/hone-go/hone/web"
)

// RequestLogger logs each request, when it is done, by [web.Context.Logger]: at
// level Info, a server error at Error. An error that comes back is answered
// here, so that the status logged is the one that was sent.
func RequestLogger() web.MiddlewareFunc {
	return func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			start := time.Now()
			err := next(c)
			if err != nil {
				c.Echo().HTTPErrorHandler(c, err)
			}
			resp, status := web.ResolveResponseStatus(c.Response(), err)
			level := slog.LevelInfo
			if status >= 500 {
				level = slog.LevelError
			}
			r := c.Request()
			logger := c.Logger()
			if !logger.Enabled(r.Context(), level) {
				return nil
			}
			var size int64
			if resp != nil {
				size = resp.Size
			}
			attrs := [...]slog.Attr{
				slog.String("method", r.Method),
				slog.String("uri", r.RequestURI),
				slog.String("route", c.Path()),
				slog.Int("status", status),
				slog.Duration("latency", time.Since(start)),
				slog.Int64("bytes", size),
				slog.String("remote_ip", c.RealIP()),
				slog.String("request_id", c.Response().Header().Get(web.HeaderXRequestID)),
				slog.Any("error", err),
			}
			n := len(attrs)
			if err == nil {
				n--
			}
			logger.LogAttrs(r.Context(), level, "request", attrs[:n]...)
			return nil
		}
	}
}
