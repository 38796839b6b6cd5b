package contestants

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v3"
	"github.com/julienschmidt/httprouter"
	"github.com/labstack/echo/v5"
	"github.com/uptrace/bunrouter"
	"github.com/valyala/fasthttp"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/web"
)

// The HTTP peers, by the names that every suite uses.
const (
	echoName   = "echo v5"
	ginName    = "gin"
	chiName    = "chi"
	httprName  = "httprouter"
	bunName    = "bunrouter"
	muxName    = "net/http"
	fiberName  = "fiber v3"
	humaName   = "huma"
	fuegoName  = "fuego"
	fasthttpIs = "another HTTP engine" // fiber's is fasthttp, which is not net/http
)

// A route is a method and a path, in which ":name" is a parameter and "*name",
// last, the rest.
type route struct{ method, path string }

// The routes of well-known APIs, one a line.
//
//go:embed routes
var routeFiles embed.FS

func routesOf(name string) []route {
	data, err := routeFiles.ReadFile("routes/" + name + ".txt")
	if err != nil {
		panic(err) // it is embedded
	}
	var all []route
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		method, path, _ := strings.Cut(lines.Text(), " ")
		all = append(all, route{method, path})
	}
	return all
}

// small is an API in which single routes are looked for.
var small = []route{
	{"GET", "/"}, {"GET", "/healthz"}, {"GET", "/users"}, {"GET", "/users/:id"}, {"GET", "/users/:id/keys"}, {"GET", "/users/:id/keys/:key"},
	{"GET", "/repos/:owner/:repo"}, {"GET", "/repos/:owner/:repo/issues"}, {"GET", "/repos/:owner/:repo/issues/:number"},
	{"GET", "/repos/:owner/:repo/issues/:number/comments"}, {"GET", "/repos/:owner/:repo/contents/*path"}, {"GET", "/search/code"},
	{"GET", "/search/issues"}, {"GET", "/static/*path"},
}

// names returns the names of the path's parameters.
func (r route) names() []string {
	var names []string
	for _, segment := range strings.Split(r.path, "/") {
		if strings.HasPrefix(segment, ":") || strings.HasPrefix(segment, "*") {
			names = append(names, segment[1:])
		}
	}
	return names
}

// written returns the path with its parameters written in another way.
func (r route) written(param, rest func(name string) string) string {
	segments := strings.Split(r.path, "/")
	for i, s := range segments {
		switch {
		case strings.HasPrefix(s, ":"):
			segments[i] = param(s[1:])
		case strings.HasPrefix(s, "*"):
			segments[i] = rest(s[1:])
		}
	}
	return strings.Join(segments, "/")
}

// colons writes ":name", and the rest as is given.
func (r route) colons(rest string) string {
	return r.written(func(name string) string { return ":" + name }, func(name string) string { return strings.ReplaceAll(rest, "name", name) })
}

// braces writes "{name}", and the rest as is given.
func (r route) braces(rest string) string {
	return r.written(func(name string) string { return "{" + name + "}" }, func(name string) string { return strings.ReplaceAll(rest, "name", name) })
}

// request returns one for the route, its parameters being their own names.
func (r route) request() route {
	same := func(name string) string { return name }
	return route{r.method, r.written(same, func(name string) string { return name + "/deeper" })}
}

// A hit says which route was found, and what its parameters are. Handlers
// report it if they have where to; they are timed without.
type hit struct {
	route  string
	values []string
}

func (h *hit) found(r route, value func(name string) string) {
	h.route = r.method + " " + r.path
	h.values = nil
	for _, name := range r.names() {
		h.values = append(h.values, strings.TrimPrefix(value(name), "/")) // some keep the slash before the rest
	}
}

// A router is a peer's way to route.
type router struct {
	name  string
	notes []string
	make  func(routes []route, middleware int, report *hit) http.Handler
}

var routers = []router{
	{"hone", nil, honeRouter}, {echoName, nil, echoRouter}, {ginName, nil, ginRouter}, {chiName, nil, chiRouter},
	{httprName, nil, httpRouter}, {bunName, nil, bunRouter}, {muxName, []string{"http.ServeMux"}, muxRouter},
}

