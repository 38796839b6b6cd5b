package routers

import (
	"net/http"
	"strings"

	"github.com/julienschmidt/httprouter"

	"github.com/hone-go/hone/api"
)

// HTTPRouter returns an api.Router for an httprouter.Router. An httprouter matches the decoded path,
// so an escaped slash in a value separates segments. HTTPRouter refuses patterns with a ':' or a '*',
// and pairs of patterns that an httprouter does not support, such as "/hosts/new" and
// "/hosts/{host}".
func HTTPRouter(r *httprouter.Router) api.Router { return &httpRouter{r, registered{}} }

type httpRouter struct {
	router     *httprouter.Router
	registered registered
}

func (h *httpRouter) AddHandler(method, path string, handler http.Handler) error {
	p, err := h.registered.add("httprouter", method, path)
	if err != nil {
		return err
	}
	rest := ""
	pattern, err := p.translate(
		func(text string) (string, error) {
			if strings.ContainsAny(text, ":*") {
				return "", p.refuse("has %q, which httprouter takes for parameters", text)
			}
			return text, nil
		},
		func(name string) string { return ":" + name },
		func(name string) string { rest = name; return "*" + name },
	)
	if err != nil {
		return err
	}
	serve := func(w http.ResponseWriter, r *http.Request, params httprouter.Params) {
		api.ServePath(w, r, handler, p.names, httpRouterPath{params, rest})
	}
	return p.add(func() {
		for _, method := range p.methods() {
			h.router.Handle(method, pattern, serve)
		}
	})
}

// An httpRouterPath returns the path values of httprouter, which have already been decoded.
type httpRouterPath struct {
	params httprouter.Params
	rest   string // the name of the parameter {name...}, whose value begins with a slash in httprouter
}

func (p httpRouterPath) PathValue(name string) string {
	value := p.params.ByName(name)
	if name == p.rest {
		value = strings.TrimPrefix(value, "/")
	}
	return value
}
