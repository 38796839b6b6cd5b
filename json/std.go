package json

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
)

// A standard is a decoder of encoding/json, or one with the same methods and results.
type standard interface {
	Decode(v any) error
	Token() (Token, error)
	More() bool
	InputOffset() int64
	Buffered() io.Reader
	UseNumber()
	DisallowUnknownFields()
}

// Std returns a decoder of encoding/json that goes on where d stands, for code
// that asks for that type. It reads what d has buffered and then from d's
// reader, has d's options, and is inside the same arrays and objects. Only its
// InputOffset is another: it starts near zero. After Std, d must not be used.
// It has the rules of the release that is linked.
func (d *Decoder) Std() *json.Decoder {
	switch std := d.std.(type) {
	case *json.Decoder:
		return std
	case *secondDecoder:
		return std.std(d.r, &d.options)
	}
	in, calls := d.unread()
	return read(d.options.newStdDecoder(in), calls)
}

// unread returns the input from the place of d on, after a text that leads to that place, and the
// number of calls of Token that pass the text.
func (d *Decoder) unread() (in io.Reader, calls int) {
	var opened strings.Builder
	for _, p := range append(slices.Clip(d.outer), d.place) {
		opened.WriteString(reach[p].text)
		calls += reach[p].calls
	}
	head := io.MultiReader(strings.NewReader(opened.String()), bytes.NewReader(d.buf[d.pos:]))
	rest := d.r
	if d.err != d.failed && d.err != nil {
		rest = failed{d.err}
	}
	return &resumed{head, d.err, rest}, calls
}

// A resumed reads a text, and then another reader. Unlike an io.MultiReader it goes on after an
// error: a stream that ended may have more later.
type resumed struct {
	head io.Reader
	err  error // is returned once, after head; may be nil
	r    io.Reader
}

func (r *resumed) Read(b []byte) (int, error) {
	if n, err := r.head.Read(b); n > 0 || err != io.EOF {
		return n, err
	}
	if err := r.err; err != nil {
		r.err = nil
		return 0, err
	}
	return r.r.Read(b)
}

// read calls Token for text that is known to be valid.
func read[D standard](std D, calls int) D {
	for range calls {
		_, _ = std.Token()
	}
	return std
}

// A failed is a reader that has come to an error.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// newStdDecoder returns a decoder of encoding/json with the options that it has.
func (o *Config) newStdDecoder(r io.Reader) *json.Decoder {
	return decode.StandardDecoder(r, o.flags())
}

// Std returns an encoder of encoding/json that writes to e's writer with e's
// options, for code that asks for that type.
func (e *Encoder) Std() *json.Encoder {
	std := json.NewEncoder(e.w)
	std.SetEscapeHTML(e.on&option.EscapeForHTML != 0)
	std.SetIndent(e.prefix, e.indent)
	return std
}
