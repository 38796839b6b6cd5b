package route

import (
	"strings"
)

// maxSplits limits the values that are tried for parameters with inline verbs. Without a limit, a
// pattern with several such parameters could be tried with every combination of the colons in a
// path.
const maxSplits = 1 << 10

// findVerb is like find, for a parameter n that is followed by an inline verb. The parameter's
// value begins at path[at]. It is not empty, and ends at the first colon of the segment for
// which a route is found.
//
//go:noinline
func (s *Search[T, V]) findVerb(n *node[T], path string, at int) *Route[T] {
	depth := s.n
	for end := at + 1; end < len(path) && path[end] != '/' && s.splits < maxSplits; end++ {
		if path[end] != ':' || !strings.HasPrefix(path[end:], n.verb.prefix) || path[at] == '/' {
			continue
		}
		s.splits++
		s.values[s.n] = V(pathValue{Value: path[at:end]})
		s.n++
		if found := s.find(n.verb, path, end+len(n.verb.prefix)); found != nil {
			return found
		}
		s.n = depth
	}
	return nil
}
