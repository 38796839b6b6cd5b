package shape

import (
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/memory/optional"
)

// A Union describes an mo type that holds one of several values: a Result, a Nullable or an Either.
type Union struct {
	// Cases are the possible values, indexed by the value of the tag.
	Cases []Case

	// Sum describes the JSON of an Either whose cases are declared. The cases of the Sum have the
	// order of the cases of the Union. Sum is nil for all other unions.
	Sum *Sum

	tag     uintptr
	tagKind Kind
}

// A Case is one value of a Union.
type Case struct {
	// Name is the declared name of the case, or its name in the JSON of package mo. It is "" for the
	// cases of a Nullable.
	Name   string
	Elem   *Shape  // nil if the case has no value
	Offset uintptr // offset of the value in the union
}

// Nullable returns the index of the case of a Nullable that has a value, or -1 for other
// unions.
func (u *Union) Nullable() int {
	for i, c := range u.Cases {
		if c.Elem != nil && c.Name == "" {
			return i
		}
	}
	return -1
}

// Held returns the index of the case held by the union at a+off.
func (u *Union) Held(a mem.Pointer, off uintptr) int {
	switch u.tagKind {
	case Bool:
		if mem.Load[bool](a, off+u.tag) {
			return 1
		}
		return 0
	case Int8:
		return int(mem.Load[int8](a, off+u.tag))
	}
	return int(mem.Load[uint8](a, off+u.tag))
}

// Hold sets the tag of the union at a+off to case i. The value of the case must already be stored,
// and the values of other cases must be zero.
func (u *Union) Hold(a mem.Pointer, off uintptr, i int) {
	switch u.tagKind {
	case Bool:
		mem.Store(a, off+u.tag, i == 1)
	case Int8:
		mem.Store(a, off+u.tag, int8(i))
	default:
		mem.Store(a, off+u.tag, uint8(i))
	}
}

// unionOf returns the Union of t, or nil if t is not one of mo's unions.
func unionOf(t reflect.Type) *Union {
	layout, ok := optional.UnionOf(t)
	if !ok {
		return nil
	}
	u := &Union{Sum: declared[t], tag: layout.Tag.Offset, tagKind: kindOf(layout.Tag.Type), Cases: make([]Case, len(layout.Cases))}
	for i, c := range layout.Cases {
		u.Cases[i].Name = c.Name
		if c.Value.Type != nil {
			u.Cases[i].Elem, u.Cases[i].Offset = walk(c.Value.Type), c.Value.Offset
		}
		if u.Sum != nil {
			u.Sum.Cases[i].Shape = u.Cases[i].Elem
			if name := u.Sum.Cases[i].Name; name != "" {
				u.Cases[i].Name = name
			}
		}
	}
	return u
}

// EitherTypes returns the type arguments of t, if t is an mo.Either of two to five types, or else nil.
func EitherTypes(t reflect.Type) (types []reflect.Type) {
	layout, ok := optional.UnionOf(t)
	if !ok {
		return nil
	}
	for _, c := range layout.Cases {
		if c.Name == "" || c.Name == "error" {
			return nil // t is a Nullable or a Result
		}
		types = append(types, c.Value.Type)
	}
	if len(types) == 2 {
		slices.Reverse(types) // the cases are in the order of the tag in memory, and the right side has tag 0
	}
	return types
}