func honeRouter(routes []route, middleware int, report *hit) http.Handler {
	e := web.New()
	for range middleware {
		e.Use(func(next web.HandlerFunc) web.HandlerFunc { return func(c *web.Context) error { return next(c) } })
	}
	for _, r := range routes {
		h := func(*web.Context) error { return nil }
		if report != nil {
			h = func(c *web.Context) error {
				report.found(r, func(name string) string { return c.Param(rest(r, name)) })
				return nil
			}
		}
		e.Add(r.method, r.colons("*"), h)
	}
	return e
}

// rest is what Echo and Hone call the last parameter of a route: "*".
func rest(r route, name string) string {
	if strings.HasSuffix(r.path, "*"+name) {
		return "*"
	}
	return name
}

func echoRouter(routes []route, middleware int, report *hit) http.Handler {
	e := echo.New()
	for range middleware {
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc { return func(c *echo.Context) error { return next(c) } })
	}
	for _, r := range routes {
		h := func(*echo.Context) error { return nil }
		if report != nil {
			h = func(c *echo.Context) error {
				report.found(r, func(name string) string { return c.Param(rest(r, name)) })
				return nil
			}
		}
		e.Add(r.method, r.colons("*"), h)
	}
	return e
}

func ginRouter(routes []route, middleware int, report *hit) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	for range middleware {
		e.Use(func(c *gin.Context) { c.Next() })
	}
	for _, r := range routes {
		h := func(*gin.Context) {}
		if report != nil {
			h = func(c *gin.Context) { report.found(r, c.Param) }
		}
		e.Handle(r.method, r.colons("*name"), h)
	}
	return e
}

func chiRouter(routes []route, middleware int, report *hit) http.Handler {
	e := chi.NewRouter()
	for range middleware {
		e.Use(passOn)
	}
	for _, r := range routes {
		h := func(http.ResponseWriter, *http.Request) {}
		if report != nil {
			h = func(_ http.ResponseWriter, req *http.Request) {
				report.found(r, func(name string) string { return chi.URLParam(req, rest(r, name)) })
			}
		}
		e.MethodFunc(r.method, r.braces("*"), h)
	}
	return e
}

func passOn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

func httpRouter(routes []route, _ int, report *hit) http.Handler {
	e := httprouter.New()
	for _, r := range routes {
		h := func(http.ResponseWriter, *http.Request, httprouter.Params) {}
		if report != nil {
			h = func(_ http.ResponseWriter, _ *http.Request, p httprouter.Params) { report.found(r, p.ByName) }
		}
		e.Handle(r.method, r.colons("*name"), h)
	}
	return e
}

func bunRouter(routes []route, _ int, report *hit) http.Handler {
	e := bunrouter.New()
	for _, r := range routes {
		h := func(http.ResponseWriter, bunrouter.Request) error { return nil }
		if report != nil {
			h = func(_ http.ResponseWriter, req bunrouter.Request) error {
				report.found(r, req.Param)
				return nil
			}
		}
		e.Handle(r.method, r.colons("*name"), h)
	}
	return e
}

func muxRouter(routes []route, middleware int, report *hit) http.Handler {
	mux := http.NewServeMux()
	for _, r := range routes {
		h := func(http.ResponseWriter, *http.Request) {}
		if report != nil {
			h = func(_ http.ResponseWriter, req *http.Request) { report.found(r, req.PathValue) }
		}
		path := r.braces("{name...}")
		if strings.HasSuffix(path, "/") {
			path += "{$}"
		}
		mux.HandleFunc(r.method+" "+path, h)
	}
	h := http.Handler(mux)
	for range middleware {
		h = passOn(h)
	}
	return h
}

