package jsontext

import (
	"io"

	"github.com/hone-go/hone/json/internal/stream"
)

// An Encoder writes tokens and values to a stream, with colons and commas between them. When a
// top-level value is complete, it writes the value and a newline to its writer. It writes large
// values in pieces of some kilobytes. Only one goroutine may use it at a time.
type Encoder struct{ s stream.Encoder }

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Options) *Encoder {
	e := new(Encoder)
	e.Reset(w, opts...)
	return e
}

// Reset makes e write to w like a new Encoder, but keeps its buffer. It panics for an Encoder that
// was passed to a MarshalJSONTo method or to a function for WithMarshalers of package v2.
func (e *Encoder) Reset(w io.Writer, opts ...Options) {
	if e == nil {
		panic("jsontext: invalid nil Encoder")
	}
	e.s.Reset(w, opts...)
}

// Options returns the options of e. During a call of MarshalEncode of package v2 they include the
// options of the call, and are valid until the call returns.
func (e *Encoder) Options() Options { return e.s.Options() }

// WriteToken writes t. If the grammar does not allow t here, the error is a [*SyntacticError], and
// e is unchanged.
func (e *Encoder) WriteToken(t Token) error { return e.s.WriteToken(t.t) }

// WriteValue writes a value or a name, formatted by the options. If v is not valid, or the grammar
// does not allow it here, the error is a [*SyntacticError], and e is unchanged.
func (e *Encoder) WriteValue(v Value) error { return e.s.WriteValue(v) }

// OutputOffset returns the position in the output after the last token or value, in bytes.
func (e *Encoder) OutputOffset() int64 { return e.s.OutputOffset() }

// AvailableBuffer returns an empty slice with some room. The caller may build the argument of the
// next WriteValue in it.
func (e *Encoder) AvailableBuffer() []byte { return e.s.AvailableBuffer() }

// StackDepth returns the number of open arrays and objects.
func (e *Encoder) StackDepth() int { return e.s.StackDepth() }

// StackIndex returns the kind of the i-th open array or object, for i from 1 to StackDepth, and the
// number of its values so far. Names count as values. Index 0 is the stream itself, of
// [KindInvalid].
func (e *Encoder) StackIndex(i int) (Kind, int64) { return e.s.StackIndex(i) }

// StackPointer returns the JSON pointer to the last token or value.
func (e *Encoder) StackPointer() Pointer { return e.s.StackPointer() }
