package web

import (
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/urlpath"
)

// named is middleware that lists its name in a header of the answer.
func named(name string) MiddlewareFunc {
	return func(next HandlerFunc) HandlerFunc {
		return func(c *Context) error {
			c.Response().Header().Add("Guard", name)
			return next(c)
		}
	}
}

// A guardedSet is random groups and routes. It answers with the pattern of the
// route, and lists the groups whose middleware ran.
type guardedSet struct {
	e        *Echo
	prefixes []string     // of the groups
	routes   []string     // "METHOD pattern"
	linear   linearRouter // of the same routes and RouteNotFound routes
}

func newGuardedSet(rng *rand.Rand, pick func(...string) string) *guardedSet {
	set := &guardedSet{e: quiet()}
	pattern := func(pieces ...string) (p string) {
		for range rng.IntN(4) {
			p += pick(pieces...)
		}
		return p
	}
	var steps []func()
	for range 1 + rng.IntN(3) {
		prefix := pattern("/a", "/b", "/ab", "/:p", "/a:p", "/")
		own := pattern("/a", "/b", "/:q", "/", "/*")
		method := pick("GET", "POST", RouteAny)
		set.prefixes = append(set.prefixes, prefix)
		steps = append(steps, func() {
			g := set.e.Group(prefix, named(prefix))
			g.Add(method, own, answerPattern)
			set.add(method, prefix+own)
			for _, end := range []string{"", "/*"} {
				set.linear.add(RouteNotFound, strings.TrimRight(prefix, "/")+end)
			}
		})
	}
	for range rng.IntN(6) {
		method, p := pick("GET", "POST", RouteAny, "OPTIONS"), pattern("/a", "/b", "/ab", "/:r", "/b:r", "/", "/*", "*")
		steps = append(steps, func() {
			set.e.Add(method, p, answerPattern)
			set.add(method, p)
		})
	}
	rng.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	for _, step := range steps {
		step()
	}
	return set
}

func (set *guardedSet) add(method, pattern string) {
	set.routes = append(set.routes, method+" "+pattern)
	set.linear.add(method, pattern)
}

func answerPattern(c *Context) error {
	info := c.RouteInfo()
	return c.String(http.StatusOK, info.Method+" "+info.Path)
}

// matcher makes a regular expression of a pattern, with what may follow it. A
// parameter at the end takes what follows it, and is not empty.
func matcher(pattern, then string) *regexp.Regexp {
	var expr strings.Builder
	expr.WriteString("^")
	if !strings.HasPrefix(pattern, "/") {
		pattern = "/" + pattern
	}
	for pattern != "" {
		switch pattern[0] {
		case ':':
			end := strings.IndexByte(pattern+"/", '/')
			pattern = pattern[end:]
			if pattern == "" { // it takes the rest of the path
				return regexp.MustCompile(expr.String() + ".+$")
			}
			expr.WriteString("[^/]*")
		case '*':
			return regexp.MustCompile(expr.String() + ".*$")
		default:
			expr.WriteString(regexp.QuoteMeta(pattern[:1]))
			pattern = pattern[1:]
		}
	}
	return regexp.MustCompile(expr.String() + then + "$")
}

// belowPrefix matches the paths at and below a group's prefix.
func belowPrefix(prefix string) *regexp.Regexp {
	if prefix = strings.TrimRight(prefix, "/"); prefix == "" {
		return regexp.MustCompile(".*")
	}
	return matcher(prefix, "(/.*)?")
}

// TestGroupGuardsPrefix holds random groups to the rule: a request at or below a
// group's prefix is answered by the group, or by a route whose pattern is at or
// below the prefix. Whether it is, the oracle finds out with all paths of a small
// alphabet. A route that is the best of those that match a request, and keeps the
// rule, must answer it.
func TestGroupGuardsPrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pick := func(from ...string) string { return from[rng.IntN(len(from))] }
	paths := []string{}
	segments := []string{"", "a", "b", "ab", "c", "ac", "bc", "abc"}
	for _, one := range segments {
		paths = append(paths, "/"+one)
		for _, two := range segments {
			paths = append(paths, "/"+one+"/"+two)
			for _, three := range segments {
				for _, end := range []string{"", "/c", "/c/a", "/b/a/c", "/a/b/c/a"} {
					paths = append(paths, "/"+one+"/"+two+"/"+three+end)
				}
			}
		}
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !urlpath.Plain(p) }) // see TestPathForms
	served, refused := 0, 0
	for range 500 {
		set := newGuardedSet(rng, pick)
		below := map[string]bool{} // prefix and pattern -> whether the pattern is at or below the prefix
		keepsRule := func(pattern, path string) bool {
			for _, prefix := range set.prefixes {
				guard, key := belowPrefix(prefix), prefix+" "+pattern
				if !guard.MatchString(path) {
					continue
				}
				if _, ok := below[key]; !ok {
					route := matcher(pattern, "")
					below[key] = !slices.ContainsFunc(paths, func(p string) bool { return route.MatchString(p) && !guard.MatchString(p) })
				}
				if !below[key] {
					return false
				}
			}
			return true
		}
		for range 150 {
			path, method := pick(paths...), pick("GET", "POST", "HEAD", "OPTIONS", "PURGE")
			got := describe(set.e, method, path)
			_, pattern, ok := strings.Cut(got, " ")
			ok = ok && strings.HasPrefix(pattern, "/")
			if ok && !keepsRule(pattern, path) {
				t.Fatalf("%s %s: %s is wider than a group; routes %q, groups %q", method, path, got, set.routes, set.prefixes)
			}
			best := set.linear.route(method, path)
			_, pattern, _ = strings.Cut(best, " ")
			pattern, _, _ = strings.Cut(pattern, " ")
			switch {
			case !strings.HasPrefix(pattern, "/"), strings.HasPrefix(best, RouteNotFound):
			case keepsRule(pattern, path):
				if served++; got != best[:strings.LastIndex(best, " [")] {
					t.Fatalf("%s %s: got %s, want %s; routes %q, groups %q", method, path, got, best, set.routes, set.prefixes)
				}
			default:
				refused++
			}
		}
	}
	if served == 0 || refused == 0 {
		t.Errorf("%d requests were served, %d refused", served, refused)
	}
}
