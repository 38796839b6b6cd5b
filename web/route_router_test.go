package web

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// linearRouter is the oracle of the radix tree: it tries every pattern, one
// byte at a time, and picks the best of the matching patterns.
type linearRouter struct{ routes []linearRoute }

type linearRoute struct {
	method string
	path   string
	tokens []linearToken
	params []string
}

// A linearToken is one literal byte, a parameter, or "*" for the rest of the path. If several
// patterns match a path, the pattern whose tokens have lower ranks is preferred.
type linearToken struct {
	rank    int
	literal byte
}

const (
	rankEnd = iota
	rankLiteral
	rankParam
	rankAny
)

// withVerb matches a segment that is a parameter and literal text; its first group is the parameter.
var withVerb = regexp.MustCompile(`^(:[^:*]*?)\\:(?:[^:*]|\\:)*$`)

func (lr *linearRouter) add(method, path string) {
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	r := linearRoute{method: method, path: path}
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '\\' && i+1 < len(path) && path[i+1] == ':':
			i++
			r.tokens = append(r.tokens, linearToken{rankLiteral, ':'})
		case path[i] == ':':
			param, _, _ := strings.Cut(path[i:], "/")
			if m := withVerb.FindStringSubmatch(param); m != nil {
				param = m[1]
			}
			r.params = append(r.params, param[1:])
			i += len(param) - 1
			r.tokens = append(r.tokens, linearToken{rank: rankParam})
		case path[i] == '*':
			r.params = append(r.params, "*")
			r.tokens = append(r.tokens, linearToken{rank: rankAny})
			i = len(path) // the rest of the path, whatever it is
		default:
			r.tokens = append(r.tokens, linearToken{rankLiteral, path[i]})
		}
	}
	for i := range lr.routes {
		if o := &lr.routes[i]; o.method == method && slices.Equal(o.tokens, r.tokens) {
			*o = r
			return
		}
	}
	lr.routes = append(lr.routes, r)
}

// tail reports whether the route ends in a parameter after which no other route continues.
func (lr *linearRouter) tail(r *linearRoute) bool {
	n := len(r.tokens)
	if n == 0 || r.tokens[n-1].rank != rankParam {
		return false
	}
	return !slices.ContainsFunc(lr.routes, func(o linearRoute) bool {
		return len(o.tokens) > n && slices.Equal(o.tokens[:n], r.tokens) && o.tokens[n] != linearToken{rankLiteral, ':'}
	})
}

// match returns the values of the parameters for the first match of the route that backtracking finds.
func (lr *linearRouter) match(r *linearRoute, path string) (values []string, ok bool) {
	return lr.matchFrom(r, 0, path)
}

func (lr *linearRouter) matchFrom(r *linearRoute, i int, path string) (values []string, ok bool) {
	if i == len(r.tokens) {
		return nil, path == ""
	}
	switch t := r.tokens[i]; t.rank {
	case rankLiteral:
		if path == "" || path[0] != t.literal {
			return nil, false
		}
		return lr.matchFrom(r, i+1, path[1:])
	case rankParam:
		if path == "" {
			return nil, false
		}
		value, _, _ := strings.Cut(path, "/")
		if i+1 < len(r.tokens) && r.tokens[i+1] == (linearToken{rankLiteral, ':'}) {
			for end := 1; end < len(value); end++ {
				if rest, ok := lr.matchFrom(r, i+1, path[end:]); ok {
					return append([]string{path[:end]}, rest...), true
				}
			}
			return nil, false
		}
		if i == len(r.tokens)-1 && lr.tail(r) {
			value = path
		}
		rest, ok := lr.matchFrom(r, i+1, path[len(value):])
		return append([]string{value}, rest...), ok
	default:
		return []string{path}, true
	}
}

