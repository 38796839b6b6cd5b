package wire

import (
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/spec"
)

// fillInterface sets the cases of an interface: the cases that package union declares, or else the
// registered types that implement it.
func (d *deriver) fillInterface(out *spec.Spec, s *shape.Shape, path string) {
	out.Form = spec.FormInterface
	if s.Sum != nil {
		for i, c := range s.Sum.Cases {
			// The case for unknown names has no number: a decoder cannot find the end of the value of
			// an unknown case, because the encoding does not contain the length of the value.
			if i != s.Sum.Unknown {
				out.Cases = append(out.Cases, spec.Case{Name: c.Name, ID: c.Number, Spec: d.derive(c.Shape, path+".("+c.Name+")")})
			}
		}
		spec.SortCases(out.Cases)
		return
	}
	if len(d.types) == 0 {
		d.fail(s.Type, path, "an interface does not say which type to decode; register the types that it may hold with RegisterType, in the Options.Types of For%s", leaveOut(path))
		return
	}
	for i, t := range d.typ {
		if t.Implements(s.Type) {
			one := d.types[i]
			one.Spec = d.derive(shape.Of(t), path+".("+t.String()+")")
			out.Cases = append(out.Cases, one)
		}
	}
	if len(out.Cases) == 0 {
		d.fail(s.Type, path, "no registered type implements the interface")
	}
}

// variant sets the cases of a union and reports whether s is a union. The types of package mo
// except Option are unions.
func (d *deriver) variant(out *spec.Spec, s *shape.Shape, path string) bool {
	if s.Union == nil {
		return false
	}
	out.Form, out.Union = spec.FormVariant, s.Union
	for i, c := range s.Union.Cases {
		one := spec.Case{Name: c.Name, ID: uint32(i), Off: c.Offset}
		switch {
		case c.Elem == nil:
		case c.Elem.Type == errorType:
			one.Spec = &spec.Spec{Form: spec.FormError, Type: errorType, Size: errorType.Size()}
		default:
			one.Spec = d.derive(c.Elem, path)
		}
		if one.Name == "" {
			one.Name = [...]string{"absent", "null", "value"}[i] // the cases of a Nullable have no names
		}
		out.Cases = append(out.Cases, one)
	}
	return true
}
