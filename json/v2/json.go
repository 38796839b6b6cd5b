// Package json is a faster encoding/json/v2: change the import, keep the code. It works from Go
// 1.26 on. From Go 1.27 on its options, errors and values are the types of the standard library,
// and can be passed between the two packages.
//
//	data, err := json.Marshal(user)
//	err = json.Unmarshal(data, &user)
//
// Version 2 is stricter than encoding/json: an object must not repeat a name, text must be UTF-8,
// names of fields are compared exactly, and nil slices and maps are [] and {}. Each of these has an
// option. Types may have the methods MarshalJSONTo and UnmarshalJSONFrom, and a call may have
// functions for any type; see [WithMarshalers].
//
// A type is compiled once for each set of options. [Append] writes into a buffer of the caller. A
// [Codec] is compiled for one type and its options before its first use. [Elements] reads arrays
// that are larger than memory.
//
// # Guarantees
//
//   - Malformed input is an error with its position, and never a panic. Arrays and objects nest
//     at most 10,000 levels deep.
//   - Decoding stops at the first error in the order of the text. The values before it have been
//     decoded.
//   - Results share no memory with the input.
//   - Decoding keeps the text of one value in memory, and at most eight more bytes for each byte of
//     the text.
//
// # Going back
//
// From Go 1.27 on, with HONE_JSON=std in the environment, encoding/json/v2 encodes and decodes for
// every call. [WithEngine] selects the engine of one call.
//
// docs/migrating/json-v2.md lists the differences from encoding/json/v2.
package json

import (
	"io"

	"github.com/hone-go/hone/internal/memory/buffer"
	decoding "github.com/hone-go/hone/json/internal/decode/call"
	encoding "github.com/hone-go/hone/json/internal/encode/call"
	"github.com/hone-go/hone/json/internal/export"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/json/jsontext"
)

// Options is one option of a call, or several. Package jsontext has options for text, and this
// package has options for Go types and for the rules of encoding/json.
type Options = jsontext.Options

// A SemanticError reports a JSON value that does not fit its Go type, or a Go value that has no
// JSON form, with its position.
type SemanticError = rules.SemanticError

// ErrUnknownName is the cause of a [SemanticError] for a member without a field in the struct, if
// [RejectUnknownMembers] is set.
var ErrUnknownName = rules.ErrUnknownName

// Marshal returns the encoding of in. The error is a [*SemanticError], or a
// [*jsontext.SyntacticError] if text in the value is not JSON or not UTF-8. On error the result is
// the text of the tokens before the fault, as in encoding/json/v2. It may be nil.
//
// Values are written as encoding/json/v2 writes them. The types of package mo are encoded without a
// call of their methods: an Option is null or its value.
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

// Append appends the encoding of in to dst and returns the extended slice. On error it returns dst.
// It allocates to grow dst, for maps whose keys are not strings, and in methods. Pass a pointer to
// a large value: converting the value itself to an interface copies it to the heap.
func Append(dst []byte, in any, opts ...Options) ([]byte, error) {
	c := encodeBy(setOf(opts))
	return c.Append(dst, in)
}

// MarshalWrite writes the encoding of in to out in one call of Write, without a newline after it.
// If in cannot be encoded, it writes nothing.
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

// MarshalEncode writes in to a stream as its next value, with the options of the stream and of the
// call. The options of the call must not change the white space of the stream.
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

// Unmarshal decodes in, which is one JSON value, into the value that out points to. It merges
// objects into existing structs and maps. The error is a [*SemanticError] or a
// [*jsontext.SyntacticError].
func Unmarshal(in []byte, out any, opts ...Options) (err error) {
	c := decodeBy(setOf(opts))
	return c.Unmarshal(in, out)
}

// UnmarshalRead reads in to its end, and decodes its one value as [Unmarshal] does. It keeps the
// whole text in memory, so limit the size of in.
func UnmarshalRead(in io.Reader, out any, opts ...Options) (err error) {
	c := decodeBy(setOf(opts))
	// Methods may keep parts of the text, so the buffer is not pooled.
	data, err := stream.ReadAll(in, nil)
	if err != nil {
		err = &stream.IOError{Action: "read", Err: err}
	}
	return c.UnmarshalFailed(data, err, out)
}

// UnmarshalDecode decodes the next value of a stream, with the options of the stream and of the
// call. At the end of the stream the error is io.EOF. It keeps the text of one value in memory.
// After a [*SemanticError] the stream continues after the value.
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
