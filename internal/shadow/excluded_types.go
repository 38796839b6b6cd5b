package shadow

import (
	"reflect"
	"sync"
)

// An exclusion holds the types that are not compared, from [Settings.Without].
type exclusion struct {
	types map[reflect.Type]bool
	known sync.Map // reflect.Type -> bool; caches the results of has
}

// newExclusion returns the exclusion for a list, or nil for an empty list.
func newExclusion(types []reflect.Type) *exclusion {
	if len(types) == 0 {
		return nil
	}
	e := &exclusion{types: map[reflect.Type]bool{}}
	for _, t := range types {
		for t != nil && t.Kind() == reflect.Pointer && t.Name() == "" {
			t = t.Elem()
		}
		e.types[t] = true
	}
	return e
}

// has reports whether values of type t may contain an excluded type. It does not look into
// interfaces.
func (e *exclusion) has(t reflect.Type) bool {
	if e == nil || t == nil {
		return false
	}
	if answer, ok := e.known.Load(t); ok {
		return answer.(bool)
	}
	answer := e.within(t, map[reflect.Type]bool{})
	e.known.Store(t, answer)
	return answer
}

// within implements [exclusion.has]. seen contains the types that it has visited, because a type may
// contain itself.
func (e *exclusion) within(t reflect.Type, seen map[reflect.Type]bool) bool {
	if e.types[t] {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map:
		return e.within(t.Key(), seen) || e.within(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return e.within(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if e.within(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
