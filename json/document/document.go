package document

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// Options are the options of [Parse]. The zero value accepts what encoding/json accepts.
type Options struct {
	// RejectDuplicateNames refuses a text with an object in which a name occurs twice. The error wraps
	// [ErrDuplicateName].
	RejectDuplicateNames bool

	// RejectInvalidUTF8 refuses a text with a string that is not valid UTF-8, or that has an escape for
	// half of a surrogate pair. The error wraps [ErrInvalidUTF8]. Otherwise such parts of a string are
	// read as U+FFFD.
	RejectInvalidUTF8 bool

	// AllowComments accepts comments, // to the end of the line and /* to */, and a comma after the last
	// element or member: JSON with comments (JSONC). The Document then has a private copy of the text in
	// which they are spaces, so positions stay the same, and Raw returns text without them. An [Edit] keeps
	// them. data must not change nevertheless.
	AllowComments bool

	// MaxIndex is the largest size of the index in bytes. An index has eight bytes for each name, string,
	// number and literal, and 24 bytes for each array and object. The error for a larger index wraps
	// [ErrIndexSize]. If MaxIndex is 0, only the length of the text limits the index: it takes at
	// most twelve bytes for each byte of text, for a text of empty arrays.
	MaxIndex int
}

// A Document is a JSON text and the index of its values. The zero value has no text; call
// [Document.Parse].
//
// Several goroutines may read from a Document at once. None may do so during Parse.
type Document struct {
	data       []byte
	commented  []byte // the text with comments, if data is the copy without them
	blanked    []byte // memory for such copies
	words      []syntax.Word
	generation uint32 // the number of texts so far, which Values remember
	tables     tables
	// pathSteps is how many more steps may be taken to find the pointers in errors.
	pathSteps atomic.Int64
}

// Parse checks and indexes data, which must be one JSON value. It retains data, which must not change
// while the Document or a Value is in use. It allocates the Document and its index.
//
// If data is not valid JSON, the error is the [*json.SyntaxError] that json.Unmarshal returns. If
// the options refuse data, the error is an [*Error].
func Parse(data []byte, options ...Options) (*Document, error) {
	d := new(Document)
	if err := d.Parse(data, options...); err != nil {
		return nil, err
	}
	return d, nil
}

// Parse replaces the text of d, and reuses the memory of d: it allocates only if the new text has more
// values than the earlier ones, or an index of more than 8 MiB. The Values of the earlier text become failures with [ErrNoValue]. After
// an error d has no text.
func (d *Document) Parse(data []byte, options ...Options) error {
	o := variadic.Only(options)
	d.reset()
	var commented []byte
	if o.AllowComments {
		commented = data
		d.blanked = append(d.blanked[:0], data...)
		data = d.blanked
		blankComments(data)
	}
	x := builders.Get().(*syntax.Index)
	defer putBuilder(x)
	if !x.Build(data) {
		return syntaxError(data)
	}
	if x.Dense() {
		// The words of a dense text are many, so they are counted first, and allocated once.
		n := syntax.CountWords(data)
		if err := o.checkSize(n); err != nil {
			return err
		}
		dense := syntax.Index{All: true}
		dense.Reserve(n)
		dense.Build(data)
		d.words = dense.Words()
	} else {
		if err := o.checkSize(len(x.Words())); err != nil {
			return err
		}
		d.words = append(d.words, x.Words()...)
	}
	d.data, d.commented = data, commented
	d.pathSteps.Store(int64(pathStepsPerWord*len(d.words) + minPathSteps))
	if err := d.checkStrings(o); err != nil {
		d.reset()
		return err
	}
	return nil
}

// MarshalJSON returns the text of d. See [Value.MarshalJSON].
func (d *Document) MarshalJSON() ([]byte, error) { return d.Root().MarshalJSON() }

// Root returns the whole text as a Value.
func (d *Document) Root() Value { return Value{doc: d, generation: d.generation} }

// reset removes the text, and keeps the memory of the index.
func (d *Document) reset() {
	d.generation++
	d.data, d.commented, d.words = nil, nil, d.words[:0]
	d.tables.reset()
}

// checkSize returns an error if an index of n words is too large.
func (o *Options) checkSize(n int) error {
	const wordSize = 8
	if uint64(n) > math.MaxUint32 || o.MaxIndex > 0 && n > o.MaxIndex/wordSize {
		return &Error{Offset: -1, Err: ErrIndexSize}
	}
	return nil
}

// syntaxError returns the error of encoding/json for data, which Build has refused.
func syntaxError(data []byte) error {
	if uint64(len(data)) > syntax.MaxText {
		return &Error{Offset: -1, Err: ErrIndexSize}
	}
	return rules.SyntaxErrorOf(data, option.ByDefault)
}

// builders is the pool of Indexes that Parse builds. A Document has a copy of the words that is
// not larger than necessary.
var builders = sync.Pool{New: func() any { return new(syntax.Index) }}

func putBuilder(x *syntax.Index) {
	const maxWords = 1 << 20
	if x.Cap() > maxWords {
		*x = syntax.Index{} // the pool does not retain the index of a large text
	}
	builders.Put(x)
}

// after returns the index of the word after the value at t.
func (d *Document) after(t int) int {
	if c := d.data[d.words[t].Pos()]; c == '{' || c == '[' {
		return syntax.After(d.words, t)
	}
	return t + 1
}

// end returns the position in the text after the value at t.
func (d *Document) end(t int) int {
	w := d.words[t]
	switch pos := w.Pos(); d.kind(t) {
	case Array, Object:
		return syntax.End(d.words, t)
	case String:
		return w.StringEnd(d.data)
	case Number:
		return w.NumberEnd(d.data)
	default:
		if d.data[pos] == 'f' {
			return pos + len("false")
		}
		return pos + len("true")
	}
}

// count returns the number of elements of the array at t, or of members of the object at t.
func (d *Document) count(t int) int {
	n := d.words[t].Count()
	if n < syntax.MaxCount {
		return n
	}
	step := 0
	if d.kind(t) == Object {
		step = 1
	}
	n = 0
	for child := t + syntax.ContainerWords; child < syntax.After(d.words, t); child = d.after(child + step) {
		n++
	}
	return n
}
