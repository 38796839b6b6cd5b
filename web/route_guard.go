package web

import (
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/http/urlpath"
)

// A guard identifies a middleware of a route by the guard's address, because
// functions cannot be compared. It is created where the middleware is added.
type guard struct {
	place string // the prefix of a Group, or the method and the pattern of a route
}

// withGuards extends guards, which identify the first middleware, to one for each middleware.
func withGuards(guards []*guard, middleware []MiddlewareFunc, place string) []*guard {
	guards = slices.Clip(guards[:min(len(guards), len(middleware))])
	for range middleware[len(guards):] {
		guards = append(guards, &guard{place})
	}
	return guards
}

// checkFrom returns the offset from which a path that matches the pattern may
// differ from its plain form, or -1 if it cannot.
func checkFrom(parts []route.Part) int {
	first := parts[0].Text // a literal, since a pattern begins with a slash
	switch {
	case !urlpath.Plain(first):
		return 0
	case len(parts) == 1:
		return -1
	}
	return len(first) - 1
}

// bypassesGuard reports whether a request would bypass a guard. It does if its path is not
// in plain form, and the plain form matches a route with middleware that the
// route to does not have.
func (r *DefaultRouter) bypassesGuard(c *Context, to *endpoint, path string) bool {
	if urlpath.Plain(path[to.checkFrom:]) && path == c.request.URL.Path {
		return false
	}
	var search route.Search[endpoint, PathValue]
	for _, p := range []string{path, c.request.URL.Path} {
		for form := range urlpath.PlainForms(p) {
			met := search.Find(&r.tree, c.request.Method, form)
			if met == nil {
				continue
			}
			// Groups may share a prefix. Its fallback route belongs to the last of them.
			samePlace := met.Value.auto404 && strings.HasPrefix(form, path[:to.checkFrom+1])
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
