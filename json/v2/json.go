// Package json is a faster encoding/json/v2: change the import, keep the code. It works from Go
// 1.26 on. From Go 1.27 on, its options, errors and values are types of the standard library, and
// can be passed between both packages.
//
//	data, err := json.Marshal(user)
//	err = json.Unmarshal(data, &user)
//
// Version 2 is stricter than encoding/json. The names in an object must be unique, strings must be
// valid UTF-8, names of fields are case-sensitive, and nil slices and maps are encoded as [] and
// {}. An option changes each of these rules. Types may have the methods MarshalJSONTo and
// UnmarshalJSONFrom, and a call may have functions for any type; see [WithMarshalers].
//
// A type is compiled once for each set of options. [Append] appends to a slice of the caller. A
// [Codec] compiles one type with its options before its first use. [Elements] reads arrays that are
// larger than memory.
//
// # Guarantees
//
//   - Malformed input causes an error with its position, and never a panic. Arrays and objects may
//     be nested 10,000 levels deep.
//   - Decoding stops at the first error in the text. All values before it have been decoded.
//   - Results do not alias the input.
//   - Decoding keeps the text of one value in memory, and at most eight more bytes for each byte of
//     this text.
//
// # Returning to encoding/json/v2
//
// From Go 1.27 on, if the environment variable HONE_JSON is "std", all calls use encoding/json/v2.
// [WithEngine] selects the engine for one call.
//
// docs/migrating/json-v2.md lists the differences from encoding/json/v2.
package json

import (
	"io"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/json/internal/export"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v2/decoding"
	"github.com/hone-go/hone/json/internal/rules/v2/encoding"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/json/jsontext"
)

// Options is one option or a list of options. Package jsontext has options for the JSON text. This
// package has options for Go types and for the rules of encoding/json.
type Options = jsontext.Options

// A SemanticError reports a JSON value that cannot be decoded into its Go type, or a Go value that
// cannot be encoded, with its position.
type SemanticError = rules.SemanticError

// ErrUnknownName is the cause of a [SemanticError] for a member that matches no field of the
// struct. Only decoding with [RejectUnknownMembers] returns it.
var ErrUnknownName = rules.ErrUnknownName

// Marshal returns the encoding of in, a Go value. The error is a [*SemanticError], or a
// [*jsontext.SyntacticError] if a string is not valid UTF-8 or a [jsontext.Value] is not valid
// JSON. On error Marshal returns the output before the error, as encoding/json/v2 does. This output
// may be nil.
//
// The output is equal to the output of encoding/json/v2, except for the types of package mo. They
// are encoded without calling their methods: an Option is null or its value.
func Marshal(in any, opts ...Options) (out []byte, err error) {
	c := encodeBy(setOf(opts))
	c.KeepPart = true
	scratch := buffer.Take()
	defer scratch.Release()
	if scratch.B, err = c.Append(scratch.B, in); err != nil {
		return c.Part, err
	}
	return append(make([]byte, 0, len(scratch.B)), scratch.B...), nil
}

// Append appends the encoding of in, a Go value, to dst and returns the extended slice. On error it
// returns dst. It allocates to grow dst, for maps without string keys, and in methods. For a large
// value pass a pointer: converting the value itself to an interface copies it to the heap.
func Append(dst []byte, in any, opts ...Options) ([]byte, error) {
	c := encodeBy(setOf(opts))
	return c.Append(dst, in)
}

// MarshalWrite writes the encoding of a value to out in one call of Write, without a newline at the
// end. If the value cannot be encoded, it writes nothing.
func MarshalWrite(out io.Writer, in any, opts ...Options) (err error) {
	c := encodeBy(setOf(opts))
	scratch := buffer.Take()
	defer scratch.Release()
	if scratch.B, err = c.Append(scratch.B, in); err != nil {
		return err
	}
	if _, err := stream.Write(out, scratch.B); err != nil {
		return &stream.IOError{Action: "write", Err: err}
	}
	return nil
}

// MarshalEncode writes a value to a stream, as its next value. The options of the call are added to
// the options of the stream, but must not change the stream's white space.
func MarshalEncode(out *jsontext.Encoder, in any, opts ...Options) (err error) {
	to := export.Encoder(out)
	if len(opts) > 0 {
		held := to.Set
		defer func() { to.Set = held }()
		to.Set.Join(opts...)
		if err := changes(&held, &to.Set, to.WantsName()); err != nil {
			return encoding.BeforeEncoding(to, in, err)
		}
		if to.Has(option.Whitespace) {
			to.Lines()
			if !to.SameWhitespace(&held) {
				return encoding.BeforeEncoding(to, in, errWhitespace)
			}
		}
	}
	c := encodeBy(to.Set)
	return c.MarshalEncode(to, in)
}

// Unmarshal decodes a text, which must be one JSON value, into the value that out points to. It
// merges objects into existing structs and maps. The error is a [*SemanticError] or a
// [*jsontext.SyntacticError].
func Unmarshal(in []byte, out any, opts ...Options) (err error) {
	c := decodeBy(setOf(opts))
	return c.Unmarshal(in, out)
}

// UnmarshalRead reads a reader to its end, and decodes its one value like [Unmarshal]. An error that
// the reader returns together with bytes counts only if the next read returns it again. If the
// reader fails, UnmarshalRead decodes the input before the failure. If this input contains an error,
// UnmarshalRead returns that error. Otherwise the returned error wraps the error of the reader.
// UnmarshalRead keeps the whole input in memory, so limit its size.
func UnmarshalRead(in io.Reader, out any, opts ...Options) (err error) {
	c := decodeBy(setOf(opts))
	// Methods may retain parts of the text, so the buffer is not pooled.
	data, err := stream.ReadAll(in, nil, true)
	if err != nil {
		err = &stream.IOError{Action: "read", Err: err}
	}
	return c.UnmarshalFailed(data, err, out)
}

// UnmarshalDecode decodes the next value of a stream. The options of the call are added to the
// options of the stream. At the end of the stream it returns io.EOF. It keeps the text of one value
// in memory. After a [*SemanticError] the stream is at the end of the value.
func UnmarshalDecode(in *jsontext.Decoder, out any, opts ...Options) (err error) {
	from := export.Decoder(in)
	if len(opts) > 0 {
		held := from.Set
		defer func() { from.Set = held }()
		from.Set.Join(opts...)
		if err := changes(&held, &from.Set, from.WantsName()); err != nil {
			return decoding.BeforeDecoding(from, out, err)
		}
	}
	c := decodeBy(from.Set)
	return c.UnmarshalDecode(from, out)
}