// before reports whether r is preferred to o. v and w are the parameter values of r and o for a path
// that matches both.
func (r *linearRoute) before(o *linearRoute, v, w []string) bool {
	params := 0
	for i := 0; ; i++ {
		if i > 0 && i <= len(r.tokens) && i <= len(o.tokens) && r.tokens[i-1].rank == rankParam && o.tokens[i-1].rank == rankParam {
			// A parameter ends at the first inline verb that leads to a route.
			if a, b := len(v[params]), len(w[params]); a != b {
				return a < b
			}
			params++
		}
		a, b := rankEnd, rankEnd
		if i < len(r.tokens) {
			a = r.tokens[i].rank
		}
		if i < len(o.tokens) {
			b = o.tokens[i].rank
		}
		if a != b {
			return a < b
		}
		if a == rankEnd {
			return r.method != RouteAny // a method is preferred to RouteAny
		}
	}
}

// sameTokens reports whether two routes that match one path have the same pattern.
func (r *linearRoute) sameTokens(o *linearRoute) bool {
	return slices.EqualFunc(r.tokens, o.tokens, func(a, b linearToken) bool { return a.rank == b.rank })
}

// stops reports whether a RouteNotFound route hides the routes after it: it ends in "*", or its path
// has no other route.
func (lr *linearRouter) stops(r *linearRoute, path string) bool {
	if n := len(r.tokens); n > 0 && r.tokens[n-1].rank == rankAny {
		return true
	}
	return !slices.ContainsFunc(lr.routes, func(o linearRoute) bool {
		_, ok := lr.match(&o, path)
		return ok && o.method != RouteNotFound && o.sameTokens(r)
	})
}

// route returns "method path values", or "405 Allow", "204 Allow" or "404".
func (lr *linearRouter) route(method, path string) string {
	var best, best404, stop *linearRoute
	var values, values404, stopped, allow []string
	for i := range lr.routes {
		r := &lr.routes[i]
		v, ok := lr.match(r, path)
		if !ok {
			continue
		}
		switch r.method {
		case RouteNotFound:
			if best404 == nil || r.before(best404, v, values404) {
				best404, values404 = r, v
			}
			if lr.stops(r, path) && (stop == nil || r.before(stop, v, stopped)) {
				stop, stopped = r, v
			}
			continue
		case method, RouteAny:
			if best == nil || r.before(best, v, values) {
				best, values = r, v
			}
		}
		if r.method != RouteAny && r.method != "OPTIONS" && !slices.Contains(allow, r.method) {
			allow = append(allow, r.method)
		}
	}
	slices.Sort(allow)
	if stop != nil && best != nil && stop.before(best, stopped, values) && !stop.sameTokens(best) {
		best = nil
	}
	switch {
	case best != nil:
		return fmt.Sprintf("%s %s %q", best.method, best.path, values)
	case best404 != nil:
		return fmt.Sprintf("%s %s %q", best404.method, best404.path, values404)
	case allow != nil && method == "OPTIONS":
		return "204 OPTIONS, " + strings.Join(allow, ", ")
	case allow != nil:
		return "405 OPTIONS, " + strings.Join(allow, ", ")
	}
	// No other method has a route, but the path may have an OPTIONS route. The method is not OPTIONS here, because best
	// would then be that route.
	for i := range lr.routes {
		if _, ok := lr.match(&lr.routes[i], path); ok && lr.routes[i].method == "OPTIONS" {
			return "405 OPTIONS"
		}
	}
	return "404"
}

// describe returns a real router's answer in the format of linearRouter.route.
func describe(e *Echo, method, path string) string {
	w := httptest.NewRecorder()
	r := &http.Request{Method: method, URL: &url.URL{Path: path}, Header: http.Header{}}
	e.ServeHTTP(w, r)
	switch w.Code {
	case http.StatusOK:
		return w.Body.String()
	case http.StatusMethodNotAllowed, http.StatusNoContent:
		return fmt.Sprintf("%d %s", w.Code, w.Header().Get(HeaderAllow))
	}
	return fmt.Sprint(w.Code)
}

func echoRoute(c *Context) error {
	var values []string
	for _, v := range c.PathValues() {
		values = append(values, v.Value)
	}
	ri := c.RouteInfo()
	return c.String(http.StatusOK, fmt.Sprintf("%s %s %q", ri.Method, ri.Path, values))
}

