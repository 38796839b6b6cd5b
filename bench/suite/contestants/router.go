package contestants

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/labstack/echo/v5"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/web"
)

// routes is a small API; a router is measured at one route of it at a time.
var routes = []string{
	"/", "/healthz", "/users", "/users/:id", "/users/:id/keys", "/users/:id/keys/:key", "/repos/:owner/:repo",
	"/repos/:owner/:repo/issues", "/repos/:owner/:repo/issues/:number", "/repos/:owner/:repo/issues/:number/comments",
	"/repos/:owner/:repo/contents/*", "/search/code", "/search/issues", "/static/*",
}

func routerContests() []contest.Contest {
	var all []contest.Contest
	for _, work := range []struct {
		name, path string
		middleware int
	}{
		{"static route", "/search/issues", 0},
		{"param route", "/users/42", 0},
		{"three params", "/repos/hone-go/hone/issues/7", 0},
		{"any route", "/static/css/site.css", 0},
		{"five middleware", "/users/42", 5},
	} {
		all = append(all, contest.Contest{Name: "router/" + work.name, Contestants: []contest.Contestant{
			{Name: "hone", New: func() (func(int), error) { return serve(honeRouter(work.middleware), work.path) }},
			{Name: "echo v5", New: func() (func(int), error) { return serve(echoRouter(work.middleware), work.path) }},
		}})
	}
	return all
}

// The handlers say which route it was once, when that is checked.
const routeHeader = "X-Route"

func honeRouter(middleware int) http.Handler {
	e := web.New()
	for range middleware {
		e.Use(func(next web.HandlerFunc) web.HandlerFunc { return func(c *web.Context) error { return next(c) } })
	}
	for _, r := range routes {
		e.GET(r, func(c *web.Context) error {
			if c.Request().Header != nil {
				c.Response().Header().Set(routeHeader, r+" "+c.Param("id")+c.Param("number")+c.Param("*"))
			}
			return nil
		})
	}
	return e
}

func echoRouter(middleware int) http.Handler {
	e := echo.New()
	for range middleware {
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc { return func(c *echo.Context) error { return next(c) } })
	}
	for _, r := range routes {
		e.GET(r, func(c *echo.Context) error {
			if c.Request().Header != nil {
				c.Response().Header().Set(routeHeader, r+" "+c.Param("id")+c.Param("number")+c.Param("*"))
			}
			return nil
		})
	}
	return e
}

func serve(h http.Handler, path string) (func(int), error) {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	want := map[string]string{
		"/search/issues": "/search/issues ", "/users/42": "/users/:id 42",
		"/repos/hone-go/hone/issues/7": "/repos/:owner/:repo/issues/:number 7", "/static/css/site.css": "/static/* css/site.css",
	}[path]
	if got := w.Header().Get(routeHeader); got != want {
		return nil, fmt.Errorf("%s was routed to %q, want %q", path, got, want)
	}
	r.Header = nil
	discard := nothing{http.Header{}}
	return loop(func() { h.ServeHTTP(discard, r) }), nil
}

// nothing is a response that goes nowhere.
type nothing struct{ header http.Header }

func (n nothing) Header() http.Header         { return n.header }
func (n nothing) Write(b []byte) (int, error) { return len(b), nil }
func (n nothing) WriteHeader(int)             {}
