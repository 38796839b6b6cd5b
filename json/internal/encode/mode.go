package encode

import (
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Mode caches the programs that are compiled by the same rules. It has separate caches for values in
// interfaces, for targets of pointers, and for names of members. A room of rules creates it.
type Mode struct {
	rules.Key
	// Rules decide everything in which versions and releases differ, except for options.
	Rules Rules
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

	// Name is set if the value is the name of a member.
	Name bool
	// Declined counts the functions and methods that have declined the value. Functions and methods
	// are tried in a fixed order, and the program skips the first Declined of them.
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

// TargetOf returns the program with which Any encodes the target of the pointer type t.
func (m *Mode) TargetOf(t reflect.Type) *Program { return m.rootOf(t).program }

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

// Rules are the decisions in which versions of encoding/json, or their releases, differ and which no
// option makes. The engine asks the first group when it compiles a type, and the second group for
// rare values and for errors. Each room of rules implements them. They must not retain an Encoder.
type Rules interface {
	// Members returns the encoded members of a struct, and the field of unknown members or nil. A
	// member's Quoted says whether its values are quoted.
	Members(s *shape.Shape) ([]shape.Member, *shape.Member)
	// HasMethods reports whether t or a pointer to t has a method that encodes a value.
	HasMethods(t reflect.Type) bool
	// Custom emits the code for a value and reports true, if the kind of its type does not decide
	// how it is encoded: methods or functions encode it, or it has no JSON form.
	Custom(w *Writer, key Key, off uintptr) bool
	// Map emits a map.
	Map(w *Writer, s *shape.Shape, off uintptr)

	// Time appends a time that is outside of the years 0 to 9999 or has an unusual zone.
	Time(e *Encoder, dst []byte, t *time.Time) ([]byte, error)
	// RestOfText appends the members of the JSON object in text, which is in the field of unknown
	// members. If names is not nil, it contains the names of the object so far.
	RestOfText(e *Encoder, rest *Rest, dst, text []byte, names *rules.NameSet) ([]byte, error)
	// ThroughPointer converts err, the error of the target of a pointer of type t.
	ThroughPointer(err error, t reflect.Type) error
	// Unsupported returns the error for a value that cannot be encoded for the given reason, such as
	// ErrCycle. v may alias the caller's memory.
	Unsupported(v reflect.Value, cause error) error
	// NotFinite returns the error for v, an infinite float or NaN.
	NotFinite(e *Encoder, v reflect.Value) error
	// NotNumber returns the error for a Number with an invalid text.
	NotNumber(e *Encoder, text string, cause error) error
}
