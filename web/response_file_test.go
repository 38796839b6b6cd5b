package web

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// siteWithSecrets returns a directory "public" with files. Outside of "public" are
// files that must not be served.
func siteWithSecrets(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range map[string]string{
		"secret.txt": "secret", "public/index.html": "index", "public/a.txt": "a", "public/dir/b.txt": "b",
		"public/admin/key.txt": "key", "public/sub/index.html": "sub index", `public/x y.txt`: "space",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"public/out": "../secret.txt", "public/up": "..", "public/in": "a.txt"} {
		if err := os.Symlink(to, filepath.Join(root, filepath.FromSlash(link))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	return root
}

func TestStatic(t *testing.T) {
	root := siteWithSecrets(t)
	e := NewWithConfig(Config{Logger: quiet().Logger, Filesystem: NewDefaultFS(root)})
	e.Static("/", "public")
	e.Static("/abs", filepath.Join(root, "public"))
	e.File("/one", "public/a.txt")
	e.FileFS("/two", "a.txt", os.DirFS(filepath.Join(root, "public")))
	g := e.Group("/g")
	g.Static("/s", "public")
	g.File("/one", "public/a.txt")
	g.FileFS("/two", "a.txt", os.DirFS(filepath.Join(root, "public")))
	for target, want := range map[string]string{
		"/a.txt": "a", "/": "index", "/dir/b.txt": "b", "/sub/": "sub index", "/in": "a", "/abs/a.txt": "a", "/x%20y.txt": "space",
		"/one": "a", "/two": "a", "/g/s/a.txt": "a", "/g/one": "a", "/g/two": "a",
	} {
		if w := get(e, "GET", target); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: %d %s, want %s", target, w.Code, w.Body, want)
		}
	}
	for _, target := range []string{
		"/../secret.txt", "/dir/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt",
		`/..\secret.txt`, "/..%5csecret.txt", `/dir\b.txt`, "/dir%5cb.txt", "/admin%2fkey.txt", "/a.txt%00", "/a.txt%00.html",
		"//a.txt", "/dir//b.txt", "/abs//a.txt", // a guard may match clean paths only
		"/out", "/up/secret.txt", "/dir/", "/none", "//secret.txt", "/" + strings.Repeat("../", 40) + "etc/passwd",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		u, err := r.URL.Parse("http://example.com" + target)
		if err != nil {
			continue // net/http refuses such a request line too
		}
		r.URL = u
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
		if body := w.Body.String(); strings.Contains(body, "secret") || strings.Contains(body, "b.txt") {
			t.Errorf("%s: %s", target, body)
		}
	}
	e2 := NewWithConfig(Config{Logger: quiet().Logger, Filesystem: NewDefaultFS(root), EnablePathUnescapingStaticFiles: true})
	e2.Static("/", "public")
	if w := get(e2, "GET", "/admin%2fkey.txt"); w.Body.String() != "key" {
		t.Errorf("unescaping asked for: %d %s", w.Code, w.Body)
	}
}

// A redirect that adds a directory's slash never leads to another host.
func TestStaticRedirect(t *testing.T) {
	root := siteWithSecrets(t)
	e := NewWithConfig(Config{Logger: quiet().Logger, Filesystem: NewDefaultFS(root), EnablePathUnescapingStaticFiles: true})
	e.Static("/", "public")
	for target, want := range map[string]string{
		"/dir": "/dir/", "//dir": "", "///dir": "", "/%2fexample.com%2f..": "", `/\dir`: "",
		"/%5cexample.com%2f..": "",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL.Path, r.URL.RawPath = target, ""
		if u, err := r.URL.Parse("http://h" + target); err == nil {
			r.URL = u
		}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if got := w.Header().Get("Location"); got != want {
			t.Errorf("%s: %d to %q, want %q", target, w.Code, got, want)
		}
	}
}

func TestDefaultFS(t *testing.T) {
	root := siteWithSecrets(t)
	d := NewDefaultFS(filepath.Join(root, "public"))
	for name, ok := range map[string]bool{
		"a.txt": true, filepath.Join(root, "public", "a.txt"): true, "out": false, "../secret.txt": false,
		filepath.Join(root, "secret.txt"): false, "/a.txt": false, "": false,
	} {
		f, err := d.Open(name)
		if (err == nil) != ok {
			t.Errorf("Open %s: %v", name, err)
		}
		if err == nil {
			f.Close()
		}
		if _, err := fs.Stat(d, name); (err == nil) != ok {
			t.Errorf("Stat %s: %v", name, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("MustSubFS of a bad name did not panic")
		}
	}()
	MustSubFS(os.DirFS(root), "../x")
}

// No character of a file name ends the header value that contains the name.
func TestDisposition(t *testing.T) {
	root := siteWithSecrets(t)
	e := NewWithConfig(Config{Logger: quiet().Logger, Filesystem: NewDefaultFS(root)})
	e.GET("/", func(c *Context) error { return c.Attachment("public/a.txt", "a\"; x=\"\r\nSet-Cookie: y=1\\") })
	w := get(e, "GET", "/")
	if got, want := w.Header().Get(HeaderContentDisposition), `attachment; filename="a\"; x=\"%0D%0ASet-Cookie: y=1\\"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
