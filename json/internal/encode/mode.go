package encode

import (
	"reflect"

	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Mode caches the programs that are compiled by the same rules. It has separate caches for values in
// interfaces, for targets of pointers, and for names of members.
type Mode struct {
	rules.Key
	// Compiles the types that only version 2 treats in a special way; nil in version 1.
	Rules Rules
	// The characters that version 1 escapes in strings if EscapeForHTML is off.
	escapes syntax.Escapes
	// How to encode values in interfaces, by type.
	roots plan.Cache[root]
	// The programs for the targets of pointers, by pointer type.
	pointers plan.Cache[Program]
	// The programs that encode a value as the name of a member.
	names plan.Cache[Program]
}

// The modes of version 1, indexed by release, with and without the members that have the tag
// writeOnly. No call has the flags of both releases.
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

// v1Mode returns the mode of version 1 for the flags in the argument on.
func v1Mode(on option.Flag) *Mode {
	if on&option.OmitWriteOnly != 0 {
		return &v1ReadOnly[option.ReleaseIndex(on)]
	}
	return &v1[option.ReleaseIndex(on)]
}

// OnlyPrograms reports whether all values must be encoded with programs. This is the case if an
// option quotes numbers in interfaces too, or if functions may apply to values.
func (m *Mode) OnlyPrograms() bool {
	return m.Flags&option.StringifyNumbers != 0 || m.Types != nil
}

// ProgramOf returns the program for the target of the pointer type t. If name is set, or t is not a
// pointer type, it returns the program that encodes a value of type t as the name of a member.
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

// A root describes how to encode values of one type in an interface.
type root struct {
	program *Program
	form    form
}

// A form says how an interface stores a value.
type form uint8

const (
	indirect form = iota // the interface points to the value
	word                 // the interface's word is the value
	pointer              // the value is a pointer, and the program is for its target's type
)

// ProgramOf returns the program of version 1 for the target of the pointer type t.
func ProgramOf(t reflect.Type, on option.Flag) *Program { return v1Mode(on).rootOf(t).program }

// rootOf returns the root for values of type t.
func (m *Mode) rootOf(t reflect.Type) *root {
	// The lookup takes no lock; see package internal/plan.
	if r := m.roots.Get(t); r != nil {
		return r
	}
	c := Compiler{Mode: m, programs: map[Key]*Program{}}
	s := shape.Of(t)
	r := &root{}
	switch {
	case s.Kind == shape.Pointer && t.Name() == "" && len(m.Types.Of(t)) == 0:
		r.form, r.program = pointer, c.Program(Key{Shape: s.Elem, Addressable: true})
	// Maps, channels, functions and structs of one pointer are stored in the interface word.
	case s.Direct:
		r.form, r.program = word, c.Program(Key{Shape: s})
	default:
		r.program = c.Program(Key{Shape: s})
	}
	return m.roots.Put(t, r)
}

// Rules compile the types that version 2 treats in a special way. Package encode/call implements
// it.
type Rules interface {
	// Custom emits the code for a value and reports true if functions or methods encode the value,
	// or if version 2 does not support its type.
	Custom(w *Writer, key Key, off uintptr) bool
	// Map emits a map by the rules of version 2.
	Map(w *Writer, s *shape.Shape, off uintptr)
}
