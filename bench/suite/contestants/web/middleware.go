package web

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/labstack/echo/v5"
	echomw "github.com/labstack/echo/v5/middleware"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// MiddlewareContests measure middleware around a handler that does nothing.
func MiddlewareContests() []contest.Contest {
	logged := func() *slog.Logger { return slog.New(slog.NewJSONHandler(io.Discard, nil)) }
	with := func(text string, h web.MiddlewareFunc, e echo.MiddlewareFunc) []Server {
		return []Server{
			{"hone", nil, func() any {
				app := web.New()
				app.Logger = logged()
				app.Use(h)
				app.Any("/", func(c *web.Context) error { return c.String(http.StatusOK, text) })
				return app
			}},
			{EchoName, nil, func() any {
				app := echo.New()
				app.Logger = logged()
				app.Use(e)
				app.Any("/", func(c *echo.Context) error { return c.String(http.StatusOK, text) })
				return app
			}},
		}
	}
	get := request{method: "GET", target: "/"}
	return []contest.Contest{
		serving("middleware/none", get, hasAnswer(200, "text/plain", "ok"), with("ok",
			func(next web.HandlerFunc) web.HandlerFunc { return next }, func(next echo.HandlerFunc) echo.HandlerFunc { return next })...),
		serving("middleware/Secure", get, hasHeaders(map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "SAMEORIGIN"}),
			with("ok", middleware.Secure(), echomw.Secure())...),
		serving("middleware/Recover", get, hasAnswer(200, "text/plain", "ok"), with("ok", middleware.Recover(), echomw.Recover())...),
		serving("middleware/RequestID", get, hasHeaders(map[string]string{"X-Request-Id": ""}), with("ok", middleware.RequestID(), echomw.RequestID())...),
		serving("middleware/ContextTimeout", get, hasAnswer(200, "text/plain", "ok"), with("ok", middleware.ContextTimeout(time.Minute), echomw.ContextTimeout(time.Minute))...),
		serving("middleware/CSRF", get, hasHeaders(map[string]string{"Set-Cookie": "", "Vary": "Cookie"}), with("ok", middleware.CSRF(), echomw.CSRF())...),
		serving("middleware/CORS", request{method: "GET", target: "/", header: map[string]string{"Origin": "https://example.org"}},
			hasHeaders(map[string]string{"Access-Control-Allow-Origin": "https://example.org", "Vary": "Origin"}),
			with("ok", middleware.CORS("https://example.com", "https://example.org"), echomw.CORS("https://example.com", "https://example.org"))...),
		serving("middleware/CORS preflight", request{"OPTIONS", "/", map[string]string{"Origin": "https://example.org", "Access-Control-Request-Method": "PUT"}, ""},
			hasHeaders(map[string]string{"Access-Control-Allow-Origin": "https://example.org", "Access-Control-Allow-Methods": ""}),
			with("ok", middleware.CORS("https://example.com", "https://example.org"), echomw.CORS("https://example.com", "https://example.org"))...),
		compressing(),
		serving("middleware/RequestLogger", get, hasAnswer(200, "text/plain", "ok"), with("ok", middleware.RequestLogger(), echomw.RequestLogger())...),
		rateLimiters(),
	}
}

// hasHeaders checks that the headers are present, and their values if given.
func hasHeaders(want map[string]string) func(a answer) error {
	return func(a answer) error {
		for name, value := range want {
			if got := a.header.Get(name); got == "" || value != "" && got != value {
				return fmt.Errorf("%s is %q, want %q", name, got, value)
			}
		}
		return nil
	}
}

// rateLimiters handle visitors of 100 addresses at the same time, all within their limits.
func rateLimiters() contest.Contest {
	const visitors = 100
	limited := func(h http.Handler) (func(int), error) {
		requests := make([]*http.Request, visitors)
		for i := range requests {
			requests[i] = httptest.NewRequest(http.MethodGet, "/", nil)
			requests[i].RemoteAddr = fmt.Sprintf("192.0.2.%d:1234", i)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, requests[i])
			if w.Code != http.StatusOK {
				return nil, fmt.Errorf("the response has the status %d", w.Code)
			}
		}
		return func(n int) {
			var all sync.WaitGroup
			for i, r := range requests {
				share := (n + i) / visitors
				all.Go(func() {
					w := NewNothing()
					for range share {
						clear(w.header)
						h.ServeHTTP(w, r)
					}
				})
			}
			all.Wait()
		}, nil
	}
	const rate = 1e9
	return contest.Contest{Name: "middleware/RateLimiter, 100 goroutines", Way: contest.Parallel, Contestants: []contest.Contestant{
		{Name: "hone", New: func() (func(int), error) {
			e := web.New()
			e.Use(middleware.RateLimiter(middleware.NewRateLimiterMemoryStore(rate)))
			e.GET("/", func(c *web.Context) error { return c.NoContent(http.StatusOK) })
			return limited(e)
		}},
		{Name: EchoName, New: func() (func(int), error) {
			e := echo.New()
			e.Use(echomw.RateLimiter(echomw.NewRateLimiterMemoryStore(rate)))
			e.GET("/", func(c *echo.Context) error { return c.NoContent(http.StatusOK) })
			return limited(e)
		}},
	}}
}
