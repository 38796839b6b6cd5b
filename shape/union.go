package shape

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/memory/optional"
)

// A Union describes a type of mo that holds one of several values: a Result, a
// Nullable or one of the Eithers.
type Union struct {
	// Cases lists what may be held, by the number that the tag has then.
	Cases []Case

	tag     uintptr
	tagKind Kind
}

// A Case is one value of a Union.
type Case struct {
	// Name is that of the case in JSON; none for the cases of a Nullable,
	// which has only one with a value.
	Name   string
	Elem   *Shape // nil if the case has no value
	Offset uintptr
}

// Nullable returns the index of the case of a Nullable that has a value, and -1
// for any other union.
func (u *Union) Nullable() int {
	for i, c := range u.Cases {
		if c.Elem != nil && c.Name == "" {
			return i
		}
	}
	return -1
}

// Held returns which case the union at a+off holds.
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

// Hold makes the union at a+off hold the case with the number i, whose value
// is there already. Values of other cases must be zero.
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

// unionOf returns the description of t if it is a union of mo.
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
