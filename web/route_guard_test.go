package web

import (
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/http/urlpath"
)

// named is middleware that adds its name to a header of the response.
func named(name string) MiddlewareFunc {
	return func(next HandlerFunc) HandlerFunc {
		return func(c *Context) error {
			c.Response().Header().Add("Guard", name)
			return next(c)
		}
	}
}

// A guardedSet is random groups and routes. It answers with the pattern of the
// route and the names of the groups whose middleware ran.
type guardedSet struct {
	e        *Echo
	prefixes []string     // the prefixes of the groups
	routes   []string     // "METHOD pattern" for each route
	linear   linearRouter // the oracle, with the same routes and the RouteNotFound routes
}

func newGuardedSet(rng *rand.Rand, pick func(...string) string) *guardedSet {
	set := &guardedSet{e: quiet()}
	pattern := func(pieces ...string) (p string) {
		for range rng.IntN(4) {
			p += pick(pieces...)
		}
		return p
	}
	var steps []func()
	for range 1 + rng.IntN(3) {
		prefix := pattern("/a", "/b", "/ab", "/:p", "/a:p", "/")
		own := pattern("/a", "/b", "/:q", "/", "/*")
		method := pick("GET", "POST", RouteAny)
		set.prefixes = append(set.prefixes, prefix)
		steps = append(steps, func() {
			g := set.e.Group(prefix, named(prefix))
			g.Add(method, own, answerPattern)
			set.add(method, prefix+own)
			for _, end := range []string{"", "/*"} {
				set.linear.add(RouteNotFound, strings.TrimRight(prefix, "/")+end)
			}
		})
	}
	for range rng.IntN(6) {
		method, p := pick("GET", "POST", RouteAny, "OPTIONS"), pattern("/a", "/b", "/ab", "/:r", "/b:r", "/", "/*", "*")
		steps = append(steps, func() {
			set.e.Add(method, p, answerPattern)
			set.add(method, p)
		})
	}
	rng.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	for _, step := range steps {
		step()
	}
	return set
}

func (set *guardedSet) add(method, pattern string) {
	set.routes = append(set.routes, method+" "+pattern)
	set.linear.add(method, pattern)
}

func answerPattern(c *Context) error {
	info := c.RouteInfo()
	return c.String(http.StatusOK, info.Method+" "+info.Path)
}

// matcher returns a regular expression for a pattern of package web, followed by the regular
// expression then. A parameter at the end of the pattern matches the rest of the path, which
// must not be empty.
func matcher(pattern, then string) *regexp.Regexp {
	var expr strings.Builder
	expr.WriteString("^")
	if !strings.HasPrefix(pattern, "/") {
		pattern = "/" + pattern
	}
	for pattern != "" {
		switch pattern[0] {
		case ':':
			end := strings.IndexByte(pattern+"/", '/')
			pattern = pattern[end:]
			if pattern == "" { // the parameter is at the end, so it matches the rest of the path
				return regexp.MustCompile(expr.String() + ".+$")
			}
			expr.WriteString("[^/]*")
		case '*':
			return regexp.MustCompile(expr.String() + ".*$")
		default:
			expr.WriteString(regexp.QuoteMeta(pattern[:1]))
			pattern = pattern[1:]
		}
	}
	return regexp.MustCompile(expr.String() + then + "$")
}

// belowPrefix matches the paths at and below a group's prefix.
func belowPrefix(prefix string) *regexp.Regexp {
	if prefix = strings.TrimRight(prefix, "/"); prefix == "" {
		return regexp.MustCompile(".*")
	}
	return matcher(prefix, "(/.*)?")
}

// TestGroupGuardsPrefix checks a rule with random groups: a request at or below a
// group's prefix is answered by the group, or by a route whose pattern is at or
// below the prefix. The oracle decides that by trying all paths over a small
// alphabet. Among the routes that match a request and satisfy the rule, the best
// must answer.
func TestGroupGuardsPrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pick := func(from ...string) string { return from[rng.IntN(len(from))] }
	paths := []string{}
	segments := []string{"", "a", "b", "ab", "c", "ac", "bc", "abc"}
	for _, one := range segments {
		paths = append(paths, "/"+one)
		for _, two := range segments {
			paths = append(paths, "/"+one+"/"+two)
			for _, three := range segments {
				for _, end := range []string{"", "/c", "/c/a", "/b/a/c", "/a/b/c/a"} {
					paths = append(paths, "/"+one+"/"+two+"/"+three+end)
				}
			}
		}
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !urlpath.Plain(p) }) // TestPathForms tests the other paths
	served, refused := 0, 0
	for range 500 {
		set := newGuardedSet(rng, pick)
		below := map[string]bool{} // prefix and pattern -> whether the pattern is at or below the prefix
		keepsRule := func(pattern, path string) bool {
			for _, prefix := range set.prefixes {
				guard, key := belowPrefix(prefix), prefix+" "+pattern
				if !guard.MatchString(path) {
					continue
				}
				if _, ok := below[key]; !ok {
					route := matcher(pattern, "")
					below[key] = !slices.ContainsFunc(paths, func(p string) bool { return route.MatchString(p) && !guard.MatchString(p) })
				}
				if !below[key] {
					return false
				}
			}
			return true
		}
		for range 150 {
			path, method := pick(paths...), pick("GET", "POST", "HEAD", "OPTIONS", "PURGE")
			got := describe(set.e, method, path)
			_, pattern, ok := strings.Cut(got, " ")
			ok = ok && strings.HasPrefix(pattern, "/")
			if ok && !keepsRule(pattern, path) {
				t.Fatalf("%s %s: %s is wider than a group; routes %q, groups %q", method, path, got, set.routes, set.prefixes)
			}
			best := set.linear.route(method, path)
			_, pattern, _ = strings.Cut(best, " ")
			pattern, _, _ = strings.Cut(pattern, " ")
			switch {
			case !strings.HasPrefix(pattern, "/"), strings.HasPrefix(best, RouteNotFound):
			case keepsRule(pattern, path):
				if served++; got != best[:strings.LastIndex(best, " [")] {
					t.Fatalf("%s %s: got %s, want %s; routes %q, groups %q", method, path, got, best, set.routes, set.prefixes)
				}
			default:
				refused++
			}
		}
	}
	if served == 0 || refused == 0 {
		t.Errorf("%d requests were served, %d refused", served, refused)
	}
}

