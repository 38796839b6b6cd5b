package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"
	echomiddleware "github.com/labstack/echo/v5/middleware"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// layouts are routes for both frameworks, one "METHOD pattern" on each line. For a route in a
// group, the prefix of the group and "|" precede the pattern. An answer (see layoutAsk) names the route that
// handled the request, or the status if no route did. The groups whose middleware was called follow.
var layouts = []struct {
	name   string
	routes string
	asks   []layoutAsk
}{
	{name: "a group over its own path", routes: "GET /admin| ; GET /admin|/x ; ANY /*", asks: []layoutAsk{
		{ask: "GET /admin", want: "GET /admin by /admin"},
		{ask: "GET /admin/x", want: "GET /admin/x by /admin"},
		{ask: "GET /admin/none", want: "404 by /admin"},
		{ask: "GET /admin/", want: "404 by /admin"},
		{ask: "POST /admin/x", want: "404 by /admin"},
		{ask: "GET /administrator", want: "ANY /*"},
		{ask: "POST /admin", want: "404 by /admin", echo: "ANY /*"},
		{ask: "PUT /admin", want: "404 by /admin", echo: "ANY /*"},
		{ask: "DELETE /admin", want: "404 by /admin", echo: "ANY /*"},
		{ask: "HEAD /admin", want: "404 by /admin", echo: "ANY /*"},
		{ask: "OPTIONS /admin", want: "404 by /admin", echo: "ANY /*"},
		{ask: "GET //admin/x", want: "404", echo: "ANY /*"},
		{ask: "GET /%61dmin/x", want: "404", echo: "ANY /*"},
		{ask: "GET /admin%2fx", want: "404", echo: "ANY /*"},
		{ask: "GET /b//c", want: "ANY /*"},
		{ask: "GET /b%2fc", want: "ANY /*"},
	}},
	{name: "a parameter beside the group", routes: "GET /admin| ; ANY /:x ; ANY /:x/:y", asks: []layoutAsk{
		{ask: "GET /admin", want: "GET /admin by /admin"},
		{ask: "GET /admin/x", want: "404 by /admin"},
		{ask: "POST /admin", want: "404 by /admin", echo: "ANY /:x"},
		{ask: "POST /other", want: "ANY /:x"},
	}},
	{name: "a parameter in the group", routes: "GET /api/:v/admin|/x ; ANY /api/v1/* ; GET /api/v1/admin/open", asks: []layoutAsk{
		{ask: "GET /api/v2/admin/x", want: "GET /api/:v/admin/x by /api/:v/admin"},
		{ask: "GET /api/v2/admin", want: "404 by /api/:v/admin"},
		{ask: "GET /api/v1/users", want: "ANY /api/v1/*"},
		{ask: "GET /api/v1/administrator", want: "ANY /api/v1/*"},
		{ask: "GET /api/v1/admin/open", want: "GET /api/v1/admin/open"},
		{ask: "GET /api/v1/admin/x", want: "GET /api/:v/admin/x by /api/:v/admin", echo: "ANY /api/v1/*"},
		{ask: "POST /api/v1/admin", want: "404 by /api/:v/admin", echo: "ANY /api/v1/*"},
	}},
	{name: "a group with a slash", routes: "GET /admin/|x ; ANY /*", asks: []layoutAsk{
		{ask: "GET /admin/x", want: "GET /admin/x by /admin/"},
		{ask: "GET /admin/", want: "404 by /admin/"},
		{ask: "GET /admin/none", want: "404 by /admin/", echo: "ANY /*"},
		{ask: "GET /admin", want: "404 by /admin/", echo: "ANY /*"},
	}},
	{name: "routes of the program's own in the prefix", routes: "GET /api|/users ; POST /api/login ; GET /api/files/* ; GET /api", asks: []layoutAsk{
		{ask: "GET /api/users", want: "GET /api/users by /api"},
		{ask: "POST /api/login", want: "POST /api/login"},
		{ask: "GET /api/files/a/b", want: "GET /api/files/*"},
		{ask: "GET /api", want: "GET /api"},
		{ask: "GET /api/login", want: "404 by /api"},
	}},
	{name: "a group of everything", routes: "GET |/users ; GET /public ; ANY /*", asks: []layoutAsk{
		{ask: "GET /users", want: "GET /users by "},
		{ask: "GET /public", want: "GET /public"},
		{ask: "POST /public", want: "ANY /*"},
		{ask: "GET /", want: "404 by "},
		{ask: "GET /x", want: "ANY /*"},
	}},
	{name: "a group in a group", routes: "ANY /api|/* ; GET /api/admin|/x", asks: []layoutAsk{
		{ask: "GET /api/admin/x", want: "GET /api/admin/x by /api/admin"},
		{ask: "GET /api/admin/y", want: "404 by /api/admin"},
		{ask: "GET /api/y", want: "ANY /api/* by /api"},
	}},
}

type layoutAsk struct {
	ask, want string
	echo      string // Echo's answer, if it differs
}

// answer sends a request, and describes the response.
func answer(h http.Handler, ask string) string {
	method, target, _ := strings.Cut(ask, " ")
	r := httptest.NewRequest(method, "/", nil)
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return err.Error()
	}
	r.URL, r.RequestURI = u, target
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	said := w.Header().Get("Route")
	if said == "" {
		said = fmt.Sprint(w.Code)
	}
	if by, ok := w.Header()["By"]; ok {
		said += " by " + strings.Join(by, ", ")
	}
	return said
}

