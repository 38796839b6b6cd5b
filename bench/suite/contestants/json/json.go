// Package json has the contests of the JSON codecs.
package json

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"io"

	"github.com/bytedance/sonic"
	sonicencoder "github.com/bytedance/sonic/encoder"
	jsonv2 "github.com/go-json-experiment/json"
	goccy "github.com/goccy/go-json"
	goccyv2 "github.com/goccy/go-json/v2"
	jsoniter "github.com/json-iterator/go"
	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/jwriter"
	segmentio "github.com/segmentio/encoding/json"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/generated/jsonpeer"
	"github.com/hone-go/hone/json"
	honev2 "github.com/hone-go/hone/json/v2"
)

// A jsonEngine encodes the value at a pointer into a buffer, which the engine may reuse. It also
// decodes, unless decode is nil.
type jsonEngine struct {
	name   string
	notes  []string
	encode func() func(buf []byte, v any) ([]byte, error)
	decode func(data []byte, v any) error
	takes  func(v any) bool // nil if it supports any value
}

// plain returns a constructor of encoders that keep nothing between calls.
func plain(encode func(buf []byte, v any) ([]byte, error)) func() func([]byte, any) ([]byte, error) {
	return func() func([]byte, any) ([]byte, error) { return encode }
}

func fresh(marshal func(v any) ([]byte, error)) func() func([]byte, any) ([]byte, error) {
	return plain(func(_ []byte, v any) ([]byte, error) { return marshal(v) })
}

// kept returns a constructor of encoders. All calls of an encoder's Encode write to the same
// buffer.
func kept(encoder func(w io.Writer) interface{ Encode(v any) error }) func() func([]byte, any) ([]byte, error) {
	return func() func([]byte, any) ([]byte, error) {
		var buf bytes.Buffer
		e := encoder(&buf)
		return func(_ []byte, v any) ([]byte, error) {
			buf.Reset()
			err := e.Encode(v)
			return buf.Bytes(), err
		}
	}
}

const (
	reuses    = "reused buffer"
	alwaysNew = "fresh buffer"
	jit       = "compiles machine code when it runs"
)

var jsonEngines = []jsonEngine{
	{"hone", []string{reuses}, plain(func(buf []byte, v any) ([]byte, error) { return json.Append(buf[:0], v) }), json.Unmarshal, nil},
	{"hone Marshal", []string{alwaysNew}, fresh(json.Marshal), nil, nil},
	{
		"hone v2", []string{reuses, "v2's defaults but for nil, which is null"},
		plain(func(buf []byte, v any) ([]byte, error) {
			return honev2.Append(buf[:0], v, honev2.FormatNilSliceAsNull(true), honev2.FormatNilMapAsNull(true))
		}),
		func(data []byte, v any) error { return honev2.Unmarshal(data, v) }, nil,
	},
	{"encoding/json", []string{reuses}, kept(func(w io.Writer) interface{ Encode(v any) error } { return stdjson.NewEncoder(w) }), stdjson.Unmarshal, nil},
	{"encoding/json Marshal", []string{alwaysNew}, fresh(stdjson.Marshal), nil, nil},
	{
		"encoding/json/v2", []string{reuses, "v2's defaults but for nil, which is null", "as go-json-experiment/json"},
		func() func([]byte, any) ([]byte, error) {
			var buf bytes.Buffer
			return func(_ []byte, v any) ([]byte, error) {
				buf.Reset()
				err := jsonv2.MarshalWrite(&buf, v, jsonv2.FormatNilSliceAsNull(true), jsonv2.FormatNilMapAsNull(true))
				return buf.Bytes(), err
			}
		},
		func(data []byte, v any) error { return jsonv2.Unmarshal(data, v) }, nil,
	},
	{"goccy/go-json", []string{reuses}, kept(func(w io.Writer) interface{ Encode(v any) error } { return goccy.NewEncoder(w) }), goccy.Unmarshal, nil},
	{"goccy Marshal", []string{alwaysNew}, fresh(goccy.Marshal), nil, nil},
	{
		goccyV2, []string{reuses, "v2's defaults but for nil, which is null"},
		plain(func(buf []byte, v any) ([]byte, error) {
			return encodeByGoccy(buf[:0], v, goccyv2.FormatNilSliceAsNull(true), goccyv2.FormatNilMapAsNull(true))
		}),
		func(data []byte, v any) error { return goccyv2.Unmarshal(data, v) }, nil,
	},
	{
		"sonic ConfigStd", []string{reuses, jit},
		plain(func(buf []byte, v any) ([]byte, error) {
			buf = buf[:0]
			err := sonicencoder.EncodeInto(&buf, v, sonicencoder.EscapeHTML|sonicencoder.SortMapKeys|sonicencoder.CompactMarshaler|sonicencoder.ValidateString)
			return buf, err
		}),
		sonic.ConfigStd.Unmarshal, nil,
	},
	{
		"sonic ConfigDefault", []string{reuses, jit, "strings keep the document alive", "text is not validated"},
		plain(func(buf []byte, v any) ([]byte, error) {
			buf = buf[:0]
			err := sonicencoder.EncodeInto(&buf, v, 0)
			return buf, err
		}),
		sonic.ConfigDefault.Unmarshal, nil,
	},
	{
		"segmentio/encoding", []string{reuses},
		plain(func(buf []byte, v any) ([]byte, error) {
			return segmentio.Append(buf[:0], v, segmentio.EscapeHTML|segmentio.SortMapKeys)
		}),
		segmentio.Unmarshal, nil,
	},
	{
		"jsoniter", []string{reuses, "ConfigCompatibleWithStandardLibrary"},
		func() func([]byte, any) ([]byte, error) {
			stream := jsoniter.ConfigCompatibleWithStandardLibrary.BorrowStream(nil)
			return func(_ []byte, v any) ([]byte, error) {
				stream.Reset(nil)
				stream.WriteVal(v)
				return stream.Buffer(), stream.Error
			}
		},
		jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal, nil,
	},
	{
		"easyjson", []string{reuses, "generated"},
		plain(func(buf []byte, v any) ([]byte, error) {
			var w jwriter.Writer
			v.(easyjson.Marshaler).MarshalEasyJSON(&w)
			return w.BuildBytes(buf[:0])
		}),
		func(data []byte, v any) error { return easyjson.Unmarshal(data, v.(easyjson.Unmarshaler)) },
		func(v any) bool { _, ok := v.(easyjson.Marshaler); return ok },
	},
}

