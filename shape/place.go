package shape

import (
	"cmp"
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
func (a *area) place(i int) Place {
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

// promote lists the members of the struct s by the rules that encoding/json
// made common: fields of embedded structs are promoted; of several with one
// name the least nested wins, among those the tagged one, and where that does
// not decide, all of them are dropped. An embedded type is followed once a
// level, so recursion through embedding ends. Fields that are not exported are
// left out, but for embedded structs, whose exported fields are promoted. The
// order is that of declaration.
func (s *Shape) promote() []Member {
	var found []Member
	next := []area{{shape: s}}
	var count, nextCount map[*Shape]int
	visited := map[*Shape]bool{}
	for len(next) > 0 {
		current := next
		next = nil
		count, nextCount = nextCount, map[*Shape]int{}
		for _, a := range current {
			if visited[a.shape] {
				continue
			}
			visited[a.shape] = true
			for i := range a.shape.Fields {
				f := &a.shape.Fields[i]
				inner := f.embedded()
				if !f.Exported && inner == nil {
					continue
				}
				m, skip := memberOf(f)
				if skip {
					continue
				}
				m.Place = a.place(i)
				if m.tagged || inner == nil {
					found = append(found, m)
					if count[a.shape] > 1 {
						// The type is embedded more than once at this level:
						// a second copy lets the fields annihilate each other.
						found = append(found, m)
					}
					continue
				}
				nextCount[inner]++
				if nextCount[inner] == 1 {
					next = append(next, m.Place.within(inner))
				}
			}
		}
	}
	return dominant(found)
}

// dominant keeps, of the members that share a name, the one that wins.
func dominant(found []Member) []Member {
	slices.SortStableFunc(found, func(a, b Member) int {
		tagged := func(m Member) int {
			if m.tagged {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(len(a.Index), len(b.Index)),
			cmp.Compare(tagged(a), tagged(b)))
	})
	kept := found[:0]
	for i := 0; i < len(found); {
		j := i + 1
		for j < len(found) && found[j].Name == found[i].Name {
			j++
		}
		if j == i+1 || len(found[i].Index) != len(found[i+1].Index) || found[i].tagged != found[i+1].tagged {
			kept = append(kept, found[i])
		}
		i = j
	}
	slices.SortFunc(kept, func(a, b Member) int { return slices.Compare(a.Index, b.Index) })
	return kept
}
