package web

import (
	stdjson "encoding/json"
	"mime"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/valyala/fasthttp"

	"github.com/hone-go/hone/bench/suite/contest"
)

// Contestants are probed for these kinds of behaviour. The tests check that Echo passes all probes.
const (
	routed   = "routing"
	refusals = "answers by itself"
	dressing = "middleware"
	checks   = "checking what comes in"
	whole    = "a whole service"
)

// A routeProbe sends a request to a router with some routes.
type routeProbe struct {
	fewer   string
	routes  []Route
	asked   Route
	status  int
	found   string   // the path of the route; "" for none
	values  []string // the possible values of its parameters; nil for any
	allowed []string // methods that the header Allow must contain
}

var collection = []Route{{"GET", "/users"}, {"POST", "/users"}}

var routeProbes = []routeProbe{
	{fewer: "routes a path that has no route", routes: collection, asked: Route{"GET", "/nowhere"}, status: 404},
	{fewer: "does not answer 405 with the allowed methods", routes: collection, asked: Route{"DELETE", "/users"}, status: 405, allowed: []string{"GET", "POST"}},
	{fewer: "does not support a static path, a parameter and a wildcard in one position, in that order of preference", routes: []Route{{"GET", "/u/*rest"}, {"GET", "/u/:id"}, {"GET", "/u/new"}},
		asked: Route{"GET", "/u/new"}, status: 200, found: "/u/new"},
	{fewer: "does not support a static path, a parameter and a wildcard in one position, in that order of preference", routes: []Route{{"GET", "/u/*rest"}, {"GET", "/u/:id"}, {"GET", "/u/new"}},
		asked: Route{"GET", "/u/newer"}, status: 200, found: "/u/:id", values: []string{"newer"}},
	{fewer: "does not backtrack from a static path to a parameter", routes: []Route{{"GET", "/u/:id/y"}, {"GET", "/u/new/x"}}, asked: Route{"GET", "/u/new/y"},
		status: 200, found: "/u/:id/y", values: []string{"new"}},
	{fewer: "does not backtrack from a parameter to a wildcard", routes: []Route{{"GET", "/u/:id/y"}, {"GET", "/u/new/x"}, {"GET", "/u/*rest"}}, asked: Route{"GET", "/u/new/z"},
		status: 200, found: "/u/*rest", values: []string{"new/z"}},
	{fewer: "does not look for another route if the first match is for another method", routes: []Route{{"GET", "/u/:id"}, {"POST", "/u/new"}}, asked: Route{"GET", "/u/new"},
		status: 200, found: "/u/:id", values: []string{"new"}},
	{fewer: "does not support two names for a parameter in one position", routes: []Route{{"GET", "/u/:id/a"}, {"GET", "/u/:name/b"}}, asked: Route{"GET", "/u/1/b"},
		status: 200, found: "/u/:name/b", values: []string{"1"}},
	{fewer: "does not support routes that overlap in two positions", routes: []Route{{"GET", "/:a/x"}, {"GET", "/y/:b"}}, asked: Route{"GET", "/y/x"}, status: 200, found: "/y/:b", values: []string{"x"}},
	{fewer: "does not match an empty wildcard", routes: []Route{{"GET", "/files/*path"}}, asked: Route{"GET", "/files/"}, status: 200, found: "/files/*path", values: []string{""}},
	{fewer: "does not decode escapes in parameters", routes: []Route{{"GET", "/users/:id"}}, asked: Route{"GET", "/users/a%20b"}, status: 200, found: "/users/:id", values: []string{"a b"}},
	{fewer: "treats an escaped slash as a separator of segments", routes: []Route{{"GET", "/users/:id/keys"}}, asked: Route{"GET", "/users/a%2Fb/keys"},
		status: 200, found: "/users/:id/keys", values: []string{"a%2Fb", "a/b"}},
	{fewer: "redirects to the path with or without a final slash", routes: collection, asked: Route{"GET", "/users/"}, status: 404},
	{fewer: "redirects to the path with or without a final slash", routes: []Route{{"GET", "/users/"}}, asked: Route{"GET", "/users"}, status: 404},
	{fewer: "ignores the case of paths", routes: collection, asked: Route{"GET", "/Users"}, status: 404},
}

