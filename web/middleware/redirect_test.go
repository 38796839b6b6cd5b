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
		{m: HTTPSRedirect(), host: "a.example", want: "https://a.example/p?q=1"},
		{m: HTTPSWWWRedirect(), host: "www.a.example", want: "https://www.a.example/p?q=1"},
		{m: HTTPSNonWWWRedirect(), host: "www.a.example", want: "https://a.example/p?q=1"},
		{m: WWWRedirect(), host: "a.example:80", want: "http://www.a.example:80/p?q=1"},
		{m: NonWWWRedirect(), host: "www.a.example", want: "http://a.example/p?q=1"},
		{m: NonWWWRedirect(), host: "a.example"},
		{m: HTTPSRedirect(), host: "a.example/@evil.example", want: "400"},
		{m: HTTPSRedirect(), host: "evil.example\\a.example", want: "400"},
		{m: HTTPSRedirect(), host: "a@b", want: "400"},
		{m: HTTPSRedirect(), want: "400"},
	} {
		e, _ := logged()
		e.Pre(tt.m)
		e.GET("/p", func(c *web.Context) error { return c.NoContent(200) })
		r := httptest.NewRequest("GET", "/p?q=1", nil)
		r.Host = tt.host
		r.RequestURI = "http://evil.example/p?q=1" // a client of a proxy may send a whole URL
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

// TestRedirectHosts: every redirect refuses a host that is not a name or an address, with "www." and
// without. A request that is not redirected is served with any host.
func TestRedirectHosts(t *testing.T) {
	redirects := map[string]func() web.MiddlewareFunc{
		"https": HTTPSRedirect, "https www": HTTPSWWWRedirect, "https no www": HTTPSNonWWWRedirect, "www": WWWRedirect, "no www": NonWWWRedirect,
	}
	for name, redirect := range redirects {
		for _, host := range []string{"", ":80", ".a", "a%2fb", "a/b", "a@b", "a\\b", "a?b", "a#b", "a b", "a.example", "a.example:80", "[::1]", "[::1]:80", "127.0.0.1"} {
			for _, prefix := range []string{"", "www.", "WWW.", "wWw."} {
				e, _ := logged()
				e.Pre(redirect())
				e.GET("/*", func(c *web.Context) error { return c.NoContent(200) })
				r := httptest.NewRequest("GET", "/evil.example/login", nil)
				r.Host = prefix + host
				w := httptest.NewRecorder()
				e.ServeHTTP(w, r)
				scheme, target := "https://", map[string]string{"https": prefix + host, "https www": "www." + host, "https no www": host, "www": "www." + host, "no www": host}[name]
				if !strings.HasPrefix(name, "https") {
					scheme = "http://"
				}
				good := strings.Contains(host, "example") || strings.Contains(host, "1")
				want, location := 301, scheme+target+"/evil.example/login"
				switch {
				case name == "www" && prefix != "" || name == "no www" && prefix == "":
					want, location = 200, ""
				case !good:
					want, location = 400, ""
				}
				if got := w.Header().Get("Location"); w.Code != want || got != location {
					t.Errorf("%s: %q: %d %q, want %d %q", name, r.Host, w.Code, got, want, location)
				}
			}
		}
	}
}

// TestRedirectSchemes: a WebSocket handshake that a proxy reports as ws or wss is redirected to http or
// https, and counts as secure by wss. OPTIONS * has no URL to redirect to.
func TestRedirectSchemes(t *testing.T) {
	for _, tt := range []struct {
		m                         web.MiddlewareFunc
		host, proto, target, want string
	}{
		{WWWRedirect(), "a.example", "ws", "/p", "http://www.a.example/p"},
		{NonWWWRedirect(), "www.a.example", "wss", "/p", "https://a.example/p"},
		{HTTPSRedirect(), "a.example", "ws", "/p", "https://a.example/p"},
		{HTTPSRedirect(), "a.example", "wss", "/p", ""},
		{WWWRedirect(), "WWW.a.example", "https", "/p", ""},
		{HTTPSRedirect(), "a.example", "http", "*", ""},
		{WWWRedirect(), "a.example", "http", "*", ""},
	} {
		e, _ := logged()
		e.Pre(tt.m)
		e.GET("/p", func(c *web.Context) error { return c.NoContent(200) })
		r := httptest.NewRequest("GET", "/p", nil)
		r.Host, r.RemoteAddr = tt.host, "127.0.0.1:1"
		r.Header.Set("X-Forwarded-Proto", tt.proto)
		if tt.target == "*" {
			r.Method, r.RequestURI, r.URL = "OPTIONS", "*", &url.URL{Path: "*"}
		}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if got := w.Header().Get("Location"); got != tt.want || tt.want == "" && tt.target == "/p" && w.Code != 200 {
			t.Errorf("%s %s: %d %q, want %q", tt.proto, tt.host, w.Code, got, tt.want)
		}
	}
}

// TestRedirectPath: the redirect has the path that the client has sent, also within http.StripPrefix. It
// has the path of the URL if RequestURI is not a path.
func TestRedirectPath(t *testing.T) {
	for _, tt := range []struct{ uri, want string }{
		{"/outer/a%2Fb?x=1", "/outer/a%2Fb?x=1"}, {"//evil.example/x", "//evil.example/x"},
		{"", "/p?q=1"}, {"http://evil.example/x", "/p?q=1"}, {"/x\t/y", "/x%09/y"}, {"/x\r\nSet-Cookie: a=b", "/x%0D%0ASet-Cookie: a=b"}, {"/\x7f\x00é", "/%7F%00é"},
	} {
		e, _ := logged()
		e.Pre(HTTPSRedirect())
		r := httptest.NewRequest("GET", "/p?q=1", nil)
		r.Host, r.RequestURI = "a.example", tt.uri
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if got := w.Header().Get("Location"); got != "https://a.example"+tt.want {
			t.Errorf("%q: %d %q, want %q", tt.uri, w.Code, got, tt.want)
		}
	}
}

func TestTrailingSlash(t *testing.T) {
	for _, tt := range []struct {
		m            web.MiddlewareFunc
		target, want string
	}{
		{m: AddTrailingSlashWithConfig(AddTrailingSlashConfig{RedirectCode: 301}), target: "//evil.example", want: "/evil.example/"},
		{m: AddTrailingSlashWithConfig(AddTrailingSlashConfig{RedirectCode: 301}), target: "/%5Cevil.example", want: "/%5Cevil.example/"},
		{m: AddTrailingSlashWithConfig(AddTrailingSlashConfig{RedirectCode: 308}), target: "/a%2Fb?x=1", want: "/a%2Fb/?x=1"},
		{m: RemoveTrailingSlashWithConfig(RemoveTrailingSlashConfig{RedirectCode: 301}), target: "//evil.example/", want: "/evil.example"},
		{m: RemoveTrailingSlashWithConfig(RemoveTrailingSlashConfig{RedirectCode: 301}), target: "/%5Cevil.example/", want: "/%5Cevil.example"},
		{m: RemoveTrailingSlashWithConfig(RemoveTrailingSlashConfig{RedirectCode: 301}), target: "/"},
		{m: RemoveTrailingSlashWithConfig(RemoveTrailingSlashConfig{RedirectCode: 301}), target: "/a%2Fb%2F"},
		{m: RemoveTrailingSlashWithConfig(RemoveTrailingSlashConfig{RedirectCode: 301}), target: "/a%2Fb%2F/", want: "/a%2Fb%2F"},
		{m: AddTrailingSlashWithConfig(AddTrailingSlashConfig{RedirectCode: 301}), target: "/a%2F", want: "/a%2F/"},
		{m: AddTrailingSlash(), target: "/a%2F", want: "served /a%2F/ /a%2F/"},
		{m: AddTrailingSlash(), target: "/a%20b?x=1", want: "served /a%20b/?x=1 /a%20b/"},
		{m: AddTrailingSlash(), target: "/caf%C3%A9", want: "served /caf%C3%A9/ /caf%C3%A9/"},
		{m: RemoveTrailingSlash(), target: "/a%3Fb/?x=1", want: "served /a%3Fb?x=1 /a%3Fb"},
		{m: RemoveTrailingSlash(), target: "/a%2Fb%2F", want: "served  /a%2Fb%2F"},
		{m: RemoveTrailingSlash(), target: "/a%2Fb/", want: "served /a%2Fb /a%2Fb"},
		{m: AddTrailingSlash(), target: "/a?x=1", want: "served /a/?x=1 /a/"},
		{m: RemoveTrailingSlash(), target: "/a/?x=1", want: "served /a?x=1 /a"},
	} {
		e, _ := logged()
		e.Pre(tt.m)
		e.GET("/*", func(c *web.Context) error {
			return c.String(200, "served "+c.Request().RequestURI+" "+c.Request().URL.EscapedPath())
		})
		r := httptest.NewRequest("GET", "/", nil)
		r.RequestURI = ""
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
		t.Error("a code that is not a redirect: no error")
	}
}

func TestRewrite(t *testing.T) {
	e, _ := logged()
	e.Pre(RewriteWithConfig(RewriteConfig{
		Rules: map[string]string{
			"/old": "/new", "/api/*": "/$1", "/users/*/orders/*": "/user/$1/order/$2", "/api/v1/*": "/v1/$1", "^/caret/*": "/v2/$1",
			"/with": "/query?a=1", "/empty": "",
		},
		RegexRules: map[*regexp.Regexp]string{regexp.MustCompile("^/re/(.+)$"): "/regex/$1", regexp.MustCompile("/anywhere$"): "/found"},
	}))
	e.GET("/*", func(c *web.Context) error { return c.String(200, c.Request().URL.String()) })
	for target, want := range map[string]string{
		"/old": "/new", "/api/x": "/x", "/api/v1/x": "/v1/x", "/users/a/orders/b": "/user/a/order/b", "/re/z": "/regex/z", "/other": "/other",
		"/api//evil.example": "/evil.example", "/caret/x": "/v2/x", "/v2/caret/x": "/v2/caret/x",
		// rules match whole paths only, as the client sent them
		"/x/old": "/x/old", "/old/x": "/old/x", "/public/api/x": "/public/api/x", "/x/anywhere": "/found", "/ol%64": "/ol%64",
		"/users/a%2Fb/orders/%20c": "/user/a%2Fb/order/%20c", "/api/%2e%2e/x": "{\"message\":\"Not Found\"}\n", "/api/a/%2e%2e/x": "/a/%2e%2e/x",
		// rules match paths without the query, and the query is kept
		"/old?x=1": "/new?x=1", "/api/x?y=/api/z": "/x?y=/api/z", "/other?/old": "/other?/old", "/?/old": "/?/old", "/re/z?x": "/regex/z?x",
		"/with": "/query?a=1", "/with?a=2": "/query?a=1&a=2", "/empty?a=1": "/empty?a=1",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		path, query, _ := strings.Cut(target, "?")
		if r.URL, _ = url.Parse(target); r.URL.Host != "" {
			r.URL = &url.URL{Path: path, RawQuery: query}
		}
		r.RequestURI = target
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Body.String() != want {
			t.Errorf("%s: %s, want %s", target, w.Body, want)
		}
	}
}
