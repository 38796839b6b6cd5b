// Package shadow is package json/v2 with a second engine for comparison. Change the import, keep
// the code, and find out on the traffic of your own program whether Hone has the same results as
// encoding/json/v2.
//
//	import json "github.com/hone-go/hone/json/v2/shadow"
//
// It is package json/shadow for version 2: encoding/json/v2 answers every call, Hone's engine
// repeats one call in a hundred, and bytes, values and errors are compared. [Set] changes the share
// and the receiver of reports, and [Answer] changes the engine that answers. Calls on streams,
// [MarshalEncode] and [UnmarshalDecode], are not compared.
//
// The standard engine exists from Go 1.27 on. On Go 1.26 Hone's engine answers and nothing is
// compared. docs/migrating/shadow.md has the steps.
package shadow

import (
	"bytes"
	"io"
	"sync/atomic"

	"github.com/hone-go/hone/internal/shadow"
	"github.com/hone-go/hone/json/jsontext"
	json "github.com/hone-go/hone/json/v2"
)

// Settings are the share of calls that are compared, and the receivers of reports.
type Settings = shadow.Settings

// A Difference is a call for which the engines had different results.
type Difference = shadow.Difference

// Counts are the numbers of calls since the program started.
type Counts = shadow.Counts

var (
	watch   = shadow.New(shadow.Settings{Share: 0.01})
	answers atomic.Uint32 // a json.Engine
)

// Set replaces the settings. The default share is 0.01. Set may be called at any time.
func Set(s Settings) { watch.Set(s) }

// Answer selects the engine that answers calls from now on. The default is encoding/json/v2;
// [json.HoneEngine] selects Hone's engine. The results of the other engine are compared.
func Answer(e json.Engine) { answers.Store(uint32(e)) }

// A Report is an expvar.Var with the counts.
type Report struct{}

// Counts returns the counts so far.
func (Report) Counts() Counts { return watch.Counts() }

// String returns the counts as JSON.
func (Report) String() string { return watch.JSON() }

// engines returns the options for the engine that answers, and for the other one.
func engines(opts []Options) (first, second []Options) {
	a, b := json.StdEngine, json.HoneEngine
	if json.Engine(answers.Load()) == json.HoneEngine || !hasStandard {
		a, b = b, a
	}
	return with(opts, json.WithEngine(a)), with(opts, json.WithEngine(b))
}

// with appends an option to a copy of others.
func with(opts []Options, o Options) []Options { return append(opts[:len(opts):len(opts)], o) }

// chosen counts a call and reports whether it is to be compared.
func chosen() bool { return watch.Chosen() && hasStandard }

// Marshal returns the encoding of v.
func Marshal(in any, opts ...Options) (out []byte, err error) {
	first, second := engines(opts)
	out, err = json.Marshal(in, first...)
	if chosen() {
		compareText("Marshal", in, out, err, first, second)
	}
	return out, err
}

// MarshalWrite writes the encoding of v to out.
func MarshalWrite(out io.Writer, in any, opts ...Options) (err error) {
	first, second := engines(opts)
	if !chosen() {
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

// Unmarshal decodes data into the value that v points to.
func Unmarshal(in []byte, out any, opts ...Options) (err error) {
	first, second := engines(opts)
	if !chosen() {
		return json.Unmarshal(in, out, first...)
	}
	return watch.Decode("Unmarshal", out, func() error { return json.Unmarshal(in, out, first...) },
		func() ([]byte, bool) { return in, true }, by(second), shadow.Errors)
}

// UnmarshalRead reads in to its end and decodes its one value.
func UnmarshalRead(in io.Reader, out any, opts ...Options) (err error) {
	first, second := engines(opts)
	if !chosen() {
		return json.UnmarshalRead(in, out, first...)
	}
	from := shadow.NewInput(in, watch.MaxBytes())
	return watch.Decode("UnmarshalRead", out, func() error { return json.UnmarshalRead(from, out, first...) }, from.All, by(second), shadow.Errors)
}

// by returns the function that decodes by the options.
func by(opts []Options) func([]byte, any) error {
	return func(text []byte, v any) error { return json.Unmarshal(text, v, opts...) }
}

// compareText compares the output for v. Without an option the members of maps have no fixed order,
// so outputs that differ are made again in a fixed order.
func compareText(call string, v any, out []byte, err error, first, second []Options) {
	other := func() ([]byte, error) { return json.Marshal(v, second...) }
	watch.Text(call, v, out, err, other, func(a, b []byte) *Difference {
		if bytes.Equal(a, b) {
			return nil
		}
		sorted := json.Deterministic(true)
		a, errA := json.Marshal(v, with(first, sorted)...)
		b, errB := json.Marshal(v, with(second, sorted)...)
		if d := shadow.Errors(errA, errB); d != nil {
			return d
		}
		return shadow.Bytes(a, b)
	})
}

// MarshalEncode writes v to a stream as its next value. It is not compared.
func MarshalEncode(out *jsontext.Encoder, in any, opts ...Options) (err error) {
	first, _ := engines(opts)
	return json.MarshalEncode(out, in, first...)
}

// UnmarshalDecode decodes the next value of a stream. It is not compared.
func UnmarshalDecode(in *jsontext.Decoder, out any, opts ...Options) (err error) {
	first, _ := engines(opts)
	return json.UnmarshalDecode(in, out, first...)
}
