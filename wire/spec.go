package wire

import (
	"math"
	"reflect"

	"github.com/hone-go/hone/shape"
)

// A spec says how a Go type is written: it is what both ways in come to. The
// derived way makes one from a type (derive.go), the declared way from a layout
// (layout.go); from there on there is one compiler, one engine and one schema.
// Types that contain themselves are specs that do.
type spec struct {
	form form
	typ  reflect.Type
	size uintptr // of typ in memory

	width  uint8 // of a fixed number: its bytes on the wire
	signed bool  // of a number
	float  bool
	big    bool // most significant byte first
	len    Len  // of what has a length: how it is written
	count  int  // elements of an array, bytes of a skip

	elem, key *spec
	fields    []field
	evolving  bool    // the fields of a struct come behind their length
	value     uintptr // of an option: offset of the value behind the flag
	cases     []oneOf
	union     *shape.Union // of a variant
	method    appendMethod
	accessor  accessor
	empty     bool // an empty slice or map reads back empty, not nil
}

// A field is a field of a struct on the wire, in the order of the wire.
type field struct {
	name string
	off  uintptr
	spec *spec
}

// A oneOf is one of the things that a variant or an interface may be.
type oneOf struct {
	name string
	id   uint32 // on the wire; that of a variant is its tag in memory too
	off  uintptr
	spec *spec // nil if nothing follows
}

type form uint8

const (
	formNone      form = iota
	formBool           // 0 or 1
	formByte           // an 8-bit integer
	formVarint         // a zigzag varint
	formUvarint        // an unsigned one
	formFixed          // an integer or a float of a fixed width
	formFloat          // a derived float: fixed, little-endian, canonical if asked for
	formComplex        // two of them
	formText           // a length and bytes, a string in memory
	formBytes          // a length and bytes, a []byte in memory
	formTime           // a derived time
	formTimeUTC        // a declared one: 64-bit Unix nanoseconds
	formTimeZone       // that, and a flagged zone name
	formSlice          // a length and elements
	formArray          // count elements
	formStruct         // fields
	formPointer        // a flag and, if set, elem
	formOption         // the same, an mo.Option in memory
	formVariant        // a tag byte and what it says
	formError          // the text of an error
	formMap            // a length and keys with elements
	formBinary         // a block by the type's own binary methods
	formTextual        // a block by its text methods
	formInterface      // an id and what was registered under it
	formSkip           // count zero bytes
	formAccessor       // elem, by a getter and a setter
	formList           // a slice of exactly count elements, without a length
)

// least returns the bytes of the shortest encoding. It looks no further than
// what is always there, so it ends on every type.
func (s *spec) least() int {
	switch s.form {
	case formFixed, formFloat:
		return int(s.width)
	case formComplex:
		return 2 * int(s.width)
	case formTime:
		return 3
	case formTimeUTC:
		return 8
	case formTimeZone:
		return 9
	case formText, formBytes, formSlice, formMap:
		return s.len.least()
	case formArray, formList:
		if n := s.elem.least(); n == 0 || s.count <= math.MaxInt32/n {
			return s.count * n
		}
		return math.MaxInt32
	case formStruct:
		if s.evolving {
			return 1
		}
		n := 0
		for i := range s.fields {
			n = min(n+s.fields[i].spec.least(), math.MaxInt32)
		}
		return n
	case formSkip:
		return s.count
	case formAccessor:
		return s.elem.least()
	}
	return 1
}

// raw returns the bytes that a value takes on the wire if they are those it has
// in memory, all of them, whatever they are; 0 if not.
func (s *spec) raw() uintptr {
	switch s.form {
	case formByte:
		return 1
	case formFixed, formFloat:
		if !s.big && uintptr(s.width) == s.size || s.width == 1 {
			return s.size
		}
	case formArray:
		if n := s.elem.raw(); n > 0 && n == s.elem.size {
			return uintptr(s.count) * n
		}
	case formStruct:
		end := uintptr(0)
		for i := range s.fields {
			n := s.fields[i].spec.raw()
			if n == 0 || s.fields[i].off != end || s.evolving {
				return 0
			}
			end += n
		}
		if end == s.size {
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

func (l Len) valid() bool { return int(l) < len(lenForms) }

// String returns the length's name in a schema, such as "u16le".
func (l Len) String() string {
	if !l.valid() {
		return "no such length"
	}
	return lenForms[l].name
}

func (l Len) least() int { return lenForms[l].width }
