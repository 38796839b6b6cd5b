// Package routers lets other routers take the typed handlers of package api, under
// patterns of net/http:
//
//	r := chi.NewRouter()
//	api.Handle(routers.Chi(r), "GET /v1/hosts/{host}", …)
//
// Path values arrive decoded, GET answers HEAD too, and "{name...}" is the rest of
// the path. A pattern that a router cannot express is an error when the handler is
// registered, which names the pattern and the router; see [Chi], [Gorilla] and
// [HTTPRouter] for these patterns.
//
// Middleware, groups, 404 and 405 stay the router's own.
package routers

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hone-go/hone/api"
)

// A pattern is a pattern of net/http, for a router with another syntax.
type pattern struct {
	router, method, path string
	segments             []api.Segment
	names                []string // of the parameters
}

// registered has the methods and paths of a router's routes. Most routers would replace a route
// without an error.
type registered map[string]bool

// add parses a pattern, and returns an error if it is registered already.
func (r registered) add(router, method, path string) (*pattern, error) {
	p := &pattern{router: router, method: method, path: path}
	var err error
	if p.segments, err = api.Segments(path); err != nil {
		return nil, p.refuse("%w", err)
	}
	key := method + " "
	for _, s := range p.segments {
		switch {
		case s.Rest:
			key += "{...}"
		case s.Name != "":
			key += "{}"
		}
		key += s.Literal
		if s.Name != "" {
			p.names = append(p.names, s.Name)
		}
	}
	if r[key] {
		return nil, p.refuse("is there already")
	}
	r[key] = true
	return p, nil
}

func (p *pattern) refuse(format string, args ...any) error {
	return fmt.Errorf("%s: the pattern %s %s %w", p.router, p.method, p.path, fmt.Errorf(format, args...))
}

// methods returns the methods that the pattern's handler answers.
func (p *pattern) methods() []string {
	if p.method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{p.method}
}

// translate returns the pattern in a router's syntax.
func (p *pattern) translate(literal func(text string) (string, error), param, rest func(name string) string) (string, error) {
	var b strings.Builder
	for _, s := range p.segments {
		switch {
		case s.Rest:
			b.WriteString(rest(s.Name))
		case s.Name != "":
			b.WriteString(param(s.Name))
		default:
			text, err := literal(s.Literal)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
		}
	}
	return b.String(), nil
}

// add calls f, and returns the panic of a router that refuses the pattern as an error.
func (p *pattern) add(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = p.refuse("is refused: %v", v)
		}
	}()
	f()
	return nil
}

func escaped(text string) string { return (&url.URL{Path: text}).EscapedPath() }

// decoded returns a path value that may be escaped.
func decoded(value string) string {
	if d, err := url.PathUnescape(value); err == nil {
		return d
	}
	return value
}
