package middleware_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"time"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

func ExampleRecover() {
	e := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	e.Use(middleware.Recover())
	e.GET("/", func(*web.Context) error { panic("boom") })

	send(e, httptest.NewRequest("GET", "/", nil))
	// Output: 500 {"message":"Internal Server Error"}
}

func ExampleRequestID() {
	e := web.New()
	e.Use(middleware.RequestIDWithConfig(middleware.RequestIDConfig{Generator: func() string { return "id-1" }}))
	e.GET("/", hello)

	r := httptest.NewRequest("GET", "/", nil)
	fmt.Println(send(e, r).Header().Get("X-Request-Id"))
	r.Header.Set("X-Request-Id", "of-the-client")
	fmt.Println(send(e, r).Header().Get("X-Request-Id"))
	// Output:
	// 200 hello
	// id-1
	// 200 hello
	// of-the-client
}

func ExampleRequestLogger() {
	e := web.New()
	e.Use(middleware.RequestLoggerWithConfig(middleware.RequestLoggerConfig{
		LogMethod: true, LogURI: true, LogStatus: true,
		LogValuesFunc: func(_ *web.Context, v middleware.RequestLoggerValues) error {
			fmt.Println("log:", v.Method, v.URI, v.Status)
			return nil
		},
	}))
	e.GET("/", hello)

	send(e, httptest.NewRequest("GET", "/?a=b", nil))
	// Output:
	// log: GET /?a=b 200
	// 200 hello
}

func ExampleRateLimiter() {
	e := web.New()
	store := middleware.NewRateLimiterMemoryStoreWithConfig(middleware.RateLimiterMemoryStoreConfig{Rate: 0.001, Burst: 2})
	e.Use(middleware.RateLimiter(store))
	e.GET("/", hello)

	for range 3 {
		send(e, httptest.NewRequest("GET", "/", nil))
	}
	// Output:
	// 200 hello
	// 200 hello
	// 429 {"message":"rate limit exceeded"}
}

func ExampleContextTimeout() {
	e := web.New()
	e.Use(middleware.ContextTimeout(time.Millisecond))
	e.GET("/", func(c *web.Context) error {
		<-c.Request().Context().Done()
		return c.Request().Context().Err()
	})

	send(e, httptest.NewRequest("GET", "/", nil))
	// Output: 503 {"message":"Service Unavailable"}
}
