package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/web"
)

func TestMiddlewareAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	store := NewRateLimiterMemoryStoreWithConfig(RateLimiterMemoryStoreConfig{Rate: 1e9, Burst: 200})
	for name, tt := range map[string]struct {
		m      web.MiddlewareFunc
		budget float64
	}{
		"RequestID":      {RequestID(), 2},               // the ID and its header value
		"ContextTimeout": {ContextTimeout(time.Hour), 2}, // the context and the request
		"CORS":           {CORS("https://a.example"), 0}, //
		"CSRF":           {CSRF(), 4},                    // the token, the cookie, its header value, the token's interface
		"RateLimiter":    {RateLimiter(store), 0},        //
		"BodyLimit":      {BodyLimit(1 << 20), 0},        // without a body
		"Secure":         {Secure(), 0},                  //
		"Redirect":       {NonWWWRedirect(), 0},          //
		"TrailingSlash":  {RemoveTrailingSlash(), 0},     //
	} {
		e, _ := logged()
		e.Use(tt.m)
		e.GET("/:x", func(c *web.Context) error { return nil })
		w, r := &discard{header: http.Header{}}, httptest.NewRequest("GET", "/1", nil)
		r.Header.Set("Origin", "https://a.example")
		if n := testing.AllocsPerRun(100, func() { clear(w.header); e.ServeHTTP(w, r) }); n > tt.budget {
			t.Errorf("%s: %v allocs, budget %v", name, n, tt.budget)
		}
	}
}
