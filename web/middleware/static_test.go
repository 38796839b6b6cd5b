package middleware

import (
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hone-go/hone/web"
)

func TestStaticMiddleware(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{"secret.txt": "secret", "public/a.txt": "a", "public/index.html": "index", "public/list/<b>.txt": "b"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.txt", filepath.Join(root, "public", "out")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	e := web.NewWithConfig(web.Config{Filesystem: web.NewDefaultFS(root)})
	e.Use(Static("public"))
	for target, want := range map[string]string{"/a.txt": "a", "/": "index"} {
		if w := serve(e, "GET", target, ""); w.Body.String() != want {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	for _, target := range []string{"/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/..%5csecret.txt", "/a.txt%00", "/out", "/list/", "/none"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL, _ = url.Parse("http://h" + target)
		w := httptest.NewRecorder()
		if e.ServeHTTP(w, r); w.Code != 404 || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	app := web.NewWithConfig(web.Config{Filesystem: web.NewDefaultFS(root)})
	app.Use(StaticWithConfig(StaticConfig{Root: "public", HTML5: true, Browse: true}))
	app.GET("/own", func(c *web.Context) error { return web.ErrNotFound })
	for target, want := range map[string]string{"/some/page": "index", "/own": "{\"message\":\"Not Found\"}\n"} {
		if w := serve(app, "GET", target, ""); w.Body.String() != want {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if w := serve(app, "GET", "/list/", ""); w.Code != 200 || !strings.Contains(w.Body.String(), "&lt;b&gt;.txt") || strings.Contains(w.Body.String(), "<b>") {
		t.Errorf("a listing: %d %s", w.Code, w.Body)
	}
	if _, err := (StaticConfig{DirectoryListTemplate: "{{"}).ToMiddleware(); err == nil {
		t.Error("a bad template: no error")
	}
	if _, err := (StaticConfig{Root: "../x", Filesystem: fstest.MapFS{}}).ToMiddleware(); err == nil {
		t.Error("a root outside: no error")
	}
}
