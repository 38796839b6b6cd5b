package decode

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// A Decoder holds the state of one decode of an indexed text. The rules of a version embed it in a
// decoder of their own, which sets Owner and Faults.
//
// Most methods take t, the index of a value's first word, and return the index of the word after
// the value. An error that a method returns ends the decode. If a method saves an error instead,
// decoding continues after the value, and the decode returns the first saved error at the end.
type Decoder struct {
	// These fields last as long as the Decoder.

	// Owner is the decoder that embeds this Decoder. The rows of its rules convert it to its type.
	Owner any
	// Faults are the errors of the rules.
	Faults  Faults
	Index   syntax.Index
	strings interner
	staging [stagingSlices]stagingSlice
	lists   lists
	// names contains the names of the maps that one pass is decoding, the innermost map last.
	names []string
	// scratch is the text of the last string with escapes.
	scratch []byte

	// These fields are for one text.

	On   option.Flag
	Data []byte
	// Words contains the words of the index.
	Words []syntax.Word
	// Checks finds the errors of the text. It is nil if the text was checked before.
	Checks Checks
	// Saved is the first error that did not end the decode.
	Saved error
	// SavedAt is the position of the value that Saved is about. It is -1 if the error needs no
	// position.
	SavedAt int
	// Members contains the members that violate the tags of their fields.
	Members []MemberError
	// Borrowed is set if methods received parts of the text, which they may have retained.
	Borrowed bool

	// These fields are for the value that is being decoded.

	// depth is the number of open arrays and objects, in a decode in one pass.
	depth int
	// staged is the size in bytes of the elements of the maps that one pass is decoding.
	staged uintptr
	// interfaces is the number of nested values that are being decoded into interfaces.
	interfaces int
	// fieldPath contains the fields that are being decoded, outermost first, for errors.
	fieldPath []*field
	// Others contains the words of the unknown names in all open objects. In a decode in one pass
	// it contains their positions instead.
	Others []int
	// OtherNames contains the unknown names of one object, if there are many.
	OtherNames map[string]struct{}
	// otherFrom is the index in Others of the first name of the object that OtherNames is for.
	otherFrom int
	// otherCount is the index in Others of the first name that is not yet in OtherNames.
	otherCount int
}

// maxWords is the capacity, in words, of the largest index that is kept for the next decode.
const maxWords = 1 << 20

// Reset prepares the Decoder for the next call. It keeps memory that only the Decoder uses, and
// drops all references to the caller's memory.
func (d *Decoder) Reset() {
	// Drop the index of a large text, so that the pool does not retain it.
	if d.Index.Cap() > maxWords {
		d.Index = syntax.Index{}
	}
	d.Index.Waits = false
	if cap(d.scratch) > buffer.Large {
		d.scratch = nil
	}
	d.Data, d.Words, d.Checks, d.Saved, d.Members, d.Borrowed = nil, nil, nil, nil, nil, false
	d.interfaces, d.fieldPath = 0, d.fieldPath[:0]
	d.Others, d.OtherNames = d.Others[:0], nil
}

// Has reports whether an option is on.
func (d *Decoder) Has(f option.Flag) bool { return d.On&f != 0 }

// Merges reports whether decoding merges JSON into existing values. If it does, null also has no
// effect on values that cannot be nil, such as numbers and structs.
func (d *Decoder) Merges() bool { return d.Has(option.MergeWithLegacySemantics) }

// UniqueNames reports whether an object must not repeat a name.
func (d *Decoder) UniqueNames() bool { return !d.Has(option.AllowDuplicateNames) }

// Field returns the type of the innermost struct that is being decoded, and the path of its field
// from the root value. The type is nil outside of structs.
func (d *Decoder) Field() (in reflect.Type, path []string) {
	for _, f := range d.fieldPath {
		in, path = f.in, append(path, f.path...)
	}
	return in, path
}

// Checks find the errors of a text that decoding finds, because the values before the error must be
// decoded: syntax errors, strings that are not valid UTF-8, and names that repeat.
type Checks interface {
	// Readable returns an error if the first token of the value at t is invalid. If whole is set,
	// it checks the whole value.
	Readable(t int, whole bool) error
	// IsUnicode reports whether the string at t is valid UTF-8, or the options allow invalid UTF-8.
	IsUnicode(t int) bool
	// Skip checks the value at t and returns the word after it.
	Skip(t int) (int, error)
	// BrokenNull reports whether the syntax error is within a literal null, and returns the error.
	BrokenNull() (isNull bool, err error)
	// BrokenValue returns the error for the value that contains the syntax error.
	BrokenValue() error
	// DuplicateName returns the error for a name that the object already has.
	DuplicateName(t int) error
}

// Faults are the errors for values that cannot be decoded. A method saves the error and returns nil
// if decoding continues after the value, and otherwise returns the error.
type Faults interface {
	// Refuse is for a value at t that cannot be decoded into typ. The cause may be nil.
	Refuse(t int, typ reflect.Type, cause error, form ErrorForm) error
	// RefuseScalar is like Refuse, for a scalar, which may be a number out of range. In this case it
	// may set the float at a+off, unless a is nil.
	RefuseScalar(n *Node, t int, a mem.Pointer, off uintptr) error
	// RefuseName is like Refuse, for the name at t.
	RefuseName(t int, typ reflect.Type, cause error) error
	// Overflow is like Refuse, for a number that overflows float64. It returns the value that an
	// empty interface gets.
	Overflow(t int) (any, error)
	// ClosedField is for the value at t of a field in the struct type in. The field is below a nil
	// pointer to the unexported struct type to, which package reflect cannot set.
	ClosedField(t int, in, to reflect.Type) error
	// ArrayLength is for a JSON array at t whose length differs from the length of the Go array. It
	// replaces the errors of the elements by before, the error that was saved before the array.
	ArrayLength(n *Node, t int, cause, before error) error
	// SetDefault decodes value, a valid default from a tag, into the memory of type t at a+off.
	SetDefault(value []byte, t reflect.Type, a mem.Pointer, off uintptr)
}

// An ErrorForm selects the checks that Refuse makes first, and the contents of the error.
type ErrorForm uint8

const (
	// WithValue adds the text of a string or a number to the error.
	WithValue ErrorForm = 1 << iota
	// OfWhole checks the syntax of the whole value first, instead of only its first token.
	OfWhole
	// BeforeRead checks nothing, and the error does not contain the value.
	BeforeRead
)
