package middleware

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/web"
)

// TestMethodOverrideMethods overrides methods before and after routing. Only a POST in Echo.Pre
// becomes a PUT, PATCH or DELETE. After routing, the method stays, and the log names Echo.Pre once.
func TestMethodOverrideMethods(t *testing.T) {
	for _, test := range []struct {
		name, method, override string
		pre, missing           bool // the middleware is in Echo.Pre; the path has no route
		want                   string
	}{
		{name: "put", method: "POST", override: "PUT", pre: true, want: "PUT"},
		{name: "patch", method: "POST", override: "PATCH", pre: true, want: "PATCH"},
		{name: "delete", method: "POST", override: "DELETE", pre: true, want: "DELETE"},
		{name: "a safe method, which CSRF lets through", method: "POST", override: "GET", pre: true, want: "POST"},
		{name: "another method", method: "POST", override: "PROPFIND", pre: true, want: "PROPFIND"},
		{name: "another method with a hyphen", method: "POST", override: "M-SEARCH", pre: true, want: "M-SEARCH"},
		{name: "a safe method with a body", method: "POST", override: "QUERY", pre: true, want: "POST"},
		{name: "CONNECT", method: "POST", override: "CONNECT", pre: true, want: "POST"},
		{name: "a method of the router", method: "POST", override: "echo_route_not_found", pre: true, want: "POST"},
		{name: "none", method: "POST", pre: true, want: "POST"},
		{name: "another case", method: "POST", override: "put", pre: true, want: "POST"},
		{name: "of another method", method: "GET", override: "PUT", pre: true, want: "GET"},
		{name: "behind routing", method: "POST", override: "PUT", want: "POST"},
		{name: "behind routing, to no route", method: "POST", override: "PUT", missing: true, want: "POST"},
		{name: "to no route", method: "POST", override: "PUT", pre: true, missing: true, want: "PUT"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			say := func(c *web.Context) error { return c.String(http.StatusOK, c.Request().Method) }
			e := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Router: web.NewRouter(web.RouterConfig{NotFoundHandler: say})})
			if test.pre {
				e.Pre(MethodOverride())
			} else {
				e.Use(MethodOverride())
			}
			if !test.missing {
				e.Any("/x", say)
			}
			for range 2 {
				r := httptest.NewRequest(test.method, "/x", nil)
				r.Header.Set(web.HeaderXHTTPMethodOverride, test.override)
				w := httptest.NewRecorder()
				e.ServeHTTP(w, r)
				if w.Body.String() != test.want {
					t.Errorf("got %s, want %s", w.Body, test.want)
				}
			}
			if got := strings.Count(log.String(), "Echo.Pre"); got != 0 == test.pre {
				t.Errorf("%d log lines name Echo.Pre: %s", got, &log)
			}
		})
	}
}

// TestMethodOverrideAndCSRF overrides the method of a POST without a token, for example by a safe
// method. CSRF still refuses the request.
func TestMethodOverrideAndCSRF(t *testing.T) {
	for _, method := range []string{"GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "PROPFIND", "REPORT", "get", " GET"} {
		for _, pre := range []bool{true, false} {
			e := web.New()
			if pre {
				e.Pre(MethodOverride())
			} else {
				e.Use(MethodOverride())
			}
			e.Use(CSRF())
			reached := false
			e.Any("/x", func(c *web.Context) error { reached = true; return nil })
			r := httptest.NewRequest(http.MethodPost, "/x", nil)
			r.Header.Set(web.HeaderXHTTPMethodOverride, method)
			w := httptest.NewRecorder()
			if e.ServeHTTP(w, r); reached || w.Code < 400 {
				t.Errorf("%q, in Pre %v: a POST without a token got %d", method, pre, w.Code)
			}
		}
	}
}

// TestKeyAuthEmptyKey sends empty keys to a validator whose secret is empty by mistake. The
// requests are refused with 401.
func TestKeyAuthEmptyKey(t *testing.T) {
	secret := ""
	e := web.New()
	e.Use(KeyAuthWithConfig(KeyAuthConfig{
		KeyLookup: "query:key,header:X-Key,header:Authorization:Bearer ",
		Validator: func(_ *web.Context, key string, _ ExtractorSource) (bool, error) { return key == secret, nil },
	}))
	e.GET("/", func(c *web.Context) error { return c.NoContent(http.StatusNoContent) })
	for _, set := range []func(r *http.Request){
		func(*http.Request) {},
		func(r *http.Request) { r.URL.RawQuery = "key=" },
		func(r *http.Request) { r.Header["X-Key"] = []string{""} },
		func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") },
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		set(r)
		w := httptest.NewRecorder()
		if e.ServeHTTP(w, r); w.Code != http.StatusUnauthorized {
			t.Errorf("%v %v: got %d", r.URL, r.Header, w.Code)
		}
	}
}
