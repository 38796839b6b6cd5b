package encode

import (
	"reflect"

	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Mode holds the programs that are compiled by the same rules, in one cache for each way to
// reach a type.
type Mode struct {
	rules.Key
	// Compiles the types of version 2; nil in version 1.
	Rules Rules
	// The characters that strings escape, in version 1, without EscapeHTML.
	escapes syntax.Escapes
	// The programs of values in interfaces, by type.
	roots plan.Cache[root]
	// The programs of the types that pointers lead to, by pointer type.
	pointers plan.Cache[Program]
	// The programs that write values as names of members.
	names plan.Cache[Program]
}

// The rules of v1 by release, with and without the members that are tagged writeOnly. No call has
// both flags of a release.
var (
	v1 = [option.Releases]Mode{
		{Key: rules.Key{Flags: v1Flags}, escapes: secondEscapes},
		{Key: rules.Key{Flags: v1Flags | option.FirstEngine}, escapes: firstEscapes},
		{Key: rules.Key{Flags: v1Flags | option.NewestPatch}, escapes: secondEscapes},
	}
	v1ReadOnly = [option.Releases]Mode{
		{Key: rules.Key{Flags: v1Flags | option.OmitWriteOnly}, escapes: secondEscapes},
		{Key: rules.Key{Flags: v1Flags | option.OmitWriteOnly | option.FirstEngine}, escapes: firstEscapes},
		{Key: rules.Key{Flags: v1Flags | option.OmitWriteOnly | option.NewestPatch}, escapes: secondEscapes},
	}
)

const v1Flags = option.V1 | rules.StandardErrors

// v1Mode returns the rules of v1 for the options of a call.
func v1Mode(on option.Flag) *Mode {
	if on&option.OmitWriteOnly != 0 {
		return &v1ReadOnly[option.ReleaseIndex(on)]
	}
	return &v1[option.ReleaseIndex(on)]
}

// OnlyPrograms reports whether every value must be written by the program of its type: a number
// in an interface may be quoted, or a function may be for it.
func (m *Mode) OnlyPrograms() bool {
	return m.Flags&option.StringifyNumbers != 0 || m.Types != nil
}

// ProgramOf returns the program for the type that a pointer type points to. With name, or for
// another type, it returns the program that writes the value as the name of a member.
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

// A root is how the value in an interface is encoded.
type root struct {
	program *Program
	form    form
}

// A form says where the value is.
type form uint8

const (
	indirect form = iota // the interface points to the value
	word                 // the interface's word is the value
	pointer              // the value is a pointer, and the program is for its target's type
)

// ProgramOf returns the program of v1 for the type that the pointer type t points to.
func ProgramOf(t reflect.Type, on option.Flag) *Program { return v1Mode(on).rootOf(t).program }

// rootOf returns the root for values of type t in an interface.
func (m *Mode) rootOf(t reflect.Type) *root {
	// A lock-free look-up; see package internal/plan.
	if r := m.roots.Get(t); r != nil {
		return r
	}
	c := Compiler{Mode: m, programs: map[Key]*Program{}}
	s := shape.Of(t)
	r := &root{}
	switch {
	case s.Kind == shape.Pointer && t.Name() == "" && len(m.Types.Of(t)) == 0:
		r.form, r.program = pointer, c.Program(Key{Shape: s.Elem, Addressable: true})
	// A struct of one pointer, a map, a channel and a function are in the interface's word.
	case s.Direct:
		r.form, r.program = word, c.Program(Key{Shape: s})
	default:
		r.program = c.Program(Key{Shape: s})
	}
	return m.roots.Put(t, r)
}

// Rules compile the types that only version 2 treats otherwise. Package encode/call implements
// it.
type Rules interface {
	// Custom emits a value that functions or methods write, or that version 2 refuses. It
	// reports whether it did.
	Custom(w *Writer, key Key, off uintptr) bool
	// Map emits a map by the rules of version 2.
	Map(w *Writer, s *shape.Shape, off uintptr)
}
