package shape

import (
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/mem"
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

// cases lists, for each union of mo, its cases in the order of their tags: the
// name in JSON and the field that has the value, if there is one.
var cases = map[string][][2]string{
	"Nullable": {{"", ""}, {"", ""}, {"", "value"}},
	"Result":   {{"result", "value"}, {"error", "err"}},
	"Either":   {{"right", "right"}, {"left", "left"}},
	"Either3":  {{"arg1", "arg1"}, {"arg2", "arg2"}, {"arg3", "arg3"}},
	"Either4":  {{"arg1", "arg1"}, {"arg2", "arg2"}, {"arg3", "arg3"}, {"arg4", "arg4"}},
	"Either5":  {{"arg1", "arg1"}, {"arg2", "arg2"}, {"arg3", "arg3"}, {"arg4", "arg4"}, {"arg5", "arg5"}},
}

// unionOf returns the description of t if it is a union of mo, whose first
// field is the tag.
func unionOf(t reflect.Type) *Union {
	name, _, generic := strings.Cut(t.Name(), "[")
	list := cases[name]
	if t.PkgPath() != moPath || !generic || list == nil {
		return nil
	}
	tag := t.Field(0)
	u := &Union{tag: tag.Offset, tagKind: kindOf(tag.Type), Cases: make([]Case, len(list))}
	for i, c := range list {
		u.Cases[i].Name = c[0]
		if c[1] != "" {
			f, ok := t.FieldByName(c[1])
			if !ok {
				panic("shape: " + t.String() + " has no field " + c[1])
			}
			u.Cases[i].Elem, u.Cases[i].Offset = walk(f.Type), f.Offset
		}
	}
	return u
}
