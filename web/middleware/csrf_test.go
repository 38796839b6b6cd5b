package middleware

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/web"
)

func TestCSRF(t *testing.T) {
	e, _ := logged()
	e.Use(CSRFWithConfig(CSRFConfig{TokenLookup: "header:X-CSRF-Token,form:csrf", CookieHTTPOnly: true, TrustedOrigins: []string{"https://a.example"}}))
	e.GET("/", func(c *web.Context) error { return c.String(200, c.Get("csrf").(string)) })
	e.POST("/", func(c *web.Context) error { return c.NoContent(200) })
	w := serve(e, "GET", "/", "")
	token := w.Body.String()
	cookie := w.Header().Get("Set-Cookie")
	if len(token) != 32 || !strings.HasPrefix(cookie, "_csrf="+token+"; Path=/; Expires=") || !strings.HasSuffix(cookie, "; HttpOnly; SameSite=Lax") {
		t.Fatalf("token %q, cookie %q", token, cookie)
	}
	if other := serve(e, "GET", "/", "").Body.String(); other == token {
		t.Error("the same token twice")
	}
	for _, tt := range []struct {
		want   int
		header []string
	}{
		{400, nil},
		{400, []string{"Cookie", "_csrf=" + token}},
		{403, []string{"Cookie", "_csrf=" + token, "X-CSRF-Token", "x"}},
		{403, []string{"Cookie", "_csrf=", "X-CSRF-Token", ""}}, // two empty tokens are not a secret
		{200, []string{"Cookie", "_csrf=" + token, "X-CSRF-Token", token}},
		{200, []string{"Sec-Fetch-Site", "same-origin"}},
		{403, []string{"Sec-Fetch-Site", "cross-site"}},
		{403, []string{"Sec-Fetch-Site", "same-site", "Origin", "https://evil.example"}},
		{200, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://A.example"}},
	} {
		if w := serve(e, "POST", "/", "", tt.header...); w.Code != tt.want {
			t.Errorf("%q: %d %s, want %d", tt.header, w.Code, w.Body, tt.want)
		}
	}
	if w := serve(e, "POST", "/", "csrf="+token, "Cookie", "_csrf="+token, "Content-Type", "application/x-www-form-urlencoded"); w.Code != 200 {
		t.Errorf("by a form: %d", w.Code)
	}
	strange := serve(e, "GET", "/", "", "Cookie", "_csrf=a b").Header().Get("Set-Cookie")
	if !strings.HasPrefix(strange, `_csrf="a b"; `) {
		t.Errorf("a token that needs quotes: %q", strange)
	}
}

// TestCSRFCookie checks the cookie's attributes.
func TestCSRFCookie(t *testing.T) {
	for _, test := range []struct {
		name   string
		config CSRFConfig
		peer   string
		https  bool
		want   string // the attributes except Expires
	}{
		{name: "default", config: DefaultCSRFConfig, want: "Path=/; SameSite=Lax"},
		{name: "zero", want: "Path=/; SameSite=Lax"},
		{name: "https", https: true, want: "Path=/; Secure; SameSite=Lax"},
		{name: "https by the word of a proxy", peer: "10.0.0.1:1", want: "Path=/; Secure; SameSite=Lax"},
		{name: "https by the word of a stranger", peer: "192.0.2.1:1", want: "Path=/; SameSite=Lax"},
		{name: "always secure", config: CSRFConfig{CookieSecure: true}, want: "Path=/; Secure; SameSite=Lax"},
		{name: "strict", config: CSRFConfig{CookieSameSite: http.SameSiteStrictMode, CookiePath: "/a", CookieHTTPOnly: true}, want: "Path=/a; HttpOnly; SameSite=Strict"},
		{name: "none", config: CSRFConfig{CookieSameSite: http.SameSiteNoneMode}, want: "Path=/; Secure; SameSite=None"},
		{name: "the browser's own", config: CSRFConfig{CookieSameSite: http.SameSiteDefaultMode}, want: "Path=/"},
	} {
		for _, token := range []string{"plain", "with space"} { // the second needs quotes in the cookie
			e, _ := logged()
			test.config.Generator = func() string { return token }
			e.Use(CSRFWithConfig(test.config))
			e.GET("/", func(c *web.Context) error { return c.NoContent(http.StatusNoContent) })
			for range 2 {
				r := httptest.NewRequest(http.MethodGet, "/", nil)
				if test.https {
					r.TLS = &tls.ConnectionState{}
				}
				if test.peer != "" {
					r.RemoteAddr = test.peer
					r.Header.Set("X-Forwarded-Proto", "https")
				}
				w := httptest.NewRecorder()
				e.ServeHTTP(w, r)
				parts := strings.Split(w.Header().Get("Set-Cookie"), "; ")
				parts = slices.DeleteFunc(parts[1:], func(p string) bool { return strings.HasPrefix(p, "Expires=") })
				if got := strings.Join(parts, "; "); got != test.want {
					t.Errorf("%s, %s: %s, want %s", test.name, token, got, test.want)
				}
			}
		}
	}
}

// TestCSRFLookup configures invalid TokenLookups. ToMiddleware returns an error, because middleware
// without a place to look for the token would admit all requests.
func TestCSRFLookup(t *testing.T) {
	for _, lookup := range []string{"headers:X-CSRF-Token", " header:X-CSRF-Token", "X:Y,Z:", "header"} {
		if m, err := (CSRFConfig{TokenLookup: lookup}).ToMiddleware(); err == nil || m != nil {
			t.Errorf("%q: %v", lookup, err)
		}
	}
}

// Trusted origins are compared like the origins of CORS.
func TestCSRFComparesASCII(t *testing.T) {
	e, _ := logged()
	e.Use(CSRFWithConfig(CSRFConfig{TrustedOrigins: []string{"https://kiosk.example"}}))
	e.POST("/", func(c *web.Context) error { return c.NoContent(200) })
	for origin, want := range map[string]int{
		"https://kiosk.example": 200, "https://KIOSK.example": 200,
		"https://\u212Aiosk.example": 403, "https://kio\u017Fk.example": 403, "https://kiosk.example.": 403, "null": 403,
	} {
		if w := serve(e, "POST", "/", "", "Origin", origin, "Sec-Fetch-Site", "cross-site"); w.Code != want {
			t.Errorf("%s: %d, want %d", origin, w.Code, want)
		}
	}
}
