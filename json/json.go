// Package json is a faster encoding/json: change the import, keep the code. It writes the same
// bytes as encoding/json, and decodes by the same rules. Its error types, [Number], [RawMessage]
// and the marshaler interfaces are encoding/json's own, so values and errors can be passed between
// the two packages.
//
//	data, err := json.Marshal(user)
//	err = json.Unmarshal(data, &user)
//
// A type is compiled once into a program, which then runs without reflection. [Append] writes into
// a buffer of the caller, and allocates nothing if the buffer is large enough:
//
//	buf, err = json.Append(buf[:0], &user)
//
// A [Codec] is compiled for one type before its first use. A [Config] has the options of a call.
// [Elements] and [WriteElements] stream arrays that are larger than memory. The types of package mo
// are encoded without a call of their methods: an Option is null or its value.
//
// # Guarantees
//
//   - Unmarshal leaves its target unchanged if the input is not valid JSON.
//   - Malformed input is an error and never a panic. Arrays and objects nest at most 10,000 levels
//     deep. Decoding takes memory in proportion to the input, by a factor that depends on the types
//     of the target: three bytes for an empty object and a comma may become a large struct. Limit
//     the size of the input accordingly.
//   - Results share no memory with the input, unless [Config.AliasInput] is set.
//   - The package never reuses memory that it has passed to a marshal method.
//
// # Going back
//
// With HONE_JSON=std in the environment encoding/json encodes and decodes for every call.
// [Config.Engine] selects the engine of one call. Package shadow compares the two engines while a
// program runs.
//
// # Releases of Go
//
// The encoding/json of Go 1.27 has a new engine, whose bytes, values and errors differ from Go 1.26
// in some cases. This package has the rules of both, and follows the release of Go that builds the
// program. With HONE_JSON=go1.26 or HONE_JSON=go1.27 in the environment a program follows the named
// release instead. [Config.Rules] selects the release for one call.
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

// These types are encoding/json's own, so errors.As and interface assertions work across the two
// packages.
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
// Pass a pointer to a large value or a map: converting the value itself to an interface copies it
// to the heap. Append retains neither dst nor v. It allocates to grow dst, for maps whose keys are
// not strings, for strings with the tag option string, and in marshal methods. The errors are
// encoding/json's.
func Append(dst []byte, v any) ([]byte, error) {
	var o Config
	return o.append(dst, v)
}

// Marshal returns the encoding of v in a new slice.
func Marshal(v any) ([]byte, error) { return Config{}.Marshal(v) }

// Unmarshal decodes data, which is one JSON value, into the value that v points to, by the rules of
// encoding/json.Unmarshal. The value shares no memory with data.
//
// If data is not valid JSON, the error is a [*SyntaxError] and the value is unchanged. A JSON value
// that does not fit its target is skipped. After the rest is decoded, the first such error is
// returned, as an [*UnmarshalTypeError].
//
// Unmarshal allocates only memory that becomes part of the value. Strings of up to 64 bytes, and
// floats in interfaces, share blocks of 512 bytes. Each of them keeps its block alive.
func Unmarshal(data []byte, v any) error { return Config{}.Unmarshal(data, v) }

// MarshalIndent is like [Marshal], but starts a new line for each element. A line begins with
// prefix and one indent for each level of nesting.
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

// Valid reports whether data is one JSON value.
func Valid(data []byte) bool {
	if byStd(DefaultEngine) {
		return json.Valid(data)
	}
	return syntax.Valid(data)
}

// Compact appends the JSON src to dst without insignificant white space. If src is not valid JSON,
// dst is unchanged.
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

// Indent appends the JSON src to dst in the form of [MarshalIndent]. If src is not valid JSON, dst
// is unchanged.
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

// HTMLEscape appends the JSON src to dst, and escapes <, >, &, U+2028 and U+2029 in its strings.
func HTMLEscape(dst *bytes.Buffer, src []byte) { json.HTMLEscape(dst, src) }
