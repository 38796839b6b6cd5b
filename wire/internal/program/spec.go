package program

import (
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
)

// A Spec says how a Go type is written. Package wire derives one from a type,
// package layout from a declaration; from there on there is one compiler, one
// engine and one schema. A type that contains itself has a spec that does.
type Spec struct {
	Form Form
	Type reflect.Type
	Size uintptr // of Type in memory

	Width  uint8 // of a fixed number: its bytes on the wire
	Signed bool  // of a number
	Float  bool
	Big    bool // most significant byte first
	Len    Len  // of what has a length: how it is written
	Count  int  // elements of an array, bytes of a skip

	Elem, Key *Spec
	Fields    []Field
	Evolving  bool    // the fields of a struct come behind their length
	Value     uintptr // of an option: offset of the value behind the flag
	Cases     []Case
	Union     *shape.Union // of a variant
	Methods   Methods
	Accessor  accessor
	Empty     bool   // an empty slice or map reads back empty, not nil
	Zero      []byte // of what was removed: the encoding of the zero value
}

// A Field is a field of a struct on the wire, in the order of the wire.
type Field struct {
	Name string
	Was  []string // names that it had before
	Off  uintptr
	Spec *Spec
}

// A Case is one of the things that a variant or an interface may be.
type Case struct {
	Name string
	ID   uint32 // on the wire; that of a variant is its tag in memory too
	Off  uintptr
	Spec *Spec // nil if nothing follows
}

// Within returns a spec for which is holds among those that s is made of, all the way
// down, or nil. That is s itself only if it contains itself.
func (s *Spec) Within(is func(*Spec) bool) *Spec {
	return s.within(is, map[*Spec]bool{nil: true})
}

func (s *Spec) within(is func(*Spec) bool, seen map[*Spec]bool) *Spec {
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
		if is(part) {
			return part
		}
		if found := part.within(is, seen); found != nil {
			return found
		}
	}
	return nil
}

// least returns the bytes of the shortest encoding that may be read. It looks no
// further than what is always there, so it ends on every type.
func (s *Spec) least() int { return s.shortest(true) }

// written returns the bytes of the shortest encoding that is written: an older
// version may have written fewer fields.
func (s *Spec) written() int { return s.shortest(false) }

func (s *Spec) shortest(older bool) int {
	n := forms[s.Form].least
	switch s.Form {
	case FormFixed, FormFloat:
		n = int(s.Width)
	case FormComplex:
		n = 2 * int(s.Width)
	case FormText, FormBytes, FormSlice, FormMap:
		n = s.Len.least()
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
			n = min(n+s.Fields[i].Spec.shortest(older), math.MaxInt32)
		}
	}
	return n
}

func product(a, b int) int {
	if b == 0 || a <= math.MaxInt32/b {
		return a * b
	}
	return math.MaxInt32
}

// raw returns the bytes that a value takes on the wire if they are those it has
// in memory, all of them, whatever they are; 0 if not.
func (s *Spec) raw() uintptr {
	switch s.Form {
	case FormByte:
		return 1
	case FormFixed, FormFloat:
		if !s.Big && uintptr(s.Width) == s.Size || s.Width == 1 {
			return s.Size
		}
	case FormArray:
		if n := s.Elem.raw(); n > 0 && n == s.Elem.Size {
			return uintptr(s.Count) * n
		}
	case FormStruct:
		end := uintptr(0)
		for i := range s.Fields {
			n := s.Fields[i].Spec.raw()
			if n == 0 || s.Fields[i].Off != end || s.Evolving {
				return 0
			}
			end += n
		}
		if end == s.Size {
			return end
		}
	}
	return 0
}
