package jsontext

import (
	"io"

	"github.com/hone-go/hone/json/internal/stream"
)

// An Encoder writes tokens and values to a stream, with the colons and commas between them.
// It writes when a value of the stream is complete, with a newline behind it, and in pieces
// of some kilobytes before. It is not for several goroutines at once.
type Encoder struct{ s stream.Encoder }

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Options) *Encoder {
	e := new(Encoder)
	e.Reset(w, opts...)
	return e
}

// Reset makes e write to w, as a new Encoder does, and keeps its buffer. It panics for an
// Encoder that was handed to a MarshalJSONTo method or such a function.
func (e *Encoder) Reset(w io.Writer, opts ...Options) {
	if e == nil {
		panic("jsontext: invalid nil Encoder")
	}
	e.s.Reset(w, opts...)
}

// Options returns the options of e. Within a call of v2's MarshalEncode it has those of the
// call too, and is good until that returns.
func (e *Encoder) Options() Options { return e.s.Options() }

// WriteToken writes a token. If it may not come here the error is a [*SyntacticError], and e
// has not changed.
func (e *Encoder) WriteToken(t Token) error { return e.s.WriteToken(t.t) }

// WriteValue writes a value, or a name, in the form that the options ask for. If v is not
// valid, or may not come here, the error is a [*SyntacticError], and e has not changed.
func (e *Encoder) WriteValue(v Value) error { return e.s.WriteValue(v) }

// OutputOffset returns how many bytes the last token or value ends behind.
func (e *Encoder) OutputOffset() int64 { return e.s.OutputOffset() }

// AvailableBuffer returns an empty slice with some room, to make the value of the next call
// of WriteValue in.
func (e *Encoder) AvailableBuffer() []byte { return e.s.AvailableBuffer() }

// StackDepth returns how many arrays and objects are open.
func (e *Encoder) StackDepth() int { return e.s.StackDepth() }

// StackIndex returns, for i from 0 to StackDepth, the kind of the i-th array or object that
// is open and how many values it has so far, names among them. That of 0 is the stream, of
// [KindInvalid].
func (e *Encoder) StackIndex(i int) (Kind, int64) { return e.s.StackIndex(i) }

// StackPointer returns the pointer to the last token or value.
func (e *Encoder) StackPointer() Pointer { return e.s.StackPointer() }
