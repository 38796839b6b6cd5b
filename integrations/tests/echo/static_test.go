// Package echo compares package web with Echo itself, request by request.
package echo

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/labstack/echo/v5"
	echomiddleware "github.com/labstack/echo/v5/middleware"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

var files = fstest.MapFS{
	"index.html":           {Data: []byte("index")},
	"api":                  {Data: []byte("file api")},
	"docs/index.html":      {Data: []byte("index of docs")},
	"docs/docs":            {Data: []byte("file docs/docs")},
	"docs/a.txt":           {Data: []byte("a")},
	"docs/docs.txt":        {Data: []byte("docs.txt")},
	"assets/a.txt":         {Data: []byte("asset a")},
	"assets/docs/docs.txt": {Data: []byte("asset docs")},
	"empty/x/y.txt":        {Data: []byte("y")},
}

// TestStatic compares the middleware Static in each configuration, on an Echo and on groups, with and without a
// route for the path.
func TestStatic(t *testing.T) {
	paths := []string{
		"/", "/api", "/api/", "/docs", "/docs/", "/docs/docs", "/docs/docs/", "/docs/a.txt", "/docs/docs.txt", "/none", "/none/api",
		"/assets", "/assets/", "/assets/a.txt", "/assets/assets", "/assets/docs", "/assets/docs/docs.txt", "/index.html", "/empty", "/empty/", "/empty/x",
	}
	for bits := range 8 {
		for _, root := range []string{"", "docs", "assets"} {
			for _, group := range []string{"", "/assets", "/docs", "/docs/docs"} {
				ignoreBase, html5, routes := bits&1 != 0, bits&2 != 0, bits&4 != 0
				e := echo.New()
				theirs := echomiddleware.StaticWithConfig(echomiddleware.StaticConfig{Root: root, Filesystem: files, IgnoreBase: ignoreBase, HTML5: html5})
				h := web.New()
				ours := middleware.StaticWithConfig(middleware.StaticConfig{Root: root, Filesystem: files, IgnoreBase: ignoreBase, HTML5: html5})
				if routes {
					for _, path := range []string{"/api", "/docs", "/assets/docs", "/none/*"} {
						e.Any(path, func(c *echo.Context) error { return c.String(http.StatusTeapot, c.Path()) })
						h.Any(path, func(c *web.Context) error { return c.String(http.StatusTeapot, c.Path()) })
					}
				}
				if group == "" {
					e.Use(theirs)
					h.Use(ours)
				} else {
					e.Group(group, theirs)
					h.Group(group, ours)
				}
				about := fmt.Sprintf("root %q, group %q, IgnoreBase %v, HTML5 %v, routes %v", root, group, ignoreBase, html5, routes)
				for _, path := range paths {
					for _, method := range []string{"GET", "HEAD", "POST"} {
						want, got := answer(e, method, path), answer(h, method, path)
						if got != want {
							t.Errorf("%s, %s %s: got %s, want %s", about, method, path, got, want)
						}
					}
				}
			}
		}
	}
}

// answer returns the status and the body of an answer.
func answer(h http.Handler, method, path string) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return fmt.Sprint(w.Code, " ", strings.TrimSpace(w.Body.String()))
}
