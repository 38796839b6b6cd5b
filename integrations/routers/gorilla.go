package routers

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"github.com/hone-go/hone/api"
)

// Gorilla returns an api.Router for a router or a subrouter of gorilla/mux. Its routes match the escaped
// path, so a path value may contain an escaped slash. Other routes of the router are not affected. If
// the router has no MethodNotAllowedHandler, Gorilla sets one that sends the Allow header.
//
// As always in gorilla/mux, the first matching route is used: register "/hosts/new" before
// "/hosts/{host}".
func Gorilla(r *mux.Router) api.Router {
	if r.MethodNotAllowedHandler == nil {
		r.MethodNotAllowedHandler = methodNotAllowed(r)
	}
	return &gorillaRouter{r.NewRoute().Subrouter().UseEncodedPath(), registered{}}
}

type gorillaRouter struct {
	router     *mux.Router
	registered registered
}

func (g *gorillaRouter) AddHandler(method, path string, h http.Handler) error {
	p, err := g.registered.add("gorilla/mux", method, path)
	if err != nil {
		return err
	}
	pattern, err := p.translate(
		func(text string) (string, error) { return escaped(text), nil },
		func(name string) string { return "{" + name + "}" },
		func(name string) string { return "{" + name + ":.*}" },
	)
	if err != nil {
		return err
	}
	route := g.router.NewRoute().Methods(p.methods()...).Path(pattern).HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		api.ServePath(w, r, h, p.names, gorillaPath(mux.Vars(r)))
	})
	if err := route.GetError(); err != nil {
		return p.refuse("is refused: %w", err)
	}
	return nil
}

// A gorillaPath contains the path values of gorilla/mux, which are escaped, and returns them decoded.
type gorillaPath map[string]string

func (p gorillaPath) PathValue(name string) string { return decoded(p[name]) }

// methodNotAllowed returns a handler for requests for paths that only have routes of other methods.
// It responds with 405 and lists these methods in the header Allow.
func methodNotAllowed(router *mux.Router) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		_ = router.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
			methods, err := route.GetMethods()
			if err != nil {
				return nil // the route accepts any method, or is a subrouter
			}
			asked := *r
			asked.Method = methods[0]
			if route.Match(&asked, &mux.RouteMatch{}) {
				allowed = append(allowed, methods...)
			}
			return nil
		})
		slices.Sort(allowed)
		w.Header().Set("Allow", strings.Join(slices.Compact(allowed), ", "))
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
	})
}
