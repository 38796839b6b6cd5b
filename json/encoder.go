package json

import (
	"io"

	"github.com/hone-go/hone/internal/buffer"
	"github.com/hone-go/hone/internal/jsontext"
)

// An Encoder writes JSON values to a stream, each with a newline after it.
type Encoder struct {
	w              io.Writer
	err            error // of the writer; final
	options        Config
	prefix, indent string
}

// NewEncoder returns an encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w} }

// SetIndent makes the encoder write in the form of [MarshalIndent].
func (e *Encoder) SetIndent(prefix, indent string) { e.prefix, e.indent = prefix, indent }

// SetEscapeHTML says whether <, > and & are escaped in strings; they are
// unless it says otherwise.
func (e *Encoder) SetEscapeHTML(on bool) { e.options.NoEscapeHTML = !on }

// Encode writes the encoding of v and a newline, in one call of the writer. If
// v cannot be encoded nothing is written.
func (e *Encoder) Encode(v any) error {
	if e.err != nil {
		return e.err
	}
	scratch := buffer.Take()
	b, err := e.options.append(scratch.B, v)
	if err == nil {
		b = append(b, '\n')
		out := b
		if e.prefix != "" || e.indent != "" {
			out = jsontext.AppendIndent(nil, b, e.prefix, e.indent)
		}
		_, e.err = e.w.Write(out)
		err = e.err
	}
	scratch.B = b
	scratch.Release()
	return err
}
