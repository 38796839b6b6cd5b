package json

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/json"
)

// programContests returns contests of typical calls in programs: decoding HTTP responses, decoding
// webhook deliveries, writing indented output, and MarshalJSON methods that call Marshal.
func programContests() []contest.Contest {
	return []contest.Contest{clientContest(), webhookContest(), linesContest(), methodsContest()}
}

// A body is read like a response body: each call returns the bytes that have arrived.
type body struct {
	text []byte
	at   int
}

func (b *body) Read(p []byte) (int, error) {
	if b.at == len(b.text) {
		return 0, io.EOF
	}
	n := copy(p, b.text[b.at:min(len(b.text), b.at+4096)])
	b.at += n
	return n, nil
}

type decoder interface{ Decode(v any) error }

// clientContest reads a list of records through a new decoder.
func clientContest() contest.Contest {
	text, want, err := manyRecords()
	one := func(name string, open func(io.Reader) decoder) contest.Contestant {
		probes := reading(nil, true, func(data []byte, v any) error { return open(&body{text: data}).Decode(v) })
		return contest.Contestant{Name: name, Probes: probes, New: func() (func(int), error) {
			if err != nil {
				return nil, err
			}
			read := func() (got []Record, err error) {
				return got, open(&body{text: text}).Decode(&got)
			}
			if got, err := read(); err != nil || !reflect.DeepEqual(got, want) {
				return nil, errors.Join(err, errors.New("the decoded value differs from the expected one"))
			}
			return contest.Loop(func() { _, _ = read() }), nil
		}}
	}
	return contest.Contest{Name: "json/client/decode", Promises: decodes, Contestants: []contest.Contestant{
		one("hone", func(r io.Reader) decoder { return json.NewDecoder(r) }),
		one("encoding/json", func(r io.Reader) decoder { return stdjson.NewDecoder(r) }),
		one("goccy", func(r io.Reader) decoder { return goccy.NewDecoder(r) }),
		one("sonic", func(r io.Reader) decoder { return sonic.ConfigStd.NewDecoder(r) }),
	}}
}

// A Record is an element of the list that clientContest reads and linesContest writes.
type Record struct {
	ID     int            `json:"id"`
	Name   string         `json:"name"`
	Labels []string       `json:"labels"`
	Owner  *Owner         `json:"owner,omitempty"`
	Counts map[string]int `json:"counts"`
}

// An Owner is a part of a [Record].
type Owner struct {
	Login string `json:"login"`
	Admin bool   `json:"admin"`
}

func manyRecords() (text []byte, records []Record, err error) {
	for i := range 200 {
		r := Record{ID: i, Name: fmt.Sprint("record ", i), Labels: []string{"a", fmt.Sprint("label ", i%7)}, Counts: map[string]int{"open": i, "closed": 2 * i}}
		if i%3 == 0 {
			r.Owner = &Owner{fmt.Sprint("owner-", i%11), i%2 == 0}
		}
		records = append(records, r)
	}
	text, err = stdjson.Marshal(records)
	return append(text, '\n'), records, err
}

type encoder interface {
	SetIndent(prefix, indent string)
	Encode(v any) error
}

// linesContest writes the list as one indented array.
func linesContest() contest.Contest {
	_, records, err := manyRecords()
	one := func(name string, open func(io.Writer) encoder) contest.Contestant {
		probes := probing(nil, kept(func(w io.Writer) interface{ Encode(v any) error } {
			e := open(w)
			e.SetIndent("", "  ")
			return e
		}))
		return contest.Contestant{Name: name, Probes: probes, New: func() (func(int), error) {
			if err != nil {
				return nil, err
			}
			w := &sinkWriter{}
			write := func() error {
				w.data = w.data[:0]
				e := open(w)
				e.SetIndent("", "  ")
				return e.Encode(records)
			}
			want, err := stdjson.MarshalIndent(records, "", "  ")
			if err != nil {
				return nil, err
			}
			if err := write(); err != nil || !bytes.Equal(bytes.TrimSpace(w.data), want) {
				return nil, errors.Join(err, errors.New("the output differs from encoding/json's"))
			}
			return contest.Loop(func() { _ = write() }), nil
		}}
	}
	return contest.Contest{Name: "json/lines/encode", Promises: encodes, Contestants: []contest.Contestant{
		one("hone", func(w io.Writer) encoder { return json.NewEncoder(w) }),
		one("encoding/json", func(w io.Writer) encoder { return stdjson.NewEncoder(w) }),
		one("goccy", func(w io.Writer) encoder { return goccy.NewEncoder(w) }),
		one("sonic", func(w io.Writer) encoder { return sonic.ConfigStd.NewEncoder(w) }),
	}}
}

// A wrapped value has a method that encodes it by the contestant's own Marshal. Programs have such
// methods after a change of only the import.
type wrapped struct {
	ID      int
	Name    string
	marshal func(any) ([]byte, error)
}

// MarshalJSON encodes w without its method.
func (w wrapped) MarshalJSON() ([]byte, error) {
	return w.marshal(struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}{w.ID, w.Name})
}

// methodsContest encodes a long list of wrapped values.
func methodsContest() contest.Contest {
	one := func(name string, marshal func(any) ([]byte, error)) contest.Contestant {
		return contest.Contestant{Name: name, Probes: probing(nil, fresh(marshal)), New: func() (func(int), error) {
			list := func(marshal func(any) ([]byte, error)) (all []wrapped) {
				for i := range 3000 {
					all = append(all, wrapped{i, strings.Repeat("name", 5), marshal})
				}
				return all
			}
			values := list(marshal)
			want, err := stdjson.Marshal(list(stdjson.Marshal))
			if err != nil {
				return nil, err
			}
			if got, err := marshal(values); err != nil || !bytes.Equal(got, want) {
				return nil, errors.Join(err, errors.New("the output differs from encoding/json's"))
			}
			return contest.Loop(func() { _, _ = marshal(values) }), nil
		}}
	}
	return contest.Contest{Name: "json/methods/encode", Promises: encodes, Contestants: []contest.Contestant{
		one("hone", json.Marshal),
		one("encoding/json", stdjson.Marshal),
		one("goccy", goccy.Marshal),
		one("sonic", sonic.ConfigStd.Marshal),
	}}
}
