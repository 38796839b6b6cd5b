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

// Std returns a decoder of encoding/json that continues at d's position, for code that needs a
// *json.Decoder. It reads the input that d has buffered, and then d's reader. It has d's options,
// and is inside of the same arrays and objects. Its InputOffset is different: it starts near zero.
// It has the rules of the linked release. After Std, d must not be used.
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

// unread returns the unread input. It is preceded by a short text that opens the same arrays and
// objects; after the given number of calls of Token, a decoder is at d's position.
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

// A failed reader returns its error.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// newStdDecoder returns a decoder of encoding/json with those options of o that it supports.
func (o *Config) newStdDecoder(r io.Reader) *json.Decoder {
	return decode.StandardDecoder(r, o.flags())
}

// Std returns an encoder of encoding/json that writes to e's writer with e's options, for code that
// needs a *json.Encoder.
func (e *Encoder) Std() *json.Encoder {
	std := json.NewEncoder(e.w)
	std.SetEscapeHTML(e.on&option.EscapeForHTML != 0)
	std.SetIndent(e.prefix, e.indent)
	return std
}
