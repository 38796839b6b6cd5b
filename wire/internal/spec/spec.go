package spec

import (
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// A Spec describes how a Go type is written. Package wire derives one from a type, and package
// layout makes one from a declaration. The compiler, the engine and the schema use only specs.
// The spec of a recursive type refers to itself.
type Spec struct {
	Form Form
	Type reflect.Type
	Size uintptr // size of Type in memory

	Width  uint8 // bytes of a number of fixed width
	Signed bool  // the number is signed
	Float  bool
	Big    bool       // most significant byte first
	Len    scalar.Len // the encoding of the length, for forms with one
	Count  int        // number of elements of an array, or of bytes of a skip

	Elem, Key *Spec
	Fields    []Field
	Evolving  bool    // the length in bytes precedes the fields of a struct
	Value     uintptr // offset of an option's value from its flag
	Cases     []Case
	Union     *shape.Union // memory layout of a variant
	Methods   Methods
	Accessor  any    // accessor of a property; the engine declares its type
	Empty     bool   // an empty slice or map is decoded as empty, not as nil
	Zero      []byte // encoding of a removed field's zero value
}

// Unrolled is the largest number of elements of an array that are handled one by one, as fields are. A
// longer array costs a level of nesting and a loop.
const Unrolled = 8

// A Field is a field of a struct, in the order in which the fields are written.
type Field struct {
	Name string
	Was  []string // former names
	Off  uintptr
	Spec *Spec
}

// A Case is one of the types that a variant or an interface may hold.
type Case struct {
	Name string
	ID   uint32 // number in the encoding; the ID of a variant's case is also its tag in memory
	Off  uintptr
	Spec *Spec // nil if the case has no value
}

// SortCases sorts cases by ID. It is an insertion sort: there are few cases, and a sort of package slices
// would add 30 KB to each program.
func SortCases(cases []Case) {
	for i := range cases {
		for j := i; j > 0 && cases[j].ID < cases[j-1].ID; j-- {
			cases[j], cases[j-1] = cases[j-1], cases[j]
		}
	}
}

// Within returns a part of s, at any depth, for which match returns true, or nil if there is none.
// It returns s itself only if s contains itself.
func (s *Spec) Within(match func(*Spec) bool) *Spec {
	return s.within(match, map[*Spec]bool{nil: true})
}

// within implements Within. It visits each spec once. seen contains nil, so that a spec without Key
// or Elem needs no check.
func (s *Spec) within(match func(*Spec) bool, seen map[*Spec]bool) *Spec {
	parts := []*Spec{s.Key, s.Elem}
	for i := range s.Fields {
		parts = append(parts, s.Fields[i].Spec)
	}
	for i := range s.Cases {
		parts = append(parts, s.Cases[i].Spec)
	}
	for _, part := range parts {
		if seen[part] {
			continue
		}
		seen[part] = true
		if match(part) {
			return part
		}
		if found := part.within(match, seen); found != nil {
			return found
		}
	}
	return nil
}

// Least returns the length in bytes of the shortest encoding that a decoder accepts. It examines
// only parts that are always present, so it terminates for recursive types.
func (s *Spec) Least() int { return s.shortest(true) }

// Written returns the length in bytes of the shortest encoding that an encoder writes. Least is
// smaller for an evolving struct, since an older version may have written fewer fields.
func (s *Spec) Written() int { return s.shortest(false) }

// shortest implements Least if older is set, and otherwise Written.
func (s *Spec) shortest(older bool) int {
	n := forms[s.Form].least
	switch s.Form {
	case FormFixed, FormFloat:
		n = int(s.Width)
	case FormComplex:
		n = 2 * int(s.Width)
	case FormText, FormBytes, FormSlice, FormMap:
		n = scalar.Width(s.Len)
	case FormArray, FormList:
		n = product(s.Count, s.Elem.shortest(older))
	case FormSkip:
		n = s.Count
	case FormAccessor, FormRemoved:
		n = s.Elem.shortest(older)
	case FormStruct:
		if s.Evolving {
			n = 1
		}
		if s.Evolving && older {
			break
		}
		for i := range s.Fields {
			// The sum of many large arrays must not overflow an int of 32 bits.
			n = min(n+s.Fields[i].Spec.shortest(older), math.MaxInt32)
		}
	}
	return n
}

// product returns a*b, or the largest int32 if the product is larger.
func product(a, b int) int {
	if b == 0 || a <= math.MaxInt32/b {
		return a * b
	}
	return math.MaxInt32
}
