package main

// internals are files for the folder internal, which replace internal packages of the standard
// library.
var internals = map[string]string{
	// The flags of the options that have a setter.
	"flags/flags.go": `package flags

import (
	json "github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/json/gotests/internal/jsonflags"
)

var setters = map[jsonflags.Bools]func(bool) jsonv2.Options{
	jsonflags.FormatByteArrayAsArray:          json.FormatByteArrayAsArray,
	jsonflags.FormatBytesWithLegacySemantics:  json.FormatBytesWithLegacySemantics,
	jsonflags.FormatDurationAsNano:            json.FormatDurationAsNano,
	jsonflags.MatchCaseSensitiveDelimiter:     json.MatchCaseSensitiveDelimiter,
	jsonflags.MergeWithLegacySemantics:        json.MergeWithLegacySemantics,
	jsonflags.OmitEmptyWithLegacySemantics:    json.OmitEmptyWithLegacySemantics,
	jsonflags.ParseBytesWithLooseRFC4648:      json.ParseBytesWithLooseRFC4648,
	jsonflags.ReportErrorsWithLegacySemantics: json.ReportErrorsWithLegacySemantics,
	jsonflags.StringifyWithLegacySemantics:    json.StringifyWithLegacySemantics,
	jsonflags.UnmarshalArrayFromAnyLength:     json.UnmarshalArrayFromAnyLength,
}

// Set returns the options for flags. Flags without a setter are ignored.
func Set(set jsonflags.Bools) jsonv2.Options {
	var list []jsonv2.Options
	for flag, setter := range setters {
		if set&flag != 0 {
			list = append(list, setter(true))
		}
	}
	return jsonv2.JoinOptions(list...)
}
`,
	// The tag format is enabled by a private option, which Hone does not have.
	"jsonopts/jsonopts.go": `package jsonopts

import jsonv2 "github.com/hone-go/hone/json/v2"

func ExperimentalSupportFormatTag(bool) jsonv2.Options { return jsonv2.JoinOptions() }
`,
	"testenv/testenv.go": `package testenv

import "testing"

func Builder() string { return "" }

func SkipIfOptimizationOff(*testing.T) {}
`,
	// The tests compare causes of errors by identity.
	"jsonwire/hone.go": `package jsonwire

import "github.com/hone-go/hone/json/internal/stream"

func init() { ErrInvalidUTF8 = stream.ErrInvalidUTF8 }
`,
	// The tests create values with private fields, to compare errors.
	"private/private.go": `package private

import (
	"reflect"
	"strconv"
	"unsafe"
)

// New returns a T with some fields set. The pairs are the name or the index of a field, and its
// value.
func New[T any](pairs ...any) *T {
	made := new(T)
	v := reflect.ValueOf(made).Elem()
	for i := 0; i < len(pairs); i += 2 {
		field := v.FieldByName(pairs[i].(string))
		if at, err := strconv.Atoi(pairs[i].(string)); err == nil {
			field = v.Field(at)
		}
		if pairs[i+1] != nil {
			reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(reflect.ValueOf(pairs[i+1]).Convert(field.Type()))
		}
	}
	return made
}
`,
}

// sameError is like reflect.DeepEqual for errors, but ignores the types of private errors.
const sameError = `
func sameError(x, y error) bool {
	if reflect.TypeOf(x) != reflect.TypeOf(y) {
		return x != nil && y != nil && !isExported(x) && !isExported(y) && x.Error() == y.Error() && sameError(errors.Unwrap(x), errors.Unwrap(y))
	}
	v, w := reflect.ValueOf(x), reflect.ValueOf(y)
	if x == nil || v.Kind() != reflect.Pointer || !isExported(x) {
		return reflect.DeepEqual(x, y)
	}
	v, w = v.Elem(), w.Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Name == "Err" {
			e, _ := v.Field(i).Interface().(error)
			g, _ := w.Field(i).Interface().(error)
			if !sameError(e, g) {
				return false
			}
		} else if f.IsExported() && !reflect.DeepEqual(v.Field(i).Interface(), w.Field(i).Interface()) {
			return false
		}
	}
	return x.Error() == y.Error()
}

func isExported(x error) bool {
	t := reflect.TypeOf(x)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return 'A' <= t.Name()[0] && t.Name()[0] <= 'Z' && !strings.Contains(t.PkgPath(), "internal")
}
`

