package web

import (
	"iter"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/http/urlpath"
)

// A guard stands for one middleware of a route. Functions cannot be compared, so two
// guards are the same middleware if their addresses are equal. A guard is created when
// the middleware is added.
type guard struct {
	place string // the prefix of a Group, or the method and the pattern of a route
}

// withGuards returns one guard for each middleware. The first middlewares already have
// the given guards.
func withGuards(guards []*guard, middleware []MiddlewareFunc, place string) []*guard {
	guards = slices.Clip(guards[:min(len(guards), len(middleware))])
	for range middleware[len(guards):] {
		guards = append(guards, &guard{place})
	}
	return guards
}

// checkFrom returns the offset from which a path that matches the pattern may differ from its plain
// form, or -1 if every path that matches is in plain form; see urlpath.Plain.
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

// refuses reports whether the route named to must not answer a request. The handler of
// a route may clean the path, and look up the result relative to any slash of the
// route's pattern: a proxy does so relative to the root, http.StripPrefix relative to
// its prefix. So the request is refused if its path is not in plain form, and one of
// these holds:
//   - the pattern ends in "*", and the path leads above the part that "*" matches, or
//   - the plain form matches a route with middleware that the route to does not have.
func (r *DefaultRouter) refuses(c *Context, to *endpoint, path string) bool {
	if urlpath.Plain(path[to.checkFrom:]) && path == c.request.URL.Path {
		return false
	}
	if values := c.search.Values(); to.mount && urlpath.Climbs(values[len(values)-1].Value) {
		return true
	}
	if !r.guarded {
		return false
	}
	literal := path[:to.checkFrom+1]
	if path != c.request.URL.Path && r.meetsGuard(c, to, literal, "", c.request.URL.Path) {
		return true
	}
	for i := range c.slashes(to) {
		// If the path does not lead above this slash, the plain form relative to the slash is a
		// part of the plain form of the whole path, which is checked at offset 0.
		if (i == 0 || urlpath.Climbs(path[i:])) && r.meetsGuard(c, to, literal, path[:i], path[i:]) {
			return true
		}
	}
	return false
}

// meetsGuard reports whether a plain form of a path, below a prefix, matches a route with
// middleware that the route to does not have. literal is the text with which to's pattern begins.
func (r *DefaultRouter) meetsGuard(c *Context, to *endpoint, literal, prefix, path string) bool {
	var search route.Search[endpoint, PathValue]
	for form := range urlpath.PlainForms(path) {
		form = prefix + form
		met := search.Find(&r.tree, c.request.Method, form)
		if met == nil {
			continue
		}
		// Groups may share a prefix. The last of them owns the fallback route.
		samePlace := met.Value.auto404 && strings.HasPrefix(form, literal)
		for _, g := range met.Value.guards {
			if !slices.ContainsFunc(to.guards, func(o *guard) bool { return o == g || samePlace && o.place == g.place }) {
				return true
			}
		}
	}
	return false
}

// slashes yields the offsets in the request's path that correspond to slashes in the pattern of
// the found route.
func (c *Context) slashes(ep *endpoint) iter.Seq[int] {
	return func(yield func(int) bool) {
		values := c.search.Values()
		at := 0
		for _, part := range route.Parse(nil, ep.info.Path) {
			if part.Kind != route.Literal {
				at += len(values[0].Value)
				values = values[1:]
				continue
			}
			for i := range len(part.Text) {
				if part.Text[i] == '/' && !yield(at+i) {
					return
				}
			}
			at += len(part.Text)
		}
	}
}
