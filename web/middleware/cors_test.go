package middleware

import (
	"testing"

	"github.com/hone-go/hone/web"
)

func TestCORS(t *testing.T) {
	e, _ := logged()
	e.Use(CORSWithConfig(CORSConfig{AllowOrigins: []string{"https://a.example"}, AllowCredentials: true, ExposeHeaders: []string{"X-A", "X-B"}, MaxAge: 60}))
	e.GET("/", func(c *web.Context) error { return c.NoContent(200) })
	e.POST("/", func(c *web.Context) error { return c.NoContent(200) })
	w := serve(e, "GET", "/", "", "Origin", "https://A.example")
	h := w.Header()
	if h.Get("Access-Control-Allow-Origin") != "https://a.example" || h.Get("Access-Control-Allow-Credentials") != "true" || h.Get("Access-Control-Expose-Headers") != "X-A,X-B" {
		t.Errorf("allowed: %v", h)
	}
	for _, origin := range []string{"https://evil.example", "https://a.example.evil.example", "null", "https://a.example:81", "http://a.example"} {
		for _, method := range []string{"GET", "OPTIONS"} {
			if h := serve(e, method, "/", "", "Origin", origin).Header(); h.Get("Access-Control-Allow-Origin") != "" || h.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s from %s: %v", method, origin, h)
			}
		}
	}
	w = serve(e, "OPTIONS", "/", "", "Origin", "https://a.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "X-Z")
	h = w.Header()
	if w.Code != 204 || h.Get("Access-Control-Allow-Methods") != "OPTIONS, GET, POST" || h.Get("Access-Control-Allow-Headers") != "X-Z" || h.Get("Access-Control-Max-Age") != "60" || len(h["Vary"]) != 3 {
		t.Errorf("preflight: %d %v", w.Code, h)
	}
	for name, config := range map[string]CORSConfig{
		"star and credentials": {AllowOrigins: []string{"*"}, AllowCredentials: true},
		"no origin":            {},
		"no scheme":            {AllowOrigins: []string{"a.example"}},
		"a path":               {AllowOrigins: []string{"https://a.example/x"}},
		"a pattern":            {AllowOrigins: []string{"https://*.example"}},
		"a pattern of a port":  {AllowOrigins: []string{"https://a.example:*"}},
	} {
		if _, err := config.ToMiddleware(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	star, _ := logged()
	star.Use(CORSWithConfig(CORSConfig{AllowCredentials: true, UnsafeAllowOriginFunc: func(*web.Context, string) (string, bool, error) { return "*", true, nil }}))
	star.GET("/", func(c *web.Context) error { return c.NoContent(200) })
	if h := serve(star, "GET", "/", "", "Origin", "https://x.example").Header(); h.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("credentials with *: %v", h)
	}
}

func TestCORSComparesASCII(t *testing.T) {
	e, _ := logged()
	e.Use(CORS("https://kiosk.example", "https://é.example", "https://a_b.example"))
	e.GET("/", func(c *web.Context) error { return c.NoContent(200) })
	for origin, want := range map[string]string{
		"https://KIOSK.example": "https://kiosk.example", "https://é.EXAMPLE": "https://é.example",
		"https://\u212Aiosk.example": "", "https://kio\u017Fk.example": "", "https://É.example": "", "https://a\x7Fb.example": "", "https://A_B.example": "https://a_b.example",
	} {
		if got := serve(e, "GET", "/", "", "Origin", origin).Header().Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s: %q, want %q", origin, got, want)
		}
	}
}

func TestCORSPreflights(t *testing.T) {
	for _, test := range []struct {
		method       string
		origin, asks string
		answered     bool // whether the middleware answers the request without calling the handler
		allowed      bool // whether the response allows the origin
	}{
		{method: "OPTIONS"},
		{method: "OPTIONS", asks: "PUT"},
		{method: "OPTIONS", origin: "https://a.example", allowed: true},
		{method: "OPTIONS", origin: "https://a.example", asks: "PUT", answered: true, allowed: true},
		{method: "OPTIONS", origin: "https://b.example"},
		{method: "OPTIONS", origin: "https://b.example", asks: "PUT", answered: true},
		{method: "PUT", origin: "https://a.example", asks: "PUT", allowed: true},
	} {
		e, _ := logged()
		e.Use(CORS("https://a.example"))
		e.Match([]string{"OPTIONS", "PUT"}, "/", func(c *web.Context) error { return c.String(200, "handler") })
		w := serve(e, test.method, "/", "", "Origin", test.origin, "Access-Control-Request-Method", test.asks)
		if answered := w.Body.String() != "handler"; answered != test.answered {
			t.Errorf("%+v: answered %v", test, answered)
		}
		if allowed := w.Header().Get("Access-Control-Allow-Origin") != ""; allowed != test.allowed {
			t.Errorf("%+v: allowed %v", test, allowed)
		}
	}
}
