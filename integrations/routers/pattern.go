package routers

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hone-go/hone/api"
)

// A pattern is a pattern of net/http that is translated for another router.
type pattern struct {
	router, method, path string
	segments             []api.Segment
	names                []string // the names of the parameters
}

// registered is the set of registered methods and paths. It is needed because most routers silently
// replace a handler if a pattern is registered twice.
type registered map[string]bool

// add parses a pattern. It returns an error if the pattern is already registered.
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

// refuse returns an error that names the router and the pattern.
func (p *pattern) refuse(format string, args ...any) error {
	return fmt.Errorf("%s: the pattern %s %s %w", p.router, p.method, p.path, fmt.Errorf(format, args...))
}

// methods returns the methods for which the pattern's handler is registered.
func (p *pattern) methods() []string {
	if p.method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{p.method}
}

// translate returns the pattern in the syntax of a router, or the error of literal. Literal, param
// and rest return the translations of literal text, of {name} and of {name...}.
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

// add calls f, which registers the pattern, and converts a panic of the router to an error.
func (p *pattern) add(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = p.refuse("is refused: %v", v)
		}
	}()
	f()
	return nil
}

// escaped returns a path with the escapes that it needs in a URL.
func escaped(text string) string { return (&url.URL{Path: text}).EscapedPath() }

// decoded decodes a path value that may be escaped. It returns an invalid value unchanged.
func decoded(value string) string {
	if d, err := url.PathUnescape(value); err == nil {
		return d
	}
	return value
}
