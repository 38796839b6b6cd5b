package json

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"
	segmentio "github.com/segmentio/encoding/json"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/corpus"
	"github.com/hone-go/hone/json"
)

// A lineEncoder writes values as JSON lines.
type lineEncoder interface{ Encode(v any) error }

// corpusEngines are the codecs that replace encoding/json and need no generated code.
var corpusEngines = []struct {
	name    string // of an engine in jsonEngines
	encoder func(w io.Writer) lineEncoder
	decoder func(r io.Reader) decoder
}{
	{"hone", func(w io.Writer) lineEncoder { return json.NewEncoder(w) }, func(r io.Reader) decoder { return json.NewDecoder(r) }},
	{"encoding/json", func(w io.Writer) lineEncoder { return stdjson.NewEncoder(w) }, func(r io.Reader) decoder { return stdjson.NewDecoder(r) }},
	{"goccy/go-json", func(w io.Writer) lineEncoder { return goccy.NewEncoder(w) }, func(r io.Reader) decoder { return goccy.NewDecoder(r) }},
	{"sonic ConfigStd", func(w io.Writer) lineEncoder { return sonic.ConfigStd.NewEncoder(w) }, func(r io.Reader) decoder { return sonic.ConfigStd.NewDecoder(r) }},
	{"segmentio/encoding", func(w io.Writer) lineEncoder { return segmentio.NewEncoder(w) }, func(r io.Reader) decoder { return segmentio.NewDecoder(r) }},
}

// CorpusContests returns the contests over the documents of package corpus.
func CorpusContests() []contest.Contest {
	var all []contest.Contest
	for _, c := range corpus.All {
		for _, as := range []string{"typed", "any"} {
			encode := contest.Contest{Name: "corpora/" + c.Name + "/" + as + "/encode", Promises: encodes, Documents: c.Names}
			decode := contest.Contest{Name: "corpora/" + c.Name + "/" + as + "/decode", Promises: decodes, Documents: c.Names}
			for _, streams := range corpusEngines {
				e := jsonEngines[slices.IndexFunc(jsonEngines, func(e jsonEngine) bool { return e.name == streams.name })]
				open := func(i int) (corpus.Document, error) {
					d, err := c.Open(i)
					if as == "any" {
						d.New = func() any { return new(any) }
					}
					return d, err
				}
				encode.Contestants = append(encode.Contestants, contest.Contestant{
					Name: e.name, Notes: e.notes, Probes: encoding[e.name], Prepare: func(i int) (func(int), error) {
						d, err := open(i)
						if err != nil {
							return nil, err
						}
						if d.Stream {
							return encodeLines(d, streams.encoder)
						}
						return encodeDocument(d, e)
					},
				})
				decode.Contestants = append(decode.Contestants, contest.Contestant{
					Name: e.name, Notes: e.notes[1:], Probes: decoding[e.name], Prepare: func(i int) (func(int), error) {
						d, err := open(i)
						if err != nil {
							return nil, err
						}
						if d.Stream {
							return decodeLines(d, streams.decoder)
						}
						return decodeDocument(d, e)
					},
				})
			}
			all = append(all, encode, decode)
		}
	}
	return all
}

var (
	errOutput  = errors.New("the output decodes to another value than encoding/json's")
	errBytes   = errors.New("the output differs from encoding/json's")
	errDecoded = errors.New("the decoded value differs from encoding/json's")
)

// encodeDocument returns a loop that encodes the document's value. The bytes of Hone's output must be the bytes that
// encoding/json writes. The output of each peer must be decoded to the same value as the output of encoding/json.
func encodeDocument(d corpus.Document, e jsonEngine) (func(int), error) {
	v := d.New()
	if err := stdjson.Unmarshal(d.Text, v); err != nil {
		return nil, err
	}
	want, err := stdjson.Marshal(v)
	if err != nil {
		return nil, err
	}
	encode := e.encode()
	buf, err := encode(nil, v)
	if err != nil {
		return nil, err
	}
	if e.name == "hone" && !bytes.Equal(buf, want) {
		return nil, errBytes
	}
	if !bytes.Equal(bytes.TrimSpace(buf), want) {
		got, wanted := d.New(), d.New()
		if err := errors.Join(stdjson.Unmarshal(buf, got), stdjson.Unmarshal(want, wanted)); err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(got, wanted) {
			return nil, errOutput
		}
	}
	return contest.Loop(func() { buf, _ = encode(buf, v) }), nil
}

// decodeDocument returns a loop that decodes the document into a new value.
func decodeDocument(d corpus.Document, e jsonEngine) (func(int), error) {
	got, want := d.New(), d.New()
	if err := errors.Join(stdjson.Unmarshal(d.Text, want), e.decode(d.Text, got)); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(got, want) {
		return nil, errDecoded
	}
	return contest.Loop(func() { _ = e.decode(d.Text, d.New()) }), nil
}

// encodeLines returns a loop that encodes the values of JSON lines with one encoder, into a reused buffer.
func encodeLines(d corpus.Document, open func(io.Writer) lineEncoder) (func(int), error) {
	values, err := readLines(d, stdjson.NewDecoder(bytes.NewReader(d.Text)))
	if err != nil {
		return nil, err
	}
	var buf, want bytes.Buffer
	write := func(e lineEncoder) (err error) {
		for _, v := range values {
			if err = e.Encode(v); err != nil {
				return err
			}
		}
		return nil
	}
	if err := errors.Join(write(stdjson.NewEncoder(&want)), write(open(&buf))); err != nil {
		return nil, err
	}
	if !bytes.Equal(buf.Bytes(), want.Bytes()) {
		got, err := readLines(d, stdjson.NewDecoder(&buf))
		wanted, err2 := readLines(d, stdjson.NewDecoder(&want))
		if err := errors.Join(err, err2); err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(got, wanted) {
			return nil, errOutput
		}
	}
	return contest.Loop(func() {
		buf.Reset()
		_ = write(open(&buf))
	}), nil
}

// decodeLines returns a loop that decodes JSON lines with one decoder, each line into a new value.
func decodeLines(d corpus.Document, open func(io.Reader) decoder) (func(int), error) {
	got, err := readLines(d, open(bytes.NewReader(d.Text)))
	want, err2 := readLines(d, stdjson.NewDecoder(bytes.NewReader(d.Text)))
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(got, want) {
		return nil, errDecoded
	}
	return contest.Loop(func() {
		from := open(bytes.NewReader(d.Text))
		for from.Decode(d.New()) == nil {
		}
	}), nil
}

// readLines decodes all values.
func readLines(d corpus.Document, from decoder) (values []any, err error) {
	for {
		v := d.New()
		if err := from.Decode(v); err == io.EOF {
			return values, nil
		} else if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
}
