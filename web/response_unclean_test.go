package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// TestStaticUncleanNames asks for a guarded file in every form of its path. None
// is served, also if a redirect is followed.
func TestStaticUncleanNames(t *testing.T) {
	files := fstest.MapFS{"admin/x": {Data: []byte("secret")}, "open/y": {Data: []byte("fine")}, "index.html": {Data: []byte("home")}}
	deny := func(web.HandlerFunc) web.HandlerFunc {
		return func(*web.Context) error { return web.ErrForbidden }
	}
	for name, setUp := range map[string]func(e *web.Echo){
		"Static":  func(e *web.Echo) { e.StaticFS("/", files) },
		"a group": func(e *web.Echo) { e.Group("").StaticFS("/", files) },
		"middleware": func(e *web.Echo) {
			e.Use(middleware.StaticWithConfig(middleware.StaticConfig{Filesystem: files, Root: "."}))
		},
	} {
		e := web.New()
		e.Group("/admin", deny).GET("/*", func(c *web.Context) error { return c.String(http.StatusOK, "guarded") })
		setUp(e)
		get := func(target string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			path, query, _ := strings.Cut(target, "?")
			r.URL.Path, r.URL.RawQuery, r.RequestURI = path, query, target
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			return w
		}
		for _, path := range []string{
			"//admin/x", "/./admin/x", "/x/../admin/x", "///admin///x", "/.//admin/x", "/open/../admin/x", "/admin/./x/../x", "/./admin/x/", "//admin/x/.",
			"/open//../admin/x", "/open/./y", "/open//y", "/../admin/x", "/..//admin/x",
		} {
			w := get(path)
			for range 5 {
				to := w.Header().Get("Location")
				if to == "" {
					break
				}
				w = get(to)
			}
			if body := w.Body.String(); strings.Contains(body, "secret") || strings.Contains(body, "fine") {
				t.Errorf("%s: %s is answered with %d %q", name, path, w.Code, body)
			}
		}
		if name != "middleware" { // which stands in front of the guard: it is not one of its group
			if w := get("/admin/x"); w.Code != http.StatusForbidden {
				t.Errorf("%s: the guard is gone: %d", name, w.Code)
			}
		}
		if w := get("/open/y"); w.Body.String() != "fine" {
			t.Errorf("%s: got %d %q", name, w.Code, w.Body)
		}
		if w := get("/"); w.Body.String() != "home" {
			t.Errorf("%s: the index is gone: %d %q", name, w.Code, w.Body)
		}
	}
}
