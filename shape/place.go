package shape

import (
	"reflect"
	"slices"
	"strings"
)

// A Place says where in a struct a field lies: its own, or one of a struct that
// it embeds.
type Place struct {
	Field  *Field
	Offset uintptr // from where the last of Through points, or from the struct itself
	// Through lists the embedded pointers on the way, outermost first.
	Through []Hop
	Index   []int // for reflect.Value.FieldByIndex

	path string // Go names, joined by dots
}

// A Hop is an embedded pointer that must be followed to reach a field.
type Hop struct {
	Offset uintptr // of the pointer, from where the hop before it points
	Elem   *Shape  // what it points to
	// Closed is set for a pointer to a struct type that is not exported:
	// it can be followed, but package reflect could not set it.
	Closed bool
}

// Names returns the Go names of the structs on the way and of the field itself,
// outermost first. It allocates.
func (p *Place) Names() []string { return strings.Split(p.path, ".") }

// GoPath returns the names as one path, such as ".Base.Limit". It allocates.
func (p *Place) GoPath() string { return "." + p.path }

// Closed reports whether one of the pointers on the way cannot be set.
func (p *Place) Closed() bool {
	return slices.ContainsFunc(p.Through, func(h Hop) bool { return h.Closed })
}

// Beside reports whether p and q are fields of one struct.
func (p *Place) Beside(q *Place) bool {
	last := len(p.Index) - 1
	return last == len(q.Index)-1 && slices.Equal(p.Index[:last], q.Index[:last])
}

// An area is a struct whose fields are listed: the one that was asked for, or
// one within it.
type area struct {
	shape *Shape
	at    Place // of the struct itself; its Field is nil for the outermost
}

// place returns where the i-th field of the struct lies.
func (a area) place(i int) Place {
	f := &a.shape.Fields[i]
	p := Place{Field: f, Offset: a.at.Offset + f.Offset, Through: a.at.Through, Index: append(slices.Clone(a.at.Index), i), path: f.Name}
	if a.at.path != "" {
		p.path = a.at.path + "." + f.Name
	}
	return p
}

// within returns the struct in the field at p, behind a pointer perhaps.
func (p Place) within(target *Shape) area {
	if p.Field.Shape != target {
		p.Through = append(slices.Clone(p.Through), Hop{Offset: p.Offset, Elem: target, Closed: !p.Field.Exported})
		p.Offset = 0
	}
	return area{target, p}
}

// embedded returns the shape of the struct that f embeds, by value or by a
// pointer, or nil.
func (f *Field) embedded() *Shape {
	if !f.Embedded {
		return nil
	}
	s := f.Shape
	if s.Kind == Pointer && s.Type.Name() == "" {
		s = s.Elem
	}
	if s.Type.Kind() != reflect.Struct {
		return nil
	}
	return s
}
