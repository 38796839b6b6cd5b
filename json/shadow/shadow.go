// Package shadow is package json with a second engine beside the first: change the import,
// keep the code, and see on the traffic of your own program whether Hone does what
// encoding/json does.
//
//	import json "github.com/hone-go/hone/json/shadow"
//
// encoding/json answers every call. For one call in a hundred Hone's engine does the same work
// beside it, and bytes, values and errors are compared. Differences go to log/slog with the
// caller, the type, and an excerpt whose letters and digits are masked. [Set] changes the
// share, who answers, and who is told. [Report] has the counts:
//
//	expvar.Publish("json_shadow", shadow.Report{})
//
// What the second engine makes never reaches the caller, and what it panics with is caught.
// Its time is bounded by [Settings.Budget], its memory by [Settings.MaxBytes].
//
// # What is compared
//
// Marshal methods are called twice for a call that is compared, and so are unmarshal methods,
// the second time for another target: one that counts its calls counts more. Unmarshal into a
// target that already holds something is not compared, nor is what tokens are read from; a
// Decoder is compared value by value. docs/migrating/shadow.md says how to go from the first
// share to the switch.
package shadow

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"sync/atomic"

	"github.com/hone-go/hone/internal/shadow"
	"github.com/hone-go/hone/json"
)

// Settings say how much is compared and who is told.
type Settings = shadow.Settings

// A Difference is a call of which the engines made different things.
type Difference = shadow.Difference

// Counts are what has happened since the program started.
type Counts = shadow.Counts

var (
	watch   = shadow.New(shadow.Settings{Share: 0.01})
	answers atomic.Uint32 // a json.Engine
)

// Set replaces the settings, by default a share of 0.01. It may be called at any time.
func Set(s Settings) { watch.Set(s) }

// Answer makes an engine answer the calls from now on: encoding/json's, as at first, unless it
// is [json.HoneEngine]. The other one is compared with it. An Encoder or Decoder keeps the
// engine that it was made with.
func Answer(e json.Engine) { answers.Store(uint32(e)) }

// A Report tells of the counts. It is an expvar.Var.
type Report struct{}

// Counts returns what has happened so far.
func (Report) Counts() Counts { return watch.Counts() }

// String returns the counts as JSON.
func (Report) String() string { return watch.JSON() }

// engines returns the options for the engine that answers and for the other one.
func engines() (first, second json.Config) {
	if json.Engine(answers.Load()) == json.HoneEngine {
		return json.Config{Engine: json.HoneEngine}, json.Config{Engine: json.StdEngine}
	}
	return json.Config{Engine: json.StdEngine}, json.Config{Engine: json.HoneEngine}
}

// Marshal returns the encoding of v.
func Marshal(v any) ([]byte, error) {
	first, second := engines()
	out, err := first.Marshal(v)
	if watch.Chosen() {
		watch.Text("Marshal", v, out, err, func() ([]byte, error) { return second.Marshal(v) }, shadow.Bytes)
	}
	return out, err
}

// MarshalIndent is [Marshal] with each element on a line of its own.
func MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	first, second := engines()
	out, err := indented(first, v, prefix, indent)
	if watch.Chosen() {
		watch.Text("MarshalIndent", v, out, err, func() ([]byte, error) { return indented(second, v, prefix, indent) }, shadow.Bytes)
	}
	return out, err
}

func indented(by json.Config, v any, prefix, indent string) ([]byte, error) {
	if by.Engine == json.StdEngine {
		return stdjson.MarshalIndent(v, prefix, indent)
	}
	var out bytes.Buffer
	e := by.NewEncoder(&out)
	e.SetIndent(prefix, indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Unmarshal decodes data into what v points to.
func Unmarshal(data []byte, v any) error {
	first, second := engines()
	if !watch.Chosen() {
		return first.Unmarshal(data, v)
	}
	return watch.Decode("Unmarshal", v, func() error { return first.Unmarshal(data, v) },
		func() ([]byte, bool) { return data, true }, second.Unmarshal, shadow.Errors)
}

// Valid reports whether data is one JSON value.
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

// Compact appends to dst the JSON src without insignificant white space. It is not compared.
func Compact(dst *bytes.Buffer, src []byte) error { return stdjson.Compact(dst, src) }

// Indent appends to dst the JSON src in the form of [MarshalIndent]. It is not compared.
func Indent(dst *bytes.Buffer, src []byte, prefix, indent string) error {
	return stdjson.Indent(dst, src, prefix, indent)
}

// HTMLEscape appends to dst the JSON src with <, >, &, U+2028 and U+2029 in its strings escaped.
// It is not compared.
func HTMLEscape(dst *bytes.Buffer, src []byte) { stdjson.HTMLEscape(dst, src) }

// These are encoding/json's own.
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
