package encode

import (
	"reflect"

	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// An Mode holds the programs that are made by the same rules.
type Mode struct {
	rules.Key
	Rules    Rules // nil by the rules of v1
	roots    plan.Cache[root]
	pointers plan.Cache[Program] // by pointer types, of what they point to
	names    plan.Cache[Program] // as names of members
}

// The rules of v1, with and without the members that are tagged writeOnly.
var (
	v1         = Mode{Key: rules.Key{Flags: option.V1 | rules.StandardErrors}}
	v1ReadOnly = Mode{Key: rules.Key{Flags: option.V1 | rules.StandardErrors | option.OmitWriteOnly}}
)

func v1Mode(on option.Flag) *Mode {
	if on&option.OmitWriteOnly != 0 {
		return &v1ReadOnly
	}
	return &v1
}

// OnlyPrograms reports whether no value is written without asking for its type's program.
func (m *Mode) OnlyPrograms() bool {
	return m.Flags&option.StringifyNumbers != 0 || m.Types != nil
}

// ProgramOf returns the program for what a pointer type points to or, if name is set, for it or
// for another type as the name of a member.
func (m *Mode) ProgramOf(t reflect.Type, name bool) *Program {
	cache := &m.pointers
	if name || t.Kind() != reflect.Pointer {
		cache = &m.names
	}
	if p := cache.Get(t); p != nil {
		return p
	}
	c := Compiler{Mode: m, programs: map[Key]*Program{}}
	s := shape.Of(t)
	if t.Kind() == reflect.Pointer {
		s = s.Elem
	}
	return cache.Put(t, c.Program(Key{Shape: s, Addressable: t.Kind() == reflect.Pointer, Name: cache == &m.names}))
}

// A root is how a value in an interface is encoded.
type root struct {
	program *Program
	form    form
}

type form uint8

const (
	indirect form = iota // the interface points to the value
	word                 // the interface's word is the value
	pointer              // the value is a pointer, and the program is that of what it points to
)

// ProgramOf returns the program of v1 for the type that the pointer type t points to.
func ProgramOf(t reflect.Type, on option.Flag) *Program { return v1Mode(on).rootOf(t).program }

func (m *Mode) rootOf(t reflect.Type) *root {
	if r := m.roots.Get(t); r != nil {
		return r
	}
	c := Compiler{Mode: m, programs: map[Key]*Program{}}
	s := shape.Of(t)
	r := &root{}
	switch {
	case s.Kind == shape.Pointer && t.Name() == "" && len(m.Types.Of(t)) == 0:
		r.form, r.program = pointer, c.Program(Key{Shape: s.Elem, Addressable: true})
	case s.Direct:
		r.form, r.program = word, c.Program(Key{Shape: s})
	default:
		r.program = c.Program(Key{Shape: s})
	}
	return m.roots.Put(t, r)
}

type Rules interface {
	Custom(w *Writer, key Key, off uintptr) bool
	Map(w *Writer, s *shape.Shape, off uintptr)
}