// An engine has one set of probes for all contests.
var encoding, decoding = func() (encoding, decoding map[string]*contest.Probes) {
	encoding, decoding = map[string]*contest.Probes{}, map[string]*contest.Probes{}
	for _, e := range jsonEngines {
		encoding[e.name] = probing(e.takes, e.encode)
		if e.decode != nil {
			decoding[e.name] = reading(e.takes, false, e.decode)
		}
	}
	return encoding, decoding
}()

// Contests returns the contests of json.
func Contests() []contest.Contest {
	var all []contest.Contest
	all = append(all, jsonPair("json/record", built(jsonpeer.Octo))...)
	all = append(all, jsonPair("json/100 records", built(hundredAPIs))...)
	all = append(all, jsonPair("json/geojson with nulls", built(places))...)
	all = append(all, jsonPair("json/pulse batch", built(pulseBatch))...)
	all = append(all, jsonPair("json/canada", document[jsonpeer.CanadaDocument]("canada_geometry"))...)
	all = append(all, jsonPair("json/citm", document[jsonpeer.CitmDocument]("citm_catalog"))...)
	all = append(all, jsonPair("json/golang source", document[jsonpeer.SourceDocument]("golang_source"))...)
	all = append(all, jsonPair("json/strings escaped", document[map[string]string]("string_escaped"))...)
	all = append(all, jsonPair("json/strings unicode", document[map[string]string]("string_unicode"))...)
	all = append(all, jsonPair("json/synthea", document[jsonpeer.FhirDocument]("synthea_fhir"))...)
	all = append(all, jsonPair("json/twitter", document[jsonpeer.TwitterDocument]("twitter_status"))...)
	all = append(all, jsonPair("json/any twitter", document[any]("twitter_status"))...)
	all = append(all, jsonPair("json/any citm", document[any]("citm_catalog"))...)
	all = append(all, jsonPair("json/any canada", document[any]("canada_geometry"))...)
	all = append(all, textContests()...)
	all = append(all, streamContests()...)
	all = append(all, programContests()...)
	all = append(all, unionContests()...)
	return append(all, handlerContest())
}

