package jsontext

import (
	"io"

	"github.com/hone-go/hone/json/internal/stream"
)

// An Encoder writes tokens and values to a stream, with colons and commas between them. It writes
// each complete top-level value and a newline to its writer, and large values in pieces of some
// kilobytes. Only one goroutine may use it at a time.
type Encoder struct{ s stream.Encoder }

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Options) *Encoder {
	e := new(Encoder)
	e.Reset(w, opts...)
	return e
}

// Reset makes e write to w like a new Encoder, but keeps its buffer. It panics if e was passed to a
// MarshalJSONTo method or to a function for WithMarshalers of package v2.
func (e *Encoder) Reset(w io.Writer, opts ...Options) {
	if e == nil {
		panic("jsontext: invalid nil Encoder")
	}
	e.s.Reset(w, opts...)
}

// Options returns the options of e. During a call of MarshalEncode of package v2 they include the
// options of the call. They are valid until the call returns.
func (e *Encoder) Options() Options { return e.s.Options() }

// WriteToken writes t. If t is not allowed here, it returns a [*SyntacticError], and e is
// unchanged.
func (e *Encoder) WriteToken(t Token) error { return e.s.WriteToken(t.t) }

// WriteValue writes a value or a name, formatted by the options. If v is not valid or not allowed
// here, it returns a [*SyntacticError], and e is unchanged.
func (e *Encoder) WriteValue(v Value) error { return e.s.WriteValue(v) }

// OutputOffset returns the offset in bytes after the last token or value.
func (e *Encoder) OutputOffset() int64 { return e.s.OutputOffset() }

// AvailableBuffer returns an empty slice with some capacity. The caller may append a value to the
// slice and pass the result to the next call of WriteValue.
func (e *Encoder) AvailableBuffer() []byte { return e.s.AvailableBuffer() }

// StackDepth returns the number of open arrays and objects.
func (e *Encoder) StackDepth() int { return e.s.StackDepth() }

// StackIndex returns the kind of the i-th open array or object, and the number of its values so
// far. Names count as values. i is between 0 and StackDepth. Index 0 is the stream itself, whose
// kind is [KindInvalid].
func (e *Encoder) StackIndex(i int) (Kind, int64) { return e.s.StackIndex(i) }

// StackPointer returns the JSON pointer of the last token or value.
func (e *Encoder) StackPointer() Pointer { return e.s.StackPointer() }
