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

// A Decoder holds the state of one decode of an indexed text.
//
// Most methods take t, the index of a value's first word, and return the index of the word after
// the value. An error that a method returns ends the decode. If a method saves an error instead,
// decoding continues after the value, and the decode returns the first saved error at the end.
//
// In version 2, V2 is the decoder of package decode/call that embeds this Decoder.
type Decoder struct {
	Data  []byte
	Index syntax.Index
	// Words contains the words of the index.
	Words []syntax.Word
	On    option.Flag
	// Saved is the first error that did not end the decode.
	Saved error
	// savedAt is the position of the value that Saved is about. It is -1 if the error needs no
	// position.
	savedAt int
	// top is the type of the pointer that the caller gave.
	top reflect.Type
	// root is the type of the root value, which errors of text methods contain.
	root reflect.Type
	// Space is the number of bytes of white space before the value, in a stream.
	Space int
	// Borrowed is set if methods received parts of the text, which they may have retained.
	Borrowed bool
	// scratch is the text of the last string with escapes.
	scratch []byte
	strings interner

	// depth is the number of open arrays and objects, in a decode in one pass.
	depth   int
	staging [stagingSlices]stagingSlice
	// interfaces is the number of nested values that are being decoded into interfaces.
	interfaces int

	// V2 is the decoder of version 2 that embeds this Decoder, or nil in version 1.
	V2 Version2
	// Others contains the words of the unknown names in all open objects. In a decode in one pass
	// it contains their positions instead.
	Others []int

	// OtherNames contains the unknown names of one object, if there are many.
	OtherNames map[string]struct{}
	// otherFrom is the index in Others of the first name of the object that OtherNames is for.
	otherFrom int
	// otherCount is the index in Others of the first name that is not yet in OtherNames.
	otherCount int

	// Members contains the members that violate the tags of their fields.
	Members []MemberError

	// track is the position of the last stream of a method that needed one, or nil.
	track *rules.Track

	// fieldPath contains the fields that are being decoded, outermost first, for errors.
	fieldPath []*field
}

// decoders is the pool of Decoders.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// Take returns a Decoder from the pool, for one value by the rules of version 1.
func Take() *Decoder { return decoders.Get().(*Decoder) }

// maxWords is the capacity, in words, of the largest index that is kept for the next decode.
const maxWords = 1 << 20

// Release makes the Decoder ready for the next call, and returns it to its pool.
func (d *Decoder) Release() {
	d.Reset()
	decoders.Put(d)
}

// Reset prepares the Decoder for the next call. It keeps memory that only the Decoder uses, and
// drops all references to the caller's memory.
func (d *Decoder) Reset() {
	// Drop the index of a large text, so that the pool does not retain it.
	if d.Index.Cap() > maxWords {
		d.Index = syntax.Index{}
	}
	if cap(d.scratch) > buffer.Large {
		d.scratch = nil
	}
	d.Space, d.Borrowed = 0, false
	d.Members, d.track, d.interfaces = nil, nil, 0
	d.Data, d.Words, d.Saved, d.top, d.root, d.fieldPath = nil, nil, nil, nil, nil, d.fieldPath[:0]
}

// start decodes data, which d has indexed, into the value that v points to. If n is nil, it looks
// up the node for v's type.
func (d *Decoder) start(data []byte, v reflect.Value, n *Node, on option.Flag) error {
	if err := targetError(v); err != nil {
		return err
	}
	if n == nil {
		n = NodeOf(v.Type(), on)
	}
	d.Data, d.Words, d.On, d.top, d.root = data, d.Index.Words(), on, v.Type(), v.Type()
	if _, err := d.Value(n, 0, mem.OfPointer(v), 0); err != nil {
		return d.inContext(err)
	}
	// A type error takes precedence over members that violate their tags.
	if d.Saved == nil && d.Members != nil {
		return d.MembersError(0)
	}
	return d.withPath(d.Saved)
}

// targetError returns an error if v is not a pointer or is a nil pointer.
func targetError(v reflect.Value) error {
	switch {
	case !v.IsValid():
		return &rules.InvalidUnmarshalError{}
	case v.Kind() != reflect.Pointer || v.IsNil():
		return &rules.InvalidUnmarshalError{Type: v.Type()}
	}
	return nil
}

// Has reports whether an option is on.
func (d *Decoder) Has(f option.Flag) bool { return d.On&f != 0 }

// Merges reports whether decoding merges JSON into existing values as version 1 does. If it does,
// null also has no effect on values that cannot be nil, such as numbers and structs.
func (d *Decoder) Merges() bool { return d.V2 == nil || d.Has(option.MergeWithLegacySemantics) }

// UniqueNames reports whether an object must not repeat a name.
func (d *Decoder) UniqueNames() bool { return d.V2 != nil && !d.Has(option.AllowDuplicateNames) }

// A Version2 decodes the types and the features that only version 2 has. Package decode/call
// implements it. Because version 1 calls the implementation only through this interface, a program
// that imports only version 1 does not link it.
type Version2 interface {
	// ValueV2 decodes a value if n has an operation that only version 2 has.
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
	// MapV2 decodes into a map. A new map is allocated with the given capacity, in elements.
	MapV2(n *Node, t int, a mem.Pointer, off uintptr, capacity int) (int, error)
	// SkipV2 checks the value at t and returns the word after it.
	SkipV2(t int) (int, error)

	// Readable returns an error if the first token of the value at t is invalid. If whole is set,
	// it checks the whole value.
	Readable(t int, whole bool) error
	// IsUnicode reports whether the string at t is valid UTF-8, or the options allow invalid UTF-8.
	IsUnicode(t int) bool
	// Syntax reads the text with a stream, and returns the stream's error. If whole is not
	// negative, the stream reads the value at position whole with ReadValue, and otherwise it reads
	// tokens.
	Syntax(whole int) error
	// BrokenNull reports whether the syntax error is within a literal null, and returns the error.
	BrokenNull() (isNull bool, err error)
	// BrokenValue returns the error for the value that contains the syntax error.
	BrokenValue() error

	// Refuse returns or saves the error for a value at t that cannot be decoded into typ.
	Refuse(t int, typ reflect.Type, cause error, form ErrorForm) error
	// RefuseName is like Refuse, for the name at t.
	RefuseName(t int, typ reflect.Type, cause error) error
	// RefuseScalar is like Refuse, for a scalar, which may be a number out of range.
	RefuseScalar(n *Node, t int, a mem.Pointer, off uintptr) error
	// ArrayLength returns or saves the error for a JSON array whose length differs from the length
	// of the Go array.
	ArrayLength(n *Node, t int, cause, before error) error
	// Ambiguous returns or saves the error for a name that matches several fields.
	Ambiguous(t int, typ reflect.Type) error
	// DuplicateName returns the error for a name that the object already has.
	DuplicateName(t int) error
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