func method(name string) string {
	if name == "ANY" {
		return web.RouteAny // the same constant as in Echo
	}
	return name
}

func TestLayouts(t *testing.T) {
	for _, layout := range layouts {
		theirs, ours := echo.New(), web.New()
		for _, line := range strings.Split(layout.routes, " ; ") {
			name, pattern, _ := strings.Cut(line, " ")
			prefix, own, grouped := strings.Cut(pattern, "|")
			path := strings.Replace(pattern, "|", "", 1)
			answerThem := func(c *echo.Context) error {
				c.Response().Header().Set("Route", name+" "+path)
				return c.NoContent(http.StatusOK)
			}
			answerUs := func(c *web.Context) error {
				c.Response().Header().Set("Route", name+" "+path)
				return c.NoContent(http.StatusOK)
			}
			if !grouped {
				theirs.Add(method(name), path, answerThem)
				ours.Add(method(name), path, answerUs)
				continue
			}
			theirs.Group(prefix, func(next echo.HandlerFunc) echo.HandlerFunc {
				return func(c *echo.Context) error { c.Response().Header().Add("By", prefix); return next(c) }
			}).Add(method(name), own, answerThem)
			ours.Group(prefix, func(next web.HandlerFunc) web.HandlerFunc {
				return func(c *web.Context) error { c.Response().Header().Add("By", prefix); return next(c) }
			}).Add(method(name), own, answerUs)
		}
		for _, ask := range layout.asks {
			wantEcho := ask.echo
			if wantEcho == "" {
				wantEcho = ask.want
			}
			if got := answer(ours, ask.ask); got != ask.want {
				t.Errorf("%s: %s: %s, want %s", layout.name, ask.ask, got, ask.want)
			}
			if got := answer(theirs, ask.ask); got != wantEcho {
				t.Errorf("%s: %s: Echo answers %s, and not %s", layout.name, ask.ask, got, wantEcho)
			}
		}
	}
}

// TestRewrites compares both frameworks for the rules that Echo documents, and for rules with known
// differences.
func TestRewrites(t *testing.T) {
	rules := map[string]string{
		"/old": "/new", "/api/*": "/$1", "/js/*": "/public/javascripts/$1", "/users/*/orders/*": "/user/$1/order/$2", "^/abc/*": "/v1/abc/$1",
		"/static": "/static/path?role=AUTHOR&limit=1000",
	}
	regexes := func() map[*regexp.Regexp]string { // Echo adds the rules to it
		return map[*regexp.Regexp]string{regexp.MustCompile("^/x/.+?/(.*)"): "/v4/$1", regexp.MustCompile("^/y/(.+?)/(.*)"): "/v5/$2/$1"}
	}
	theirs, ours := echo.New(), web.New()
	theirs.Pre(echomiddleware.RewriteWithConfig(echomiddleware.RewriteConfig{Rules: rules, RegexRules: regexes()}))
	ours.Pre(middleware.RewriteWithConfig(middleware.RewriteConfig{Rules: rules, RegexRules: regexes()}))
	theirs.GET("/*", func(c *echo.Context) error { c.Response().Header().Set("Route", c.Request().URL.String()); return nil })
	ours.GET("/*", func(c *web.Context) error { c.Response().Header().Set("Route", c.Request().URL.String()); return nil })
	for _, test := range []struct{ target, want, echo string }{
		{target: "/old", want: "/new"},
		{target: "/api/users", want: "/users"},
		{target: "/api/users?x=1", want: "/users?x=1"},
		{target: "/js/main.js", want: "/public/javascripts/main.js"},
		{target: "/users/jack/orders/1", want: "/user/jack/order/1"},
		{target: "/users/+_+/orders/___++++?test=1", want: "/user/+_+/order/___++++?test=1"},
		{target: "/users/%20a/orders/%20aa", want: "/user/%20a/order/%20aa"},
		{target: "/users/jill/orders/T%2FcO4lW%2Ft%2FVp%2F", want: "/user/jill/order/T%2FcO4lW%2Ft%2FVp%2F"},
		{target: "/user/jill/order/T%2FcO4lW%2Ft%2FVp%2F", want: "/user/jill/order/T%2FcO4lW%2Ft%2FVp%2F"},
		{target: "/ol%64", want: "/ol%64"},
		{target: "/%47%6f%2f?test=1", want: "/%47%6f%2f?test=1"},
		{target: "/abc/test", want: "/v1/abc/test"},
		{target: "/v1/abc/test", want: "/v1/abc/test"},
		{target: "/static", want: "/static/path?role=AUTHOR&limit=1000"},
		{target: "/x/ignore/test", want: "/v4/test"},
		{target: "/y/foo/bar", want: "/v5/bar/foo"},
		{target: "/z/old", want: "/z/old", echo: "/new"},
		{target: "/old?x=1", want: "/new?x=1", echo: "/old?x=1"},
		{target: "/z?/old", want: "/z?/old", echo: "/new"},
		{target: "/static?x=1", want: "/static/path?role=AUTHOR&limit=1000&x=1", echo: "/static?x=1"},
	} {
		if test.echo == "" {
			test.echo = test.want
		}
		if got := answer(ours, "GET "+test.target); got != test.want {
			t.Errorf("%s: %s, want %s", test.target, got, test.want)
		}
		if got := answer(theirs, "GET "+test.target); got != test.echo {
			t.Errorf("%s: Echo makes %s of it, and not %s", test.target, got, test.echo)
		}
	}
}
