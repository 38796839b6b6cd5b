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

func TestStaticDotFiles(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{".env", ".git/config", "a/.hidden/b", ".well-known/x", ".well-known/.y", "a/plain", "a/x.y"} {
		files[name] = &fstest.MapFile{Data: []byte("file")}
	}
	for name, shown := range map[string]bool{
		"/.env": false, "/.git/config": false, "/a/.hidden/b": false, "/.well-known/.y": false,
		"/.well-known/x": true, "/a/plain": true, "/a/x.y": true,
	} {
		for _, dotFiles := range []bool{false, true} {
			byUse, byRoute := web.New(), web.NewWithConfig(web.Config{ServeDotFiles: dotFiles})
			byUse.Use(StaticWithConfig(StaticConfig{Filesystem: files, DotFiles: dotFiles}))
			byRoute.StaticFS("/", files)
			for _, e := range []*web.Echo{byUse, byRoute} {
				want := 404
				if shown || dotFiles {
					want = 200
				}
				if w := serve(e, "GET", name, ""); w.Code != want {
					t.Errorf("%s (dot files: %v): %d, want %d", name, dotFiles, w.Code, want)
				}
			}
		}
	}
	for dotFiles, want := range map[bool]string{false: ".well-known a ", true: ".env .git .well-known a "} {
		e := web.New()
		e.Use(StaticWithConfig(StaticConfig{Filesystem: files, DotFiles: dotFiles, Browse: true, DirectoryListTemplate: "{{range .Files}}{{.Name}} {{end}}"}))
		if w := serve(e, "GET", "/", ""); w.Body.String() != want {
			t.Errorf("a listing (dot files: %v): %q, want %q", dotFiles, w.Body, want)
		}
	}
}

// A missing index is a mistake in the configuration, as in Echo.
// TestStaticIgnoreBase serves no file for a path that ends like the path of its route: the route answers.
func TestStaticIgnoreBase(t *testing.T) {
	files := fstest.MapFS{"index.html": {Data: []byte("index")}, "api": {Data: []byte("file")}, "docs/api/index.html": {Data: []byte("docs")}}
	for _, ignore := range []bool{false, true} {
		e := web.New()
		e.Use(StaticWithConfig(StaticConfig{Filesystem: files, IgnoreBase: ignore}))
		e.Any("/api", func(c *web.Context) error { return c.String(200, "route") })
		e.Any("/docs/api", func(c *web.Context) error { return c.String(200, "route") })
		for _, test := range []struct{ target, without, with string }{
			{"/", "index", "index"}, {"/api", "file", "route"}, {"/docs/api", "docs", "route"},
		} {
			want := test.without
			if ignore {
				want = test.with
			}
			for _, method := range []string{"GET", "POST"} {
				if w := serve(e, method, test.target, ""); w.Body.String() != want {
					t.Errorf("IgnoreBase %v: %s %s: got %d %s, want %s", ignore, method, test.target, w.Code, w.Body, want)
				}
			}
		}
	}
}

func TestStaticHTML5WithoutIndex(t *testing.T) {
	e, _ := logged()
	e.Use(StaticWithConfig(StaticConfig{Filesystem: fstest.MapFS{"a": {}}, HTML5: true, Index: "none.html"}))
	if w := serve(e, "GET", "/page", ""); w.Code != 500 {
		t.Errorf("got %d", w.Code)
	}
}
