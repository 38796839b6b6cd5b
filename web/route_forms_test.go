package web_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hone-go/hone/internal/testkit"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

var siteFiles = fstest.MapFS{
	"admin/x": {Data: []byte("secret")}, "open/y": {Data: []byte("fine")}, "index.html": {Data: []byte("home")},
}

// rewritings returns the forms of a path that two steps lead to, or fewer.
func rewritings(plain string) []string {
	seen := map[string]bool{plain: true}
	last := []string{plain}
	for range 2 {
		var next []string
		for _, p := range last {
			for i := range len(p) {
				before, c, after := p[:i], p[i:i+1], p[i+1:]
				with := []string{"%" + strings.ToLower(hex(c)), "%25" + hex(c)}
				if c == "/" {
					with = append(with, "//", "/./", "/y/../", "/y//../", "/../", `\`, "%2F", "%5c", "/%2e/", "/y/%2e%2e/", `/y\..\`, "/y%2f..%2f")
				}
				for _, w := range with {
					next = append(next, before+w+after)
				}
			}
			next = append(next, p+"/", p+"/.", p+"/y/..", p+"//")
		}
		last = last[:0]
		for _, p := range next {
			if !seen[p] {
				seen[p] = true
				last = append(last, p)
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func hex(s string) string {
	return string("0123456789ABCDEF"[s[0]>>4]) + string("0123456789ABCDEF"[s[0]&15])
}

// request sends a request with a target as a client wrote it, and follows
// redirects. ok is false if the target is none.
func request(h http.Handler, method, target string) (w *httptest.ResponseRecorder, ok bool) {
	for range 6 {
		u, err := url.ParseRequestURI(target)
		if err != nil {
			return nil, false
		}
		r := httptest.NewRequest(method, "/", nil)
		r.URL, r.RequestURI, r.Host = u, target, "host.example"
		w = httptest.NewRecorder()
		h.ServeHTTP(w, r)
		to := w.Header().Get("Location")
		if to == "" {
			break
		}
		next, err := (&url.URL{Path: path.Clean("/" + u.Path)}).Parse(to)
		if err != nil {
			return w, true
		}
		target = next.RequestURI()
	}
	return w, true
}

// TestPathForms asks for a guarded file in every form of its path. No handler
// that lacks the guard gets the request, also if redirects are followed.
func TestPathForms(t *testing.T) {
	deny := func(web.HandlerFunc) web.HandlerFunc {
		return func(*web.Context) error { return web.ErrForbidden }
	}
	guarded := func(c *web.Context) error { return c.String(http.StatusOK, "guarded") }
	group := func(e *web.Echo) { e.Group("/admin", deny).GET("/*", guarded) }
	behind := httptest.NewServer(http.FileServerFS(siteFiles))
	defer behind.Close()
	target, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	files, proxy := web.WrapHandler(http.FileServerFS(siteFiles)), web.WrapHandler(httputil.NewSingleHostReverseProxy(target))
	for _, test := range []struct {
		name   string
		config web.Config
		guard  func(e *web.Echo)
		open   func(e *web.Echo)
	}{
		{name: "Static", open: func(e *web.Echo) { e.StaticFS("/", siteFiles) }},
		{name: "Static in a group", open: func(e *web.Echo) { e.Group("").StaticFS("/", siteFiles) }},
		{name: "Static that decodes", config: web.Config{EnablePathUnescapingStaticFiles: true}, open: func(e *web.Echo) { e.StaticFS("/", siteFiles) }},
		{name: "FileServer", open: func(e *web.Echo) { e.Any("/*", files) }},
		{name: "a proxy", open: func(e *web.Echo) { e.Any("/*", proxy) }},
		{name: "a proxy for what is not found", open: func(e *web.Echo) { e.RouteNotFound("/*", proxy) }},
		{name: "a proxy under two parameters", open: func(e *web.Echo) { e.GET("/:a/:b", proxy); e.GET("/:a", proxy); e.GET("/open*", proxy) }},
		{name: "matched decoded", config: web.Config{Router: web.NewRouter(web.RouterConfig{UseEscapedPathForMatching: true})}, open: func(e *web.Echo) { e.Any("/*", proxy) }},
		{name: "a router that may change", config: web.Config{Router: web.NewConcurrentRouter(web.NewRouter(web.RouterConfig{}))}, open: func(e *web.Echo) { e.Any("/*", proxy) }},
		{name: "groups without RouteNotFound", config: web.Config{NoGroupAutoRegister404Routes: true}, open: func(e *web.Echo) { e.Any("/*", proxy) }},
		{name: "a guard of one route", guard: func(e *web.Echo) { e.GET("/admin/*", guarded, deny) }, open: func(e *web.Echo) { e.Any("/*", proxy) }},
		{name: "a group with a parameter", guard: func(e *web.Echo) { e.Group("/:any/x", deny) }, open: func(e *web.Echo) { e.Any("/*", proxy); e.Any("/admin/*", proxy) }},
		{name: "an open route in the prefix", open: func(e *web.Echo) { e.GET("/admin/y/*", proxy); e.Any("/*", proxy) }},
		{name: "slashes removed first", open: func(e *web.Echo) { e.Pre(middleware.RemoveTrailingSlash()); e.Any("/*", proxy) }},
		{name: "another group", open: func(e *web.Echo) { e.Group("/open", named).Any("/*", proxy); e.Group("/y", named).Any("/*", proxy) }},
	} {
		e := web.NewWithConfig(test.config)
		if test.guard == nil {
			test.guard = group
		}
		test.guard(e)
		test.open(e)
		for _, form := range rewritings("/admin/x") {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				if method == http.MethodPost && (test.name == "groups without RouteNotFound" || test.name == "a guard of one route") {
					continue // they guard GET alone
				}
				if w, ok := request(e, method, form); ok && strings.Contains(w.Body.String(), "secret") {
					t.Errorf("%s: %s %s is answered with %d %q", test.name, method, form, w.Code, w.Body)
				}
			}
		}
		if w, _ := request(e, http.MethodGet, "/admin/x"); w.Code != http.StatusForbidden {
			t.Errorf("%s: the guard is gone: %d", test.name, w.Code)
		}
		if w, _ := request(e, http.MethodGet, "/open/y"); w.Body.String() != "fine" {
			t.Errorf("%s: an open file: %d %q", test.name, w.Code, w.Body)
		}
	}
}

func named(next web.HandlerFunc) web.HandlerFunc { return next }

// TestStaticMiddlewarePathForms: Static in Echo.Use stands in front of guards, so
// they do not guard what it serves. It serves plain names only.
func TestStaticMiddlewarePathForms(t *testing.T) {
	for _, decodes := range []bool{false, true} {
		e := web.New()
		e.Use(middleware.StaticWithConfig(middleware.StaticConfig{Filesystem: siteFiles, EnablePathUnescaping: decodes}))
		for _, form := range []string{"//admin/x", "/./admin/x", "/y/../admin/x", "/admin//x", "/admin/./x", `/admin\x`, "/admin%5cx", "/%2e/admin/x", "/%2fadmin/x", "/admin/x/.", "/admin/x//"} {
			if w, ok := request(e, http.MethodGet, form); ok && w.Code != http.StatusNotFound {
				t.Errorf("%s (decodes: %v): %d %q", form, decodes, w.Code, w.Body)
			}
		}
		if w, _ := request(e, http.MethodGet, "/open/y"); w.Body.String() != "fine" {
			t.Errorf("an open file: %d %q", w.Code, w.Body)
		}
	}
}

// TestUnusualPaths are paths that no guard is concerned with. They are given to
// routes as in Echo.
func TestUnusualPaths(t *testing.T) {
	pass := func(next web.HandlerFunc) web.HandlerFunc { return next }
	e := web.New()
	value := func(c *web.Context) error { return c.String(http.StatusOK, c.Path()+" "+c.Param("id")+c.Param("*")) }
	e.GET("/a/:id/b", value)
	e.GET("/projects/:id", value)
	e.GET("/files/*", value)
	g := e.Group("/in", pass)
	g.GET("/:id", value)
	g.GET("/:id/issues", value)
	e.POST("/in/login/*", value)
	more := e.Group("/in", pass) // as another part of a program adds it
	more.Use(pass)
	more.GET("/:id/more", value)
	e.Group("/in").Group("", pass, pass).GET("/own", value)
	for _, test := range []struct{ method, target, want string }{
		{method: "GET", target: "/a//b", want: "/a/:id/b "},
		{method: "GET", target: "/projects/a%2Fb", want: "/projects/:id a%2Fb"},
		{method: "GET", target: "/projects/100%25", want: "/projects/:id 100%"},
		{method: "GET", target: "/projects/..", want: "/projects/:id .."},
		{method: "GET", target: "/files//x/../y", want: "/files/* /x/../y"},
		{method: "GET", target: "/files/.well-known/...", want: "/files/* .well-known/..."},
		{method: "GET", target: "/in/a%2Fb", want: "/in/:id a%2Fb"},
		{method: "GET", target: "/in/a%2Fmore/more", want: "/in/:id/more a%2Fmore"},
		{method: "GET", target: "/in/a%2Fissues", want: "/in/:id a%2Fissues"},
		{method: "GET", target: "/in//issues", want: "/in/:id/issues "},
		{method: "POST", target: "/in/login/./x", want: "/in/login/* ./x"},
		{method: "POST", target: "/in/login/../x", want: "404"},
		{method: "POST", target: "/in/login/x", want: "/in/login/* x"},
		{method: "GET", target: "/files/../in/a", want: "404"},
		{method: "GET", target: "/projects/..%2fin%2Fa", want: "404"},
		{method: "GET", target: "/projects/..%252fin%252Fa", want: "404"},
	} {
		w, _ := request(e, test.method, test.target)
		if got := w.Body.String(); got != test.want && (test.want != "404" || w.Code != http.StatusNotFound) {
			t.Errorf("%s: %d %s, want %s", test.target, w.Code, got, test.want)
		}
	}
}

// A path in its plain form is routed without allocating, guards or not.
func TestPlainPathsAllocateNothing(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	e := web.New()
	e.Group("/admin", named).GET("/:id", func(*web.Context) error { return nil })
	e.GET("/:a/:b", func(*web.Context) error { return nil })
	e.GET("/*", func(*web.Context) error { return nil })
	for _, target := range []string{"/admin/7", "/users/.well-known", "/a/b/c.css"} {
		r, w := httptest.NewRequest(http.MethodGet, target, nil), httptest.NewRecorder()
		if n := testing.AllocsPerRun(100, func() { e.ServeHTTP(w, r) }); n != 0 {
			t.Errorf("%s: %v allocations", target, n)
		}
	}
}
