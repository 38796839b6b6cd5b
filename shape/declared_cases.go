package shape

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A Sum describes an interface type, or an mo.Either, whose values have declared types, the cases.
// [Declare] registers it. Programs declare cases with package [github.com/hone-go/hone/union].
type Sum struct {
	Type  reflect.Type
	Form  SumForm
	Tag   string // the member with the name of the case; "" for SumExternal
	Value string // the member with the value; "" unless the form is SumAdjacent
	Cases []SumCase
	Where string // the file and line of the declaration

	// Unknown is the index of the case that keeps values with an unknown name, or -1. The struct of
	// this case has a string at the offset UnknownName, and a []byte with the JSON of the whole value
	// at the offset UnknownText.
	Unknown                  int
	UnknownName, UnknownText uintptr

	byType map[reflect.Type]int
	byName map[string]int
	names  string
}

// A SumForm says how JSON represents a value and its case.
type SumForm uint8

// The forms.
const (
	SumInternal SumForm = iota // {"type":"created","id":1}
	SumAdjacent                // {"type":"created","data":{"id":1}}
	SumExternal                // {"created":{"id":1}}
	SumUntagged                // {"id":1}: no tag; a reader finds the case by the kind of the JSON or by its members; only for an mo.Either
)

// A SumCase is one case of a Sum.
type SumCase struct {
	Name   string       // name in JSON; "" for the case that keeps unknown names
	Number uint32       // number in the encoding of package wire; not 0
	Type   reflect.Type // type of the value in the interface, such as a struct or a pointer to one
	Shape  *Shape       // shape of Type

	// Kinds and Own are only set for SumUntagged. Kinds has the first byte of each kind of JSON
	// that the case can have: 't' for a bool, '0' for a number, '"', '[', '{', or 'n' for null. Own
	// has the names of the members that no other case with JSON objects has.
	Kinds string
	Own   []string
}

// takesNull reports whether null, without a tag, is a value of the case.
func (c SumCase) takesNull() bool { return strings.Contains(c.Kinds, "n") }

// NeedsValue reports whether a value of case i must have the member Value in the adjacent form. If
// the member is missing, the value is the zero value. Typed handlers accept that only for pointers,
// options and structs without members.
func (s *Sum) NeedsValue(i int) bool {
	of := s.Cases[i].Shape
	if s.Type.Kind() == reflect.Interface && of.Kind == Pointer {
		of = of.Elem
	}
	switch {
	case of.Kind == Pointer, of.Kind == Option, of.Union != nil && of.Union.Nullable() >= 0:
		return false
	}
	return of.Kind != Struct || of.Union != nil || len(of.Members()) > 0
}

// Of returns the index of the case with the dynamic type t, or -1.
func (s *Sum) Of(t reflect.Type) int {
	if i, ok := s.byType[t]; ok {
		return i
	}
	return -1
}

// Named returns the index of the case called name, or -1.
func (s *Sum) Named(name []byte) int {
	if i, ok := s.byName[string(name)]; ok {
		return i
	}
	return -1
}

// Names returns the names of all cases, separated by commas.
func (s *Sum) Names() string { return s.names }

var declared = map[reflect.Type]*Sum{} // guarded by cache

// Declare makes s the Sum of s.Type, an interface type or an mo.Either, and retains s. The error
// reports that the type was declared before, or that its shape was already made. In the second case
// an engine may already have compiled the type without its cases.
func Declare(s *Sum) error {
	cache.Lock()
	defer cache.Unlock()
	if other := declared[s.Type]; other != nil {
		return fmt.Errorf("the cases of %v are already declared in %s", s.Type, other.Where)
	}
	if cache.shapes[s.Type] != nil {
		return fmt.Errorf("%v was used before its cases were declared; move the declaration before the first variable that uses the type, or next to the type", s.Type)
	}
	var names []string
	for i := range s.Cases {
		if i != s.Unknown {
			names = append(names, s.Cases[i].Name)
		}
	}
	s.names = strings.Join(names, ", ")
	// The order of the cases follows the tag in memory. In an mo.Either of two types, the right
	// side has the tag 0, and the left side the tag 1.
	if len(EitherTypes(s.Type)) == 2 {
		slices.Reverse(s.Cases)
	}
	s.byType, s.byName = map[reflect.Type]int{}, map[string]int{}
	for i := range s.Cases {
		s.byType[s.Cases[i].Type] = i
		if i != s.Unknown {
			s.byName[s.Cases[i].Name] = i
		}
	}
	declared[s.Type] = s
	return nil
}

// sumOf returns the Sum of the interface type t, with the shapes of its cases, or nil. The caller
// holds the lock. The shapes are made here and not in Declare, because the cases may contain
// interfaces that are declared later.
func sumOf(t reflect.Type) *Sum {
	s := declared[t]
	if s != nil {
		for i := range s.Cases {
			s.Cases[i].Shape = walk(s.Cases[i].Type)
		}
	}
	return s
}

// EmbeddedUnknown returns the offsets in the struct type t of the fields Name and Text of the struct
// type unknown, which t embeds. It returns false if t does not embed it.
func EmbeddedUnknown(t, unknown reflect.Type) (name, text uintptr, ok bool) {
	if t.Kind() != reflect.Struct {
		return 0, 0, false
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && f.Type == unknown {
			return f.Offset + unknown.Field(0).Offset, f.Offset + unknown.Field(1).Offset, true
		}
	}
	return 0, 0, false
}

// A CaseError reports a value of an interface or an mo.Either with declared cases. The case of the
// value is unknown or missing.
type CaseError struct {
	Type reflect.Type // the interface, or the mo.Either
	// Tag is the name of the member that names the case. It is "" for SumExternal.
	Tag string
	// Name is the unknown name. It is "" if Missing is set.
	Name string
	// Missing is set if the value does not name its case.
	Missing bool
	// Untagged is set for an Either without names. The value has the members of no case, or of several.
	Untagged bool
	// Names are the names of all cases, separated by commas.
	Names string
}

func (e *CaseError) Error() string {
	switch {
	case e.Untagged:
		return fmt.Sprintf("%v needs an object with the members of exactly one of its cases", e.Type)
	case e.Missing && e.Tag == "":
		return fmt.Sprintf("%v needs an object with one member, whose name is one of %s", e.Type, e.Names)
	case e.Missing:
		return fmt.Sprintf("%v needs a member %q, whose value is one of %s", e.Type, e.Tag, e.Names)
	}
	return fmt.Sprintf("%q is not a case of %v; the cases are %s", e.Name, e.Type, e.Names)
}
