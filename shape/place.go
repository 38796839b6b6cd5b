package shape

import (
	"reflect"
	"slices"
	"strings"
)

// A Place locates a field in a struct: a direct field, or a field of an embedded struct.
type Place struct {
	Field  *Field
	Offset uintptr // offset from the target of the last pointer in Through, or from the struct
	// Through lists the embedded pointers on the path to the field, outermost first.
	Through []Hop
	Index   []int // index for reflect.Value.FieldByIndex

	path string // Go names, joined by dots
}

// A Hop is an embedded pointer that must be followed to reach a field.
type Hop struct {
	Offset uintptr // offset of the pointer, from the target of the previous hop
	Elem   *Shape  // the target of the pointer
	// Closed is set for a pointer to an unexported struct type. Its target can be read, but
	// package reflect cannot set the pointer.
	Closed bool
}

// Names returns the Go names of the enclosing structs and of the field itself, outermost first. It
// allocates.
func (p *Place) Names() []string { return strings.Split(p.path, ".") }

// GoPath returns the names as one path, such as ".Base.Limit". It allocates.
func (p *Place) GoPath() string { return "." + p.path }

// Closed reports whether one of the pointers in Through cannot be set.
func (p *Place) Closed() bool {
	return slices.ContainsFunc(p.Through, func(h Hop) bool { return h.Closed })
}

// Beside reports whether the fields p and q are fields of the same struct.
func (p *Place) Beside(q *Place) bool {
	last := len(p.Index) - 1
	return last == len(q.Index)-1 && slices.Equal(p.Index[:last], q.Index[:last])
}

// An area is a struct whose fields are listed: the outermost struct or an embedded one.
type area struct {
	shape *Shape
	at    Place // place of the struct; Field is nil for the outermost struct
}

// place returns the place of the struct's i-th field.
func (a area) place(i int) Place {
	f := &a.shape.Fields[i]
	p := Place{Field: f, Offset: a.at.Offset + f.Offset, Through: a.at.Through, Index: append(slices.Clone(a.at.Index), i), path: f.Name}
	if a.at.path != "" {
		p.path = a.at.path + "." + f.Name
	}
	return p
}

// within returns the struct in the field at p, or the struct that the field points to.
func (p Place) within(target *Shape) area {
	if p.Field.Shape != target {
		p.Through = append(slices.Clone(p.Through), Hop{Offset: p.Offset, Elem: target, Closed: !p.Field.Exported})
		p.Offset = 0
	}
	return area{target, p}
}

// embedded returns the shape of the struct that f embeds, by value or by pointer, or nil.
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
