// Package jsontext is encoding/json/jsontext with the cost taken out: it reads and writes
// JSON as a stream of tokens and of values, and knows no Go types. Package v2 builds on it.
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
// It works from Go 1.26 on. Where the standard library has the package, from Go 1.27 on,
// [Value], [Kind], [Pointer], [SyntacticError] and [Options] are its own types, so that
// values, errors and options pass between the two. [Encoder], [Decoder] and [Token] are
// this package's.
//
// # Guarantees
//
//   - Malformed input is a [*SyntacticError], which says where it is; it never panics.
//   - Arrays and objects nest 10,000 levels deep at most.
//   - A Decoder of a stream holds one token or value, and what it has read ahead: some
//     kilobytes. [Decoder.SkipValue] holds no value at all.
//   - Reading and writing tokens allocates nothing but the buffers, and what
//     [Token.String] returns.
//
// docs/migrating/json-v2.md lists what differs from the standard library's.
package jsontext

import (
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/export"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

type (
	// Options is one option of a call, or several; see [AllowDuplicateNames] and its like.
	Options = option.Options

	// A Value is the text of one JSON value. It may be invalid.
	Value = stream.Value

	// A Kind tells tokens and values apart, by the byte that they start with: '0' stands
	// for all numbers.
	Kind = stream.Kind

	// A Pointer is a JSON Pointer (RFC 6901) to a value in a text.
	Pointer = stream.Pointer

	// A SyntacticError says where a text is not JSON, and why.
	SyntacticError = stream.SyntacticError
)

// The kinds.
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
	// ErrDuplicateName is in the [SyntacticError] for a name that comes twice in an object.
	ErrDuplicateName = stream.ErrDuplicateName

	// ErrNonStringName is in the [SyntacticError] for a name that is not a string.
	ErrNonStringName = stream.ErrNonStringName
)

func init() {
	export.Encoder = func(e any) *stream.Encoder { return &e.(*Encoder).s }
	export.Decoder = func(d any) *stream.Decoder { return &d.(*Decoder).s }
}

// AppendQuote appends src as a JSON string with as few escapes as there can be. Bytes that
// are not UTF-8 become U+FFFD, and the error says that there were some.
func AppendQuote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	dst, ok := syntax.AppendText(dst, string(src), syntax.OnlyUTF8)
	if !ok {
		return dst, &SyntacticError{Err: stream.ErrInvalidUTF8}
	}
	return dst, nil
}

// AppendUnquote appends what the JSON string src stands for. What is not UTF-8 becomes
// U+FFFD, and the error says that there was some. Nothing may come before or behind the
// string.
func AppendUnquote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	dst, err := stream.AppendUnquote(dst, []byte(src))
	if err != nil {
		return dst, &SyntacticError{Err: err}
	}
	return dst, nil
}

// AppendFloat appends a number in the form of RFC 8785, with as few digits as read back as
// the same float of 32 or 64 bits; any other number of bits is a panic. NaN and the
// infinities are written as strconv writes them, which is not JSON.
func AppendFloat(dst []byte, src float64, bits int) []byte { return stream.AppendFloat(dst, src, bits) }

// AppendFormat appends the JSON value src in the form that the options ask for. On error it
// appends src as it is.
func AppendFormat[Bytes ~[]byte | ~string](dst []byte, src Bytes, opts ...Options) ([]byte, error) {
	var set option.Set
	set.Join(opts...)
	return stream.AppendFormat(dst, []byte(src), set)
}
