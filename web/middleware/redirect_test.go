package middleware

import (
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/hone-go/hone/web"
)

func TestRedirects(t *testing.T) {
	for _, tt := range []struct {
		m          web.MiddlewareFunc
		host, want string
	}{
		{HTTPSRedirect(), "a.example", "https://a.example/p?q=1"},
		{HTTPSWWWRedirect(), "www.a.example", "https://www.a.example/p?q=1"},
		{HTTPSNonWWWRedirect(), "www.a.example", "https://a.example/p?q=1"},
		{WWWRedirect(), "a.example:80", "http://www.a.example:80/p?q=1"},
		{NonWWWRedirect(), "www.a.example", "http://a.example/p?q=1"},
		{NonWWWRedirect(), "a.example", ""},
		{HTTPSRedirect(), "a.example/@evil.example", "400"},
		{HTTPSRedirect(), "evil.example\\a.example", "400"},
		{HTTPSRedirect(), "a@b", "400"},
		{HTTPSRedirect(), "", "400"},
	} {
		e, _ := logged()
		e.Pre(tt.m)
		e.GET("/p", func(c *web.Context) error { return c.NoContent(200) })
		r := httptest.NewRequest("GET", "/p?q=1", nil)
		r.Host = tt.host
		r.RequestURI = "http://evil.example/p?q=1" // what a proxy's client may send
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		got := w.Header().Get("Location")
		if w.Code == 400 {
			got = "400"
		}
		if got != tt.want {
			t.Errorf("%s: %d %q, want %q", tt.host, w.Code, got, tt.want)
		}
	}
	if _, err := (RedirectConfig{}).ToMiddleware(); err == nil {
		t.Error("no target: no error")
	}
}

func TestTrailingSlash(t *testing.T) {
	for _, tt := range []struct {
		m            web.MiddlewareFunc
		target, want string
	}{
		{AddTrailingSlashWithConfig(AddTrailingSlashConfig{RedirectCode: 301}), "//evil.example", "/evil.example/"},
		{AddTrailingSlashWithConfig(AddTrailingSlashConfig{RedirectCode: 301}), "/%5Cevil.example", "/%5Cevil.example/"},
		{AddTrailingSlashWithConfig(AddTrailingSlashConfig{RedirectCode: 308}), "/a%2Fb?x=1", "/a%2Fb/?x=1"},
		{RemoveTrailingSlashWithConfig(RemoveTrailingSlashConfig{RedirectCode: 301}), "//evil.example/", "/evil.example"},
		{RemoveTrailingSlashWithConfig(RemoveTrailingSlashConfig{RedirectCode: 301}), "/", ""},
		{AddTrailingSlash(), "/a?x=1", "served /a/?x=1"},
		{RemoveTrailingSlash(), "/a/?x=1", "served /a?x=1"},
	} {
		e, _ := logged()
		e.Pre(tt.m)
		e.GET("/*", func(c *web.Context) error { return c.String(200, "served "+c.Request().RequestURI) })
		r := httptest.NewRequest("GET", "/", nil)
		r.URL, _ = url.Parse("http://h" + tt.target)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		got := w.Header().Get("Location")
		if strings.HasPrefix(tt.want, "served") {
			got = w.Body.String()
		}
		if got != tt.want {
			t.Errorf("%s: %d %q, want %q", tt.target, w.Code, got, tt.want)
		}
	}
	if _, err := (AddTrailingSlashConfig{RedirectCode: 200}).ToMiddleware(); err == nil {
		t.Error("a code that is no redirect: no error")
	}
}

func TestRewrite(t *testing.T) {
	e, _ := logged()
	e.Pre(RewriteWithConfig(RewriteConfig{
		Rules:      map[string]string{"/old": "/new", "/api/*": "/$1", "/users/*/orders/*": "/user/$1/order/$2", "/api/v1/*": "/v1/$1"},
		RegexRules: map[*regexp.Regexp]string{regexp.MustCompile("^/re/(.+)$"): "/regex/$1"},
	}))
	e.GET("/*", func(c *web.Context) error { return c.String(200, c.Request().URL.Host+c.Request().URL.Path) })
	for target, want := range map[string]string{
		"/old": "/new", "/api/x": "/x", "/api/v1/x": "/v1/x", "/users/a/orders/b": "/user/a/order/b", "/re/z": "/regex/z", "/other": "/other",
		"/api//evil.example": "/evil.example",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL, _ = url.Parse(target)
		if r.URL.Host != "" {
			r.URL = &url.URL{Path: target}
		}
		r.RequestURI = target
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Body.String() != want {
			t.Errorf("%s: %s, want %s", target, w.Body, want)
		}
	}
}
