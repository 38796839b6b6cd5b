package jsontext

import (
	"io"

	"github.com/hone-go/hone/json/internal/stream"
)

// A Decoder reads tokens and values from a stream. The caller may alternate between tokens and
// values. The Decoder may read ahead of the last token. Only one goroutine may use it at a time.
type Decoder struct{ s stream.Decoder }

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Options) *Decoder {
	d := new(Decoder)
	d.Reset(r, opts...)
	return d
}

// Reset makes d read from r like a new Decoder, but keeps its buffer. It panics if d was passed to
// an UnmarshalJSONFrom method or to a function for WithUnmarshalers of package v2.
func (d *Decoder) Reset(r io.Reader, opts ...Options) {
	if d == nil {
		panic("jsontext: invalid nil Decoder")
	}
	d.s.Reset(r, opts...)
}

// Options returns the options of d. During a call of UnmarshalDecode of package v2 they include the
// options of the call. They are valid until the call returns.
func (d *Decoder) Options() Options { return d.s.Options() }

// PeekKind returns the kind of the next token, and invalidates the last token. On error it returns
// [KindInvalid], and the next read returns the error.
func (d *Decoder) PeekKind() Kind { return d.s.PeekKind() }

// ReadToken returns the next token, which is valid until the next use of d. At the end of the
// stream it returns io.EOF. Any other error is a [*SyntacticError], or wraps the error of the
// reader.
func (d *Decoder) ReadToken() (Token, error) {
	t, err := d.s.ReadToken()
	return Token{t}, err
}

// ReadValue returns the next value or name as text. The text is valid until the next use of d, and
// must not be modified. On error the position of d is unchanged.
func (d *Decoder) ReadValue() (Value, error) { return d.s.ReadValue() }

// SkipValue reads and drops the next value. It never holds more than one token in memory.
func (d *Decoder) SkipValue() error { return d.s.SkipValue() }

// InputOffset returns the offset in bytes after the last token or value.
func (d *Decoder) InputOffset() int64 { return d.s.InputOffset() }

// UnreadBuffer returns the bytes that d has read ahead. They are valid until the next use of d.
func (d *Decoder) UnreadBuffer() []byte { return d.s.UnreadBuffer() }

// StackDepth returns the number of open arrays and objects.
func (d *Decoder) StackDepth() int { return d.s.StackDepth() }

// StackIndex returns the kind of the i-th open array or object, and the number of its values so
// far. Names count as values. i is between 0 and StackDepth. Index 0 is the stream itself, whose
// kind is [KindInvalid].
func (d *Decoder) StackIndex(i int) (Kind, int64) { return d.s.StackIndex(i) }

// StackPointer returns the JSON pointer of the last token or value.
func (d *Decoder) StackPointer() Pointer { return d.s.StackPointer() }
