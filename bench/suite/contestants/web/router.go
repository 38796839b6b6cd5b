package web

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

// The HTTP peers, by the names that all suites use.
const (
	EchoName     = "echo v5"
	GinName      = "gin"
	ChiName      = "chi"
	httprName    = "httprouter"
	bunName      = "bunrouter"
	MuxName      = "net/http"
	FiberName    = "fiber v3"
	HumaName     = "huma"
	FuegoName    = "fuego"
	FasthttpNote = contest.OtherEngine
)

// A route is a method and a path. In the path ":name" is a parameter, and "*name" at the end is
// the rest of the path.
type Route struct{ Method, Path string }

// The routes of well-known APIs, one on each line.
//
//go:embed routes
var routeFiles embed.FS

func routesOf(name string) []Route {
	data, err := routeFiles.ReadFile("routes/" + name + ".txt")
	if err != nil {
		panic(err) // the files are embedded
	}
	var all []Route
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		method, path, _ := strings.Cut(lines.Text(), " ")
		all = append(all, Route{method, path})
	}
	return all
}

// small is an API for looking up single routes.
var small = []Route{
	{"GET", "/"}, {"GET", "/healthz"}, {"GET", "/users"}, {"GET", "/users/:id"}, {"GET", "/users/:id/keys"}, {"GET", "/users/:id/keys/:key"},
	{"GET", "/repos/:owner/:repo"}, {"GET", "/repos/:owner/:repo/issues"}, {"GET", "/repos/:owner/:repo/issues/:number"},
	{"GET", "/repos/:owner/:repo/issues/:number/comments"}, {"GET", "/repos/:owner/:repo/contents/*path"}, {"GET", "/search/code"},
	{"GET", "/search/issues"}, {"GET", "/static/*path"},
}

// names returns the names of the path's parameters.
func (r Route) names() []string {
	var names []string
	for _, segment := range strings.Split(r.Path, "/") {
		if strings.HasPrefix(segment, ":") || strings.HasPrefix(segment, "*") {
			names = append(names, segment[1:])
		}
	}
	return names
}

// written returns the path with its parameters in another syntax.
func (r Route) written(param, rest func(name string) string) string {
	segments := strings.Split(r.Path, "/")
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

// colons returns the path with ":name" for each parameter. rest is the text for a wildcard at the end.
func (r Route) colons(rest string) string {
	return r.written(func(name string) string { return ":" + name }, func(name string) string { return strings.ReplaceAll(rest, "name", name) })
}

// braces returns the path with "{name}" for each parameter. rest is the text for a wildcard at the end.
func (r Route) braces(rest string) string {
	return r.written(func(name string) string { return "{" + name + "}" }, func(name string) string { return strings.ReplaceAll(rest, "name", name) })
}

// Request returns a request for the route. The values of its parameters are their names.
func (r Route) Request() Route {
	same := func(name string) string { return name }
	return Route{r.Method, r.written(same, func(name string) string { return name + "/deeper" })}
}

// A Hit records the route that was found and its parameters. A handler with a Hit sets it. Handlers
// that are timed have no Hit.
type Hit struct {
	route  string
	values []string
}

func (h *Hit) found(r Route, value func(name string) string) {
	h.route = r.Method + " " + r.Path
	h.values = nil
	for _, name := range r.names() {
		h.values = append(h.values, strings.TrimPrefix(value(name), "/")) // some routers keep the slash before the text of a wildcard
	}
}

// A router is a peer's router.
type Router struct {
	Name  string
	Notes []string
	Make  func(routes []Route, middleware int, report *Hit) http.Handler
}

// Routers are the peers that use net/http.
var Routers = []Router{
	{"hone", nil, HoneRouter}, {EchoName, nil, EchoRouter}, {GinName, nil, GinRouter}, {ChiName, nil, ChiRouter},
	{httprName, nil, httpRouter}, {bunName, nil, bunRouter}, {MuxName, []string{"http.ServeMux"}, MuxRouter},
}

// HoneRouter returns Hone's router with the routes and the given number of middleware
// functions.
func HoneRouter(routes []Route, middleware int, report *Hit) http.Handler {
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
		e.Add(r.Method, r.colons("*"), h)
	}
	return e
}

// rest returns the name of the last parameter of a route in Echo and Hone: "*".
func rest(r Route, name string) string {
	if strings.HasSuffix(r.Path, "*"+name) {
		return "*"
	}
	return name
}

// EchoRouter returns Echo's router with the routes and the given number of middleware
// functions.
func EchoRouter(routes []Route, middleware int, report *Hit) http.Handler {
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
		e.Add(r.Method, r.colons("*"), h)
	}
	return e
}

// GinRouter returns Gin's router with the routes and the given number of middleware functions.
func GinRouter(routes []Route, middleware int, report *Hit) http.Handler {
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
		e.Handle(r.Method, r.colons("*name"), h)
	}
	return e
}

// ChiRouter returns chi's router with the routes and the given number of middleware functions.
func ChiRouter(routes []Route, middleware int, report *Hit) http.Handler {
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
		e.MethodFunc(r.Method, r.braces("*"), h)
	}
	return e
}

func passOn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

