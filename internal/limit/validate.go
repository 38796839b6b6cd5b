package limit

import (
	"context"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// A Validator says itself what is wrong with it. The method is called on every value that
// has it, be it declared for the type or for a pointer to it.
type Validator interface {
	Validate(ctx context.Context) error
}

var validator = reflect.TypeFor[Validator]()

func validates(s *shape.Shape) bool {
	switch s.Kind {
	case shape.Pointer, shape.Interface, shape.Option:
		return false // what is held is asked
	}
	return s.Union == nil && reflect.PointerTo(s.Type).Implements(validator)
}

// An Invalid is what a method Validate returned.
type Invalid struct {
	Source shape.Source // as of a Violation
	Path   string
	Err    error
}

// Validate calls the methods of the value that v points to, and of the values in it: of
// those within before those around. It returns their errors, up to [MaxViolations]. The value
// must not hold itself.
func (p *Program) Validate(ctx context.Context, v any) []Invalid {
	if p == nil || !p.methods {
		return nil
	}
	var found []Invalid
	var visit func(n *node, c *check, a mem.Pointer, off uintptr)
	visit = func(n *node, c *check, a mem.Pointer, off uintptr) {
		if n == nil || len(found) >= MaxViolations {
			return
		}
		n.within(c, a, off, visit)
		if !n.calls {
			return
		}
		if err := a.Addr(off, n.shape.Type).(Validator).Validate(ctx); err != nil {
			source, path := c.where()
			found = append(found, Invalid{source, path, err})
		}
	}
	visit(p.root, new(check), mem.OfPointer(reflect.ValueOf(v)), 0)
	return found
}
