package route

import (
	"slices"
	"sync/atomic"
)

// A leaf holds the routes of one pattern, by method.
type leaf[T Target] struct {
	byMethod [methodCount]*Route[T]
	others   map[string]*Route[T] // the routes of methods whose slotOf is methodOther
	allow    atomic.Pointer[allowed]
	latest   *Route[T] // the last route that was added; its pattern is returned with the Allow list
	stop     *Route[T] // the NotFound route, if it ends the search so that wider routes are not tried; else nil
}

// allowed is the Allow list of a leaf. It is computed for the first request that needs it.
type allowed struct {
	list   any      // a string; converted to an interface only once; nil if no method is allowed
	header []string // list, as the value of the Allow header
}

// allowed returns the Allow list. Concurrent searches may compute it more than once.
func (l *leaf[T]) allowed() *allowed {
	if a := l.allow.Load(); a != nil {
		return a
	}
	a := &allowed{}
	if methods := l.methods(nil); len(methods) > 0 {
		text := renderAllow(methods)
		a.list, a.header = text, []string{text}
	}
	l.allow.Store(a)
	return a
}

func (l *leaf[T]) get(method string) *Route[T] {
	if i := slotOf(method); i != methodOther {
		return l.byMethod[i]
	}
	return l.others[method]
}

// set stores the route for its method. rest reports whether the pattern ends in a Rest.
func (l *leaf[T]) set(r *Route[T], rest bool) {
	if r.slot != methodOther {
		l.byMethod[r.slot] = r
	} else {
		if l.others == nil {
			l.others = make(map[string]*Route[T])
		}
		l.others[r.Value.Method()] = r
	}
	l.latest = r
	l.allow.Store(nil)
	l.stop = nil
	if r := l.byMethod[methodNotFound]; r != nil && (rest || r.Guard || l.byMethod[methodAny] == nil && len(l.methods(nil)) == 0) {
		l.stop = r
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
