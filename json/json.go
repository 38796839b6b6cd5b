// Package json is a faster encoding/json: change the import, keep the code. It produces the same
// output as encoding/json, and decodes by the same rules. Its error types, [Number], [RawMessage]
// and the marshaler interfaces are the types of encoding/json, so values and errors can be passed
// between both packages.
//
//	data, err := json.Marshal(user)
//	err = json.Unmarshal(data, &user)
//
// A type is compiled once into a program, which then runs without reflection. [Append] appends to a
// slice of the caller. For most types it allocates nothing if the capacity of the slice is
// sufficient:
//
//	buf, err = json.Append(buf[:0], &user)
//
// A [Codec] compiles one type before its first use. A [Config] holds the options of a call.
// [Elements] and [WriteElements] stream arrays that are larger than memory. The types of package mo
// are encoded without calling their methods: an Option is null or its value.
//
// # Guarantees
//
//   - If the input is not valid JSON, Unmarshal does not change its target.
//   - Malformed input causes an error and never a panic. Arrays and objects may be nested 10,000
//     levels deep. The memory for decoding is proportional to the size of the input. The factor
//     depends on the target's type: an empty object and a comma, three bytes, may become a large
//     struct. Limit the size of the input accordingly.
//   - Results do not alias the input, unless [Config.AliasInput] is set. Short strings of several
//     results are allocated in blocks of 256 or 512 bytes, and each string keeps its block alive. A
//     program that retains one string of each document should set [Config.SeparateStrings].
//   - The package never reuses memory that it has passed to a marshal method.
//
// # Returning to encoding/json
//
// If the environment variable HONE_JSON is "std", all calls use encoding/json. [Config.Engine]
// selects the engine for one call. Package shadow compares the two engines in a running program.
//
// # Go releases
//
// In Go 1.27 encoding/json has a new engine, whose output, values and errors differ from Go 1.26 in
// some cases. This package supports the rules of both, and follows the release that builds the
// program. If HONE_JSON is "go1.26" or "go1.27", the program follows this release instead.
// [Config.Rules] selects the release for one call.
//
// docs/migrating/encoding-json.md lists the differences from encoding/json.
package json

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// Types of encoding/json, so that errors.As and interface assertions work across both packages.
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

// Append appends the encoding of v to dst and returns the extended slice. Like [Marshal] it escapes
// <, > and &. On error it returns dst unchanged.
//
// For a large value or a map, pass a pointer: converting the value itself to an interface copies it
// to the heap. Append retains neither dst nor v. It allocates to grow dst, for maps without string
// keys, for strings with the tag option "string", and in marshal methods. It returns the errors of
// encoding/json.
func Append(dst []byte, v any) ([]byte, error) {
	var o Config
	return o.append(dst, v)
}

// Marshal returns the encoding of v in a new slice.
func Marshal(v any) ([]byte, error) { return Config{}.Marshal(v) }

// Unmarshal decodes data, which must be one JSON value, into the value that v points to, by the
// rules of encoding/json.Unmarshal. The value does not alias data.
//
// If data is not valid JSON, Unmarshal returns a [*SyntaxError] and does not change the value. A
// JSON value that does not match its target's type is skipped. After decoding all other values,
// Unmarshal returns an [*UnmarshalTypeError] for the first skipped value.
//
// For most types Unmarshal allocates only memory that becomes part of the value. Strings of up to
// 64 bytes, and floats in interfaces, are allocated in blocks of up to 512 bytes. Each such string
// or float keeps its block alive.
func Unmarshal(data []byte, v any) error { return Config{}.Unmarshal(data, v) }

// MarshalIndent is like [Marshal], but puts each element on a new line. A line starts with prefix,
// followed by one indent for each level of nesting.
func MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	if (&Config{}).byStdFor(reflect.TypeOf(v)) {
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

// Valid reports whether data is exactly one JSON value.
func Valid(data []byte) bool {
	if byStd(DefaultEngine) {
		return json.Valid(data)
	}
	return syntax.Valid(data)
}

// Compact appends the JSON in src to dst without insignificant white space. If src is not valid
// JSON, it does not change dst.
func Compact(dst *bytes.Buffer, src []byte) error {
	if byStd(DefaultEngine) {
		return json.Compact(dst, src)
	}
	dst.Grow(len(src))
	out, ok := syntax.AppendCompact(dst.AvailableBuffer(), src, false)
	if !ok {
		return rules.CompactErrorOf(src, option.ByDefault)
	}
	dst.Write(out)
	return nil
}

// Indent appends the JSON in src to dst, formatted as by [MarshalIndent]. If src is not valid JSON,
// it does not change dst.
func Indent(dst *bytes.Buffer, src []byte, prefix, indent string) error {
	if byStd(DefaultEngine) {
		return json.Indent(dst, src, prefix, indent)
	}
	out, ok := syntax.AppendIndent(dst.AvailableBuffer(), src, prefix, indent)
	if !ok {
		return rules.IndentErrorOf(src, prefix, indent, option.ByDefault)
	}
	dst.Write(out)
	return nil
}

// HTMLEscape appends the JSON in src to dst, and escapes <, >, &, U+2028 and U+2029 in its strings.
func HTMLEscape(dst *bytes.Buffer, src []byte) { json.HTMLEscape(dst, src) }
