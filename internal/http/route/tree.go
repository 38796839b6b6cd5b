package route

import "slices"

// A Target is the value of a route. It reports the route's method and pattern.
type Target interface {
	Method() string  // or [Any] or [NotFound]
	Pattern() string // in the syntax of [Parse]
}

// A Route leads to a Target. It does not repeat the Target's data, because a service may
// have thousands of routes.
type Route[T Target] struct {
	before *[]guard // this route must not answer paths of these guards, although the search tries it first; may be nil

	Value T
	// AnswersHEAD makes a GET route answer HEAD requests too, unless HEAD has another route.
	AnswersHEAD bool
	// Segments makes a final parameter end at the next '/'. If Segments is false, the parameter
	// matches the rest of the path, unless another pattern continues after the parameter.
	Segments bool
	// Guard makes a NotFound route a guard. The pattern of the route is a prefix, or a prefix and
	// "/*". Routes whose patterns also match paths outside the prefix then get no requests for the
	// prefix or for paths below it, whatever the method. The guard stays in effect if another route
	// replaces the NotFound route.
	Guard bool

	slot uint8 // index of the method; see slotOf
}

// A Tree holds routes. Routes may be searched for concurrently, but not while
// one is added or removed. The zero Tree is empty.
type Tree[T Target] struct {
	root      node[T]
	routes    []*Route[T]
	guards    []guard
	maxParams int
}

// Add adds the route r. parts are the parts of its pattern. Add replaces a route with an equal
// method and pattern.
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

// plant adds the route to its leaf. It creates the missing nodes on the path to the leaf.
func (t *Tree[T]) plant(r *Route[T], parts []Part) {
	t.root.insert(parts, r.Segments).set(r, parts[len(parts)-1].Kind == Rest)
	t.maxParams = max(t.maxParams, params(parts))
	t.arrange(r, parts)
	t.guard(r, parts)
}

// Get returns the route with a method and with the parts of a pattern, or nil. The names of
// parameters are ignored.
func (t *Tree[T]) Get(method string, parts []Part) *Route[T] {
	if l := t.root.lookUp(parts); l != nil {
		return l.get(method)
	}
	return nil
}

// Remove removes a route that Get has returned.
func (t *Tree[T]) Remove(r *Route[T]) {
	i := slices.Index(t.routes, r)
	t.routes = slices.Delete(t.routes, i, i+1)
	t.root, t.guards = node[T]{}, nil
	for _, r := range t.routes {
		t.plant(r, Parse(nil, r.Value.Pattern()))
	}
}

// Routes returns the routes, in the order in which they were added. The caller must not modify the
// slice.
func (t *Tree[T]) Routes() []*Route[T] { return t.routes }
