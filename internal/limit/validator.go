package limit

import (
	"context"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// A Validator validates itself. Its method may be declared for the type or for a pointer to the
// type: it is called in both cases.
type Validator interface {
	Validate(ctx context.Context) error
}

var validator = reflect.TypeFor[Validator]()

func validates(s *shape.Shape) bool {
	switch s.Kind {
	case shape.Pointer, shape.Interface, shape.Option:
		return false // Validate is called on the value inside, not on the pointer, interface or option
	}
	return s.Union == nil && reflect.PointerTo(s.Type).Implements(validator)
}

// An Invalid is an error of a Validate method.
type Invalid struct {
	Source shape.Source // as in a Violation
	Path   string
	Err    error
}

// Validate calls the Validate methods of the value that v points to and of the values inside it,
// the inner values first. It returns their errors, up to [MaxViolations]. The value must not
// contain itself.
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
		n.visitInner(c, a, off, visit)
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
