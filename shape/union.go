package shape

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/memory/optional"
)

// A Union describes an mo type that holds one of several values: a Result, a Nullable or an Either.
type Union struct {
	// Cases are the possible values, indexed by the value of the tag.
	Cases []Case

	// Sum describes the JSON of an Either whose cases are declared. The cases of the Sum have the
	// order of the cases of the Union. Sum is nil for all other unions.
	Sum *Sum

	tag     uintptr
	tagKind Kind
}

// A Case is one value of a Union.
type Case struct {
	// Name is the declared name of the case, or its name in the JSON of package mo. It is "" for the
	// cases of a Nullable.
	Name   string
	Elem   *Shape  // nil if the case has no value
	Offset uintptr // offset of the value in the union
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
	u := &Union{Sum: declared[t], tag: layout.Tag.Offset, tagKind: kindOf(layout.Tag.Type), Cases: make([]Case, len(layout.Cases))}
	for i, c := range layout.Cases {
		u.Cases[i].Name = c.Name
		if c.Value.Type != nil {
			u.Cases[i].Elem, u.Cases[i].Offset = walk(c.Value.Type), c.Value.Offset
		}
		if u.Sum != nil {
			u.Sum.Cases[i].Shape = u.Cases[i].Elem
			if name := u.Sum.Cases[i].Name; name != "" {
				u.Cases[i].Name = name
			}
		}
	}
	return u
}

// EitherTypes returns the type arguments of t, if t is an mo.Either of two to five types, or else nil.
func EitherTypes(t reflect.Type) (types []reflect.Type) {
	layout, ok := optional.UnionOf(t)
	if !ok {
		return nil
	}
	for _, c := range layout.Cases {
		if c.Name == "" || c.Name == "error" {
			return nil // t is a Nullable or a Result
		}
		types = append(types, c.Value.Type)
	}
	if len(types) == 2 {
		slices.Reverse(types) // the cases are in the order of the tag in memory, and the right side has tag 0
	}
	return types
}

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

// The functions in this file list the members of a struct type without making its shape. They are
// called when an interface is declared, and the struct may contain interfaces that are declared
// later.

// A caseMember is a field that is a member of the JSON of a struct, or that collects members of any
// name.
type caseMember struct {
	path   string // the field, with the embedded structs around it: "Base.ID"
	name   string // name of the member in JSON; "" for a field that collects members of any name
	always bool   // the JSON of every value has the member, in requests and in responses
}

// walkMembers calls yield for the members of the struct type t, and for the members of the structs
// that it embeds, until yield returns false. path is the path to t, and the argument always is set
// if every value has the members of t.
func walkMembers(t reflect.Type, path string, always bool, seen map[reflect.Type]bool, yield func(caseMember) bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	for i := range t.NumField() {
		f := t.Field(i)
		text, tagged := f.Tag.Lookup("json")
		m, skip, _ := parseMember(&Field{Name: f.Name, Embedded: f.Anonymous, Exported: f.IsExported()}, text, tagged)
		if skip {
			continue
		}
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if (m.embed || f.Anonymous && !m.tagged) && of.Kind() == reflect.Struct {
			if !walkMembers(of, path+f.Name+".", always && f.Type == of, seen, yield) {
				return false
			}
			continue
		}
		member := caseMember{path: path + f.Name}
		if !m.embed { // a member with embed that is not a struct accepts any name
			omits := strings.Contains(text, ",omitempty") || strings.Contains(text, ",omitzero")
			member.name = m.Name
			member.always = always && !omits && f.Tag.Get("writeOnly") == "" && f.Tag.Get("readOnly") == ""
		}
		if !yield(member) {
			return false
		}
	}
	return true
}

// MemberLike returns the path of a field of the struct type t whose JSON name equals tag, ignoring
// case, or of a field that collects members of any name.
func MemberLike(t reflect.Type, tag string) (path string, found bool) {
	walkMembers(t, "", true, map[reflect.Type]bool{}, func(m caseMember) bool {
		if found = m.name == "" || Fold(m.name) == Fold(tag); found {
			path = m.path
		}
		return !found
	})
	return path, found
}

// A MemberName describes a member of a struct's JSON.
type MemberName struct {
	Name   string
	Always bool // the JSON of every value has the member, in requests and in responses
}

// MemberNames returns the names of the members of the struct type t, and of the members that are
// promoted through embedded structs. open reports that the JSON of t can have members of any other
// name too.
func MemberNames(t reflect.Type) (names []MemberName, open bool) {
	met := map[string]int{}
	walkMembers(t, "", true, map[reflect.Type]bool{}, func(m caseMember) bool {
		if m.name == "" {
			open = true
		} else {
			met[Fold(m.name)]++
			names = append(names, MemberName{m.name, m.always})
		}
		return true
	})
	for i := range names {
		// If two members have the same name, one hides the other, or both are left out.
		names[i].Always = names[i].Always && met[Fold(names[i].Name)] == 1
	}
	return names, open
}
