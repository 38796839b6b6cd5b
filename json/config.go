package json

import (
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// Config is how a call differs from what encoding/json does by default, which
// is the zero value. It is a plain value: make one where it is used, or keep it.
//
//	var strict = json.Config{DisallowUnknownFields: true}
//
//	err := strict.Unmarshal(data, &v)
type Config struct {
	// NoEscapeHTML leaves <, > and & as they are in strings; see
	// [Encoder.SetEscapeHTML].
	NoEscapeHTML bool

	// UseNumber makes numbers that are decoded into an interface a [Number]
	// rather than a float64.
	UseNumber bool

	// DisallowUnknownFields makes an object key that the target struct has no
	// field for an error.
	DisallowUnknownFields bool

	// AliasInput lets strings that are decoded point into the input where
	// they stand there as they are. The input must not change for as long as
	// any of them is in use, and is kept alive by each. It is not for input
	// that is read from a stream.
	AliasInput bool

	// CopyInput gives the methods of the target's types memory of their own. It is
	// for input that is used again after the call, such as a buffer from a pool:
	// methods must not keep what they are given, and some do.
	CopyInput bool

	// LimitLengths bounds the slices and maps of fields with a tag such as
	// `length:"1..100"`: one element more than the tag allows is decoded, and the
	// rest is checked to be JSON and left out. It is for who refuses a value that
	// is too long, which should not take memory before.
	LimitLengths bool

	// CheckMembers holds objects to what the tags of struct fields say beside their names,
	// and implies LimitLengths. A member that is missing and has neither the tag default nor
	// a type or an option by which it may, one that is null and whose type has no null, and
	// with DisallowUnknownFields one that no field takes, do not end the decode: if there is
	// no other error it returns a [*MembersError] that lists them. A missing member with a
	// default gets it; one that is tagged readOnly:"true" is passed over. Null in the place
	// of an element or of the whole value is treated in the same way, as is an array of another length than that of
	// the Go array that it goes into. Bytes are base64 and nothing else. See package api, which
	// decodes so, for the tags. Tags that make no sense are ignored.
	CheckMembers bool

	// OmitWriteOnly leaves out the members of structs that are tagged writeOnly:"true", as a
	// server does that sends a value back. A type that encodes itself is not looked into.
	OmitWriteOnly bool

	// Engine does the work. encoding/json copies the strings that AliasInput would not, and
	// calls the methods of the types of package mo. It has neither CheckMembers nor
	// OmitWriteOnly, so Hone's engine does the work for those.
	Engine Engine
}

// A MembersError lists members that are not as the tags of struct fields ask for; see
// [Config.CheckMembers].
type MembersError = decode.MembersError

// A MemberError is one of them.
type MemberError = decode.MemberError

// Append is [Append] with these options.
func (o Config) Append(dst []byte, v any) ([]byte, error) { return o.append(dst, v) }

// Marshal is [Marshal] with these options.
func (o Config) Marshal(v any) ([]byte, error) {
	scratch := buffer.Take()
	b, err := o.append(scratch.B, v)
	var out []byte
	if err == nil {
		out = copyOf(b)
	}
	scratch.B = b
	scratch.Release()
	return out, err
}

// MarshalWrite is [MarshalWrite] with these options.
func (o Config) MarshalWrite(w io.Writer, v any) error {
	scratch := buffer.Take()
	b, err := o.append(scratch.B, v)
	if err == nil {
		_, err = w.Write(b)
	}
	scratch.B = b
	scratch.Release()
	return err
}

// Unmarshal is [Unmarshal] with these options.
func (o Config) Unmarshal(data []byte, v any) error {
	return o.unmarshal(data, reflect.ValueOf(v), nil)
}

// UnmarshalRead is [UnmarshalRead] with these options.
func (o Config) UnmarshalRead(r io.Reader, v any) error {
	scratch := buffer.Take()
	data, err := stream.ReadAll(r, scratch.B)
	if err == nil {
		o.AliasInput, o.CopyInput = false, true
		err = o.Unmarshal(data, v)
	}
	scratch.B = data
	scratch.Release()
	return err
}

// NewEncoder is [NewEncoder] with these options.
func (o Config) NewEncoder(w io.Writer) *Encoder {
	e := &Encoder{w: w, options: o}
	if o.byStd() {
		e.std = e.Std()
	}
	return e
}

// NewDecoder is [NewDecoder] with these options, but for AliasInput.
func (o Config) NewDecoder(r io.Reader) *Decoder {
	o.AliasInput = false
	d := &Decoder{r: r, options: o}
	if o.byStd() {
		d.std = o.newStdDecoder(r)
	}
	return d
}

// MarshalWrite writes the encoding of v to w, in one call and without a newline
// behind it. If v cannot be encoded nothing is written. It allocates what
// [Append] does.
func MarshalWrite(w io.Writer, v any) error { return Config{}.MarshalWrite(w, v) }

// UnmarshalRead reads r to its end and decodes the one JSON value that it has
// into v; see [Unmarshal]. An error of the reader is returned as it is, with
// nothing decoded. What is read is held in memory: bound it.
func UnmarshalRead(r io.Reader, v any) error { return Config{}.UnmarshalRead(r, v) }

func (o *Config) append(dst []byte, v any) ([]byte, error) {
	if o.byStd() {
		return o.appendByStd(dst, v)
	}
	out, err := encode.Append(dst, v, o.encodeFlags())
	if err != nil {
		return dst, err
	}
	return out, nil
}

// encodeFlags returns how the engine encodes by these options.
func (o *Config) encodeFlags() (on option.Flag) {
	if !o.NoEscapeHTML {
		on = option.EscapeForHTML
	}
	if o.OmitWriteOnly {
		on |= option.OmitWriteOnly
	}
	return on
}

// flags returns how the engine decodes by these options.
func (o *Config) flags() option.Flag {
	on := v1
	if o.UseNumber {
		on |= option.RawNumbers
	}
	if o.DisallowUnknownFields {
		on |= option.RejectUnknownMembers
	}
	if o.AliasInput {
		on |= option.AliasInput
	}
	if o.CopyInput {
		on |= option.CopyInput
	}
	if o.LimitLengths {
		on |= option.LimitLengths
	}
	if o.CheckMembers {
		on |= option.ByTags
	}
	return on
}

// unmarshal decodes data into what v points to, by n if it is not nil.
func (o *Config) unmarshal(data []byte, v reflect.Value, n *decode.Node) error {
	if o.byStd() {
		return o.unmarshalByStd(data, v)
	}
	d := decode.Take()
	defer d.Release()
	return d.Unmarshal(data, v, n, o.flags())
}

// copyOf returns b's bytes in a slice of their own, faster than slices.Clone.
func copyOf(b []byte) []byte {
	out := make([]byte, len(b))
	copy(out, b)
	return out
}
