package shape

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/memory/optional"
)

// A Union describes an mo type that holds one of several values: a Result, a Nullable or an Either.
type Union struct {
	// Cases are the possible values, indexed by the value of the tag.
	Cases []Case

	tag     uintptr
	tagKind Kind
}

// A Case is one value of a Union.
type Case struct {
	// Name is the JSON name of the case. It is "" for the cases of a Nullable.
	Name   string
	Elem   *Shape // nil if the case has no value
	Offset uintptr
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
	u := &Union{tag: layout.Tag.Offset, tagKind: kindOf(layout.Tag.Type), Cases: make([]Case, len(layout.Cases))}
	for i, c := range layout.Cases {
		u.Cases[i].Name = c.Name
		if c.Value.Type != nil {
			u.Cases[i].Elem, u.Cases[i].Offset = walk(c.Value.Type), c.Value.Offset
		}
	}
	return u
}
