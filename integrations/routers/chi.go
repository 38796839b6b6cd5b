package routers

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/hone-go/hone/api"
)

// Chi returns an api.Router for a router or a group of chi. It refuses patterns with a '*', and methods
// that chi does not support. It also refuses patterns whose literal text must be escaped in a URL,
// because chi would match only one of several equivalent URLs.
func Chi(r chi.Router) api.Router { return &chiRouter{r, registered{}} }

type chiRouter struct {
	router     chi.Router
	registered registered
}

func (c *chiRouter) AddHandler(method, path string, h http.Handler) error {
	p, err := c.registered.add("chi", method, path)
	if err != nil {
		return err
	}
	rest := ""
	pattern, err := p.translate(
		func(text string) (string, error) {
			if strings.Contains(text, "*") || escaped(text) != text {
				return "", p.refuse("has %q, which chi cannot match", text)
			}
			return text, nil
		},
		func(name string) string { return "{" + name + "}" },
		func(name string) string { rest = name; return "*" },
	)
	if err != nil {
		return err
	}
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		api.ServePath(w, r, h, p.names, chiPath{r, rest})
	})
	return p.add(func() {
		for _, method := range p.methods() {
			if method == p.method || !slices.Contains(c.explicitHEAD(), pattern) {
				c.router.Method(method, pattern, serve)
			}
		}
	})
}

// explicitHEAD returns the patterns for which a handler of HEAD is registered.
func (c *chiRouter) explicitHEAD() (patterns []string) {
	for _, route := range c.router.Routes() {
		if route.Handlers[http.MethodHead] != nil {
			patterns = append(patterns, route.Pattern)
		}
	}
	return patterns
}

// A chiPath returns the decoded path values of a request. The values of chi are escaped if the URL has a
// RawPath, which net/url sets if the URL has an unnecessary escape or an escaped slash.
type chiPath struct {
	r    *http.Request
	rest string // the name of the parameter {name...}, which matches the remaining path
}

func (p chiPath) PathValue(name string) string {
	if name == p.rest {
		name = "*"
	}
	value := chi.URLParam(p.r, name)
	if p.r.URL.RawPath != "" {
		return decoded(value)
	}
	return value
}