func httpRouter(routes []Route, _ int, report *Hit) http.Handler {
	e := httprouter.New()
	for _, r := range routes {
		h := func(http.ResponseWriter, *http.Request, httprouter.Params) {}
		if report != nil {
			h = func(_ http.ResponseWriter, _ *http.Request, p httprouter.Params) { report.found(r, p.ByName) }
		}
		e.Handle(r.Method, r.colons("*name"), h)
	}
	return e
}

func bunRouter(routes []Route, _ int, report *Hit) http.Handler {
	e := bunrouter.New()
	for _, r := range routes {
		h := func(http.ResponseWriter, bunrouter.Request) error { return nil }
		if report != nil {
			h = func(_ http.ResponseWriter, req bunrouter.Request) error {
				report.found(r, req.Param)
				return nil
			}
		}
		e.Handle(r.Method, r.colons("*name"), h)
	}
	return e
}

// MuxRouter returns net/http's router with the routes and the given number of middleware
// functions.
func MuxRouter(routes []Route, middleware int, report *Hit) http.Handler {
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
		mux.HandleFunc(r.Method+" "+path, h)
	}
	h := http.Handler(mux)
	for range middleware {
		h = passOn(h)
	}
	return h
}

func fiberRouter(routes []Route, middleware int, report *Hit) fasthttp.RequestHandler {
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
		app.Add([]string{r.Method}, r.colons("*"), h)
	}
	return app.Handler()
}

// RouterContests measure finding the handler of a request.
func RouterContests() []contest.Contest {
	var all []contest.Contest
	for _, work := range []struct{ name, path string }{
		{"static route", "/search/issues"}, {"param route", "/users/:id"}, {"three params", "/repos/:owner/:repo/issues/:number"}, {"any route", "/static/*path"},
	} {
		all = append(all, Routing("router/"+work.name, small, []Route{{"GET", work.path}}, 0))
	}
	all = append(all, Routing("router/five middleware", small, []Route{{"GET", "/users/:id"}}, 5))
	for _, set := range []struct{ name, file string }{{"GitHub", "github"}, {"Google+", "googleplus"}, {"Parse", "parse"}} {
		routes := routesOf(set.file)
		all = append(all, Routing("router/"+set.name+", all routes", routes, routes, 0))
	}
	return all
}

// Routing is the contest of looking up some of the routes, once each.
func Routing(name string, routes, wanted []Route, middleware int) contest.Contest {
	c := contest.Contest{Name: name, Promises: routed}
	for _, r := range Routers {
		if middleware > 0 && (r.Name == httprName || r.Name == bunName) {
			continue // this router has no middleware, or a fixed number for each route
		}
		c.Contestants = append(c.Contestants, contest.Contestant{Name: r.Name, Notes: r.Notes, Probes: r.probes(middleware), New: func() (func(int), error) {
			var report Hit
			checked, w := r.Make(routes, middleware, &report), httptest.NewRecorder()
			for _, want := range wanted {
				checked.ServeHTTP(w, httptest.NewRequest(want.Request().Method, want.Request().Path, nil))
				if err := report.Check(want); err != nil {
					return nil, err
				}
			}
			timed, requests := r.Make(routes, middleware, nil), make([]*http.Request, len(wanted))
			for i, want := range wanted {
				requests[i] = httptest.NewRequest(want.Request().Method, want.Request().Path, nil)
			}
			discard := NewNothing()
			return contest.Loop(func() {
				for _, r := range requests {
					timed.ServeHTTP(discard, r)
				}
			}), nil
		}})
	}
	c.Contestants = append(c.Contestants, contest.Contestant{Name: FiberName, Notes: []string{FasthttpNote}, New: func() (func(int), error) {
		var report Hit
		checked, timed := fiberRouter(routes, middleware, &report), fiberRouter(routes, middleware, nil)
		requests := make([]*fasthttp.RequestCtx, len(wanted))
		for i, want := range wanted {
			requests[i] = fastRequest(want.Request().Method, want.Request().Path)
			checked(requests[i])
			if err := report.Check(want); err != nil {
				return nil, err
			}
		}
		return contest.Loop(func() {
			for _, r := range requests {
				timed(r)
			}
		}), nil
	}})
	return c
}

// Check returns an error with the route that the router chose, unless h has the expected route and
// its parameters. If h has them, Check clears h.
func (h *Hit) Check(want Route) error {
	values := want.names()
	if strings.Contains(want.Path, "*") {
		values[len(values)-1] += "/deeper"
	}
	if route := want.Method + " " + want.Path; h.route != route || !slices.Equal(h.values, values) {
		return fmt.Errorf("%s was routed to %q with %q", route, h.route, h.values)
	}
	*h = Hit{}
	return nil
}

func fastRequest(method, target string) *fasthttp.RequestCtx {
	c := new(fasthttp.RequestCtx)
	c.Request.Header.SetMethod(method)
	c.Request.SetRequestURI(target)
	c.Request.Header.SetHost("example.com")
	return c
}

// Nothing is an http.ResponseWriter that discards the response. Each request needs a new one, because a server
// begins each response with an empty header.
type Nothing struct{ header http.Header }

// NewNothing returns a Nothing with an empty header.
func NewNothing() Nothing { return Nothing{http.Header{}} }

func (n Nothing) Header() http.Header               { return n.header }
func (n Nothing) Write(b []byte) (int, error)       { return len(b), nil }
func (n Nothing) WriteString(s string) (int, error) { return len(s), nil }
func (n Nothing) WriteHeader(int)                   {}
func (n Nothing) Flush()                            {}
