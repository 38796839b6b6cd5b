package json

import (
	"encoding/json"
	"io"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// A standard is a *json.Decoder, or a decoder with the same methods and results.
type standard interface {
	Decode(v any) error
	Token() (Token, error)
	More() bool
	InputOffset() int64
	Buffered() io.Reader
	UseNumber()
	DisallowUnknownFields()
}

// Std returns a *json.Decoder that continues at the position of d, for code that requires this
// type. It reads the input that d has buffered, and then from d's reader. It has the options of d
// and is inside the same open arrays and objects. Its InputOffset may differ, because it need not
// count from the start of the stream. It follows the rules of the linked release, whatever the
// Rules of d are. After Std, d must not be used.
func (d *Decoder) Std() *json.Decoder {
	switch std := d.std.(type) {
	case *json.Decoder:
		return std
	case *secondDecoder:
		return std.std(&d.options)
	}
	return d.options.stdDecoder(&d.grammar, d.unread())
}

// unread returns a reader for the input that d has not decoded: the buffered input, and then d's
// reader.
func (d *Decoder) unread() *resumed {
	rest := d.r
	if d.err != d.failed && d.err != nil {
		rest = failed{d.err}
	}
	return &resumed{string(d.buf[d.pos:]), d.err, rest}
}

// stdDecoder returns a *json.Decoder that reads the given input, and starts at the given position
// in the grammar.
func (o *Config) stdDecoder(position *grammar, input *resumed) *json.Decoder {
	text, calls := position.opening()
	input.text = text + input.text
	std := o.newStdDecoder(input)
	passTokens(std, calls)
	return std
}

// newStdDecoder returns a *json.Decoder with those options of o that it supports.
func (o *Config) newStdDecoder(r io.Reader) *json.Decoder {
	return v1.StandardDecoder(r, o.flags())
}

// A resumed is a reader of a text, and then of another reader. Unlike an io.MultiReader it reads
// again after an error, because a stream may return more input after its end.
type resumed struct {
	text string
	err  error // returned once, after text; may be nil
	r    io.Reader
}

func (r *resumed) Read(b []byte) (int, error) {
	if r.text != "" {
		n := copy(b, r.text)
		r.text = r.text[n:]
		return n, nil
	}
	if err := r.err; err != nil {
		r.err = nil
		return 0, err
	}
	return r.r.Read(b)
}

// passTokens calls std.Token the given number of times. The input must be valid up to the last of
// these tokens.
func passTokens(std *json.Decoder, calls int) {
	for range calls {
		_, _ = std.Token()
	}
}

// A failed is a reader that always returns err.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// Std returns a *json.Encoder that writes to e's writer with e's options, for code that requires
// this type.
func (e *Encoder) Std() *json.Encoder {
	std := json.NewEncoder(e.w)
	std.SetEscapeHTML(e.on&option.EscapeForHTML != 0)
	std.SetIndent(e.prefix, e.indent)
	return std
}
