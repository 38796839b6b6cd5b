package shadow

import (
	"reflect"
	"sync"
)

// An exclusion holds the types that are not compared, from [Settings.Without].
type exclusion struct {
	types map[reflect.Type]bool
	known sync.Map // reflect.Type -> bool; caches the results of excludes
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

// excludes reports whether values of type t may contain an excluded type. It does not look into
// interfaces.
func (e *exclusion) excludes(t reflect.Type) bool {
	if e == nil || t == nil {
		return false
	}
	if answer, ok := e.known.Load(t); ok {
		return answer.(bool)
	}
	answer := e.excludesWithin(t, map[reflect.Type]bool{})
	e.known.Store(t, answer)
	return answer
}

// excludesWithin implements [exclusion.excludes]. seen contains the types that it has visited, because a type may
// contain itself.
func (e *exclusion) excludesWithin(t reflect.Type, seen map[reflect.Type]bool) bool {
	if e.types[t] {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map:
		return e.excludesWithin(t.Key(), seen) || e.excludesWithin(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return e.excludesWithin(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if e.excludesWithin(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
