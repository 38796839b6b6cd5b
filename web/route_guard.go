package web

import (
	"slices"

	"github.com/hone-go/hone/internal/route"
	"github.com/hone-go/hone/internal/urlpath"
)

// A guard stands for a middleware of a route: functions cannot be compared. The
// routes of a [Group] have the guards of its middleware in common.
type guard struct {
	_ byte // two guards have two addresses
}

// withGuards returns guards with one for each middleware.
func withGuards(guards []*guard, middleware []MiddlewareFunc) []*guard {
	guards = slices.Clip(guards)
	for len(guards) < len(middleware) {
		guards = append(guards, new(guard))
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
			if met != nil && slices.ContainsFunc(met.Value.guards, func(g *guard) bool { return !slices.Contains(to.guards, g) }) {
				return true
			}
		}
		if path == c.request.URL.Path {
			break
		}
	}
	return false
}
