// Package json is encoding/json/v2 with the cost taken out: change the import, keep the
// code. It works from Go 1.26 on; its options, errors and values pass to and from the
// standard library's from Go 1.27 on.
//
//	data, err := json.Marshal(user)
//	err = json.Unmarshal(data, &user)
//
// Against encoding/json it is stricter: names come once in an object, text is UTF-8, names
// of fields are compared as they are, nil slices and maps are [] and {}. Each is an option.
// Types describe themselves by MarshalJSONTo and UnmarshalJSONFrom methods, or functions for
// any type are given with a call; see [WithMarshalers].
//
// A type is compiled once for each set of options. [Append] writes into a buffer that the
// caller keeps, a [Codec] has looked its type and its options up before, [Elements] reads
// arrays that are larger than memory.
//
// # Guarantees
//
//   - Malformed input is an error that says where it is, never a panic. Arrays and objects
//     nest 10,000 levels deep at most.
//   - Decoding stops at the first error, in the order of the text: what comes in front of it
//     has been decoded.
//   - Nothing that is returned shares memory with the input.
//   - Decoding a value holds its text, and eight bytes for each of its bytes at most.
//
// # Going back
//
// With HONE_JSON=std in the environment encoding/json/v2 does the work of every call, from Go
// 1.27 on. [WithEngine] says so for one.
//
// docs/migrating/json-v2.md lists what differs from encoding/json/v2.
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

// Options is one option of a call or several; see [Deterministic] and its like. Those of
// package jsontext, and those of encoding/json's rules, are Options too.
type Options = jsontext.Options

// A SemanticError says that a value does not fit a Go type, or a Go value has no JSON, and
// where that is.
type SemanticError = rules.SemanticError

// ErrUnknownName is in the [SemanticError] for a member that the struct has no field for, if
// [RejectUnknownMembers] is set.
var ErrUnknownName = rules.ErrUnknownName

// Marshal returns the encoding of v. The error is a [*SemanticError], or a
// [*jsontext.SyntacticError] if text that v holds is not JSON or not UTF-8; nothing is
// returned then.
//
// Values of Go types are written as encoding/json/v2 writes them. The types of package mo
// are written natively: an Option is null or its value.
func Marshal(in any, opts ...Options) (out []byte, err error) {
	c := encodeBy(setOf(opts))
	scratch := buffer.Take()
	defer scratch.Release()
	if scratch.B, err = c.Append(scratch.B, in); err != nil {
		return nil, err
	}
	return append(make([]byte, 0, len(scratch.B)), scratch.B...), nil
}

// Append appends the encoding of v to dst, and returns the extended slice. On error it
// returns dst. It allocates nothing for values without methods if there is room, but for
// maps whose keys are not strings; a pointer spares the copy that an interface makes.
func Append(dst []byte, in any, opts ...Options) ([]byte, error) {
	c := encodeBy(setOf(opts))
	return c.Append(dst, in)
}

// MarshalWrite writes the encoding of v to out, in one call and without a newline behind it.
// If v cannot be encoded nothing is written.
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

// MarshalEncode writes v to a stream as its next value, by the options of the stream and
// those that are given. Options for white space must be those of the stream.
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

// Unmarshal decodes data, which is one value, into what v points to, which it merges with:
// members of objects into fields and maps. The error is a [*SemanticError] or a
// [*jsontext.SyntacticError].
func Unmarshal(in []byte, out any, opts ...Options) (err error) {
	c := decodeBy(setOf(opts))
	return c.Unmarshal(in, out)
}

// UnmarshalRead reads in to its end, and decodes what it has as [Unmarshal] does. It holds
// the text: bound the reader.
func UnmarshalRead(in io.Reader, out any, opts ...Options) (err error) {
	c := decodeBy(setOf(opts))
	// The text is not used again by other calls, since methods are given parts of it.
	data, err := stream.ReadAll(in, nil)
	if err != nil {
		err = &stream.IOError{Action: "read", Err: err}
	}
	return c.UnmarshalFailed(data, err, out)
}

// UnmarshalDecode decodes the next value of a stream, by the options of the stream and those
// that are given. At the end of the stream the error is io.EOF. It holds the text of one
// value. Behind a [*SemanticError] the stream goes on behind the value.
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
