package json

import (
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// A Config holds the options of a call. The zero value means the defaults of encoding/json. A
// Config may be created for each call or stored and reused.
//
//	var strict = json.Config{DisallowUnknownFields: true}
//
//	err := strict.Unmarshal(data, &v)
type Config struct {
	// NoEscapeHTML writes <, > and & in strings without escapes; see [Encoder.SetEscapeHTML].
	NoEscapeHTML bool

	// UseNumber decodes a number into an interface as a [Number] and not as a float64.
	UseNumber bool

	// DisallowUnknownFields returns an error for an object member that matches no field of the
	// struct.
	DisallowUnknownFields bool

	// AliasInput lets decoded strings without escapes share memory with the input. The input must
	// not change while such a string is in use, and each such string keeps the input alive.
	// AliasInput has no effect on input from a stream.
	AliasInput bool

	// SeparateStrings allocates each decoded string, each map key and each float in an interface
	// separately. By default short strings of several calls are allocated from shared blocks, and
	// equal strings share memory, which saves time and memory. But a string keeps its whole block
	// alive. A program that retains a few strings of each document, such as an ID, therefore
	// retains up to 512 bytes for each string. StdEngine does not use blocks, but may still return
	// the same string for two equal strings.
	SeparateStrings bool

	// CopyInput passes copies of the input to unmarshal methods. Use it if the program reuses the
	// memory of the input after the call, for example because the input is in a pooled buffer.
	// Unmarshal methods must not retain their argument, but some do.
	CopyInput bool

	// LimitLengths limits how many elements are decoded into slices and maps whose fields have a
	// tag such as `length:"1..100"`. It decodes one element more than the tag allows, and checks
	// only the syntax of the remaining elements. Use it if the program checks lengths after
	// decoding: it bounds the memory of a value that is too long and that the check will reject.
	LimitLengths bool

	// CheckMembers checks the members of objects against the tags of the struct fields, and implies
	// LimitLengths. Decoding continues after each of the following faults. Unless it fails with
	// another error, the call returns all faults as a [*MembersError].
	//
	//   - a missing member, unless it has a default or is optional by its type or tag;
	//   - null for a type without a null value, as a member, an element or the whole value;
	//   - with DisallowUnknownFields, a member that matches no field;
	//   - an array whose length differs from the length of its Go array;
	//   - in a program that links package api, the zero value of an optional member, if a limit in the
	//     tags does not allow it. Checks of limits after decoding skip this value, because an absent
	//     member has it too.
	//
	// A missing member with a default gets the default. A member with the tag readOnly:"true" is
	// ignored. Bytes must be base64. Package api documents the tags. Invalid tags are ignored.
	CheckMembers bool

	// OmitWriteOnly omits struct members with the tag writeOnly:"true" from the output. Such a
	// member, for example a password, is only for input. With this option a server can encode a
	// struct that it has decoded from a request, and the output does not contain the password. The
	// option does not apply inside types that have their own marshal methods.
	OmitWriteOnly bool

	// Engine selects the engine. StdEngine always copies strings, and encodes and decodes the types
	// of package mo by calling their methods. With CheckMembers or OmitWriteOnly, Hone's engine is
	// always used.
	Engine Engine

	// Rules select the Go release whose encoding/json the call follows, regardless of the release
	// that builds the program. StdEngine can only follow the linked release, so with other rules
	// the call returns an error. See [Rules].
	Rules Rules
}

// A MembersError lists the members that violate the tags of their fields; see
// [Config.CheckMembers].
type MembersError = decode.MembersError

// A MemberError is one member of a [MembersError].
type MemberError = decode.MemberError

// Append is like [Append], with these options.
func (o Config) Append(dst []byte, v any) ([]byte, error) { return o.append(dst, v) }

// Marshal is like [Marshal], with these options.
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

// MarshalWrite is like [MarshalWrite], with these options.
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

// Unmarshal is like [Unmarshal], with these options.
func (o Config) Unmarshal(data []byte, v any) error {
	return o.unmarshal(data, reflect.ValueOf(v))
}

// UnmarshalRead is like [UnmarshalRead], with these options.
func (o Config) UnmarshalRead(r io.Reader, v any) error {
	scratch := buffer.Take()
	data, err := stream.ReadAll(r, scratch.B, false)
	if err == nil {
		o.AliasInput, o.CopyInput = false, true
		err = o.Unmarshal(data, v)
	}
	scratch.B = data
	scratch.Release()
	return err
}

// NewEncoder is like [NewEncoder], with these options.
func (o Config) NewEncoder(w io.Writer) *Encoder {
	e := &Encoder{w: w, on: o.encodeFlags()}
	if o.byStd() {
		if e.err = o.otherRelease(); e.err == nil {
			e.std = e.Std()
		}
	}
	return e
}

// MarshalWrite writes the encoding of v to w in one call of Write, without a newline after it. If v
// cannot be encoded, it writes nothing. It allocates as [Append] does.
func MarshalWrite(w io.Writer, v any) error { return Config{}.MarshalWrite(w, v) }

// UnmarshalRead reads r to its end, and decodes its one JSON value into v as [Unmarshal] does. If
// reading fails, it decodes nothing and returns the error of r unchanged. It keeps the whole input
// in memory, so limit the size of r.
func UnmarshalRead(r io.Reader, v any) error { return Config{}.UnmarshalRead(r, v) }

func (o *Config) append(dst []byte, v any) ([]byte, error) {
	if o.byStd() && o.byStdFor(reflect.TypeOf(v)) {
		return o.appendByStd(dst, v)
	}
	on := o.encodeFlags()
	out, err := encodingOf(on).Append(dst, v, on)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// encodeFlags returns the flags for encoding.
func (o *Config) encodeFlags() option.Flag {
	on := o.release()
	if !o.NoEscapeHTML {
		on |= option.EscapeForHTML
	}
	if o.OmitWriteOnly {
		on |= option.OmitWriteOnly
	}
	return on
}

// flags returns the flags for decoding.
func (o *Config) flags() option.Flag {
	on := option.V1 | o.release()
	if o.UseNumber {
		on |= option.RawNumbers
	}
	if o.DisallowUnknownFields {
		on |= option.RejectUnknownMembers
	}
	if o.AliasInput {
		on |= option.AliasInput
	}
	if o.SeparateStrings {
		on |= option.SeparateStrings
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

// unmarshal decodes data into the value that v points to.
func (o *Config) unmarshal(data []byte, v reflect.Value) error {
	if o.byStd() && (!v.IsValid() || o.byStdFor(v.Type())) {
		return o.unmarshalByStd(data, v)
	}
	on := o.flags()
	d := decodingOf(on).Take()
	defer d.Put()
	return d.Unmarshal(data, v, nil, on)
}

// copyOf returns a copy of b. It is faster than slices.Clone.
func copyOf(b []byte) []byte {
	out := make([]byte, len(b))
	copy(out, b)
	return out
}