// addBoth registers the routes, one "METHOD path" a line, with both routers. A route
// that the real router refuses is not added to the oracle.
func addBoth(routes []string) (*Echo, *linearRouter) {
	e, lr := New(), &linearRouter{}
	for _, route := range routes {
		method, path, _ := strings.Cut(route, " ")
		if _, err := e.AddRoute(Route{Method: method, Path: path, Handler: echoRoute}); err == nil {
			lr.add(method, path)
		}
	}
	return e, lr
}

func TestRouter(t *testing.T) {
	tests := []struct {
		name   string
		routes []string
		want   map[string]string // request -> route and values
	}{
		{name: "literal before param before any", routes: []string{
			"GET /users/:id", "GET /users/new", "GET /users/*", "GET /",
		}, want: map[string]string{
			"GET /":           `GET / []`,
			"GET /users/new":  `GET /users/new []`,
			"GET /users/newx": `GET /users/:id ["newx"]`,
			"GET /users/ne":   `GET /users/:id ["ne"]`,
			"GET /users/1/2":  `GET /users/:id ["1/2"]`,
			"GET /users/":     `GET /users/* [""]`,
			"GET /users":      `404`,
			"GET //":          `404`,
		}},
		{name: "backing out", routes: []string{
			"GET /a/b/c", "GET /a/:x/d", "GET /:p/b/e", "GET /a/*", "POST /a/b/f",
		}, want: map[string]string{
			"GET /a/b/c":  `GET /a/b/c []`,
			"GET /a/b/d":  `GET /a/:x/d ["b"]`,
			"GET /a/b/e":  `GET /a/* ["b/e"]`,
			"GET /q/b/e":  `GET /:p/b/e ["q"]`,
			"GET /a/b/f":  `GET /a/* ["b/f"]`,
			"POST /a/b/e": `405 OPTIONS, GET`,
			"GET /q/b/z":  `404`,
		}},
		{name: "method not allowed", routes: []string{
			"GET /x", "POST /x", "PUT /:y", "DELETE /*", "PURGE /x",
		}, want: map[string]string{
			"PATCH /x":   `405 OPTIONS, DELETE, GET, POST, PURGE, PUT`,
			"OPTIONS /x": `204 OPTIONS, DELETE, GET, POST, PURGE, PUT`,
			"PATCH /z":   `405 OPTIONS, DELETE, PUT`,
			"PUT /x":     `PUT /:y ["x"]`,
			"HEAD /x":    `405 OPTIONS, DELETE, GET, POST, PURGE, PUT`,
			"PURGE /x":   `PURGE /x []`,
		}},
		{name: "parameters inside a segment", routes: []string{
			"GET /release-:version/bin", "GET /dl/file.:ext", "GET /api/:version/image.jpg", `GET /x\:y/:z`,
		}, want: map[string]string{
			"GET /release-1/bin":  `GET /release-:version/bin ["1"]`,
			"GET /release-/bin":   `GET /release-:version/bin [""]`,
			"GET /dl/file.gz":     `GET /dl/file.:ext ["gz"]`,
			"GET /dl/file.":       `404`,
			"GET /api//image.jpg": `GET /api/:version/image.jpg [""]`,
			"GET /x:y/1":          `GET /x\:y/:z ["1"]`,
		}},
		{name: "the last parameter", routes: []string{
			"GET /users/:id", "GET /posts/:id", "GET /posts/:id/files", "GET /posts/*",
		}, want: map[string]string{
			"GET /users/1":       `GET /users/:id ["1"]`,
			"GET /users/1/":      `GET /users/:id ["1/"]`,
			"GET /users/1/2/3":   `GET /users/:id ["1/2/3"]`,
			"GET /posts/1":       `GET /posts/:id ["1"]`,
			"GET /posts/1/files": `GET /posts/:id/files ["1"]`,
			"GET /posts/1/2":     `GET /posts/* ["1/2"]`,
		}},
		{name: "a star and more", routes: []string{"GET /a/*/b", "GET /:x/c", "POST /:x/:x"}, want: map[string]string{
			"GET /a/1":  `GET /a/*/b ["1"]`,
			"GET /b/c":  `GET /:x/c ["b"]`,
			"POST /b/d": `POST /:x/:x ["b" "d"]`,
		}},
		{name: "names differ by method", routes: []string{
			"GET /users/:id", "POST /users/:uid", "POST /users/:user/files",
		}, want: map[string]string{
			"GET /users/1":        `GET /users/:id ["1"]`,
			"POST /users/1":       `POST /users/:uid ["1"]`,
			"POST /users/1/files": `POST /users/:user/files ["1"]`,
		}},
		{name: "any method and not found", routes: []string{
			"echo_route_any /any/:x", "GET /any/:y", "echo_route_not_found /nf/*", "GET /nf/ok",
		}, want: map[string]string{
			"PUT /any/1":  `echo_route_any /any/:x ["1"]`,
			"GET /any/1":  `GET /any/:y ["1"]`,
			"GET /nf/ok":  `GET /nf/ok []`,
			"GET /nf/no":  `echo_route_not_found /nf/* ["no"]`,
			"PUT /nf/ok":  `echo_route_not_found /nf/* ["ok"]`,
			"GET /nf":     `404`,
			"HEAD /any/1": `echo_route_any /any/:x ["1"]`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, lr := addBoth(tt.routes)
			for request, want := range tt.want {
				method, path, _ := strings.Cut(request, " ")
				if got := lr.route(method, path); got != want {
					t.Errorf("the oracle itself: %s: got %s, want %s", request, got, want)
				}
				if got := describe(e, method, path); got != want {
					t.Errorf("%s: got %s, want %s", request, got, want)
				}
			}
		})
	}
}

