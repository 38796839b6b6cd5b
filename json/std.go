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

// Std returns a decoder of encoding/json that goes on where d stands, for code
// that asks for that type. It reads what d has buffered and then from d's
// reader, has d's options, and is inside the same arrays and objects. Only its
// InputOffset is another: it starts near zero. After Std, d must not be used.
func (d *Decoder) Std() *json.Decoder {
	if d.std != nil {
		return d.std
	}
	var opened strings.Builder // text that leads to where d stands
	calls := 0                 // of Token, to read it
	for _, p := range append(slices.Clip(d.outer), d.place) {
		opened.WriteString(reach[p].text)
		calls += reach[p].calls
	}
	parts := []io.Reader{strings.NewReader(opened.String()), bytes.NewReader(d.buf[d.pos:]), d.r}
	if d.err != nil {
		parts[2] = failed{d.err}
	}
	std := d.options.newStdDecoder(io.MultiReader(parts...))
	for range calls {
		_, _ = std.Token() // of text that is known to be valid
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
