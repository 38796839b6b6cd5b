package web

import (
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/http/urlpath"
)

// A middlewareID identifies one middleware of a route by its address, because functions cannot be
// compared. The ID is created when the middleware is added.
type middlewareID struct {
	place string // the prefix of a Group, or the method and the pattern of a route
}

// withMiddlewareIDs returns one ID for each middleware. The first ones are ids, the IDs that the
// first middlewares already have. Each of the other middlewares gets a new ID.
func withMiddlewareIDs(ids []*middlewareID, middleware []MiddlewareFunc, place string) []*middlewareID {
	ids = slices.Clip(ids[:min(len(ids), len(middleware))])
	for range middleware[len(ids):] {
		ids = append(ids, &middlewareID{place})
	}
	return ids
}

// checkFrom returns the first offset at which a path that matches the pattern may differ from its plain form. It
// returns -1 if every path that matches is in plain form; see urlpath.Plain.
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

// refuses reports whether the matched route must not answer a request whose path is not in plain form.
// There are two cases:
//   - The pattern ends in "*", and the path leads above the part that "*" matches.
//   - The plain form matches a route with middleware that the matched route does not have.
//
// The second case is needed because the handler of a route may clean the path. A handler may resolve the result
// relative to any slash of the route's pattern: a proxy resolves it relative to the root, and http.StripPrefix
// relative to its prefix. So the plain form is computed relative to each slash.
func (r *DefaultRouter) refuses(c *Context, matched *endpoint, path string) bool {
	if values := c.search.Values(); matched.mount && urlpath.Climbs(values[len(values)-1].Value) {
		return true
	}
	if !r.hasMiddleware {
		return false
	}
	literal := path[:matched.checkFrom+1]
	if path != c.request.URL.Path && r.skipsMiddleware(c, matched, literal, "", c.request.URL.Path) {
		return true
	}
	for i := range c.slashes(matched) {
		// If the path does not lead above this slash, the plain form relative to the slash is a
		// part of the plain form of the whole path, which is checked at offset 0.
		if (i == 0 || urlpath.Climbs(path[i:])) && r.skipsMiddleware(c, matched, literal, path[:i], path[i:]) {
			return true
		}
	}
	return false
}

// skipsMiddleware reports whether prefix followed by a plain form of path matches a route with
// middleware that the matched route does not have. literal is the literal text at the start of the
// matched route's pattern.
func (r *DefaultRouter) skipsMiddleware(c *Context, matched *endpoint, literal, prefix, path string) bool {
	var search route.Search[endpoint, PathValue]
	for form := range urlpath.PlainForms(path) {
		form = prefix + form
		met := search.Find(&r.tree, c.request.Method, form)
		if met == nil {
			continue
		}
		// Groups with the same prefix share one route for paths without a route (auto404), which has
		// the IDs of only one of the groups. So for this route, two middlewares with the same prefix
		// count as equal.
		samePlace := met.Value.auto404 && strings.HasPrefix(form, literal)
		for _, id := range met.Value.middlewareIDs {
			if !slices.ContainsFunc(matched.middlewareIDs, func(o *middlewareID) bool { return o == id || samePlace && o.place == id.place }) {
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

// requestPath returns the path that routes are matched against, and whether it is escaped. It is
// usually the decoded path. It is the path as the client sent it if an escape would be lost by
// decoding: an escaped slash, or another escape that is not needed. An opaque target such as
// "x:http://host/admin" has no path and matches no route: a proxy that uses net/http's client would
// forward the target unchanged, with any path that the client wrote.
func requestPath(u *url.URL) (path string, raw bool) {
	if u.Opaque != "" {
		return "", false
	}
	if u.RawPath != "" {
		return u.RawPath, true
	}
	if u.Path == "" {
		return "/", false
	}
	return u.Path, false
}

// escaped decodes the path values if UnescapePathParamValues is set. Otherwise it records that they
// are still escaped.
func (r *DefaultRouter) escaped(c *Context) {
	if !r.config.UnescapePathParamValues {
		c.rawPath = true
		return
	}
	for i, value := range c.pathValues {
		if v, err := url.PathUnescape(value.Value); err == nil {
			c.pathValues[i].Value = v
		}
	}
}
