// Package shadow has the same functions as package json/v2, and compares Hone's engine with
// encoding/json/v2. Change only the import to find out whether both engines return the same
// results for the traffic of your program.
//
//	import json "github.com/hone-go/hone/json/v2/shadow"
//
// Package json/shadow does the same for version 1. The result of every call comes from encoding/json/v2.
// For one call in a hundred, Hone's engine repeats the call, and output, values and errors are
// compared. [Set] changes the fraction of compared calls and the receiver of reports. [Answer]
// changes the engine whose results the calls return. Calls with streams, [MarshalEncode] and
// [UnmarshalDecode], are not compared.
//
// The standard engine requires Go 1.27. With Go 1.26 all results come from Hone's engine, and
// nothing is compared. docs/migrating/shadow.md describes the steps of a migration.
package shadow

import (
	"bytes"
	"io"
	"reflect"
	"sync/atomic"

	"github.com/hone-go/hone/internal/shadow"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/jsontext"
	json "github.com/hone-go/hone/json/v2"
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

// Answer selects the engine whose results calls return from now on. The default is
// encoding/json/v2; [json.HoneEngine] selects Hone's engine. The results of the other engine are
// compared.
func Answer(e json.Engine) { answers.Store(uint32(e)) }

// A Report is an expvar.Var for the counts.
type Report struct{}

// Counts returns the counts so far.
func (Report) Counts() Counts { return watch.Counts() }

// String returns the counts as JSON.
func (Report) String() string { return watch.JSON() }

// engines returns the options for the engine whose result the call returns, and for the other
// engine.
func engines(opts []Options) (first, second []Options) {
	a, b := json.StdEngine, json.HoneEngine
	if json.Engine(answers.Load()) == json.HoneEngine || !hasStandard {
		a, b = b, a
	}
	return withOption(opts, json.WithEngine(a)), withOption(opts, json.WithEngine(b))
}

// withOption returns a copy of opts, with the option o added.
func withOption(opts []Options, o Options) []Options { return append(opts[:len(opts):len(opts)], o) }

// chosen counts a call for v, and reports whether to compare it. Values that may contain a union with
// declared cases are not compared, because their result always comes from Hone's engine.
func chosen(v any) bool {
	if !watch.Chosen() || !hasStandard {
		return false
	}
	if rules.HoldsCases(reflect.TypeOf(v)) {
		watch.Pass()
		return false
	}
	return true
}

// Marshal returns the encoding of a value.
func Marshal(in any, opts ...Options) (out []byte, err error) {
	first, second := engines(opts)
	out, err = json.Marshal(in, first...)
	if chosen(in) {
		compareText("Marshal", in, out, err, first, second)
	}
	return out, err
}

// MarshalWrite writes the encoding of a value to out.
func MarshalWrite(out io.Writer, in any, opts ...Options) (err error) {
	first, second := engines(opts)
	if !chosen(in) {
		return json.MarshalWrite(out, in, first...)
	}
	to := shadow.Output{W: out}
	to.Keep(watch.MaxBytes())
	err = json.MarshalWrite(&to, in, first...)
	text, ok := to.Text()
	if !ok {
		watch.Pass()
		return err
	}
	compareText("MarshalWrite", in, text, err, first, second)
	return err
}

// Unmarshal decodes a text into the value that out points to.
func Unmarshal(in []byte, out any, opts ...Options) (err error) {
	first, second := engines(opts)
	if !chosen(out) {
		return json.Unmarshal(in, out, first...)
	}
	return watch.Decode("Unmarshal", out, func() error { return json.Unmarshal(in, out, first...) },
		func() ([]byte, bool) { return in, true }, decoderOf(second), shadow.Errors)
}

// UnmarshalRead reads a reader to its end and decodes its one value into the value that out points
// to.
func UnmarshalRead(in io.Reader, out any, opts ...Options) (err error) {
	first, second := engines(opts)
	if !chosen(out) {
		return json.UnmarshalRead(in, out, first...)
	}
	from := shadow.NewInput(in, watch.MaxBytes())
	return watch.Decode("UnmarshalRead", out, func() error { return json.UnmarshalRead(from, out, first...) }, from.All, decoderOf(second), shadow.Errors)
}

// decoderOf returns a function that decodes with the options in opts.
func decoderOf(opts []Options) func([]byte, any) error {
	return func(text []byte, v any) error { return json.Unmarshal(text, v, opts...) }
}

// compareText compares the output for v. By default the members of maps are in random order. If the
// outputs differ, v is encoded again in a fixed order.
func compareText(call string, v any, out []byte, err error, first, second []Options) {
	other := func() ([]byte, error) { return json.Marshal(v, second...) }
	watch.Text(call, v, out, err, other, func(a, b []byte) *Difference {
		if bytes.Equal(a, b) {
			return nil
		}
		sorted := json.Deterministic(true)
		a, errA := json.Marshal(v, withOption(first, sorted)...)
		b, errB := json.Marshal(v, withOption(second, sorted)...)
		if d := shadow.Errors(errA, errB); d != nil {
			return d
		}
		return shadow.Bytes(a, b)
	})
}

// MarshalEncode writes a value to a stream, as its next value. It is not compared.
func MarshalEncode(out *jsontext.Encoder, in any, opts ...Options) (err error) {
	first, _ := engines(opts)
	return json.MarshalEncode(out, in, first...)
}

// UnmarshalDecode decodes the next value of a stream. It is not compared.
func UnmarshalDecode(in *jsontext.Decoder, out any, opts ...Options) (err error) {
	first, _ := engines(opts)
	return json.UnmarshalDecode(in, out, first...)
}
