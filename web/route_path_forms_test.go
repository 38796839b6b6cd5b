package web_test

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

var siteFiles = fstest.MapFS{
	"admin/x": {Data: []byte("secret")}, "open/y": {Data: []byte("fine")}, "index.html": {Data: []byte("home")},
}

// rewritings returns the spellings of a path that at most two rewriting steps produce.
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
// redirects. ok is false if the target is not valid.
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

// TestPathForms requests a guarded file by every spelling of its path. No handler
// without the guard gets the request, even if redirects are followed.
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
					continue // these routes guard GET only
				}
				if w, ok := request(e, method, form); ok && strings.Contains(w.Body.String(), "secret") {
					t.Errorf("%s: %s %s is answered with %d %q", test.name, method, form, w.Code, w.Body)
				}
			}
		}
		if w, _ := request(e, http.MethodGet, "/admin/x"); w.Code != http.StatusForbidden {
			t.Errorf("%s: the guard does not refuse: %d", test.name, w.Code)
		}
		if w, _ := request(e, http.MethodGet, "/open/y"); w.Body.String() != "fine" {
			t.Errorf("%s: an unguarded file: %d %q", test.name, w.Code, w.Body)
		}
	}
}

// TestPathReadings requests /admin/x by paths that only some servers resolve to /admin/x. A wide
// route could forward to such a server. So if /admin/x has a guard, the wide route must not get
// these paths.
func TestPathReadings(t *testing.T) {
	unescape := func(p string) string {
		if decoded, err := url.PathUnescape(p); err == nil {
			return decoded
		}
		return p
	}
	withoutParameters := func(p string) string { return regexp.MustCompile(`;[^/]*`).ReplaceAllString(p, "") }
	readings := map[string]func(raw string) string{
		"decoded":                 unescape,
		"parameters, decoded":     func(p string) string { return unescape(withoutParameters(p)) },
		"decoded, parameters":     func(p string) string { return withoutParameters(unescape(p)) },
		"cleaned, decoded":        func(p string) string { return unescape(path.Clean(p)) },
		"cleaned, decoded, twice": func(p string) string { return unescape(path.Clean(unescape(path.Clean(p)))) },
		"decoded, a query":        func(p string) string { return regexp.MustCompile("[?#\x00].*").ReplaceAllString(unescape(p), "") },
	}
	deny := func(web.HandlerFunc) web.HandlerFunc {
		return func(*web.Context) error { return web.ErrForbidden }
	}
	reached := map[string]bool{} // the names of the readings that have turned at least one target into /admin/x
	note := func(c *web.Context) error {
		for name, read := range readings {
			if path.Clean(read(c.Request().URL.EscapedPath())) == "/admin/x" {
				c.Response().Header().Add("Reached", name)
			}
		}
		return nil
	}
	for _, pattern := range []string{"", "/*", "/:rest"} { // "" is for a server without guards
		e, guarded := web.New(), pattern != ""
		if guarded {
			e.GET("/admin/x", func(*web.Context) error { return nil }, deny)
			e.Any(pattern, note)
		} else {
			e.Use(func(web.HandlerFunc) web.HandlerFunc { return note })
		}
		for _, target := range []string{
			"/admin;a=b/x", "/admin;/x", "/admin/x;a", "/admin/x;a=/b", "/y/..;/admin/x", "/y/..;a=b/admin/x;c", "/admin%3ba/x", "/y/..%3b/admin/x", "/y/%2e%2e;/admin/x", "/;/admin/x",
			"/admin/%2e%2e/../%78", "/admin/%2e%2e/../x", "/y/%2e%2e/../../%61dmin/x", "/admin/%252e%252e/%2e%2e/../../admin/%78",
			"/admin/x%3f", "/admin/x%3Fy/z", "/admin/x%23y", "/admin/x%00.css", "/admin/x%00/../y",
		} {
			w, ok := request(e, http.MethodGet, target)
			if !ok {
				t.Errorf("%s is not a valid target", target)
				continue
			}
			for _, name := range w.Header()["Reached"] {
				if reached[name] = true; guarded {
					t.Errorf("%s reaches a server that reads it as %s", target, name)
				}
			}
		}
	}
	for name := range readings {
		if !reached[name] {
			t.Errorf("no target tests a server that reads it as %s", name)
		}
	}
}

// TestOpaqueTargets sends request targets that are not paths, such as "x:y/admin/x". net/http would
// forward them unchanged to a proxy's target, so they must not match a route. The guarded file is
// not sent.
func TestOpaqueTargets(t *testing.T) {
	behind := httptest.NewServer(http.FileServerFS(siteFiles))
	defer behind.Close()
	to, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	forward := middleware.Proxy(middleware.NewRandomBalancer([]*middleware.ProxyTarget{{URL: to}}))
	deny := func(web.HandlerFunc) web.HandlerFunc {
		return func(*web.Context) error { return web.ErrForbidden }
	}
	for name, open := range map[string]func(e *web.Echo){
		"ReverseProxy":   func(e *web.Echo) { e.Any("/*", web.WrapHandler(httputil.NewSingleHostReverseProxy(to))) },
		"Proxy":          func(e *web.Echo) { e.Any("/*", func(*web.Context) error { return nil }, forward) },
		"Proxy in front": func(e *web.Echo) { e.Use(forward) },
		"after Rewrite": func(e *web.Echo) {
			e.Pre(middleware.Rewrite(map[string]string{"/old": "/new"}))
			e.Any("/*", web.WrapHandler(httputil.NewSingleHostReverseProxy(to)))
		},
	} {
		e := web.New()
		e.Group("/admin", deny)
		open(e)
		s := httptest.NewServer(e)
		for _, target := range []string{"x:" + behind.URL + "/admin/x", "http:" + behind.URL + "/admin/x", "x:y/admin/x", "x:%2fadmin/x"} {
			conn, err := net.Dial("tcp", s.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: host.example\r\nConnection: close\r\n\r\n", target)
			answer, err := io.ReadAll(conn)
			if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 ") || strings.Contains(string(answer), "secret") {
				t.Errorf("%s: GET %s: %q, %v", name, target, answer, err)
			}
			conn.Close()
		}
		s.Close()
	}
}

