package route

import "slices"

// A PathValue is a parameter's name and its value: the caller's own type, so that
// the values need not be copied. The search sets the value and clears the name.
type PathValue interface {
	~struct{ Name, Value string }
}

type pathValue = struct{ Name, Value string }

// A Search finds routes, one after the other, and keeps its memory between them.
// The zero Search is ready.
type Search[T Target, V PathValue] struct {
	index  int    // of the method, or methodNotFound
	method string // with methodOther
	n      int    // parameters so far; cut back on backing out
	values []V
	leaves []*leaf[T] // that the path matches, but not the method
}

// Find returns the route for a request. If none takes it, that is the nearest
// route of [NotFound], or nil, and Allow tells what the path has.
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
	if found != nil && found.refused(path) { // by another guard, so none of the routes answers
		found, s.n, s.leaves = nil, 0, s.leaves[:0]
	}
	return found
}

// Values returns the values of the parameters of the route that was found, in
// the order of its pattern. The next search overwrites them.
func (s *Search[T, V]) Values() []V { return s.values[:s.n] }

// Allow returns the methods that a path has routes for where Find has found none,
// as a string and as the value of the header, and the pattern of the first that
// matches. The list is nil if there are none; header is nil if several patterns
// make the list.
func (s *Search[T, V]) Allow() (list any, header []string, path string) {
	var only *leaf[T]
	n := 0
	for _, l := range s.leaves {
		if l.allowed().list != nil {
			if n++; n == 1 {
				only = l
			}
		}
	}
	switch n {
	case 0:
		return nil, nil, ""
	case 1:
		a := only.allowed()
		return a.list, a.header, only.latest.Value.Pattern()
	}
	var methods []string
	for _, l := range s.leaves {
		methods = l.methods(methods)
	}
	return renderAllow(methods), nil, only.latest.Value.Pattern()
}

// find searches below n, whose own bytes have been matched, for path[at:]. It
// calls itself only where there is something to back out to, and nothing else
// for prefixes of up to eight bytes, which it compares as one word.
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
			found = s.instead(n.leaf, found, path)
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
		found = s.instead(n.rest, found, path)
	}
	if found == nil {
		s.n--
	}
	return found
}

// instead is what a leaf answers if found, its route for the method, is nil or may
// have to leave the path to others.
func (s *Search[T, V]) instead(l *leaf[T], found *Route[T], path string) *Route[T] {
	if found == nil {
		found = s.others(l)
	}
	if found == nil || found.before == nil || found.Guard || !found.refused(path) {
		return found
	}
	if l.stop != nil && l.stop.Guard {
		return l.stop
	}
	return nil
}

// others is what answers a method that has no route of its own. As in Echo, a
// NotFound route of "/admin/*", which a Group has for its middleware, goes
// before any route of "/*".
func (s *Search[T, V]) others(l *leaf[T]) *Route[T] {
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
