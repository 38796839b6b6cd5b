package shadow

import (
	"bytes"
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/shadow"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/internal/rules"
)

// An Encoder writes JSON values to a stream, each followed by a newline.
type Encoder struct {
	first          *json.Encoder
	second         json.Config
	to             *shadow.Output
	prefix, indent string
}

// NewEncoder returns an encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder {
	first, second := engines()
	to := &shadow.Output{W: w}
	return &Encoder{first: first.NewEncoder(to), second: second, to: to}
}

// SetIndent makes the encoder format its output as [MarshalIndent] does.
func (e *Encoder) SetIndent(prefix, indent string) {
	e.prefix, e.indent = prefix, indent
	e.first.SetIndent(prefix, indent)
}

// SetEscapeHTML sets whether <, > and & are escaped in strings.
func (e *Encoder) SetEscapeHTML(on bool) {
	e.second.NoEscapeHTML = !on
	e.first.SetEscapeHTML(on)
}

// Encode writes the encoding of v and a newline.
func (e *Encoder) Encode(v any) error {
	if !chosen(v) {
		return e.first.Encode(v)
	}
	e.to.Keep(watch.MaxBytes())
	defer e.to.Drop()
	err := e.first.Encode(v)
	text, ok := e.to.Text()
	if !ok {
		watch.Pass()
		return err
	}
	watch.Text("Encode", v, text, err, func() ([]byte, error) {
		var out bytes.Buffer
		second := e.second.NewEncoder(&out)
		second.SetIndent(e.prefix, e.indent)
		err := second.Encode(v)
		return out.Bytes(), err
	}, shadow.Bytes)
	return err
}

// A Decoder reads JSON values from a stream. It may read more of the stream than it has decoded.
type Decoder struct {
	first  *json.Decoder
	second json.Config
	from   *shadow.Input // the recorded input; nil if values are not compared
}

// NewDecoder returns a decoder that reads from r. It decides once whether all values of the stream are
// compared, or none of them.
func NewDecoder(r io.Reader) *Decoder {
	first, second := engines()
	d := &Decoder{second: second}
	if watch.Chosen() {
		d.from = shadow.NewInput(r, 2*watch.MaxBytes())
		r = d.from
	}
	d.first = first.NewDecoder(r)
	return d
}

// UseNumber decodes a number into an interface as a [Number] and not as a float64.
func (d *Decoder) UseNumber() {
	d.second.UseNumber = true
	d.first.UseNumber()
}

// DisallowUnknownFields makes Decode return an error for an object member that matches no field of
// the struct.
func (d *Decoder) DisallowUnknownFields() {
	d.second.DisallowUnknownFields = true
	d.first.DisallowUnknownFields()
}

// Buffered returns the input that has been read but not decoded.
func (d *Decoder) Buffered() io.Reader { return d.first.Buffered() }

// InputOffset returns the offset in the stream at which the last value or token ends.
func (d *Decoder) InputOffset() int64 { return d.first.InputOffset() }

// More reports whether the current array or object has another element.
func (d *Decoder) More() bool { return d.first.More() }

// Token returns the next token. It is not compared.
func (d *Decoder) Token() (Token, error) { return d.first.Token() }

// Decode reads the next value and decodes it into v.
func (d *Decoder) Decode(v any) error {
	if d.from != nil && rules.NeedsHone(reflect.TypeOf(v)) {
		watch.Pass()
		return d.first.Decode(v)
	}
	if d.from == nil {
		return d.first.Decode(v)
	}
	start := d.first.InputOffset()
	text := func() ([]byte, bool) {
		text, ok := d.from.Between(start, d.first.InputOffset())
		text = bytes.TrimLeft(text, " \t\r\n,:")
		return text, ok && len(text) > 0
	}
	return watch.Decode("Decode", v, func() error { return d.first.Decode(v) }, text, d.second.Unmarshal, errorsInStream)
}

// errorsInStream compares two errors. It ignores the offset of a type error, because only one of
// the two offsets is relative to the start of the stream.
func errorsInStream(answered, other error) *Difference {
	if a, ok := answered.(*UnmarshalTypeError); ok {
		if b, ok := other.(*UnmarshalTypeError); ok {
			a, b := *a, *b
			a.Offset, b.Offset = 0, 0
			if reflect.DeepEqual(a, b) {
				return nil
			}
		}
	}
	if a, ok := answered.(*SyntaxError); ok {
		if b, ok := other.(*SyntaxError); ok && a.Error() == b.Error() {
			return nil
		}
	}
	return shadow.Errors(answered, other)
}
