package route

import "slices"

// A Route is a pattern with a method, and what is kept under them.
type Route[T any] struct {
	Method string // or [Any] or [NotFound]
	Path   string // the pattern, as it was written
	Parts  []Part // of the pattern
	// AnswersHEAD makes a route of GET take requests of HEAD too, unless there is
	// a route for them.
	AnswersHEAD bool
	// Segments makes a final parameter end at the next '/'. Otherwise it takes
	// the rest of the path as long as no pattern goes on behind it.
	Segments bool
	Value    T
}

// A Tree holds routes. Routes may be searched for concurrently, but not while
// one is added or removed. The zero Tree is empty.
type Tree[T any] struct {
	root      node[T]
	routes    []*Route[T]
	maxParams int
}

// Add adds a route, in place of the one of its method and its pattern.
func (t *Tree[T]) Add(r *Route[T]) {
	if old := t.Get(r.Method, r.Parts); old != nil {
		t.routes[slices.Index(t.routes, old)] = r
	} else {
		t.routes = append(t.routes, r)
	}
	t.plant(r)
}

// plant puts a route into the nodes.
func (t *Tree[T]) plant(r *Route[T]) {
	t.root.insert(r.Parts).set(r)
	if r.Segments {
		t.root.endTail(r.Parts)
	}
	t.maxParams = max(t.maxParams, len(Names(r.Parts)))
}

// Get returns the route of a method and of a pattern, whatever its parameters
// are called, or nil.
func (t *Tree[T]) Get(method string, parts []Part) *Route[T] {
	if l := t.root.lookUp(parts); l != nil {
		return l.get(method)
	}
	return nil
}

// Remove takes out a route that Get has returned.
func (t *Tree[T]) Remove(r *Route[T]) {
	i := slices.Index(t.routes, r)
	t.routes = slices.Delete(t.routes, i, i+1)
	t.root = node[T]{}
	for _, r := range t.routes {
		t.plant(r)
	}
}

// Routes returns the routes, in the order in which they were added. The slice
// belongs to the tree.
func (t *Tree[T]) Routes() []*Route[T] { return t.routes }

// A Search finds routes, one after the other, and keeps its memory between them.
// The zero Search is ready.
type Search[T any] struct {
	index  int    // of the method, or methodNotFound
	method string // with methodOther
	n      int    // parameters so far; cut back on backing out
	values []string
	leaves []*leaf[T] // that the path matches, but not the method
}

// Find returns the route for a request, or nil. A route of [NotFound] is
// returned where it keeps the request from less specific routes. If there is no
// other route either, NotFound and Allow tell what the path has.
func (t *Tree[T]) Find(s *Search[T], method, path string) *Route[T] {
	if len(s.values) < t.maxParams {
		s.values = make([]string, t.maxParams)
	}
	s.index, s.n, s.leaves = methodIndex(method), 0, s.leaves[:0]
	if s.index == methodOther {
		s.method = method
	}
	if path == "" || path[0] != '/' {
		return nil
	}
	return t.root.find(path, 1, s)
}

// Values returns the values of the parameters of the route that was found, in
// the order of its pattern. The next search overwrites them.
func (s *Search[T]) Values() []string { return s.values[:s.n] }

// NotFound returns the [NotFound] route for a path that Find has no route for,
// or nil.
func (t *Tree[T]) NotFound(s *Search[T], path string) *Route[T] {
	if !slices.ContainsFunc(s.leaves, func(l *leaf[T]) bool { return l.byMethod[methodNotFound] != nil }) {
		return nil
	}
	s.index, s.n = methodNotFound, 0
	return t.root.find(path, 1, s)
}

// Allow returns the methods that a path has routes for which Find has none for,
// as a string and as the value of the header, and the pattern of the first that
// matches. The list is nil if there are none; header is nil if several patterns
// make the list.
func (s *Search[T]) Allow() (list any, header []string, path string) {
	var only *leaf[T]
	n := 0
	for _, l := range s.leaves {
		if l.allow != nil {
			if n++; n == 1 {
				only = l
			}
		}
	}
	switch n {
	case 0:
		return nil, nil, ""
	case 1:
		return only.allow, only.header, only.path
	}
	var methods []string
	for _, l := range s.leaves {
		methods = l.methods(methods)
	}
	return renderAllow(methods), nil, only.path
}
