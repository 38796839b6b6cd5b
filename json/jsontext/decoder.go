package jsontext

import (
	"io"

	"github.com/hone-go/hone/json/internal/stream"
)

// A Decoder reads tokens and values from a stream, in any order that the grammar allows. It
// reads ahead. It is not for several goroutines at once.
type Decoder struct{ s stream.Decoder }

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Options) *Decoder {
	d := new(Decoder)
	d.Reset(r, opts...)
	return d
}

// Reset makes d read from r, as a new Decoder does, and keeps its buffer. It panics for a
// Decoder that was handed to an UnmarshalJSONFrom method or such a function.
func (d *Decoder) Reset(r io.Reader, opts ...Options) {
	if d == nil {
		panic("jsontext: invalid nil Decoder")
	}
	d.s.Reset(r, opts...)
}

// Options returns the options of d. Within a call of v2's UnmarshalDecode it has those of
// the call too, and is good until that returns.
func (d *Decoder) Options() Options { return d.s.Options() }

// PeekKind returns the kind of the next token, [KindInvalid] on an error, which the next
// read returns. It voids the last token.
func (d *Decoder) PeekKind() Kind { return d.s.PeekKind() }

// ReadToken returns the next token, which is good until d is used again. The error is io.EOF
// behind the last value, a [*SyntacticError], or that of the reader, wrapped.
func (d *Decoder) ReadToken() (Token, error) {
	t, err := d.s.ReadToken()
	return Token{t}, err
}

// ReadValue returns the text of the next value, or of a name, as it stands. It is good until
// d is used again, and must not be changed. On error d has not moved.
func (d *Decoder) ReadValue() (Value, error) { return d.s.ReadValue() }

// SkipValue reads the next value and drops it. It needs memory for a token only.
func (d *Decoder) SkipValue() error { return d.s.SkipValue() }

// InputOffset returns how many bytes the last token or value ends behind.
func (d *Decoder) InputOffset() int64 { return d.s.InputOffset() }

// UnreadBuffer returns what d has read ahead. It is good until d is used again.
func (d *Decoder) UnreadBuffer() []byte { return d.s.UnreadBuffer() }

// StackDepth returns how many arrays and objects are open.
func (d *Decoder) StackDepth() int { return d.s.StackDepth() }

// StackIndex returns, for i from 0 to StackDepth, the kind of the i-th array or object that
// is open and how many values it has had, names among them. That of 0 is the stream, of
// [KindInvalid].
func (d *Decoder) StackIndex(i int) (Kind, int64) { return d.s.StackIndex(i) }

// StackPointer returns the pointer to the last token or value.
func (d *Decoder) StackPointer() Pointer { return d.s.StackPointer() }