// TestGroupMissing requests paths and methods for which a group has no route. The group's
// middleware answers requests without credentials. The router answers requests with credentials:
// with its NotFoundHandler, as in Echo, or with GroupMethodNotAllowed by the methods of the path's
// routes.
func TestGroupMissing(t *testing.T) {
	deny := func(next HandlerFunc) HandlerFunc {
		return func(c *Context) error {
			if c.Request().Header.Get(HeaderAuthorization) == "" {
				return ErrUnauthorized
			}
			return next(c)
		}
	}
	says := func(code int) HandlerFunc { return func(c *Context) error { setAllow(c); return c.NoContent(code) } }
	handlers := RouterConfig{NotFoundHandler: says(494), MethodNotAllowedHandler: says(495), OptionsMethodHandler: says(294)}
	byMethod := handlers
	byMethod.GroupMethodNotAllowed = true
	for _, test := range []struct {
		method, target            string
		stranger                  int
		auth, handlers, byMethods int // the statuses with credentials: from the default router, and from routers with the configs handlers and byMethod
	}{
		{method: "GET", target: "/admin/x", stranger: 401, auth: 200, handlers: 200, byMethods: 200},
		{method: "GET", target: "/admin/none", stranger: 401, auth: 404, handlers: 494, byMethods: 494},
		{method: "GET", target: "/admin/", stranger: 401, auth: 404, handlers: 494, byMethods: 494},
		{method: "POST", target: "/admin/x", stranger: 401, auth: 404, handlers: 494, byMethods: 495},
		{method: "OPTIONS", target: "/admin/x", stranger: 401, auth: 404, handlers: 494, byMethods: 294},
		{method: "HEAD", target: "/admin", stranger: 401, auth: 404, handlers: 494, byMethods: 495},
		{method: "PURGE", target: "/admin", stranger: 401, auth: 404, handlers: 494, byMethods: 495},
		{method: "GET", target: "/other", stranger: 404, auth: 404, handlers: 404, byMethods: 404},
	} {
		for name, run := range map[string]struct {
			router Router
			auth   string
			want   int
		}{
			"a stranger":  {want: test.stranger},
			"by default":  {auth: "x", want: test.auth},
			"by handlers": {router: NewRouter(handlers), auth: "x", want: test.handlers},
			"by method":   {router: NewRouter(byMethod), auth: "x", want: test.byMethods},
		} {
			e := NewWithConfig(Config{Router: run.router, Logger: slog.New(slog.DiscardHandler)})
			g := e.Group("/admin", deny)
			g.GET("", answerPattern)
			g.GET("/x", answerPattern)
			e.Any("/*", func(*Context) error { return ErrNotFound })
			w, r := httptest.NewRecorder(), httptest.NewRequest(test.method, test.target, nil)
			r.Header.Set(HeaderAuthorization, run.auth)
			e.ServeHTTP(w, r)
			if w.Code != run.want {
				t.Errorf("%s: %s %s: %d, want %d", name, test.method, test.target, w.Code, run.want)
			}
			if allow := w.Header().Get(HeaderAllow); (w.Code == 495 || w.Code == 294) && allow != "OPTIONS, GET" {
				t.Errorf("%s: %s %s: Allow %q", name, test.method, test.target, allow)
			}
		}
	}
}

// TestGuardOutlastsRoutes: a group's prefix stays guarded if the program registers its own
// RouteNotFound routes for the prefix, before or after the group, or removes another route.
func TestGuardOutlastsRoutes(t *testing.T) {
	own := func(c *Context) error { return c.String(http.StatusNotFound, "own") }
	for name, setUp := range map[string]func(e *Echo){
		"after": func(e *Echo) {
			g := e.Group("/admin", named("m"))
			g.GET("", answerPattern)
			g.RouteNotFound("", own)
			g.RouteNotFound("/*", own)
		},
		"before": func(e *Echo) {
			e.RouteNotFound("/admin", own)
			e.RouteNotFound("/admin/*", own)
			e.Group("/admin", named("m")).GET("", answerPattern)
		},
		"Remove": func(e *Echo) {
			e.Group("/admin", named("m")).GET("", answerPattern)
			e.GET("/gone", answerPattern)
			if err := e.Router().Remove("GET", "/gone"); err != nil {
				t.Error(err)
			}
		},
	} {
		e := quiet()
		setUp(e)
		e.Any("/*", answerPattern)
		for _, path := range []string{"/admin", "/admin/", "/admin/x"} {
			if got := describe(e, "POST", path); got != "404" {
				t.Errorf("%s: POST %s: %s", name, path, got)
			}
		}
	}
}
