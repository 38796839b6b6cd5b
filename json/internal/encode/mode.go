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
	// Rules compiles the types that only version 2 treats in a special way; it is nil in version 1.
	Rules Rules
	// escapes contains the characters that version 1 escapes in strings if EscapeForHTML is off.
	escapes syntax.Escapes
	// roots caches how to encode values in interfaces, by type.
	roots plan.Cache[root]
	// pointers caches the programs for the targets of pointers, by pointer type.
	pointers plan.Cache[Program]
	// names caches the programs that encode a value as the name of a member.
	names plan.Cache[Program]
}

// OnlyPrograms reports whether all values must be encoded with programs. This is the case if an
// option quotes numbers in interfaces too, or if functions may apply to values.
func (m *Mode) OnlyPrograms() bool {
	return m.Flags&option.StringifyNumbers != 0 || m.Types != nil
}

// ProgramOf returns the program for the target of t, or for t itself if t is not a pointer type. If
// name is set, or t is not a pointer type, the program encodes a value as the name of a member.
func (m *Mode) ProgramOf(t reflect.Type, name bool) *Program {
	cache := &m.pointers
	if name || t.Kind() != reflect.Pointer {
		cache = &m.names
	}
	if p := cache.Get(t); p != nil {
		return p
	}
	s := shape.Of(t)
	if t.Kind() == reflect.Pointer {
		s = s.Elem
	}
	return cache.Put(t, m.compile(Key{Shape: s, Addressable: t.Kind() == reflect.Pointer, Name: cache == &m.names}))
}

// compile returns the program for key.
func (m *Mode) compile(key Key) *Program {
	c := Compiler{Mode: m, programs: map[Key]*Program{}}
	return c.Program(key)
}

// A Key identifies one of the programs of a type. A program for addressable values also calls
// methods with a pointer receiver. A program for a field with the tag option "string" writes a
// scalar in quotes.
type Key struct {
	Shape       *shape.Shape
	Addressable bool
	// Quoted is set if the field has the tag option "string".
	Quoted bool

	// Name is set if the value is the name of a member. It is only for version 2.
	Name bool
	// Declined counts the functions and methods that have declined the value. Functions and methods
	// are tried in a fixed order, and the program skips the first Declined of them. In version 1
	// only the method that takes a stream can decline.
	Declined int8
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
	pointer              // the value is a pointer, and the program encodes the pointer's target
)

// ProgramOf returns the program of version 1 for the target of the pointer type t.
func ProgramOf(t reflect.Type, on option.Flag) *Program { return v1Mode(on).rootOf(t).program }

// rootOf returns the root for values of type t.
func (m *Mode) rootOf(t reflect.Type) *root {
	// The lookup takes no lock; see package internal/plan.
	if r := m.roots.Get(t); r != nil {
		return r
	}
	s := shape.Of(t)
	r := &root{}
	switch {
	case s.Kind == shape.Pointer && t.Name() == "" && len(m.Types.Of(t)) == 0:
		r.form, r.program = pointer, m.compile(Key{Shape: s.Elem, Addressable: true})
	// Maps, channels, functions and structs of one pointer are stored in the interface word.
	case s.Direct:
		r.form, r.program = word, m.compile(Key{Shape: s})
	default:
		r.program = m.compile(Key{Shape: s})
	}
	return m.roots.Put(t, r)
}

// Rules compile the types that version 2 treats in a special way. Package rules/v2/encoding implements
// it.
type Rules interface {
	// Custom emits the code for a value and reports true if functions or methods encode the value,
	// or if version 2 does not support its type.
	Custom(w *Writer, key Key, off uintptr) bool
	// Map emits a map by the rules of version 2.
	Map(w *Writer, s *shape.Shape, off uintptr)
}
