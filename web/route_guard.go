package web

import (
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/http/urlpath"
)

// A guard stands for a middleware of a route. Functions cannot be compared: a guard
// is known by its address, and made where the middleware is added.
type guard struct {
	place string // the prefix of a Group, or the method and the pattern of a route
}

// withGuards returns guards, which are of the first, with one for each middleware.
func withGuards(guards []*guard, middleware []MiddlewareFunc, place string) []*guard {
	guards = slices.Clip(guards[:min(len(guards), len(middleware))])
	for range middleware[len(guards):] {
		guards = append(guards, &guard{place})
	}
	return guards
}

// looseFrom returns where a path that matches a pattern may begin to be other
// than plain, or -1 if it cannot.
func looseFrom(parts []route.Part) int {
	first := parts[0].Text // a literal, since a pattern begins with a slash
	switch {
	case !urlpath.Plain(first):
		return 0
	case len(parts) == 1:
		return -1
	}
	return len(first) - 1
}

// evades reports whether a request would get past a guard: its path is not in
// its plain form, and in that form it would be given to a route that has
// middleware which this one lacks.
func (r *DefaultRouter) evades(c *Context, to *endpoint, path string) bool {
	if urlpath.Plain(path[to.loose:]) && path == c.request.URL.Path {
		return false
	}
	var search route.Search[endpoint, PathValue]
	for _, p := range []string{path, c.request.URL.Path} {
		for form := range urlpath.PlainForms(p) {
			met := search.Find(&r.tree, c.request.Method, form)
			if met == nil {
				continue
			}
			// Groups may share a prefix, whose fallback is that of the last.
			samePlace := met.Value.auto404 && strings.HasPrefix(form, path[:to.loose+1])
			for _, g := range met.Value.guards {
				if !slices.ContainsFunc(to.guards, func(o *guard) bool { return o == g || samePlace && o.place == g.place }) {
					return true
				}
			}
		}
		if path == c.request.URL.Path {
			break
		}
	}
	return false
}