func named(next web.HandlerFunc) web.HandlerFunc { return next }

// TestStaticMiddlewarePathForms: Static in Echo.Use runs before guards, so the guards do not protect
// its files. Static serves plain names only.
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

// TestStaticServesPlainNamesOnly requests a file by every spelling of its path, from each function
// that serves files. Only the clean path, and escapes that net/url itself writes, name the file.
func TestStaticServesPlainNamesOnly(t *testing.T) {
	files := fstest.MapFS{
		"admin/x": {Data: []byte("secret")}, "open/a b": {Data: []byte("fine")}, "open/100%": {Data: []byte("fine")}, "open/é": {Data: []byte("fine")},
		"admin%2Fx": {Data: []byte("secret")}, "%2f..": {Data: []byte("secret")}, "..%2fadmin": {Data: []byte("secret")},
	}
	static := middleware.StaticWithConfig(middleware.StaticConfig{Filesystem: files})
	none := func(*web.Context) error { return web.ErrNotFound }
	for name, set := range map[string]func(e *web.Echo){
		"Use":                    func(e *web.Echo) { e.Use(static) },
		"Use, before a route":    func(e *web.Echo) { e.Use(static); e.GET("/*", none) },
		"Pre":                    func(e *web.Echo) { e.Pre(static) },
		"a group":                func(e *web.Echo) { e.Group("", static) },
		"a route":                func(e *web.Echo) { e.GET("/*", none, static) },
		"two parameters":         func(e *web.Echo) { e.GET("/:a/:b", none, static); e.GET("/:a", none, static) },
		"StaticFS":               func(e *web.Echo) { e.StaticFS("/", files) },
		"StaticDirectoryHandler": func(e *web.Echo) { e.GET("/*", web.StaticDirectoryHandler(files, true)) },
	} {
		e := web.New()
		set(e)
		for _, form := range append(rewritings("/admin/x"), "/%2f..", "/%2F%2E%2E", "/..%2fadmin", "/admin%252Fx/..") {
			w, ok := request(e, http.MethodGet, form)
			if plain := strings.TrimSuffix(form, "/"); plain == "/admin/x" || plain == "/admin%252Fx" {
				continue // in this case the spelled path is the real name of a file
			}
			if ok && strings.Contains(w.Body.String(), "secret") {
				t.Errorf("%s: %s is served", name, form)
			}
		}
		for _, target := range []string{"/open/a%20b", "/open/100%25", "/open/%C3%A9"} {
			if w, _ := request(e, http.MethodGet, target); w.Body.String() != "fine" {
				t.Errorf("%s: %s: %d %s", name, target, w.Code, w.Body)
			}
		}
	}
}

// TestGuardsOfOneConstructor: two groups with one prefix have middleware from one function. They
// are still two guards: credentials for one group are not valid for the other group.
func TestGuardsOfOneConstructor(t *testing.T) {
	keyed := func(want string) web.MiddlewareFunc {
		return middleware.KeyAuth(func(_ *web.Context, key string, _ middleware.ExtractorSource) (bool, error) { return key == want, nil })
	}
	files := web.WrapHandler(http.FileServerFS(siteFiles))
	for name, groups := range map[string]func(e *web.Echo) (admin, open *web.Group){
		"no prefix": func(e *web.Echo) (admin, open *web.Group) {
			return e.Group("", keyed("root")), e.Group("", keyed("guest"))
		},
		"a slash": func(e *web.Echo) (admin, open *web.Group) {
			return e.Group("/", keyed("root")), e.Group("/", keyed("guest"))
		},
		"nested": func(e *web.Echo) (admin, open *web.Group) {
			all := e.Group("", named)
			return all.Group("", keyed("root")), all.Group("", keyed("guest"))
		},
		"two prefixes": func(e *web.Echo) (admin, open *web.Group) {
			return e.Group("", keyed("root")), e.Group("/open", keyed("guest"))
		},
	} {
		e := web.New()
		admin, open := groups(e)
		slash := "/"
		if name == "a slash" {
			slash = ""
		}
		admin.GET(slash+"admin/*", files)
		if name == "two prefixes" {
			open.GET("/*", files)
		} else {
			open.GET(slash+"open/*", files)
		}
		for _, target := range []string{"/admin/x", "/open/../admin/x", "/open/%2e%2e/admin/x", "/open%2f..%2fadmin/x", "/open/y/../../admin/x"} {
			r := httptest.NewRequest(http.MethodGet, target, nil)
			r.Header.Set("Authorization", "Bearer guest")
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			if strings.Contains(w.Body.String(), "secret") || w.Code/100 == 3 || w.Code == http.StatusOK {
				t.Errorf("%s: %s: %d %s", name, target, w.Code, w.Body)
			}
		}
	}
}

// TestUnusualPaths requests paths that lead to no guarded route. They are routed as in Echo.
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
	more := e.Group("/in", pass) // added separately, as another part of a program would add it
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
	testkit.SkipIfInstrumented(t) // the race detector turns off reuse of Contexts
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