// jsonPair returns the two contests of a payload. Hone's output must be equal to encoding/json's.
// The output of each peer must be decoded as the payload.
func jsonPair[T any](name string, payload func() (v T, text []byte, err error)) []contest.Contest {
	encode := contest.Contest{Name: name + "/encode", Promises: encodes}
	decode := contest.Contest{Name: name + "/decode", Promises: decodes}
	for _, engine := range jsonEngines {
		if engine.takes != nil && !engine.takes(new(T)) {
			continue
		}
		encode.Contestants = append(encode.Contestants, contest.Contestant{
			Name: engine.name, Notes: engine.notes, Probes: encoding[engine.name], New: func() (func(int), error) {
				v, _, err := payload()
				if err != nil {
					return nil, err
				}
				want, err := stdjson.Marshal(&v)
				if err != nil {
					return nil, err
				}
				encode := engine.encode()
				buf, err := encode(nil, &v)
				if err != nil {
					return nil, err
				}
				if engine.name == "hone" || engine.name == "hone Marshal" {
					if !bytes.Equal(buf, want) {
						return nil, fmt.Errorf("the output differs from encoding/json's")
					}
				} else {
					var back T
					if err := stdjson.Unmarshal(buf, &back); err != nil {
						return nil, err
					}
					if err := contest.Same(back, v); err != nil {
						return nil, fmt.Errorf("the output decodes to another value")
					}
				}
				return contest.Loop(func() { buf, _ = encode(buf, &v) }), nil
			},
		})
		if engine.decode == nil {
			continue
		}
		decode.Contestants = append(decode.Contestants, contest.Contestant{
			Name: engine.name, Notes: engine.notes[1:], Probes: decoding[engine.name], New: func() (func(int), error) {
				want, text, err := payload()
				if err != nil {
					return nil, err
				}
				var back T
				if err := engine.decode(text, &back); err != nil {
					return nil, err
				}
				if contest.Same(back, want) != nil {
					return nil, fmt.Errorf("the decoded value differs from encoding/json's")
				}
				return contest.Loop(func() {
					v := new(T)
					_ = engine.decode(text, v)
				}), nil
			},
		})
	}
	return []contest.Contest{encode, decode}
}

// Response is the value that the handler of [handlerContest] sends.
type Response struct {
	Message string `json:"message"`
}

var responses = json.For[Response]()

// hello returns the text of a Response. The compiler cannot inline it, so the text is not a
// constant, as in a real handler.
//
//go:noinline
func hello() string { return "Hello World" }

// sinkWriter accepts the writes of a handler, like a response.
type sinkWriter struct{ data []byte }

func (w *sinkWriter) Write(p []byte) (int, error) {
	w.data = append(w.data, p...)
	return len(p), nil
}

// handlerContest compares three ways to send JSON with the standard library, and Hone's way. The ways are from the
// published table "json.Marshal against an Encoder" in package report.
func handlerContest() contest.Contest {
	way := func(answer func(w io.Writer) error) func() (func(int), error) {
		return func() (func(int), error) {
			w := &sinkWriter{}
			if err := answer(w); err != nil {
				return nil, err
			}
			if got := string(bytes.TrimSpace(w.data)); got != `{"message":"Hello World"}` {
				return nil, fmt.Errorf("unexpected output %s", got)
			}
			return contest.Loop(func() {
				w.data = w.data[:0]
				_ = answer(w)
			}), nil
		}
	}
	opened := func(open func(io.Writer) interface{ Encode(v any) error }) *contest.Probes {
		return probing(nil, kept(open))
	}
	return contest.Contest{Name: "json/handler", Promises: encodes, Contestants: []contest.Contestant{
		{Name: "hone", Notes: []string{"a Codec's MarshalWrite"}, Probes: probing(nil, kept(func(w io.Writer) interface{ Encode(v any) error } { return writer{w} })), New: way(func(w io.Writer) error {
			return responses.MarshalWrite(w, Response{hello()})
		})},
		{Name: "hone Encoder", Notes: []string{"Encode(&v)"}, Probes: opened(func(w io.Writer) interface{ Encode(v any) error } { return json.NewEncoder(w) }), New: way(func(w io.Writer) error {
			return json.NewEncoder(w).Encode(&Response{hello()})
		})},
		{Name: "Marshal, Fprint", Probes: encoding["encoding/json Marshal"], New: way(func(w io.Writer) error {
			data, err := stdjson.Marshal(Response{hello()})
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(w, string(data))
			return err
		})},
		{Name: "Encode(v)", Probes: encoding["encoding/json"], New: way(func(w io.Writer) error {
			return stdjson.NewEncoder(w).Encode(Response{hello()})
		})},
		{Name: "Encode(&v)", Probes: encoding["encoding/json"], New: way(func(w io.Writer) error {
			return stdjson.NewEncoder(w).Encode(&Response{hello()})
		})},
		{Name: "goccy Encode(&v)", Probes: opened(func(w io.Writer) interface{ Encode(v any) error } { return goccy.NewEncoder(w) }), New: way(func(w io.Writer) error {
			return goccy.NewEncoder(w).Encode(&Response{hello()})
		})},
		{Name: "sonic Encode(&v)", Probes: opened(func(w io.Writer) interface{ Encode(v any) error } { return sonic.ConfigStd.NewEncoder(w) }), New: way(func(w io.Writer) error {
			return sonic.ConfigStd.NewEncoder(w).Encode(&Response{hello()})
		})},
	}}
}

// A writer encodes like a handler that calls MarshalWrite.
type writer struct{ to io.Writer }

func (w writer) Encode(v any) error { return json.MarshalWrite(w.to, v) }
