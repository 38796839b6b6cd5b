package shape

import (
	"cmp"
	"reflect"
	"slices"
)

// A Flat is a field of a struct or one promoted from an embedded struct.
type Flat struct {
	Name   string // as the namer gave it
	Tagged bool   // Name came from a tag
	Field  *Field // the field itself, with its tag
	Offset uintptr
	// Through lists the embedded pointers on the way, outermost first. Offset
	// counts from where the last of them points, or from the struct itself.
	Through []Hop
	Index   []int // for reflect.Value.FieldByIndex
}

// A Hop is an embedded pointer that must be followed to reach a field.
type Hop struct {
	Offset uintptr // of the pointer, from where the hop before it points
	Elem   *Shape  // what it points to
	// Closed is set for a pointer to a struct type that is not exported:
	// it can be followed, but package reflect could not set it.
	Closed bool
}

// A Namer says what a field is called. An embedded struct that is given no
// name of its own (tagged is false) has its fields promoted in its place.
type Namer func(f *Field) (name string, tagged, skip bool)

// Flatten lists the fields of the struct s by the rules that encoding/json
// made common: fields of embedded structs are promoted; of several with one
// name the least nested wins, among those the tagged one, and where that does
// not decide, all of them are dropped. An embedded type is followed once a
// level, so recursion through embedding ends. Fields that are not exported are
// left out, but for embedded structs, whose exported fields are promoted. The
// order is that of declaration.
func (s *Shape) Flatten(name Namer) []Flat {
	type level struct {
		shape   *Shape
		offset  uintptr
		through []Hop
		index   []int
	}
	var found []Flat
	next := []level{{shape: s}}
	var count, nextCount map[*Shape]int
	visited := map[*Shape]bool{}
	for len(next) > 0 {
		current := next
		next = nil
		count, nextCount = nextCount, map[*Shape]int{}
		for _, l := range current {
			if visited[l.shape] {
				continue
			}
			visited[l.shape] = true
			for i := range l.shape.Fields {
				f := &l.shape.Fields[i]
				target := f.Shape
				pointer := f.Embedded && target.Kind == Pointer && target.Type.Name() == ""
				if pointer {
					target = target.Elem
				}
				isStruct := target.Type.Kind() == reflect.Struct
				if !f.Exported && !(f.Embedded && isStruct) {
					continue
				}
				n, tagged, skip := name(f)
				if skip {
					continue
				}
				index := append(slices.Clone(l.index), i)
				if tagged || !f.Embedded || !isStruct {
					flat := Flat{Name: n, Tagged: tagged, Field: f, Offset: l.offset + f.Offset,
						Through: l.through, Index: index}
					found = append(found, flat)
					if count[l.shape] > 1 {
						// The type is embedded more than once at this level:
						// a second copy lets the fields annihilate each other.
						found = append(found, flat)
					}
					continue
				}
				nextCount[target]++
				if nextCount[target] > 1 {
					continue
				}
				into := level{shape: target, offset: l.offset + f.Offset, through: l.through, index: index}
				if pointer {
					into.through = append(slices.Clone(l.through),
						Hop{Offset: into.offset, Elem: target, Closed: !f.Exported})
					into.offset = 0
				}
				next = append(next, into)
			}
		}
	}
	return dominant(found)
}

// dominant keeps, of the fields that share a name, the one that wins.
func dominant(found []Flat) []Flat {
	slices.SortStableFunc(found, func(a, b Flat) int {
		tagged := func(f Flat) int {
			if f.Tagged {
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
		if j == i+1 || len(found[i].Index) != len(found[i+1].Index) || found[i].Tagged != found[i+1].Tagged {
			kept = append(kept, found[i])
		}
		i = j
	}
	slices.SortFunc(kept, func(a, b Flat) int { return slices.Compare(a.Index, b.Index) })
	return kept
}
