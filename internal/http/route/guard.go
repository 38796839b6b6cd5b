package route

import (
	"slices"
	"strings"
)

// A guard is a pattern, such as "/admin", that reserves its paths and all paths below them: only a
// route whose pattern is equal to the guard or below it may answer requests for these paths. See
// [Route.Guard].
//
// The order of the search enforces most of this: the search ends at the guard's NotFound routes,
// before it tries a route that also matches paths outside the guard. But the search tries some of
// these wider routes earlier: "/api/v1/*" precedes "/api/:v/admin/*". Each of these routes has a
// list of guards (Route.before), and must not answer a request for a path of a guard in the list.
//
// A guard has one Part for each segment of the pattern. The Text of the Part is the literal prefix
// of the segment. Its Kind is Param or Rest if a parameter follows the prefix, and otherwise
// Literal.
type guard []Part

// segmentsOf splits a pattern at its slashes.
func segmentsOf(parts []Part) (segments []Part) {
	for _, p := range parts {
		if p.Kind != Literal {
			segments[len(segments)-1].Kind = p.Kind
			continue
		}
		for i, text := range strings.Split(p.Text, "/") {
			if i > 0 {
				segments = append(segments, Part{Literal, text})
			}
		}
	}
	return segments
}

// includes reports whether every path of a pattern is at or below g.
func (g guard) includes(pattern []Part) bool {
	for i, s := range g {
		if i == len(pattern) {
			return false
		}
		o := pattern[i]
		switch {
		case s.Kind == Literal && s != o, !strings.HasPrefix(o.Text, s.Text):
			return false
		case s.Kind == Rest:
			return true
		case o.Kind == Rest: // "/b*" is below "/:x", but "/*" is not
			return s.Kind == Param && i == len(g)-1 && o.Text != s.Text
		}
	}
	return true
}

// follows reports whether g comes after the pattern in the order of the search: for the paths that
// both match, the search tries the pattern first. follows treats any final parameter as if it
// matched the rest of the path.
func (g guard) follows(pattern []Part) bool {
	before := false
	for i, s := range g {
		if i == len(pattern) {
			return false
		}
		o := pattern[i]
		common := commonPrefix(s.Text, o.Text)
		if common < len(s.Text) && (common < len(o.Text) || o.Kind == Literal) || common < len(o.Text) && s.Kind == Literal {
			return false // no path matches both
		}
		if !before && s != o {
			if before = len(o.Text) > common || len(s.Text) == common && o.Kind < s.Kind; !before {
				return false
			}
		}
		if s.Kind == Rest || o.Kind == Rest || o.Kind == Param && before && i == len(pattern)-1 {
			break
		}
	}
	return before
}

// covers reports whether a path is at or below g.
func (g guard) covers(path string) bool {
	for _, s := range g {
		if path == "" || !strings.HasPrefix(path[1:], s.Text) {
			return false
		}
		if s.Kind == Rest {
			return true
		}
		if path = path[1+len(s.Text):]; path == "" && s.Kind == Param {
			return false
		}
		end := strings.IndexByte(path, '/')
		if end < 0 {
			end = len(path)
		}
		if s.Kind == Literal && end > 0 {
			return false
		}
		path = path[end:]
	}
	return true
}

// refused reports whether a guard forbids r to answer the path, although r matches it.
func (r *Route[T]) refused(path string) bool {
	if r.before == nil {
		return false
	}
	for _, g := range *r.before {
		if g.covers(path) {
			return true
		}
	}
	return false
}

// arrange sets r.before: the guards for which r must not answer requests.
func (t *Tree[T]) arrange(r *Route[T], parts []Part) {
	r.before = nil
	if len(t.guards) == 0 {
		return
	}
	pattern := segmentsOf(parts)
	var before []guard
	for _, g := range t.guards {
		if g.follows(pattern) && !g.includes(pattern) {
			before = append(before, g)
		}
	}
	if before != nil {
		r.before = &before
	}
}

// guard adds the guard of the NotFound route r to t. It adds nothing if Guard is not set in r, if
// the pattern of r is not "all paths below a prefix", or if t already has an equal guard.
func (t *Tree[T]) guard(r *Route[T], parts []Part) {
	if !r.Guard {
		return
	}
	segments := segmentsOf(parts)
	last := len(segments) - 1
	if segments[last].Kind != Rest {
		return
	}
	if segments[last].Text == "" {
		segments = segments[:last]
	}
	if slices.ContainsFunc(t.guards, func(g guard) bool { return slices.Equal(g, segments) }) {
		return
	}
	t.guards = append(t.guards, segments)
	for _, r := range t.routes {
		t.arrange(r, Parse(nil, r.Value.Pattern()))
	}
}
