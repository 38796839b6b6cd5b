package json

import (
	"encoding/json"
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// An Encoder writes JSON values to a stream, each followed by a newline.
//
// Programs often create one for each response, so its size matters. At 80 bytes it fits a size
// class of the Go allocator exactly. A larger Encoder would take longer to allocate.
type Encoder struct {
	w              io.Writer
	err            error       // the error of the writer, returned by all further calls
	on             option.Flag // see Config.encodeFlags
	prefix, indent string
	std            *json.Encoder // if not nil, it encodes instead of Hone's engine
}

// NewEncoder returns an encoder that writes to w. The compiler inlines it, so that an Encoder that does
// not leave its function is on the stack.
func NewEncoder(w io.Writer) *Encoder {
	e := &Encoder{w: w, on: option.ByDefault | option.EscapeForHTML}
	if option.EngineByDefault == StdEngine {
		e.std = e.Std()
	}
	return e
}

// SetIndent makes the encoder format its output like [MarshalIndent].
func (e *Encoder) SetIndent(prefix, indent string) {
	e.prefix, e.indent = prefix, indent
	if e.std != nil {
		e.std.SetIndent(prefix, indent)
	}
}

// SetEscapeHTML sets whether <, > and & are escaped in strings. The default is true.
func (e *Encoder) SetEscapeHTML(on bool) {
	if e.on &^= option.EscapeForHTML; on {
		e.on |= option.EscapeForHTML
	}
	if e.std != nil {
		e.std.SetEscapeHTML(on)
	}
}

// Encode writes the encoding of v and a newline in one call of Write. If v cannot be encoded, it
// writes nothing.
func (e *Encoder) Encode(v any) error {
	if e.std != nil && !rules.NeedsHone(reflect.TypeOf(v)) {
		return e.std.Encode(v)
	}
	if e.err != nil {
		return e.err
	}
	scratch := buffer.Take()
	b, err := encodingOf(e.on).Append(scratch.B, v, e.on)
	if err != nil {
		b = scratch.B
	} else {
		b = append(b, '\n')
		if e.prefix == "" && e.indent == "" {
			_, e.err = e.w.Write(b)
		} else {
			e.err = e.writeIndented(b)
		}
		err = e.err
	}
	scratch.B = b
	scratch.Release()
	return err
}

func (e *Encoder) writeIndented(b []byte) error {
	lines := buffer.Take()
	lines.B = syntax.AppendLines(lines.B, b, e.prefix, e.indent)
	_, err := e.w.Write(lines.B)
	lines.Release()
	return err
}
