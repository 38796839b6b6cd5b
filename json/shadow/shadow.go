// Package shadow has the same functions as package json, and compares Hone's engine with
// encoding/json. Change only the import to find out whether both engines return the same results
// for the traffic of your program.
//
//	import json "github.com/hone-go/hone/json/shadow"
//
// The result of every call comes from encoding/json. For one call in a hundred, Hone's engine
// repeats the call, and output, values and errors are compared. Differences are logged to log/slog
// with the caller, the type, and an excerpt in which letters and digits are masked. [Set] changes
// the fraction of compared calls and the receiver of reports. [Answer] changes the engine whose
// results the calls return. [Report] publishes the counts:
//
//	expvar.Publish("json_shadow", shadow.Report{})
//
// The results of the second engine never reach the caller, and its panics are recovered.
// [Settings.Budget] limits its time, and [Settings.MaxBytes] its memory.
//
// # Scope
//
// A compared call calls marshal and unmarshal methods twice, the second time with another target. A
// method that counts its calls counts both. A call of Unmarshal is compared only if its target is
// zero. Tokens are not compared. Types with a method that takes a stream of Hone's package jsontext
// are not compared either: encoding/json cannot call the method, so the results always come from
// Hone's engine. A Decoder compares each value separately. docs/migrating/shadow.md describes the
// steps of a migration.
package shadow

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"sync/atomic"

	"github.com/hone-go/hone/internal/shadow"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/internal/rules"
)

// Settings are the fraction of calls that are compared, the limits of comparisons, and the receivers
// of reports.
type Settings = shadow.Settings

// A Difference describes a call for which the engines returned different results.
type Difference = shadow.Difference

// Counts contains numbers of calls since the start of the program.
type Counts = shadow.Counts

var (
	watch   = shadow.New(shadow.Settings{Share: 0.01})
	answers atomic.Uint32 // the json.Engine whose results calls return
)

// Set replaces the settings. By default one call in a hundred is compared. Set may be called at any
// time.
func Set(s Settings) { watch.Set(s) }

// Answer selects the engine whose results calls return from now on. The default is encoding/json;
// [json.HoneEngine] selects Hone's engine. The results of the other engine are compared. An
// existing Encoder or Decoder keeps its engine.
func Answer(e json.Engine) { answers.Store(uint32(e)) }

// A Report is an expvar.Var for the counts.
type Report struct{}

// Counts returns the counts so far.
func (Report) Counts() Counts { return watch.Counts() }

// String returns the counts as JSON.
func (Report) String() string { return watch.JSON() }

// engines returns the options for the engine whose result the call returns, and for the other
// engine.
func engines() (first, second json.Config) {
	if json.Engine(answers.Load()) == json.HoneEngine {
		return json.Config{Engine: json.HoneEngine}, json.Config{Engine: json.StdEngine}
	}
	return json.Config{Engine: json.StdEngine}, json.Config{Engine: json.HoneEngine}
}

// chosen counts a call for v, and reports whether to compare it. Types with methods that take
// Hone's streams are not compared: encoding/json cannot call the methods, so the result always
// comes from Hone's engine.
func chosen(v any) bool {
	if !watch.Chosen() {
		return false
	}
	if rules.NeedsHone(reflect.TypeOf(v)) {
		watch.Pass()
		return false
	}
	return true
}

// Marshal returns the encoding of v.
func Marshal(v any) ([]byte, error) {
	first, second := engines()
	out, err := first.Marshal(v)
	if chosen(v) {
		watch.Text("Marshal", v, out, err, func() ([]byte, error) { return second.Marshal(v) }, shadow.Bytes)
	}
	return out, err
}

// MarshalIndent is like [Marshal], but puts each element on a new line.
func MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	first, second := engines()
	out, err := indented(first, v, prefix, indent)
	if chosen(v) {
		watch.Text("MarshalIndent", v, out, err, func() ([]byte, error) { return indented(second, v, prefix, indent) }, shadow.Bytes)
	}
	return out, err
}

func indented(by json.Config, v any, prefix, indent string) ([]byte, error) {
	if by.Engine == json.StdEngine && !rules.NeedsHone(reflect.TypeOf(v)) {
		return stdjson.MarshalIndent(v, prefix, indent)
	}
	text, err := by.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, text, prefix, indent)
	return out.Bytes(), err
}

// Unmarshal decodes data into the value that v points to.
func Unmarshal(data []byte, v any) error {
	first, second := engines()
	if !chosen(v) {
		return first.Unmarshal(data, v)
	}
	return watch.Decode("Unmarshal", v, func() error { return first.Unmarshal(data, v) },
		func() ([]byte, bool) { return data, true }, second.Unmarshal, shadow.Errors)
}

// Valid reports whether data is exactly one JSON value.
func Valid(data []byte) bool {
	valid := stdjson.Valid(data)
	if watch.Chosen() {
		if len(data) > watch.MaxBytes() {
			watch.Pass()
			return valid
		}
		watch.Compare("Valid", reflect.TypeFor[[]byte](), func() *Difference {
			err := json.Config{Engine: json.HoneEngine}.Unmarshal(data, new(json.RawMessage))
			return shadow.Values(reflect.ValueOf(valid), reflect.ValueOf(err == nil))
		})
	}
	return valid
}

// Compact appends the JSON in src to dst without insignificant white space. It is not compared.
func Compact(dst *bytes.Buffer, src []byte) error { return stdjson.Compact(dst, src) }

// Indent appends the JSON in src to dst, formatted as by [MarshalIndent]. It is not compared.
func Indent(dst *bytes.Buffer, src []byte, prefix, indent string) error {
	return stdjson.Indent(dst, src, prefix, indent)
}

// HTMLEscape appends the JSON in src to dst, and escapes <, >, &, U+2028 and U+2029 in its strings.
// It is not compared.
func HTMLEscape(dst *bytes.Buffer, src []byte) { stdjson.HTMLEscape(dst, src) }

// Types of encoding/json.
type (
	Delim                 = json.Delim
	InvalidUTF8Error      = json.InvalidUTF8Error
	InvalidUnmarshalError = json.InvalidUnmarshalError
	Marshaler             = json.Marshaler
	MarshalerError        = json.MarshalerError
	Number                = json.Number
	RawMessage            = json.RawMessage
	SyntaxError           = json.SyntaxError
	Token                 = json.Token
	UnmarshalFieldError   = json.UnmarshalFieldError
	UnmarshalTypeError    = json.UnmarshalTypeError
	Unmarshaler           = json.Unmarshaler
	UnsupportedTypeError  = json.UnsupportedTypeError
	UnsupportedValueError = json.UnsupportedValueError
)
