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

// A Decoder is the state of one decode. Its methods take the index of a value's
// first word and return that of the word after the value. An error that they
// return ends the decode; one that is saved does not.
type Decoder struct {
	Data     []byte
	Index    syntax.Index
	Words    []syntax.Word // of the index
	On       option.Flag
	Saved    error        // the first
	savedAt  int          // the position in the text that saved is about; -1 for none
	top      reflect.Type // of the pointer that was handed over
	root     reflect.Type // that a text method of the root reports
	Space    int          // in front of the value, in a stream
	Borrowed bool         // parts of data have been given to methods, which may keep them
	scratch  []byte       // of unquoted strings
	strings  interner

	// Those of one pass.
	depth int // of the arrays and objects that are open
	rooms [rooms]room

	V2     Version2 // nil by the rules of v1
	Others []int    // the words of names that are no fields, of the objects around

	// Of an object with many of them.
	OtherNames map[string]struct{}
	otherFrom  int // where the object's names start in others
	otherCount int // up to where they are in OtherNames

	// members lists what option.CheckMembers has found.
	Members []MemberError

	// trail lists the fields that are being decoded, each inside the one
	// before: where errors happen.
	fieldPath []*field
}

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// Take returns a Decoder for one value.
func Take() *Decoder { return decoders.Get().(*Decoder) }

// maxWords is how large an index is kept for the next decode.
const maxWords = 1 << 20

// Release makes the decoder ready for the next call.
func (d *Decoder) Release() {
	d.Reset()
	decoders.Put(d)
}

// Reset makes the decoder ready for the next call. It keeps nothing of this
// one but memory that nobody else can write to.
func (d *Decoder) Reset() {
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

// start decodes data, which has been indexed, into what v points to, by n if it
// is not nil.
func (d *Decoder) start(data []byte, v reflect.Value, n *Node, on option.Flag) error {
	switch {
	case !v.IsValid():
		return &rules.InvalidUnmarshalError{}
	case v.Kind() != reflect.Pointer || v.IsNil():
		return &rules.InvalidUnmarshalError{Type: v.Type()}
	case n == nil:
		n = rootNode(v.Type(), on)
	}
	d.Data, d.Words, d.On, d.top, d.root = data, d.Index.Words(), on, v.Type(), v.Type()
	if _, err := d.Value(n, 0, mem.OfPointer(v), 0); err != nil {
		return d.inContext(err)
	}
	if d.Saved == nil && d.Members != nil {
		return d.MembersError(0)
	}
	return d.placed(d.Saved)
}

func (d *Decoder) Has(f option.Flag) bool { return d.On&f != 0 }

// Merges reports whether null leaves what cannot be nil as it is, and values are merged by
// the rules of v1.
func (d *Decoder) Merges() bool { return d.V2 == nil || d.Has(option.MergeWithLegacySemantics) }

// UniqueNames reports whether no object may have a name twice.
func (d *Decoder) UniqueNames() bool { return d.V2 != nil && !d.Has(option.AllowDuplicateNames) }

// Version2 is what decoding by the rules of V2 does otherwise than v1.
type Version2 interface {
	// Values: of the kinds of node that v1 does not have, null, and those of a kind.
	ValueV2(n *Node, t int, a mem.Pointer, off uintptr) (int, error)
	NullV2(n *Node, t int, a mem.Pointer, off uintptr) error
	InterfaceV2(n *Node, t int, a mem.Pointer, off uintptr) error
	BytesV2(n *Node, t int, a mem.Pointer, off uintptr) error
	NumberV2(n *Node, t int, a mem.Pointer, off uintptr) error
	NumberInAny(t int) (any, error)
	TimeV2(t int, v *time.Time) error
	MapV2(n *Node, t int, a mem.Pointer, off uintptr, room int) (int, error)
	SkipV2(t int) (int, error)

	// The text, as a stream of tokens reads it.
	Readable(t int, whole bool) error
	IsUnicode(t int) bool
	Syntax(whole int) error
	BrokenNull() (isNull bool, err error)
	BrokenValue() error

	// Errors.
	Refuse(t int, typ reflect.Type, cause error, form ErrorForm) error
	RefuseName(t int, typ reflect.Type, cause error) error
	RefuseScalar(n *Node, t int, a mem.Pointer, off uintptr) error
	ArrayLength(n *Node, t int, cause, before error) error
	Ambiguous(t int, typ reflect.Type) error
	DuplicateName(t int) error
}

// A ErrorForm says what an error of V2 tells of a value.
type ErrorForm uint8

const (
	WithValue  ErrorForm = 1 << iota // its text, if it is a string or a number
	OfWhole                          // it is read as a whole, and not its first token alone
	BeforeRead                       // nothing of it
)