// kept sends the request to a router with the probe's routes, and reports whether the router
// answers as the probe expects.
func (p routeProbe) kept(r Router, middleware int) bool {
	var got Hit
	h, w := r.Make(p.routes, middleware, &got), httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(p.asked.Method, p.asked.Path, nil))
	found := ""
	if p.found != "" {
		found = "GET " + p.found
	}
	if w.Code != p.status || got.route != found || p.values != nil && (len(got.values) != 1 || !slices.Contains(p.values, got.values[0])) {
		return false
	}
	return containsAll(w.Header().Values("Allow"), p.allowed)
}

// containsAll reports whether the comma-separated list in a header contains all names of want.
func containsAll(header, want []string) bool {
	var has []string
	for _, name := range strings.Split(strings.Join(header, ","), ",") {
		has = append(has, strings.TrimSpace(name))
	}
	for _, name := range want {
		if !slices.Contains(has, name) {
			return false
		}
	}
	return true
}

var routing sync.Map // maps a routerKey to a *contest.Probes that all contests share

type routerKey struct {
	name       string
	middleware int
}

// probes returns the probes of a router with the given number of middleware functions.
func (r Router) probes(middleware int) *contest.Probes {
	made := new(contest.Probes)
	for _, p := range routeProbes {
		made.List = append(made.List, contest.Probe{Fewer: p.fewer, Kept: func() bool { return p.kept(r, middleware) }})
	}
	kept, _ := routing.LoadOrStore(routerKey{r.Name, middleware}, made)
	return kept.(*contest.Probes)
}

// ByRouters adds probes to a contest of routers: each contestant gets the probes of the router with
// its name.
func ByRouters(c contest.Contest) contest.Contest {
	c.Promises = routed
	for i, who := range c.Contestants {
		for _, r := range Routers {
			if r.Name == who.Name {
				c.Contestants[i].Probes = r.probes(0)
			}
		}
	}
	return c
}

// An askProbe sends a request to a server and checks the response.
type askProbe struct {
	fewer string
	asked request
	right func(a answer) bool
}

// asking adds probes with requests to a contest of servers.
func asking(promises string, probes []askProbe, servers []Server, c contest.Contest) contest.Contest {
	c.Promises = promises
	for i, s := range servers {
		list := new(contest.Probes)
		for _, p := range probes {
			list.List = append(list.List, contest.Probe{Fewer: p.fewer, Kept: func() bool { return p.right(p.asked.sendTo(s.make())) }})
		}
		c.Contestants[i].Probes = list
	}
	return c
}

// sendTo returns a server's response.
func (r request) sendTo(server any) answer {
	if h, ok := server.(fasthttp.RequestHandler); ok {
		c := r.fast()
		h(c)
		return fastAnswer(c)
	}
	asked, _ := r.http()
	w := httptest.NewRecorder()
	server.(http.Handler).ServeHTTP(w, asked)
	return answer{w.Code, w.Header(), w.Body.String()}
}

// refused reports whether a response has the given status, a JSON body with a message, and the
// given methods in its header Allow.
func refused(status int, allowed ...string) func(a answer) bool {
	return func(a answer) bool {
		media, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
		var body struct{ Message string }
		return err == nil && a.status == status && media == "application/json" && stdjson.Unmarshal([]byte(a.body), &body) == nil && body.Message == http.StatusText(status) &&
			containsAll(a.header.Values("Allow"), allowed)
	}
}

// hasFields reports whether a response has some headers.
func hasFields(headers ...string) func(a answer) bool {
	return func(a answer) bool {
		return a.status == http.StatusOK && !slices.ContainsFunc(headers, func(name string) bool { return a.header.Get(name) == "" })
	}
}

// refuses reports whether a response means that the request is invalid.
func refuses(a answer) bool { return a.status >= 400 && a.status < 500 }
