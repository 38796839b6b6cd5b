package route

import (
	"slices"
)

// A PathValue is a parameter's name and value. The caller chooses the type, so that the values need
// not be copied. The search sets the value and clears the name.
type PathValue interface {
	~struct{ Name, Value string }
}

type pathValue = struct{ Name, Value string }

// A Search finds routes. It reuses its memory from one search to the next. The zero
// Search is ready to use.
type Search[T Target, V PathValue] struct {
	index  int    // index of the method, or methodNotFound
	method string // only for methodOther
	n      int    // number of parameters so far; restored on backtracking
	values []V
	leaves []*leaf[T] // leaves that match the path but not the method
}

// Find returns the route for a request. If no route matches, Find returns the nearest
// [NotFound] route, or nil. Allow then returns the methods of the path.
func (s *Search[T, V]) Find(t *Tree[T], method, path string) *Route[T] {
	if len(s.values) < t.maxParams {
		s.values = make([]V, t.maxParams)
	}
	s.index, s.n, s.leaves = methodIndex(method), 0, s.leaves[:0]
	if s.index == methodOther {
		s.method = method
	}
	if path == "" || path[0] != '/' {
		return nil
	}
	found := s.find(&t.root, path, 1)
	if found != nil && found.slot != methodNotFound {
		return found
	}
	if found == nil && !slices.ContainsFunc(s.leaves, func(l *leaf[T]) bool { return l.byMethod[methodNotFound] != nil }) {
		s.n = 0
		return nil
	}
	if found == nil || !found.refused(path) {
		s.index, s.n = methodNotFound, 0
		found = s.find(&t.root, path, 1)
	}
	if found != nil && found.refused(path) { // a guard forbids the NotFound route too, so no route answers
		found, s.n, s.leaves = nil, 0, s.leaves[:0]
	}
	return found
}

// Values returns the values of the parameters of the route that was found, in the order
// of its pattern. The next search overwrites them.
func (s *Search[T, V]) Values() []V { return s.values[:s.n] }

// find searches below n for path[at:]. The bytes of n itself have been matched. It calls
// itself only if it may have to backtrack. It compares prefixes of up to eight bytes as
// one word, without a call.
func (s *Search[T, V]) find(n *node[T], path string, at int) *Route[T] {
	for at < len(path) {
		depth := s.n
		word := wordAt(path, at)
		if child := n.child(word); child != nil && (word^child.first)<<(child.shift&63) == 0 && len(child.prefix) <= len(path)-at &&
			(len(child.prefix) <= 8 || path[at+8:at+len(child.prefix)] == child.prefix[8:]) {
			next := at + len(child.prefix)
			if n.param == nil && n.rest == nil {
				n, at = child, next
				continue
			}
			if found := s.find(child, path, next); found != nil {
				return found
			}
			s.n = depth
		}
		if n.param == nil {
			break
		}
		if n.param.verb != nil {
			if found := s.findVerb(n.param, path, at); found != nil {
				return found
			}
			s.n = depth
		}
		end := len(path)
		if !n.param.tail {
			for end = at; end < len(path) && path[end] != '/'; end++ {
			}
		}
		s.values[s.n] = V(pathValue{Value: path[at:end]})
		s.n++
		if n.rest == nil {
			n, at = n.param, end
			continue
		}
		if found := s.find(n.param, path, end); found != nil {
			return found
		}
		s.n = depth
		break
	}
	if at == len(path) && n.leaf != nil {
		found := n.leaf.byMethod[s.index]
		if found == nil || found.before != nil {
			found = s.allowedRoute(n.leaf, found, path)
		}
		if found != nil {
			return found
		}
	}
	if n.rest == nil {
		return nil
	}
	s.values[s.n] = V(pathValue{Value: path[at:]})
	s.n++
	found := n.rest.byMethod[s.index]
	if found == nil || found.before != nil {
		found = s.allowedRoute(n.rest, found, path)
	}
	if found == nil {
		s.n--
	}
	return found
}

// allowedRoute returns the leaf's route that may answer the path, or nil. found is the leaf's route
// for the method. If found is nil, allowedRoute tries the leaf's other routes. If a guard forbids the
// route to answer, allowedRoute returns the NotFound route of the leaf if that route is a guard, and
// otherwise nil.
func (s *Search[T, V]) allowedRoute(l *leaf[T], found *Route[T], path string) *Route[T] {
	if found == nil {
		found = s.otherRoute(l)
	}
	if found == nil || found.before == nil || found.Guard || !found.refused(path) {
		return found
	}
	if l.stop != nil && l.stop.Guard {
		return l.stop
	}
	return nil
}

// otherRoute returns the leaf's route for a method that has no route in byMethod. As in Echo, a
// NotFound route of "/admin/*", which a Group registers for its middleware, takes precedence over
// any route of "/*".
func (s *Search[T, V]) otherRoute(l *leaf[T]) *Route[T] {
	switch s.index {
	case methodNotFound:
		return nil
	case methodOther:
		if r := l.others[s.method]; r != nil {
			return r
		}
	case methodHead:
		if r := l.byMethod[methodGet]; r != nil && r.AnswersHEAD {
			return r
		}
	}
	if r := l.byMethod[methodAny]; r != nil {
		return r
	}
	s.leaves = append(s.leaves, l)
	return l.stop
}
