package json

import (
	"encoding/json"
	"io"
	"reflect"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/go126"
	"github.com/hone-go/hone/json/internal/rules/go127"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// A Decoder reads JSON values from a stream. It may read more of the stream than it has decoded.
type Decoder struct {
	reader v1.Reader
}

// NewDecoder returns a decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder { return Config{}.NewDecoder(r) }

// NewDecoder is like [NewDecoder], with these options except AliasInput.
func (o Config) NewDecoder(r io.Reader) *Decoder { return &Decoder{o.newReader(r)} }

// newReader returns the reader of the rules and the engine that o selects.
func (o *Config) newReader(r io.Reader) v1.Reader {
	o.AliasInput = false
	on := o.flags()
	switch {
	case o.byStd():
		if err := o.otherRelease(); err != nil {
			r = v1.Failed{Err: err}
		}
		return &stdReader{v1.StandardDecoder(r, on), *o}
	case on&option.FirstEngine != 0:
		return go126.NewReader(r, on)
	}
	return go127.NewReader(r, decodingOf(on), on)
}

// UseNumber decodes a number into an interface as a [Number] and not as a float64.
func (d *Decoder) UseNumber() { d.reader.SetOptions(option.RawNumbers) }

// DisallowUnknownFields makes Decode return an error for an object member that matches no field of
// the struct.
func (d *Decoder) DisallowUnknownFields() { d.reader.SetOptions(option.RejectUnknownMembers) }

// Buffered returns the input that has been read but not decoded. It is valid until the next call of
// Decode.
func (d *Decoder) Buffered() io.Reader { return d.reader.Buffered() }

// InputOffset returns the offset in the stream at which the last value or token ends.
func (d *Decoder) InputOffset() int64 { return d.reader.InputOffset() }

// Decode reads the next value and decodes it into v by the rules of [Unmarshal]. At the end of the
// stream it returns io.EOF. If [Decoder.Token] has opened an array or object, Decode reads the next
// element or the value of the next member, and the comma or colon before it.
//
// It keeps one whole value in memory.
func (d *Decoder) Decode(v any) error {
	if std, ok := d.reader.(*stdReader); ok && !rules.NeedsHone(reflect.TypeOf(v)) {
		return std.Decode(v)
	}
	_, err := d.reader.Element(v)
	return err
}

// Token returns the next token: a [Delim] for a bracket or brace, a bool, a string, a float64 or
// [Number], or nil for null. It checks commas and colons but does not return them. At the end of
// the stream it returns io.EOF.
//
// It checks at every depth that brackets match and that values are allowed.
func (d *Decoder) Token() (Token, error) { return d.reader.Token() }

// More reports whether the current array or object has another element.
func (d *Decoder) More() bool { return d.reader.More() }

// Std returns a *json.Decoder that continues at the position of d, for code that requires this
// type. It reads the input that d has buffered, and then from d's reader. It has the options of d
// and is inside the same open arrays and objects. Its InputOffset may differ, because it need not
// count from the start of the stream. It follows the rules of the linked release, whatever the
// Rules of d are. After Std, d must not be used.
func (d *Decoder) Std() *json.Decoder { return d.reader.Std() }

// A stdReader is a [v1.Reader] that reads with encoding/json. Values that encoding/json cannot decode are
// decoded by Hone's engine.
type stdReader struct {
	*json.Decoder
	options Config
}

// Element implements [v1.Reader].
func (d *stdReader) Element(v any) (read bool, err error) {
	var raw RawMessage
	if err := d.Decode(&raw); err != nil {
		return false, err
	}
	return true, d.options.unmarshal(raw, reflect.ValueOf(v))
}

// SetOptions implements [v1.Reader].
func (d *stdReader) SetOptions(on option.Flag) {
	d.options.UseNumber = d.options.UseNumber || on&option.RawNumbers != 0
	d.options.DisallowUnknownFields = d.options.DisallowUnknownFields || on&option.RejectUnknownMembers != 0
	v1.SetOptions(d.Decoder, on)
}

// Std implements [v1.Reader].
func (d *stdReader) Std() *json.Decoder { return d.Decoder }
