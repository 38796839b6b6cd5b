package route

import "strings"

// findVerb is like find, for a parameter n that is followed by an inline verb. The parameter's
// value begins at path[at]. It is not empty, and ends at the first colon of the segment for
// which a route is found.
//
// A verb ends with the segment. So below each end only literal text of the segment is compared, and at most
// one end of a segment leads to a given node beyond the segment.
//
//go:noinline
func (s *Search[T, V]) findVerb(n *node[T], path string, at int) *Route[T] {
	depth := s.n
	for end := at + 1; end < len(path) && path[end] != '/'; end++ {
		if path[end] != ':' || !strings.HasPrefix(path[end:], n.verb.prefix) || path[at] == '/' {
			continue
		}
		s.values[s.n] = V(pathValue{Value: path[at:end]})
		s.n++
		if found := s.find(n.verb, path, end+len(n.verb.prefix)); found != nil {
			return found
		}
		s.n = depth
	}
	return nil
}