// helpers contains a file for a package: it declares the private names that the tests of the
// package use, with Hone's functions.
var helpers = map[string]string{
	"encoding/json": `package json

type scanner struct{}

type isZeroer interface{ IsZero() bool }

func checkValid(data []byte, _ ...*scanner) error {
	var raw RawMessage
	return Unmarshal(data, &raw)
}
`,
	"encoding/json/v2": `package json

import (
	"errors"
	"reflect"
	"strings"

	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/jsontext"
)

func newDuplicateNameError(ptr jsontext.Pointer, quotedName []byte, offset int64) error {
	if quotedName != nil {
		name, _ := jsontext.AppendUnquote(nil, quotedName)
		ptr = ptr.AppendToken(string(name))
	}
	return &jsontext.SyntacticError{ByteOffset: offset, JSONPointer: ptr, Err: jsontext.ErrDuplicateName}
}

type isZeroer interface{ IsZero() bool }

func wrapErrUnsupported(_ error, by string) error {
	return errors.New(by + " may not return errors.ErrUnsupported")
}

var errAmbiguousName = rules.ErrAmbiguousName()

func len64[T ~[]byte | ~string](s T) int64 { return int64(len(s)) }

var export exporter

type exporter struct{}

type coder struct {
	Tokens struct {
		Stack []struct{}
		Last  last
	}
	Struct Options
}

type last int64

func (l last) Length() int64 { return int64(l) }

func coderOf(c interface {
	StackDepth() int
	StackIndex(int) (jsontext.Kind, int64)
	Options() Options
}) *coder {
	made := &coder{Struct: c.Options()}
	made.Tokens.Stack = make([]struct{}, c.StackDepth())
	_, n := c.StackIndex(c.StackDepth())
	made.Tokens.Last = last(n)
	return made
}

func (exporter) Encoder(e *jsontext.Encoder) *coder { return coderOf(e) }

func (exporter) Decoder(d *jsontext.Decoder) *coder { return coderOf(d) }
` + sameError,
	"encoding/json/jsontext": `package jsontext

import (
	"bytes"
	"errors"
	"reflect"
	"strings"

	"github.com/hone-go/hone/json/internal/export"
)

func rawToken(s string) Token {
	t, err := NewDecoder(strings.NewReader(s), AllowInvalidUTF8(true)).ReadToken()
	if err != nil {
		panic(err)
	}
	return t.Clone()
}

func unflushed(e *Encoder) []byte { return export.Encoder(e).Buffer() }

func withoutNewline(b *bytes.Buffer) string { return strings.TrimSuffix(b.String(), "\n") }
` + sameError,
}

// A substitute has a regular expression for private code in the tests, and equivalent code that
// uses only public names.
type substitute struct{ old, new string }

var substitutes = map[string][]substitute{
	"encoding/json/v2": {
		// An option for the tag format, which is private.
		{`(?s)&jsonopts\.Struct\{.*?\n\}`, `jsonopts.ExperimentalSupportFormatTag(true)`},
		{`reflect\.DeepEqual\((gotErr|err), tt\.(wantErr|err)\)`, `sameError($1, tt.$2)`},
		// Private causes are compared by their text.
		{`!errors\.Is\(err, (errChanging\w+)\)`, `!strings.Contains(fmt.Sprint(err), $1.Error())`},
		{`&export\.(Encoder|Decoder)\((\w+)\)\.Struct`, `export.$1($2).Struct`},
	},
	"encoding/json/jsontext": {
		{`return reflect\.DeepEqual\(x, y\)`, `return sameError(x, y)`},
		// A private option omits the newline at the end of a text.
		{`jsonflags\.OmitTopLevelNewline\|1`, `AllowDuplicateNames(false)`},
		{`got := dst\.String\(\)\n\tif`, "got := withoutNewline(dst)\n\tif"},
		{`dec\.s\.unreadBuffer\(\)`, `dec.UnreadBuffer()`},
		{`enc\.s\.unflushedBuffer\(\)`, `unflushed(enc)`},
		{`dec\.s\.reset\((.*), nil\)`, `dec.Reset(bytes.NewReader($1))`},
		{`enc\.s\.reset\(enc\.s\.Buf\[:0\], nil\)`, `enc.Reset(io.Discard)`},
	},
}
