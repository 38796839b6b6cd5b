package schema

import (
	"fmt"
)

// checkTypes returns an error for a type that contains itself without an optional part or a length
// in between, because such a type has no finite values. It also returns an error for types that
// cannot be the key of a map. All other checks of the types have passed.
func (s *Schema) checkTypes() error {
	const (
		open = iota + 1
		done
	)
	state := map[*Type]int{}
	var keys []*Type
	var finite func(t *Type, depth int) error
	finite = func(t *Type, depth int) error {
		t = s.Resolve(t)
		switch {
		case state[t] == done:
			return nil
		case state[t] == open:
			return fmt.Errorf("wire: schema: a %s always contains itself, so it has no finite values", t.Kind)
		case depth > maxFrames:
			return fmt.Errorf("wire: schema: nested too deeply")
		}
		state[t] = open
		parts := t.parts()
		if t.Kind == "array" && t.Count == 0 || !directly(t) {
			parts = nil
		}
		for _, part := range parts {
			if err := finite(part, depth+1); err != nil {
				return err
			}
		}
		state[t] = done
		return nil
	}
	seen := map[*Type]bool{}
	todo := []*Type{s.Type}
	for len(todo) > 0 {
		t := s.Resolve(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if seen[t] {
			continue
		}
		seen[t] = true
		if err := finite(t, 0); err != nil {
			return err
		}
		if t.Kind == "map" {
			keys = append(keys, t.Key)
		}
		todo = append(todo, t.parts()...)
	}
	return s.checkKeys(keys)
}

// directly reports whether the parts of t are present in every value of t.
func directly(t *Type) bool {
	return t.Kind == "array" || t.Kind == "struct" && !t.Evolving
}

// parts returns the types of the parts of t.
func (t *Type) parts() []*Type {
	switch t.Kind {
	case "slice", "array", "optional", "raw":
		return []*Type{t.Elem}
	case "map":
		return []*Type{t.Key, t.Elem}
	}
	var out []*Type
	for i := 0; t.Kind == "struct" && i < len(t.Fields); i++ {
		out = append(out, t.Fields[i].Type)
	}
	for i := 0; t.Kind == "union" && i < len(t.Cases); i++ {
		if t.Cases[i].Type != nil {
			out = append(out, t.Cases[i].Type)
		}
	}
	return out
}
