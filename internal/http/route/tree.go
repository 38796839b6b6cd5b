package route

import "slices"

// A Target is what a route leads to. It knows what the route is for.
type Target interface {
	Method() string  // or [Any] or [NotFound]
	Pattern() string // as [Parse] reads it
}

// A Route leads to a Target. It does not repeat what its Target holds, since a service may
// have thousands of routes.
type Route[T Target] struct {
	before *[]guard // which it is tried before, and must leave requests to; nil if there are none

	Value T
	// AnswersHEAD makes a route of GET take requests of HEAD too, unless there is
	// a route for them.
	AnswersHEAD bool
	// Segments makes a final parameter end at the next '/'. Otherwise it takes
	// the rest of the path as long as no pattern goes on behind it.
	Segments bool
	// Guard, of a NotFound route that has a prefix or a prefix and "/*" for its
	// pattern, keeps requests at or below the prefix from routes that are wider
	// than it, whatever their method. It outlasts the route, if another takes its
	// place.
	Guard bool

	slot uint8 // of the method; see slotOf
}

// A Tree holds routes. Routes may be searched for concurrently, but not while
// one is added or removed. The zero Tree is empty.
type Tree[T Target] struct {
	root      node[T]
	routes    []*Route[T]
	guards    []guard
	maxParams int
}

// Add adds a route, whose pattern has the given parts, in place of the one of its
// method and its pattern.
func (t *Tree[T]) Add(r *Route[T], parts []Part) {
	method := r.Value.Method()
	r.slot = slotOf(method)
	if old := t.Get(method, parts); old != nil {
		t.routes[slices.Index(t.routes, old)] = r
		r.Guard = r.Guard || old.Guard
	} else {
		t.routes = append(t.routes, r)
	}
	t.plant(r, parts)
}

// plant puts a route into the nodes.
func (t *Tree[T]) plant(r *Route[T], parts []Part) {
	t.root.insert(parts, r.Segments).set(r, parts[len(parts)-1].Kind == Rest)
	t.maxParams = max(t.maxParams, params(parts))
	t.arrange(r, parts)
	t.guard(r, parts)
}

// Get returns the route of a method and of the parts of a pattern, whatever its
// parameters are called, or nil.
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
	t.root, t.guards = node[T]{}, nil
	for _, r := range t.routes {
		t.plant(r, Parse(nil, r.Value.Pattern()))
	}
}

// Routes returns the routes, in the order in which they were added. The slice
// belongs to the tree.
func (t *Tree[T]) Routes() []*Route[T] { return t.routes }