func TestRouterRefuses(t *testing.T) {
	tests := []struct {
		routes []string // the last route is refused
		want   error
	}{
		{[]string{"GET /a", "GET /a"}, ErrRouteDuplicate},
		{[]string{"GET /a/:x", "GET /a/:y"}, ErrRouteDuplicate},
		{[]string{"GET a", "GET /a"}, ErrRouteDuplicate},
		{[]string{" /a"}, errNoMethod},
	}
	for _, tt := range tests {
		r := NewRouter(RouterConfig{})
		var err error
		for i, route := range tt.routes {
			method, path, _ := strings.Cut(route, " ")
			if _, err = r.Add(Route{Method: method, Path: path, Handler: echoRoute}); err != nil && i < len(tt.routes)-1 {
				t.Fatalf("%s: %v", route, err)
			}
		}
		var ae *AddRouteError
		if !errors.Is(err, tt.want) || !errors.As(err, &ae) {
			t.Errorf("%q: got %v, want %v", tt.routes, err, tt.want)
		}
	}
	r := NewRouter(RouterConfig{})
	if _, err := r.Add(Route{Method: "GET", Path: "/"}); !errors.Is(err, errNilHandler) {
		t.Errorf("nil handler: %v", err)
	}
	func() {
		defer func() {
			if _, ok := recover().(*AddRouteError); !ok {
				t.Error("GET without a handler did not panic with an *AddRouteError")
			}
		}()
		New().GET("/x", nil)
	}()
}

func TestRouterOverwriteAndRemove(t *testing.T) {
	r := NewRouter(RouterConfig{AllowOverwritingRoute: true})
	e := NewWithConfig(Config{Router: r})
	e.GET("/a/:x", echoRoute)
	e.GET("/a/:y", func(c *Context) error { return c.String(http.StatusOK, "second") })
	if got := describe(e, "GET", "/a/1"); got != "second" {
		t.Errorf("after overwriting: %s", got)
	}
	e.POST("/a/:x", echoRoute)
	if err := r.Remove("GET", "/a/:y"); err != nil {
		t.Fatal(err)
	}
	if got := describe(e, "GET", "/a/1"); got != "405 OPTIONS, POST" {
		t.Errorf("after Remove: %s", got)
	}
	if err := r.Remove("GET", "/a/:y"); err == nil {
		t.Error("Remove of a route that is not there: no error")
	}
}

