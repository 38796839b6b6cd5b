package schema

import "fmt"

// checkKeys returns an error if one of the types of map keys cannot be the type of a key in Go, which
// compares keys by ==. A big.Int, a slice and a map cannot be compared. The target of a pointer is
// not compared, and a value in an interface is checked when it is decoded.
func (s *Schema) checkKeys(keys []*Type) error {
	type part struct {
		t        *Type
		compared bool // Go compares the part by ==; false if the part occurs only after a pointer or in an interface
	}
	var todo []part
	for _, t := range keys {
		todo = append(todo, part{t, true})
	}
	seen := map[part]bool{}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		t := s.Resolve(p.t)
		if p.t = t; seen[p] {
			continue
		}
		seen[p] = true
		if t.Kind == "struct" && t.Evolving {
			return fmt.Errorf("wire: schema: an evolving struct cannot be a map key or a part of one")
		}
		for i := range t.Fields {
			if t.Fields[i].Removed != "" {
				return fmt.Errorf("wire: schema: a struct with a removed field cannot be a map key or a part of one")
			}
		}
		if row := kindOf(t.Kind); p.compared && row != nil && row.key == nil {
			return fmt.Errorf("wire: schema: a %s cannot be a map key or a part of one: Go cannot compare its values with ==", t.Kind)
		}
		compared := p.compared && t.Kind != "optional" && (t.Kind != "union" || t.Tag == "byte")
		for _, of := range t.parts() {
			todo = append(todo, part{of, compared})
		}
	}
	return nil
}