func fiberRouter(routes []route, middleware int, report *hit) fasthttp.RequestHandler {
	app := fiber.New()
	for range middleware {
		app.Use(func(c fiber.Ctx) error { return c.Next() })
	}
	for _, r := range routes {
		h := func(fiber.Ctx) error { return nil }
		if report != nil {
			h = func(c fiber.Ctx) error {
				report.found(r, func(name string) string { return strings.Clone(c.Params(rest(r, name))) })
				return nil
			}
		}
		app.Add([]string{r.method}, r.colons("*"), h)
	}
	return app.Handler()
}

func routerContests() []contest.Contest {
	var all []contest.Contest
	for _, work := range []struct{ name, path string }{
		{"static route", "/search/issues"}, {"param route", "/users/:id"}, {"three params", "/repos/:owner/:repo/issues/:number"}, {"any route", "/static/*path"},
	} {
		all = append(all, routing("router/"+work.name, small, []route{{"GET", work.path}}, 0))
	}
	all = append(all, routing("router/five middleware", small, []route{{"GET", "/users/:id"}}, 5))
	for _, set := range []struct{ name, file string }{{"GitHub", "github"}, {"Google+", "googleplus"}, {"Parse", "parse"}} {
		routes := routesOf(set.file)
		all = append(all, routing("router/"+set.name+", all routes", routes, routes, 0))
	}
	return all
}

// routing is the contest of looking up some of the routes, each once.
func routing(name string, routes, wanted []route, middleware int) contest.Contest {
	c := contest.Contest{Name: name}
	for _, r := range routers {
		if middleware > 0 && (r.name == httprName || r.name == bunName) {
			continue // has none, or one that is fixed per route
		}
		c.Contestants = append(c.Contestants, contest.Contestant{Name: r.name, Notes: r.notes, New: func() (func(int), error) {
			var report hit
			checked, w := r.make(routes, middleware, &report), httptest.NewRecorder()
			for _, want := range wanted {
				checked.ServeHTTP(w, httptest.NewRequest(want.request().method, want.request().path, nil))
				if err := report.check(want); err != nil {
					return nil, err
				}
			}
			timed, requests := r.make(routes, middleware, nil), make([]*http.Request, len(wanted))
			for i, want := range wanted {
				requests[i] = httptest.NewRequest(want.request().method, want.request().path, nil)
			}
			discard := newNothing()
			return loop(func() {
				for _, r := range requests {
					timed.ServeHTTP(discard, r)
				}
			}), nil
		}})
	}
	c.Contestants = append(c.Contestants, contest.Contestant{Name: fiberName, Notes: []string{fasthttpIs}, New: func() (func(int), error) {
		var report hit
		checked, timed := fiberRouter(routes, middleware, &report), fiberRouter(routes, middleware, nil)
		requests := make([]*fasthttp.RequestCtx, len(wanted))
		for i, want := range wanted {
			requests[i] = fastRequest(want.request().method, want.request().path)
			checked(requests[i])
			if err := report.check(want); err != nil {
				return nil, err
			}
		}
		return loop(func() {
			for _, r := range requests {
				timed(r)
			}
		}), nil
	}})
	return c
}

func (h *hit) check(want route) error {
	values := want.names()
	if strings.Contains(want.path, "*") {
		values[len(values)-1] += "/deeper"
	}
	if route := want.method + " " + want.path; h.route != route || !slices.Equal(h.values, values) {
		return fmt.Errorf("%s was routed to %q with %q", route, h.route, h.values)
	}
	*h = hit{}
	return nil
}

func fastRequest(method, target string) *fasthttp.RequestCtx {
	c := new(fasthttp.RequestCtx)
	c.Request.Header.SetMethod(method)
	c.Request.SetRequestURI(target)
	c.Request.Header.SetHost("example.com")
	return c
}

// nothing is a response that goes nowhere. As a server does, it begins with an
// empty header each time.
type nothing struct{ header http.Header }

func newNothing() nothing { return nothing{http.Header{}} }

func (n nothing) Header() http.Header               { return n.header }
func (n nothing) Write(b []byte) (int, error)       { return len(b), nil }
func (n nothing) WriteString(s string) (int, error) { return len(s), nil }
func (n nothing) WriteHeader(int)                   {}
func (n nothing) Flush()                            {}