func TestRouterHead(t *testing.T) {
	e := NewWithConfig(Config{Router: NewRouter(RouterConfig{AutoHandleHEAD: true})})
	e.GET("/a", echoRoute)
	e.POST("/b", echoRoute)
	srv := httptest.NewServer(e)
	defer srv.Close()
	for path, want := range map[string]int{"/a": 200, "/b": 405} {
		resp, err := http.Head(srv.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("HEAD %s: %d, want %d", path, resp.StatusCode, want)
		}
	}
	if got, want := describe(e, "PUT", "/a"), "405 OPTIONS, GET, HEAD"; got != want {
		t.Errorf("PUT /a: %s, want %s", got, want)
	}
	e.HEAD("/a", func(c *Context) error { return c.String(http.StatusOK, "its own") })
	if got := describe(e, "HEAD", "/a"); got != "its own" {
		t.Errorf("HEAD with a route of its own: %s", got)
	}
}

func TestRouterEscapedPath(t *testing.T) {
	tests := []struct {
		config RouterConfig
		target string
		want   string
	}{
		{config: RouterConfig{}, target: "/users/a%20b", want: `GET /users/:id ["a b"]`},
		{config: RouterConfig{}, target: "/users/a%2Fb%20c", want: `GET /users/:id ["a%2Fb%20c"]`},
		{config: RouterConfig{UnescapePathParamValues: true}, target: "/users/a%2Fb%20c", want: `GET /users/:id ["a/b c"]`},
		{config: RouterConfig{UnescapePathParamValues: true}, target: "/users/a%2520b", want: `GET /users/:id ["a%20b"]`}, // the value is decoded once, not twice
		{config: RouterConfig{UseEscapedPathForMatching: true}, target: "/users/a%2Fb%20c", want: `GET /users/:id ["a/b c"]`},
		{config: RouterConfig{UseEscapedPathForMatching: true, UnescapePathParamValues: true}, target: "/users/a%2Fb%2520c", want: `GET /users/:id ["a/b%20c"]`},
	}
	for _, tt := range tests {
		e := NewWithConfig(Config{Router: NewRouter(tt.config)})
		e.GET("/users/:id", echoRoute)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest("GET", tt.target, nil))
		if got := w.Body.String(); got != tt.want {
			t.Errorf("%+v %s: got %s, want %s", tt.config, tt.target, got, tt.want)
		}
	}
}

// TestRouterAgainstLinear builds random sets of routes over a small alphabet, so that
// routes collide, nest and shadow each other, and compares the answers to all short
// paths.
func TestRouterAgainstLinear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "ab", "/", "/", ":x", ":y", "*", `\:`, `:x\:a`, `:y\:ab`}
	methods := []string{"GET", "POST", RouteAny, RouteNotFound, "OPTIONS", "PURGE"}
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	for range 300 {
		var routes []string
		for range 1 + rng.IntN(12) {
			path := "/"
			for range rng.IntN(6) {
				path += pick(pieces)
			}
			routes = append(routes, pick(methods)+" "+path)
		}
		e, lr := addBoth(routes)
		for range 200 {
			path := "/"
			for range rng.IntN(7) {
				path += pick([]string{"a", "b", "/", "c", ":a", ":"})
			}
			method := pick([]string{"GET", "POST", "OPTIONS", "PURGE", "PUT"})
			if got, want := describe(e, method, path), lr.route(method, path); got != want {
				t.Fatalf("%s %s: got %s, want %s; routes %q", method, path, got, want, routes)
			}
		}
	}
}

func FuzzRouter(f *testing.F) {
	f.Add("GET /users/:id\nGET /users/new\nGET /users/*", "GET", "/users/1/2")
	f.Add("GET /a/b/c\nGET /a/:x/d\nGET /:p/b/e\nPOST /a/*", "GET", "/a/b/e")
	f.Add("GET /release-:v/bin\nGET /x\\:y", "GET", "/release-/bin")
	f.Add("GET /o/:id\\:cancel\nGET /o/:id\nGET /o/:id/x", "GET", "/o/7:cancel")
	f.Add("GET /:a\\:x:b\\:y\nPOST /:a\\:x", "GET", "/1:x2:x3:y")
	f.Add("GET /:a\\:x/:b\\:y\nGET /:a\\:x\\:x/:b\nGET /:a/:b\\:y", "GET", "/1:x:x/2:y:y")
	f.Add("echo_route_any /:a/:b/:c\nGET /*", "PUT", "/1//3")
	f.Fuzz(func(t *testing.T, routes, method, path string) {
		if path == "" || path[0] != '/' || len(routes) > 500 || method == "" ||
			method == RouteAny || method == RouteNotFound {
			return
		}
		e, lr := addBoth(strings.Split(routes, "\n"))
		if got, want := describe(e, method, path), lr.route(method, path); got != want {
			t.Fatalf("%s %q: got %s, want %s; routes %v", method, path, got, want, e.Router().Routes())
		}
	})
}

