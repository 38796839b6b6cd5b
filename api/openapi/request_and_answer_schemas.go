package openapi

import (
	"reflect"
	"slices"

	"github.com/hone-go/hone/shape"
)

// isNeeded reports whether the schema of a request or an answer lists m as required.
func (c *schemas) isNeeded(m *shape.Member) bool {
	if c.request {
		return m.Required() && !m.Field.ReadOnly()
	}
	return m.InAnswers()
}

// isSided reports whether the schemas of s differ between requests and answers: a member of
// s, or of a value inside it, is sent in one direction only, or may be absent in one direction only.
func (c *schemas) isSided(s *shape.Shape) bool {
	if sided, known := c.sided[s.Type]; known {
		return sided
	}
	seen := map[reflect.Type]bool{}
	var visit func(s *shape.Shape) bool
	visit = func(s *shape.Shape) bool {
		if s == nil || seen[s.Type] {
			return false
		}
		seen[s.Type] = true
		if s.Union != nil {
			for _, held := range s.Union.Cases {
				if visit(held.Elem) {
					return true
				}
			}
			return false
		}
		if s.Sum != nil {
			return slices.ContainsFunc(s.Sum.Cases, func(c shape.SumCase) bool { return visit(c.Shape) })
		}
		if s.Kind != shape.Struct {
			return visit(s.Elem)
		}
		if has(s.Type, typer) || has(s.Type, jsonMarshaler) || has(s.Type, textMarshaler) {
			return false
		}
		for _, m := range s.Members() {
			if m.Field.ReadOnly() || m.Field.WriteOnly() || m.Required() != m.InAnswers() || visit(m.Field.Shape) {
				return true
			}
		}
		rest := s.Object().Rest
		return rest != nil && visit(rest.Field.Shape)
	}
	sided := visit(s)
	c.sided[s.Type] = sided
	return sided
}
