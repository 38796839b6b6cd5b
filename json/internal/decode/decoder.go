package decode

import (
	"reflect"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// A Decoder is the state of one decode over an index of the text.
//
// A value is identified by t, the index of its first word. Methods take t and return the index of
// the word after the value. An error that they return ends the decode. An error that they save does
// not end the decode: decoding goes on after the value, and the first saved error is returned at
// the end.
//
// In version 2, V2 is the decoder of package decode/call that embeds this Decoder.
type Decoder struct {
	Data  []byte
	Index syntax.Index
	// The words of the index.
	Words []syntax.Word
	On    option.Flag
	// The first error that does not end the decode.
	Saved error
	// The position in the text of the error Saved; -1 for none.
	savedAt int
	// The type of the pointer that the caller gave.
	top reflect.Type
	// The root's type, for the errors of text methods.
	root reflect.Type
	// The number of bytes of white space before the value, in a stream.
	Space int
	// Methods were given parts of the text, and may keep them.
	Borrowed bool
	// The text of the last string with escapes.
	scratch []byte
	strings interner

	// The number of arrays and objects that are open, in a decode in one pass.
	depth int
	rooms [rooms]room

	// The decoder of version 2 that embeds this one; nil in version 1.
	V2 Version2
	// The words of the unknown names of all open objects. In a decode in one pass, their positions.
	Others []int

	// The unknown names of one object that has many of them.
	OtherNames map[string]struct{}
	// The index in Others of the first name of the object of OtherNames.
	otherFrom int
	// The index in Others of the first name that is not yet in OtherNames.
	otherCount int

	// The members that violate the tags of their fields.
	Members []MemberError

	// The fields that are being decoded, outermost first, for errors.
	fieldPath []*field
}

// decoders is the pool of Decoders.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// Take returns a Decoder for one value by the rules of v1.
func Take() *Decoder { return decoders.Get().(*Decoder) }

// maxWords is the largest index, in words, that is kept for the next decode.
const maxWords = 1 << 20

// Release makes the Decoder ready for the next call, and gives it back.
func (d *Decoder) Release() {
	d.Reset()
	decoders.Put(d)
}

// Reset makes the Decoder ready for the next call. It keeps the memory that only the Decoder uses,
// and drops all references to memory of the caller.
func (d *Decoder) Reset() {
	// A large text must not make all later decodes hold its memory.
	if d.Index.Cap() > maxWords {
		d.Index = syntax.Index{}
	}
	if cap(d.scratch) > buffer.Large {
		d.scratch = nil
	}
	d.Space, d.Borrowed = 0, false
	d.Members = nil
	d.Data, d.Words, d.Saved, d.top, d.root, d.fieldPath = nil, nil, nil, nil, nil, d.fieldPath[:0]
}

// start decodes data, which is indexed, into the value that v points to, by n if it is not nil.
func (d *Decoder) start(data []byte, v reflect.Value, n *Node, on option.Flag) error {
	switch {
	case !v.IsValid():
		return &rules.InvalidUnmarshalError{}
	case v.Kind() != reflect.Pointer || v.IsNil():
		return &rules.InvalidUnmarshalError{Type: v.Type()}
	case n == nil:
		n = NodeOf(v.Type(), on)
	}
	d.Data, d.Words, d.On, d.top, d.root = data, d.Index.Words(), on, v.Type(), v.Type()
	if _, err := d.Value(n, 0, mem.OfPointer(v), 0); err != nil {
		return d.inContext(err)
	}
	// An error of a value takes precedence over members that violate their tags.
	if d.Saved == nil && d.Members != nil {
		return d.MembersError(0)
	}
	return d.placed(d.Saved)
}

// Has reports whether an option is on.
func (d *Decoder) Has(f option.Flag) bool { return d.On&f != 0 }

// Merges reports whether JSON is merged into existing values as v1 does it. Then null also leaves a
// value that cannot be nil unchanged.
func (d *Decoder) Merges() bool { return d.V2 == nil || d.Has(option.MergeWithLegacySemantics) }

// UniqueNames reports whether an object must not repeat a name.
func (d *Decoder) UniqueNames() bool { return d.V2 != nil && !d.Has(option.AllowDuplicateNames) }

// A Version2 does the parts of decoding that only version 2 needs. Package decode/call implements
// it; a program that imports version 1 alone links no implementation. In a Decoder of v1 it is nil.
type Version2 interface {
	// ValueV2 decodes a value by a node whose operation only version 2 has.
	ValueV2(n *Node, t int, a mem.Pointer, off uintptr) (int, error)
	// NullV2 decodes null.
	NullV2(n *Node, t int, a mem.Pointer, off uintptr) error
	// InterfaceV2 decodes into an interface.
	InterfaceV2(n *Node, t int, a mem.Pointer, off uintptr) error
	// BytesV2 decodes base64 into a slice of bytes.
	BytesV2(n *Node, t int, a mem.Pointer, off uintptr) error
	// NumberV2 decodes into a Number.
	NumberV2(n *Node, t int, a mem.Pointer, off uintptr) error
	// NumberInAny returns a number as a float64 or a Number.
	NumberInAny(t int) (any, error)
	// TimeV2 decodes into a time.
	TimeV2(t int, v *time.Time) error
	// MapV2 decodes into a map. A new map gets space for room elements.
	MapV2(n *Node, t int, a mem.Pointer, off uintptr, room int) (int, error)
	// SkipV2 checks the value at t and returns the word after it.
	SkipV2(t int) (int, error)

	// Readable returns an error if the first token of the value at t is invalid or, if whole is
	// set, if any part of the value is.
	Readable(t int, whole bool) error
	// IsUnicode reports whether the string at t is valid UTF-8, or need not be.
	IsUnicode(t int) bool
	// Syntax reads the text by a stream of tokens, and returns the stream's error. If whole is not
	// negative, the stream reads the value at position whole as one value.
	Syntax(whole int) error
	// BrokenNull reports whether the text breaks inside of null, and returns the error of the text.
	BrokenNull() (isNull bool, err error)
	// BrokenValue returns the error for the value in which the text breaks.
	BrokenValue() error

	// Refuse returns or saves the error for the value at t, which cannot be decoded into typ.
	Refuse(t int, typ reflect.Type, cause error, form ErrorForm) error
	// RefuseName is Refuse for the name at t.
	RefuseName(t int, typ reflect.Type, cause error) error
	// RefuseScalar is Refuse for a scalar, which may be a number out of range.
	RefuseScalar(n *Node, t int, a mem.Pointer, off uintptr) error
	// ArrayLength returns or saves the error for an array of another length than the Go array.
	ArrayLength(n *Node, t int, cause, before error) error
	// Ambiguous returns or saves the error for a name that matches several fields.
	Ambiguous(t int, typ reflect.Type) error
	// DuplicateName returns the error for a name that the object already has.
	DuplicateName(t int) error
}

// An ErrorForm says which parts of a value an error of version 2 contains.
type ErrorForm uint8

const (
	// WithValue adds the text of a string or a number.
	WithValue ErrorForm = 1 << iota
	// OfWhole checks the syntax of the whole value first, instead of its first token alone.
	OfWhole
	// BeforeRead checks nothing first, and the error contains no part of the value.
	BeforeRead
)