// A group's middleware guards all of its prefix even if there are wider routes: a
// file below public/admin is not served to a stranger.
func TestGroupBeforeWiderRoutes(t *testing.T) {
	e := quiet()
	nobody := func(HandlerFunc) HandlerFunc { return func(*Context) error { return ErrUnauthorized } }
	admin := e.Group("/admin", nobody)
	admin.GET("/users", echoRoute)
	e.GET("/*", echoRoute)
	e.Any("/:any/any", echoRoute)
	for _, test := range []struct {
		method, path string
		status       int
	}{
		{method: "GET", path: "/admin/users", status: 401}, {method: "GET", path: "/admin/secret.txt", status: 401}, {method: "GET", path: "/admin/", status: 401}, {method: "GET", path: "/admin", status: 401}, {method: "HEAD", path: "/admin/x", status: 401},
		{method: "POST", path: "/admin/users", status: 401}, {method: "OPTIONS", path: "/admin/secret.txt", status: 401}, {method: "PURGE", path: "/admin/any", status: 401}, {method: "GET", path: "/admin/any", status: 401},
		{method: "GET", path: "/other/any", status: 200}, {method: "GET", path: "/administrator", status: 200}, {method: "GET", path: "/x", status: 200},
	} {
		if status, body, _ := ask(e, test.method, test.path, "", ""); status != test.status {
			t.Errorf("%s %s: %d %s", test.method, test.path, status, body)
		}
	}
}

// A route of a large API allocates its description, its entry in the tree, and the
// copy of the description that is returned.
func TestManyRoutesAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	var paths []string
	for i := range 200 {
		base := fmt.Sprintf("/v1/collection%d", i)
		paths = append(paths, base, base+"/:id", base+"/:id/parts", base+"/:id/parts/:part", base+"/:id/files/*")
	}
	const budget = 8
	if n := testing.AllocsPerRun(5, func() {
		e := quiet()
		for _, path := range paths {
			e.GET(path, echoRoute)
		}
	}) / float64(len(paths)); n > budget {
		t.Errorf("%v allocs a route, budget %v", n, budget)
	}
}

// TestRouteMemory checks the memory of 1,000 routes against a budget, measured on 64
// bits. It counts each route, its description, its leaf and nodes, and Add's copy.
func TestRouteMemory(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	if strconv.IntSize != 64 {
		t.Skip("the budget is for 64 bits")
	}
	const routes, budget = 1000, 400 // bytes per route
	var added []Route
	for i := range routes / 5 {
		base := fmt.Sprintf("/v1/collection%d", i)
		for _, r := range []Route{
			{Method: "GET", Path: base}, {Method: "POST", Path: base}, {Method: "GET", Path: base + "/:id"},
			{Method: "PUT", Path: base + "/:id"}, {Method: "GET", Path: base + "/:id/files/*"},
		} {
			r.Handler = func(*Context) error { return nil }
			added = append(added, r)
		}
	}
	var before, after runtime.MemStats
	router := NewRouter(RouterConfig{})
	runtime.ReadMemStats(&before)
	for _, r := range added {
		if _, err := router.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) / routes; got > budget {
		t.Errorf("%d bytes for a route, budget %d", got, budget)
	} else {
		t.Logf("%d bytes for a route", got)
	}
	if got := len(router.Routes()); got != routes {
		t.Errorf("%d routes, want %d", got, routes)
	}
}
