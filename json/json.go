// Package json is encoding/json with the cost taken out: change the import,
// keep the code. What it writes is byte for byte what encoding/json writes, and
// what it reads it reads by the same rules; error types, [Number], [RawMessage]
// and the marshaler interfaces are encoding/json's own, so values and errors
// pass freely between the two.
//
//	data, err := json.Marshal(user)
//	err = json.Unmarshal(data, &user)
//
// A type is compiled once into a program, which then runs without reflection.
// [Append] writes into a buffer that the caller keeps, and allocates nothing
// when there is room:
//
//	buf, err = json.Append(buf[:0], &user)
//
// A [Codec] has looked its type up before, a [Config] says how one call differs,
// [Elements] and [WriteElements] take arrays that are larger than memory. The
// types of package mo are seen natively, without a call to their methods: an
// Option is null or its value.
//
// # Guarantees
//
//   - Unmarshal leaves its target untouched if the input is not valid JSON.
//   - Malformed input is an error, never a panic, and nests 10,000 levels deep
//     at most. Decoding takes memory in proportion to the
//     input, by a factor that the target's types set: an empty object of three
//     bytes becomes a whole struct. Bound the input accordingly.
//   - Nothing that is returned shares memory with the input, unless
//     [Config.AliasInput] asks for it.
//   - Nothing that a marshal method was given is used again.
//
// # Going back
//
// With HONE_JSON=std in the environment encoding/json does the work of every call. A Config
// says so for one; see [Engine], and package shadow for comparing the two while they run.
//
// docs/migrating/encoding-json.md lists what differs from encoding/json.
package json

import (
	"bytes"
	"encoding/json"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/syntax"
)

// These are encoding/json's own, so that errors.As and interface assertions
// work across the two packages.
type (
	Delim                 = json.Delim
	InvalidUTF8Error      = json.InvalidUTF8Error //lint:ignore SA1019 a drop-in has it too
	InvalidUnmarshalError = json.InvalidUnmarshalError
	Marshaler             = json.Marshaler
	MarshalerError        = json.MarshalerError
	Number                = json.Number
	RawMessage            = json.RawMessage
	SyntaxError           = json.SyntaxError
	Token                 = json.Token
	UnmarshalFieldError   = json.UnmarshalFieldError //lint:ignore SA1019 a drop-in has it too
	UnmarshalTypeError    = json.UnmarshalTypeError
	Unmarshaler           = json.Unmarshaler
	UnsupportedTypeError  = json.UnsupportedTypeError
	UnsupportedValueError = json.UnsupportedValueError
)

// Append appends the encoding of v to dst and returns the extended slice; it
// escapes <, > and & as [Marshal] does. On error it returns dst unchanged.
//
// Passing a pointer spares the copy that an interface makes of a large value,
// and the cell that one of a map needs. Append retains neither dst nor v. Beyond
// growing dst it allocates for maps that are not keyed by strings, for strings
// with the option string, and what marshal methods allocate. The errors are
// those of encoding/json's Marshal.
func Append(dst []byte, v any) ([]byte, error) {
	var o Config
	return o.append(dst, v)
}

// Marshal returns the encoding of v in a slice of its own.
func Marshal(v any) ([]byte, error) { return Config{}.Marshal(v) }

// Unmarshal decodes data, which is one JSON value, into what v points to, by
// the rules of encoding/json's Unmarshal. It copies what it keeps of data.
//
// If data is not valid JSON, the error is a [*SyntaxError] and nothing has been
// changed. A value that does not fit its target is skipped; the first such
// misfit is returned as an [*UnmarshalTypeError] when all the rest is decoded.
//
// It allocates what the value keeps and no more. Strings of up to 64 bytes, and
// floats in interfaces, are cut from blocks of 512 bytes, which they keep alive.
func Unmarshal(data []byte, v any) error { return Config{}.Unmarshal(data, v) }

// MarshalIndent is like [Marshal], with each element on a line of its own that
// starts with prefix and one indent for each level of nesting.
func MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	if byStd(DefaultEngine) {
		return json.MarshalIndent(v, prefix, indent)
	}
	scratch := buffer.Take()
	b, err := Append(scratch.B, v)
	var out []byte
	if err == nil {
		lines := buffer.Take()
		lines.B = syntax.AppendLines(lines.B, b, prefix, indent)
		out = copyOf(lines.B)
		lines.Release()
	}
	scratch.B = b
	scratch.Release()
	return out, err
}

// Valid reports whether data is one JSON value.
func Valid(data []byte) bool {
	if byStd(DefaultEngine) {
		return json.Valid(data)
	}
	return syntax.Valid(data)
}

// Compact appends to dst the JSON src without insignificant white space. If src
// is not valid JSON, dst stays as it was.
func Compact(dst *bytes.Buffer, src []byte) error {
	if byStd(DefaultEngine) {
		return json.Compact(dst, src)
	}
	dst.Grow(len(src))
	out, ok := syntax.AppendCompact(dst.AvailableBuffer(), src, false)
	if !ok {
		return json.Compact(dst, src) // for its error
	}
	dst.Write(out)
	return nil
}

// Indent appends to dst the JSON src in the form of [MarshalIndent]. If src is not
// valid JSON, dst stays as it was.
func Indent(dst *bytes.Buffer, src []byte, prefix, indent string) error {
	if byStd(DefaultEngine) {
		return json.Indent(dst, src, prefix, indent)
	}
	out, ok := syntax.AppendIndent(dst.AvailableBuffer(), src, prefix, indent)
	if !ok {
		return json.Indent(dst, src, prefix, indent) // for its error
	}
	dst.Write(out)
	return nil
}

// HTMLEscape appends to dst the JSON src with <, >, &, U+2028 and U+2029 in its
// strings escaped.
func HTMLEscape(dst *bytes.Buffer, src []byte) { json.HTMLEscape(dst, src) }
