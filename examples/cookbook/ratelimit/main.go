// Command ratelimit limits the requests of each client. A client is identified by its key, or by its
// address if the request has no key. POST /v1/reports has an additional, lower limit.
//
//	for i in 1 2 3; do curl -i -X POST http://127.0.0.1:8080/v1/reports; done
package main

import (
	"log"
	"net/http"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// client returns the identity for which requests are counted. It uses a key only if the key is valid: otherwise a
// client could choose a new identity for each request.
func client(keys map[string]string) middleware.Extractor {
	return func(c *web.Context) (string, error) {
		if name, ok := keys[c.Request().Header.Get("X-API-Key")]; ok {
			return "key " + name, nil
		}
		return "address " + c.RealIP(), nil
	}
}

func limit(rate float64, burst int, keys map[string]string) web.MiddlewareFunc {
	return middleware.RateLimiterWithConfig(middleware.RateLimiterConfig{
		Skipper:             func(c *web.Context) bool { return c.Path() == "/health" },
		IdentifierExtractor: client(keys),
		Store:               middleware.NewRateLimiterMemoryStoreWithConfig(middleware.RateLimiterMemoryStoreConfig{Rate: rate, Burst: burst}),
		DenyHandler: func(c *web.Context, _ string, _ error) error {
			return web.NewHTTPError(http.StatusTooManyRequests, "too many requests, try again later")
		},
	})
}

func handler(keys map[string]string) *web.Echo {
	e := web.New()
	e.Use(limit(20, 10, keys))
	ok := func(c *web.Context) error { return c.String(http.StatusOK, "ok") }
	e.GET("/health", ok)
	e.GET("/v1/readings", ok)
	e.POST("/v1/reports", ok, limit(0.1, 2, keys)) // expensive: a burst of two, then one every ten seconds
	return e
}

func main() {
	if err := handler(map[string]string{"change-me": "dashboard"}).Start(":8080"); err != nil {
		log.Fatal(err)
	}
}
