// Package jsontext is a faster encoding/json/jsontext: it reads and writes JSON as a stream of
// tokens and values, without converting them to Go types. Package v2 uses it.
//
//	d := jsontext.NewDecoder(r)
//	for {
//		token, err := d.ReadToken()
//		if err == io.EOF {
//			break
//		}
//		...
//	}
//
// The package works from Go 1.26 on. From Go 1.27 on, [Value], [Kind], [Pointer], [SyntacticError]
// and [Options] are the types of the standard library, so values, errors and options can be passed
// between both packages. [Encoder], [Decoder] and [Token] are types of this package.
//
// # Guarantees
//
//   - Malformed input causes a [*SyntacticError] with its position, and never a panic.
//   - Arrays and objects may be nested 10,000 levels deep.
//   - A Decoder holds one token or value, and some kilobytes of unread input. [Decoder.SkipValue]
//     does not hold the value.
//   - Reading and writing tokens allocates only buffers, and the strings that [Token.String]
//     returns.
//
// docs/migrating/json-v2.md lists the differences from the standard library.
package jsontext

import (
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/export"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

type (
	// Options is one option or a list of options, such as [AllowDuplicateNames].
	Options = option.Options

	// A Value is one JSON value as text. It may be invalid.
	Value = stream.Value

	// A Kind is the kind of a token or value: the first byte of the token, or '0' for all numbers.
	Kind = stream.Kind

	// A Pointer is a JSON pointer (RFC 6901) to a value in a JSON text.
	Pointer = stream.Pointer

	// A SyntacticError reports invalid JSON, with its position and cause.
	SyntacticError = stream.SyntacticError
)

// Values of [Kind].
const (
	KindInvalid     Kind = 0
	KindNull        Kind = 'n'
	KindFalse       Kind = 'f'
	KindTrue        Kind = 't'
	KindString      Kind = '"'
	KindNumber      Kind = '0'
	KindBeginObject Kind = '{'
	KindEndObject   Kind = '}'
	KindBeginArray  Kind = '['
	KindEndArray    Kind = ']'
)

var (
	// ErrDuplicateName is the cause of a [SyntacticError] for a name that occurs twice in an
	// object.
	ErrDuplicateName = stream.ErrDuplicateName

	// ErrNonStringName is the cause of a [SyntacticError] for a name that is not a string.
	ErrNonStringName = stream.ErrNonStringName
)

func init() {
	export.Encoder = func(e any) *stream.Encoder { return &e.(*Encoder).s }
	export.Decoder = func(d any) *stream.Decoder { return &d.(*Decoder).s }
}

// AppendQuote appends src as a JSON string with as few escapes as possible. It replaces invalid
// UTF-8 by U+FFFD, and then returns an error.
func AppendQuote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	dst, ok := syntax.AppendText(dst, string(src), syntax.OnlyUTF8)
	if !ok {
		return dst, &SyntacticError{Err: stream.ErrInvalidUTF8}
	}
	return dst, nil
}

// AppendUnquote appends the content of the JSON string src. It replaces invalid UTF-8 by U+FFFD,
// and then returns an error. It also returns an error for text before or after the string.
func AppendUnquote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	dst, err := stream.AppendUnquote(dst, []byte(src))
	if err != nil {
		return dst, &SyntacticError{Err: err}
	}
	return dst, nil
}

// AppendFloat appends a number as RFC 8785 specifies, with the fewest digits that decode to the
// same float of 32 or 64 bits. It panics if bits is not 32 or 64. It appends NaN and infinities as
// package strconv formats them, which is not JSON.
func AppendFloat(dst []byte, src float64, bits int) []byte { return stream.AppendFloat(dst, src, bits) }

// AppendFormat appends the JSON value src, formatted as the options specify. On error it appends
// src unchanged.
func AppendFormat[Bytes ~[]byte | ~string](dst []byte, src Bytes, opts ...Options) ([]byte, error) {
	var set option.Set
	set.Join(opts...)
	return stream.AppendFormat(dst, []byte(src), set)
}
