package middleware

import (
	"strings"
	"testing"

	"github.com/hone-go/hone/web"
)

func TestCSRF(t *testing.T) {
	e, _ := logged()
	e.Use(CSRFWithConfig(CSRFConfig{TokenLookup: "header:X-CSRF-Token,form:csrf", CookiePath: "/", CookieHTTPOnly: true, TrustedOrigins: []string{"https://a.example"}}))
	e.GET("/", func(c *web.Context) error { return c.String(200, c.Get("csrf").(string)) })
	e.POST("/", func(c *web.Context) error { return c.NoContent(200) })
	w := serve(e, "GET", "/", "")
	token := w.Body.String()
	cookie := w.Header().Get("Set-Cookie")
	if len(token) != 32 || !strings.HasPrefix(cookie, "_csrf="+token+"; Path=/; Expires=") || !strings.HasSuffix(cookie, "; HttpOnly") {
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
		{403, []string{"Cookie", "_csrf=", "X-CSRF-Token", ""}}, // empty on both sides is no secret
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
