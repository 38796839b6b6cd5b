package route

import "slices"

// A leaf holds the routes of one pattern, by method.
type leaf[T any] struct {
	byMethod [methodCount]*Route[T]
	others   map[string]*Route[T] // methods without an index
	path     string               // of the pattern
	allow    any                  // the Allow list, a string, boxed once; nil if no method is allowed
	header   []string             // the same, as the value of a header
	rest     bool                 // the pattern ends in a Rest
	stop     *Route[T]            // the NotFound route, where it keeps requests from less specific routes
}

func (l *leaf[T]) get(method string) *Route[T] {
	if i := slotOf(method); i != methodOther {
		return l.byMethod[i]
	}
	return l.others[method]
}

// set stores the route for its method and renders the Allow list anew.
func (l *leaf[T]) set(r *Route[T]) {
	if i := slotOf(r.Method); i != methodOther {
		l.byMethod[i] = r
	} else {
		if l.others == nil {
			l.others = make(map[string]*Route[T])
		}
		l.others[r.Method] = r
	}
	l.path = r.Path
	l.allow, l.header, l.stop = nil, nil, nil
	methods := l.methods(nil)
	if r := l.byMethod[methodNotFound]; r != nil && (l.rest || r.Guard || l.byMethod[methodAny] == nil && len(methods) == 0) {
		l.stop = r
	}
	if len(methods) > 0 {
		allow := renderAllow(methods)
		l.allow, l.header = allow, []string{allow}
	}
}

// methods appends the methods that the leaf answers, without duplicates.
func (l *leaf[T]) methods(dst []string) []string {
	add := func(m string) {
		if !slices.Contains(dst, m) {
			dst = append(dst, m)
		}
	}
	for i, r := range l.byMethod[:methodAny] {
		if r != nil {
			add(methodNames[i])
		}
	}
	if r := l.byMethod[methodGet]; r != nil && r.AnswersHEAD {
		add("HEAD")
	}
	for m := range l.others {
		add(m)
	}
	return dst
}
