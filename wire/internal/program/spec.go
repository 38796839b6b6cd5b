package program

import (
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
)

// A spec says how a Go type is written: it is what both ways in come to. The
// derived way makes one from a type (derive.go), the declared way from a layout
// (layout.go); from there on there is one compiler, one engine and one schema.
// Types that contain themselves are specs that do.
type Spec struct {
	Form form
	Type reflect.Type
	Size uintptr // of typ in memory

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
	Method    Method
	Accessor  accessor
	Empty     bool // an empty slice or map reads back empty, not nil
}

// A field is a field of a struct on the wire, in the order of the wire.
type Field struct {
	Name string
	Off  uintptr
	Spec *Spec
}

// A oneOf is one of the things that a variant or an interface may be.
type Case struct {
	Name string
	ID   uint32 // on the wire; that of a variant is its tag in memory too
	Off  uintptr
	Spec *Spec // nil if nothing follows
}

type form uint8

const (
	formNone      form = iota
	FormBool           // 0 or 1
	FormByte           // an 8-bit integer
	FormVarint         // a zigzag varint
	FormUvarint        // an unsigned one
	FormFixed          // an integer or a float of a fixed width
	FormFloat          // a derived float: fixed, little-endian, canonical if asked for
	FormComplex        // two of them
	FormText           // a length and bytes, a string in memory
	FormBytes          // a length and bytes, a []byte in memory
	FormTime           // a derived time
	FormTimeUTC        // a declared one: 64-bit Unix nanoseconds
	FormTimeZone       // that, and a flagged zone name
	FormSlice          // a length and elements
	FormArray          // count elements
	FormStruct         // fields
	FormPointer        // a flag and, if set, elem
	FormOption         // the same, an mo.Option in memory
	FormVariant        // a tag byte and what it says
	FormError          // the text of an error
	FormMap            // a length and keys with elements
	FormBinary         // a block by the type's own binary methods
	FormTextual        // a block by its text methods
	FormInterface      // an id and what was registered under it
	FormSkip           // count zero bytes
	FormAccessor       // elem, by a getter and a setter
	FormList           // a slice of exactly count elements, without a length
)

// least returns the bytes of the shortest encoding. It looks no further than
// what is always there, so it ends on every type.
func (s *Spec) least() int {
	switch s.Form {
	case FormFixed, FormFloat:
		return int(s.Width)
	case FormComplex:
		return 2 * int(s.Width)
	case FormTime:
		return 3
	case FormTimeUTC:
		return 8
	case FormTimeZone:
		return 9
	case FormText, FormBytes, FormSlice, FormMap:
		return s.Len.least()
	case FormArray, FormList:
		if n := s.Elem.least(); n == 0 || s.Count <= math.MaxInt32/n {
			return s.Count * n
		}
		return math.MaxInt32
	case FormStruct:
		if s.Evolving {
			return 1
		}
		n := 0
		for i := range s.Fields {
			n = min(n+s.Fields[i].Spec.least(), math.MaxInt32)
		}
		return n
	case FormSkip:
		return s.Count
	case FormAccessor:
		return s.Elem.least()
	}
	return 1
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

// Len says how a length is written. The zero value is a uvarint, as the derived
// format has it; the others have a fixed width, as declared layouts have them.
// A signed one holds half as much, and a negative one is malformed.
type Len uint8

// The lengths: unsigned or signed, their bits, least or most significant byte
// first.
const (
	LenVarint Len = iota
	LenU8
	LenI8
	LenU16LE
	LenU16BE
	LenI16LE
	LenI16BE
	LenU32LE
	LenU32BE
	LenI32LE
	LenI32BE
	LenU64LE
	LenU64BE
	LenI64LE
	LenI64BE
)

var lenForms = [...]struct {
	name  string
	width int
	most  uint64
	big   bool
}{
	LenVarint: {"uvarint", 1, math.MaxUint64, false},
	LenU8:     {"u8", 1, math.MaxUint8, false},
	LenI8:     {"i8", 1, math.MaxInt8, false},
	LenU16LE:  {"u16le", 2, math.MaxUint16, false},
	LenU16BE:  {"u16be", 2, math.MaxUint16, true},
	LenI16LE:  {"i16le", 2, math.MaxInt16, false},
	LenI16BE:  {"i16be", 2, math.MaxInt16, true},
	LenU32LE:  {"u32le", 4, math.MaxUint32, false},
	LenU32BE:  {"u32be", 4, math.MaxUint32, true},
	LenI32LE:  {"i32le", 4, math.MaxInt32, false},
	LenI32BE:  {"i32be", 4, math.MaxInt32, true},
	LenU64LE:  {"u64le", 8, math.MaxUint64, false},
	LenU64BE:  {"u64be", 8, math.MaxUint64, true},
	LenI64LE:  {"i64le", 8, math.MaxInt64, false},
	LenI64BE:  {"i64be", 8, math.MaxInt64, true},
}

func (l Len) Valid() bool { return int(l) < len(lenForms) }

// ParseLen returns the length that name, such as "u16le", stands for in a schema.
func ParseLen(name string) (l Len, ok bool) {
	for i := range lenForms {
		if lenForms[i].name == name {
			return Len(i), true
		}
	}
	return 0, false
}

// String returns the length's name in a schema, such as "u16le".
func (l Len) String() string {
	if !l.Valid() {
		return "no such length"
	}
	return lenForms[l].name
}

func (l Len) least() int { return lenForms[l].width }
