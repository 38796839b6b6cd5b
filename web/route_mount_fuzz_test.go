package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"testing"
)

// FuzzMounts compares the router's decision for a path below a mount with a slow oracle. The oracle
// decodes the text of "*" step by step, until decoding changes nothing. After each step it cleans the
// path with package path, and tries all patterns to find the route of the cleaned path.
func FuzzMounts(f *testing.F) {
	for _, rest := range []string{
		"a", "../admin/x", "%2e%2e/admin/x", "..%2fadmin/x", "x/../admin/x", "%252e%252e/admin", "a//b", "admin%2fx", "sub/../sub/key", "100%25", "a/..", ".", "..", "%2541", `..\admin`,
	} {
		f.Add(rest)
	}
	const mount = "/m/*"
	var linear linearRouter
	guards := map[string]bool{}
	e := quiet()
	for _, pattern := range []string{"/m/admin/*", "/m/sub/key", "/other/*"} {
		linear.add(http.MethodGet, pattern)
		guards[pattern] = true
		e.GET(pattern, func(c *Context) error { return c.String(http.StatusOK, "guarded") }, named("g"))
	}
	linear.add(http.MethodGet, mount)
	e.GET(mount, func(c *Context) error { return c.String(http.StatusOK, "mount") })
	pattern := func(p string) string {
		_, found, _ := strings.Cut(linear.route(http.MethodGet, p), " ")
		found, _, _ = strings.Cut(found, " ")
		return found
	}
	f.Fuzz(func(t *testing.T, rest string) {
		u, err := url.ParseRequestURI("/m/" + rest)
		if err != nil || u.RawQuery != "" || u.ForceQuery {
			return
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL, r.RequestURI = u, "/m/"+rest
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		served := w.Body.String() == "mount"
		for text, before := rest, ""; text != before; {
			clean := path.Clean(text)
			if served && (clean == ".." || strings.HasPrefix(clean, "../")) {
				t.Fatalf("%q is served, and leaves the mount as %q", rest, clean)
			}
			if met := pattern(path.Join("/m", path.Clean("/"+text))); served && guards[met] {
				t.Fatalf("%q is served, and meets the guard of %s as %q", rest, met, text)
			}
			before = text
			if decoded, err := url.PathUnescape(text); err == nil {
				text = decoded
			}
		}
		if plain := "/m/" + rest; rest != "" && path.Clean(plain) == plain && !strings.ContainsAny(rest, `%\;?#`) && served != (pattern(plain) == mount) {
			t.Fatalf("%q is in plain form, and its route is %s: %d %s", rest, pattern(plain), w.Code, w.Body)
		}
	})
}
