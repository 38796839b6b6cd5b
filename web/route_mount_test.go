package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// mountFiles are served below /m: admin/secret.txt is guarded there.
var mountFiles = fstest.MapFS{
	"admin/secret.txt": {Data: []byte("secret")}, "open/y": {Data: []byte("fine")}, "sub/admin/secret.txt": {Data: []byte("secret")},
	"sub/open/y": {Data: []byte("fine")},
}

// climbing returns paths below a mount that lead above the mount, by each spelling of "..", and then
// to a target.
func climbing(mount, target string) (paths []string) {
	dots := []string{"..", "%2e%2e", "%2E%2E", ".%2e", "%252e%252e", "..;v=1"}
	slashes := []string{"/", "%2f", "%2F", `\`, "%5c", "//", "/./", "%252f"}
	for _, d := range dots {
		for _, s := range slashes {
			for _, lead := range []string{"", "open/../", "x%2f..%2f"} {
				paths = append(paths, mount+"/"+lead+d+s+strings.ReplaceAll(target, "/", s), mount+"/"+lead+d+s+target, mount+"/"+lead+"a"+s+d+s+d+s+target)
			}
		}
	}
	return paths
}

// TestMounts requests a guarded file through each kind of mount. The paths contain "..", and lead out of the mount and
// back, or stay inside it. Although the mounted handler cleans the path, the guarded file is never sent.
func TestMounts(t *testing.T) {
	serve := func(h http.Handler) *url.URL {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		u, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	root := serve(http.FileServerFS(mountFiles))
	below := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // serves the files below /m
		r.URL.Path, r.URL.RawPath = path.Clean(r.URL.Path), ""
		http.StripPrefix("/m", http.FileServerFS(mountFiles)).ServeHTTP(w, r)
	}))
	base := *below
	base.Path = "/m"
	deny := func(web.HandlerFunc) web.HandlerFunc {
		return func(*web.Context) error { return web.ErrForbidden }
	}
	guarded := func(c *web.Context) error { return c.String(http.StatusOK, "guarded") }
	plain := http.StripPrefix("/m", http.FileServerFS(mountFiles))
	pass := func(*web.Context) error { return web.ErrNotFound }
	proxy := func(to *url.URL, rules map[string]string) web.MiddlewareFunc {
		return middleware.ProxyWithConfig(middleware.ProxyConfig{Balancer: middleware.NewRandomBalancer([]*middleware.ProxyTarget{{URL: to}}), Rewrite: rules})
	}
	var static fstest.MapFS = mountFiles
	mounts := map[string]func(e *web.Echo){
		"Any and StripPrefix": func(e *web.Echo) { e.Any("/m/*", web.WrapHandler(plain)) },
		"GET without a slash": func(e *web.Echo) { e.GET("/m*", web.WrapHandler(plain)) },
		"a parameter":         func(e *web.Echo) { e.GET("/m/:file", web.WrapHandler(plain)) },
		"a group":             func(e *web.Echo) { e.Group("/m").Any("/*", web.WrapHandler(plain)) },
		"RouteNotFound":       func(e *web.Echo) { e.RouteNotFound("/m/*", web.WrapHandler(plain)) },
		"AddHandler": func(e *web.Echo) {
			if err := e.AddHandler("GET", "/m/{rest...}", plain); err != nil {
				t.Fatal(err)
			}
		},
		"the parameter alone": func(e *web.Echo) {
			e.GET("/m/*", func(c *web.Context) error {
				r := c.Request().Clone(c.Request().Context())
				r.URL.Path, r.URL.RawPath = "/"+c.Param("*"), ""
				http.FileServerFS(mountFiles).ServeHTTP(c.Response(), r)
				return nil
			})
		},
		"the parameter, decoded": func(e *web.Echo) {
			e.GET("/m/*", func(c *web.Context) error {
				r := c.Request().Clone(c.Request().Context())
				name, err := url.PathUnescape(c.Param("*"))
				if err != nil {
					return err
				}
				r.URL.Path, r.URL.RawPath = "/"+name, ""
				http.FileServerFS(mountFiles).ServeHTTP(c.Response(), r)
				return nil
			})
		},
		"ReverseProxy": func(e *web.Echo) { e.Any("/*", web.WrapHandler(httputil.NewSingleHostReverseProxy(below))) },
		"ReverseProxy to a base": func(e *web.Echo) {
			e.Any("/m/*", web.WrapHandler(http.StripPrefix("/m", httputil.NewSingleHostReverseProxy(&base))))
		},
		"Proxy with a rule":       func(e *web.Echo) { e.Any("/m/*", pass, proxy(root, map[string]string{"/m/*": "/$1"})) },
		"Proxy":                   func(e *web.Echo) { e.Any("/m/*", pass, proxy(below, nil)) },
		"Proxy to a base, a rule": func(e *web.Echo) { e.Any("/m/*", pass, proxy(&base, map[string]string{"/m/*": "/$1"})) },
		"Static":                  func(e *web.Echo) { e.Filesystem = static; e.Static("/m", ".") },
		"StaticFS":                func(e *web.Echo) { e.StaticFS("/m/", static) },
		"StaticFS that decodes":   func(e *web.Echo) { e.GET("/m/*", web.StaticDirectoryHandler(static, false)) },
		"Static middleware": func(e *web.Echo) {
			e.GET("/m/*", pass, middleware.StaticWithConfig(middleware.StaticConfig{Filesystem: static}))
		},
		"Rewrite in the route": func(e *web.Echo) {
			e.GET("/m/*", web.WrapHandler(http.FileServerFS(static)), middleware.Rewrite(map[string]string{"/m/*": "/$1"}))
		},
		"Rewrite in front": func(e *web.Echo) {
			e.Pre(middleware.Rewrite(map[string]string{"/r/*": "/m/$1"}))
			e.Any("/m/*", web.WrapHandler(plain))
		},
		"Rewrite in front, to sub": func(e *web.Echo) {
			e.Pre(middleware.Rewrite(map[string]string{"/r/*": "/m/open/$1"}))
			e.Any("/m/*", web.WrapHandler(plain))
		},
		"a mount in the mount": func(e *web.Echo) {
			e.Any("/m/*", web.WrapHandler(plain))
			e.Any("/m/sub/*", web.WrapHandler(http.StripPrefix("/m/sub", http.FileServerFS(mountFiles))))
		},
	}
	guards := map[string]func(e *web.Echo){
		"a group": func(e *web.Echo) { e.Group("/m/admin", deny).GET("/*", guarded); e.Group("/m/sub/admin", deny) },
		"a route": func(e *web.Echo) { e.Any("/m/admin/*", guarded, deny); e.Any("/m/sub/admin/secret.txt", guarded, deny) },
		"sub-mounts": func(e *web.Echo) {
			g := e.Group("/m/admin", deny)
			g.StaticFS("/", fstest.MapFS{})
			e.Group("/m").Group("/sub/admin", deny).Any("/*", web.WrapHandler(http.StripPrefix("/m", http.FileServerFS(static))))
		},
	}
	var targets []string
	for _, mount := range []string{"/m", "/m/sub", "/m/open", "/r", ""} {
		targets = append(targets, climbing(mount, "admin/secret.txt")...)
	}
	for mountName, mount := range mounts {
		for guardName, guard := range guards {
			e := web.New()
			guard(e)
			mount(e)
			leaks := 0
			for _, target := range targets {
				if w, ok := request(e, http.MethodGet, target); ok && strings.Contains(w.Body.String(), "secret") {
					if leaks++; leaks < 4 {
						t.Errorf("%s, guarded by %s: %s is answered with %d %q", mountName, guardName, target, w.Code, w.Body)
					}
				}
			}
			if w, _ := request(e, http.MethodGet, "/m/admin/secret.txt"); w.Code != http.StatusForbidden {
				t.Errorf("%s: the guard does not refuse: %d", mountName, w.Code)
			}
			open := "/m/open/y"
			if mountName == "Rewrite in front" {
				open = "/r/open/y"
			}
			if w, _ := request(e, http.MethodGet, open); w.Body.String() != "fine" {
				t.Errorf("%s: an unguarded file: %d %q", mountName, w.Code, w.Body)
			}
		}
	}
}

// TestMountPaths requests paths below mounts in a program without guards. A path that leads out of
// the mount is answered with 404. Other paths reach the handler unchanged.
func TestMountPaths(t *testing.T) {
	e := web.New()
	echo := func(c *web.Context) error { return c.String(http.StatusOK, c.Param("*")) }
	e.GET("/m/*", echo)
	e.GET("/projects/:id", func(c *web.Context) error { return c.String(http.StatusOK, c.Param("id")) })
	for target, want := range map[string]string{
		"/m/a": "a", "/m/": "", "/m/a/../b": "a/../b", "/m/a%2Fb": "a%2Fb", "/m/a//b": "a//b", "/m//a": "/a", "/m/100%25": "100%", "/m/a/..": "a/..", "/m/...": "...",
		"/m/a%2f..%2fb": "a%2f..%2fb", "/m/..a": "..a", "/m/./a": "./a", "/m/a%20b;v=1": "a b;v=1", "/m/%2525": "%25",
		"/projects/group%2Fissues": "group%2Fissues", "/projects/..": "..",
		"/m/..": "404", "/m/../m/a": "404", "/m/a/../../m/a": "404", "/m/%2e%2e/m/a": "404", "/m/..%2fm": "404", "/m/%252e%252e/a": "404", `/m/..\a`: "404", "/m/..;/a": "404",
		"/m/%25252e%25252e/a": "404", "/m/%2525252525": "404",
	} {
		w, ok := request(e, http.MethodGet, target)
		got := "invalid"
		if ok {
			if got = w.Body.String(); w.Code == http.StatusNotFound {
				got = "404"
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}

// TestMountTime sends the longest paths that a server accepts, with as many plain forms as possible. The
// time is proportional to the length.
func TestMountTime(t *testing.T) {
	testkit.SkipIfInstrumented(t) // the race detector makes it ten times slower
	e := web.New()
	e.Group("/a/b/c/d/e/admin", named).GET("/x", func(*web.Context) error { return nil })
	e.GET("/a/b/c/d/:e/*", func(*web.Context) error { return nil })
	for _, piece := range []string{"%25252e%25252e/", "x%2f..%2f", "//", "a;/", `\..\x`, "%25"} {
		testkit.Grows(t, web.DefaultMaxHeaderBytes, 9, func(n int) {
			if _, ok := request(e, http.MethodGet, "/a/b/c/d/e/"+strings.Repeat(piece, n/len(piece))); !ok {
				t.Errorf("%s is not a valid target", piece)
			}
		})
	}
}
