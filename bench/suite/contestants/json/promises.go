package json

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/generated/jsonpeer"
)

// Contestants are probed for these kinds of behaviour. The tests check that encoding/json passes all probes.
const (
	encodes   = "JSON encode"
	decodes   = "JSON decode"
	validates = "JSON text, valid"
	compacts  = "JSON text, compact"
	indents   = "JSON text, indent"
)

// An encodeProbe encodes the result of value. The output must contain each string in the field want;
// if want is empty, the result must be an error.
type encodeProbe struct {
	fewer string
	value func() any // a pointer
	want  []string
}

func encodedRecord(change func(*jsonpeer.API)) func() any {
	return func() any {
		r := jsonpeer.API{}
		change(&r)
		return &r
	}
}

func named(name string) func() any { return encodedRecord(func(r *jsonpeer.API) { r.Name = name }) }

func scored(score float64) func() any {
	return encodedRecord(func(r *jsonpeer.API) { r.Score = score })
}

func encoded[T any](v T) func() any { return func() any { return &v } }

// Types that the probes need besides the record.
type (
	optional struct {
		A int            `json:"a,omitempty"`
		B int            `json:"b,string"`
		C string         `json:"c,string"`
		D *int           `json:"d,omitempty"`
		E map[string]int `json:",omitempty"`
		F float64        `json:"f,string"`
		G bool           `json:"-"`
	}
	place    struct{ x, y int }
	said     string // the result of its method
	endless  struct{ Next *endless }
	embedded struct {
		jsonpeer.PulseReading
		Memory string `json:"memory"`
	}
)

// MarshalText returns a key of a map.
func (p place) MarshalText() ([]byte, error) {
	return []byte(string(rune('a'+p.x)) + "<" + string(rune('a'+p.y))), nil
}

// MarshalJSON returns the text unchanged.
func (s said) MarshalJSON() ([]byte, error) {
	if s == "" {
		return nil, errors.New("nothing to say")
	}
	return []byte(s), nil
}

var encodeProbes = []encodeProbe{
	{"does not sort the keys of maps", encodedRecord(func(r *jsonpeer.API) {
		r.Links = map[string]string{"j": "", "i": "", "h": "", "g": "", "f": "", "e": "", "d": "", "c": "", "b": "", "a": ""}
	}), []string{`"links":{"a":"","b":"","c":"","d":"","e":"","f":"","g":"","h":"","i":"","j":""}`}},
	{"does not sort the keys of maps by their text", encoded(map[int]int{9: 0, 8: 0, 7: 0, 6: 0, 5: 0, 4: 0, 3: 0, 2: 0, 11: 0, 10: 0, -1: 0}),
		[]string{`{"-1":0,"10":0,"11":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0}`}},
	{"does not call MarshalText of map keys, or does not sort by its result", encoded(map[place]int{{6, 0}: 1, {5, 1}: 1, {4, 2}: 1, {3, 3}: 1, {2, 4}: 1, {1, 5}: 1, {0, 6}: 1, {0, 7}: 1}),
		[]string{`{"a\u003cg":1,"a\u003ch":1,"b\u003cf":1,"c\u003ce":1,"d\u003cd":1,"e\u003cc":1,"f\u003cb":1,"g\u003ca":1}`}},
	{"does not escape HTML", named("<a&b>"), []string{`"name":"\u003ca\u0026b\u003e"`}},
	{"does not escape HTML in keys of maps", encodedRecord(func(r *jsonpeer.API) { r.Links = map[string]string{"<": ""} }), []string{`"\u003c":""`}},
	{"does not escape U+2028 and U+2029", named("a\u2028b\u2029c"), []string{`"name":"a\u2028b\u2029c"`}},
	{"writes invalid UTF-8 unchanged, or refuses it", named("a\xffb\xc3"), []string{`"name":"a\ufffdb\ufffd"`}},
	{"writes control characters unescaped", named("a\x00b\x1fc"), []string{`"name":"a\u0000b\u001fc"`}},
	{"writes NaN without an error", scored(math.NaN()), nil},
	{"writes an infinite number without an error", scored(math.Inf(-1)), nil},
	{"formats large numbers differently", scored(1e21), []string{`"score":1e+21,`}},
	{"formats large numbers differently", scored(1e20), []string{`"score":100000000000000000000,`}},
	{"formats small numbers differently", scored(1e-7), []string{`"score":1e-7,`}},
	{"formats small numbers differently", scored(-0.000001), []string{`"score":-0.000001,`}},
	{"formats 32-bit floats differently", encoded([]float32{1e21, 0.1, 1e-7, 16777216}), []string{`[1e+21,0.1,1e-7,16777216]`}},
	{"has other rules for omitempty or string", encoded(optional{B: 7, C: `a"b`, F: .5, G: true}), []string{`{"b":"7","c":"\"a\\\"b\"","f":"0.5"}`}},
	{"has other rules for embedded fields", encoded(embedded{Memory: "m"}), []string{`"load":[0,0,0],`, `"memory":"m"}`}},
	{"does not compact the output of a MarshalJSON method", encoded([]said{" { \"a\" : [ 1 ,\n2 ] } "}), []string{`[{"a":[1,2]}]`}},
	{"does not escape HTML in the output of a MarshalJSON method", encoded([]said{`"<"`}), []string{`["\u003c"]`}},
	{"accepts invalid JSON from a MarshalJSON method", encoded([]said{`{"a":}`}), nil},
	{"accepts invalid JSON from a MarshalJSON method", encoded([]said{`1 2`}), nil},
	{"accepts invalid JSON from a MarshalJSON method", encoded([]said{`01`}), nil},
	{"ignores the error of a MarshalJSON method", encoded([]said{``}), nil},
	{"accepts an invalid RawMessage", encoded([]stdjson.RawMessage{stdjson.RawMessage(`{"a"`)}), nil},
	{"does not detect a cycle of pointers", func() any { v := new(endless); v.Next = v; return v }, nil},
}

// probing returns the probes of an encoder, which is opened anew for each probe. takes reports
// whether the encoder supports a value; nil means that it supports all.
func probing(takes func(v any) bool, open func() func(buf []byte, v any) ([]byte, error)) *contest.Probes {
	probes := new(contest.Probes)
	for _, p := range encodeProbes {
		if takes != nil && !takes(p.value()) {
			continue
		}
		probes.List = append(probes.List, contest.Probe{Fewer: p.fewer, Kept: func() bool {
			text, err := open()(nil, p.value())
			if p.want == nil || err != nil {
				return p.want == nil && err != nil
			}
			var compact bytes.Buffer // some encoders are set to write indented JSON
			if stdjson.Compact(&compact, text) != nil {
				return false
			}
			// Up to Go 1.26 encoding/json writes the replacement character as an escape, and
			// since then as the character itself.
			got := strings.ReplaceAll(compact.String(), "\ufffd", `\ufffd`)
			for _, part := range p.want {
				if !strings.Contains(got, part) {
					return false
				}
			}
			return true
		}})
	}
	return probes
}

// A decodeProbe decodes text into the pointer that into() returns. The decoding must fail if fails is
// set, and otherwise succeed. The target must then equal the value that want() points to. If want is
// nil, any value is accepted.
type decodeProbe struct {
	fewer string
	text  string
	into  func() any // a pointer
	want  func() any // returns a pointer to the expected value
	fails bool
}

// kept reports whether decode fails or succeeds as p expects, and leaves the expected value.
func (p decodeProbe) kept(decode func(data []byte, v any) error) bool {
	v := p.into()
	err := decode([]byte(p.text), v)
	return (err != nil) == p.fails && (p.want == nil || reflect.DeepEqual(v, p.want()))
}

func blank() any { return new(jsonpeer.API) }

func before() any { return &jsonpeer.API{ID: 7, Login: "before", Tags: []string{"x"}} }

// refused returns probes with texts that must be refused: they are not JSON, or have bytes after the
// value.
func refused(fewer string, texts ...string) (all []decodeProbe) {
	for _, text := range texts {
		all = append(all, decodeProbe{fewer, text, before, nil, true})
	}
	return all
}

// untouched returns probes with texts that must be refused without changing the target.
func untouched(fewer string, texts ...string) (all []decodeProbe) {
	for _, text := range texts {
		all = append(all, decodeProbe{fewer, text, before, before, true})
	}
	return all
}

var decodeProbes = slicesOf(
	untouched("changes the target although it reports a syntax error", `{"id":1,"login":"after","name":"n","tags":["a","b"],"score":1.5,}`,
		`{"login":"after","links":{"a":"b"}`, `{"id":1,"tags":["a","b" "c"]}`, `{"login":"after","unknown":[1,2,}`),
	refused("accepts invalid numbers", `{"score":01}`, `{"score":1.}`, `{"score":+1}`, `{"score":.5}`, `{"score":-}`, `{"score":1e}`, `{"score":1e+}`, `{"score":0x10}`, `{"id":01}`, `{"id":-01}`, `{"id":1_0}`, `{"score":-.5}`, `{"score":NaN}`),
	refused("accepts invalid literals", `{"name":nulx}`, `{"name":nul}`, `{"admin":truE}`, `{"admin":fals}`, `{"email":nulll}`),
	refused("accepts control characters in strings", "{\"name\":\"a\x01b\"}", "{\"name\":\"a\nb\"}", "{\"na\x00me\":\"ab\"}"),
	refused("accepts invalid escapes", `{"name":"\q"}`, `{"name":"\u12g4"}`, `{"name":"\u12"}`, `{"name":"\'"}`),
	refused("does not validate skipped values", `{"unknown":01}`, `{"unknown":1.}`, `{"unknown":nulx}`, `{"unknown":"\q"}`, "{\"unknown\":\"\x01\"}", `{"unknown":[1,]}`, `{"unknown":{"a":}}`, `{"unknown":+1}`, `{"unknown":tru}`, `{"unknown":[1}}`, `{"unknown":{"a":1]}`),
	refused("accepts misplaced commas and colons", `{"id":1,}`, `{"tags":["a",]}`, `{,"id":1}`, `{"id"::1}`, `{"id":1 "login":"a"}`, `{"tags":[,]}`),
	refused("accepts strings without double quotes", `{id:1}`, `{'id':1}`, `{"name":'a'}`),
	[]decodeProbe{
		{"keeps invalid UTF-8, or refuses it", "{\"name\":\"a\xffb\",\"links\":{\"\xc3\":\"\xe2\x82\"}}", blank, func() any {
			return &jsonpeer.API{Name: "a\ufffdb", Links: map[string]string{"\ufffd": "\ufffd\ufffd"}}
		}, false},
		{"decodes half a surrogate pair differently", `{"name":"\ud800","login":"a\udc00b\ud800\u0041"}`, blank, func() any {
			return &jsonpeer.API{Name: "\ufffd", Login: "a\ufffdb\ufffdA"}
		}, false},
		{"decodes escapes differently", `{"name":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}`, blank, func() any { return &jsonpeer.API{Name: "\"\\/\b\f\n\r\té😀"} }, false},
		{"does not merge a second object into the first", `{"links":{"a":"1","b":"1"},"links":{"b":"2"},"id":1,"id":2}`, func() any {
			return &jsonpeer.API{Links: map[string]string{"before": "0"}}
		}, func() any {
			return &jsonpeer.API{ID: 2, Links: map[string]string{"before": "0", "a": "1", "b": "2"}}
		}, false},
		{"does not ignore the case of names", `{"LOGIN":"a","Name":"b","iD":3}`, blank, func() any { return &jsonpeer.API{ID: 3, Login: "a", Name: "b"} }, false},
		{"does not decode the other members after a number that is too large", `{"followers":4294967296,"login":"a","id":5}`, blank, func() any { return &jsonpeer.API{ID: 5, Login: "a"} }, true},
		{"does not decode the other members after a value of another type", `{"id":"text","login":"a","tags":{"a":1},"name":"b"}`, blank, func() any { return &jsonpeer.API{Login: "a", Name: "b"} }, true},
		{"decodes a fraction into an integer", `{"id":1.5}`, blank, nil, true},
		{"decodes a negative number into an unsigned integer", `{"followers":-1}`, blank, nil, true},
		{"accepts a number too large for a float64", `{"score":1e999}`, blank, nil, true},
		{"decodes null differently", `{"id":null,"login":null,"tags":null,"email":null}`, before, func() any { return &jsonpeer.API{ID: 7, Login: "before"} }, false},
	},
)

func slicesOf(lists ...[]decodeProbe) (all []decodeProbe) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// rests are probes with bytes after the value. A decoder of a stream need not refuse them, because it
// leaves the bytes for the next call.
var rests = refused("accepts bytes after the value", `{"id":1} x`, `{"id":1}{"id":2}`, `{"id":1}]`, `{"id":1},`)

// reading returns the probes of a decoding function.
func reading(takes func(v any) bool, stream bool, decode func(data []byte, v any) error) *contest.Probes {
	probes := new(contest.Probes)
	list := decodeProbes
	if !stream {
		list = slicesOf(list, rests)
	}
	for _, p := range list {
		probes.List = append(probes.List, contest.Probe{Fewer: p.fewer, Kept: func() bool { return p.kept(decode) }})
	}
	probes.List = append(probes.List, contest.Probe{Fewer: "accepts truncated text", Kept: func() bool {
		text, err := stdjson.Marshal(jsonpeer.Octo())
		for n := range text {
			if decode(bytes.Clone(text[:n]), before()) == nil {
				return false
			}
		}
		return err == nil
	}}, contest.Probe{Fewer: "retains the decoded text", Kept: func() bool {
		text, err := stdjson.Marshal(jsonpeer.Octo())
		if err != nil {
			return false
		}
		var v jsonpeer.API
		if decode(text, &v) != nil {
			return false
		}
		for i := range text {
			text[i] = '?'
		}
		return reflect.DeepEqual(v, jsonpeer.Octo())
	}})
	if takes != nil && !takes(new(any)) {
		return probes
	}
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	probes.List = append(probes.List, contest.Probe{Fewer: "does not limit nesting", Kept: func() bool {
		var v any
		return decode(nested(10_001), &v) != nil
	}}, contest.Probe{Fewer: "refuses 10,000 levels of nesting", Kept: func() bool {
		var v any
		return decode(nested(10_000), &v) == nil && v != nil
	}}, contest.Probe{Fewer: "does not use the last of two members with one name", Kept: func() bool {
		var v any
		return decode([]byte(`{"a":{"b":1},"a":{"c":[2,null,"x"]}}`), &v) == nil &&
			reflect.DeepEqual(v, map[string]any{"a": map[string]any{"c": []any{2.0, nil, "x"}}})
	}})
	return probes
}

// hostileTexts are not JSON.
var hostileTexts = []struct{ fewer, text string }{
	{"accepts control characters in strings", "\"a\x01b\""}, {"accepts control characters in strings", "{\"a\nb\":1}"}, {"accepts control characters in strings", "[\"\x00\"]"},
	{"accepts invalid escapes", `"\q"`}, {"accepts invalid escapes", `"\u12g4"`}, {"accepts invalid escapes", `["\x41"]`},
	{"accepts invalid numbers", `01`}, {"accepts invalid numbers", `[1.]`}, {"accepts invalid numbers", `[+1]`}, {"accepts invalid numbers", `[.5]`},
	{"accepts invalid numbers", `[1e]`}, {"accepts invalid numbers", `[-]`}, {"accepts invalid numbers", `[-01]`}, {"accepts invalid numbers", `[0x10]`},
	{"accepts invalid literals", `nulx`}, {"accepts invalid literals", `[truE]`}, {"accepts invalid literals", `[nul]`},
	{"accepts misplaced commas and colons", `[1,]`}, {"accepts misplaced commas and colons", `{"a":1,}`}, {"accepts misplaced commas and colons", `{"a"1}`},
	{"accepts misplaced commas and colons", `[1 2]`}, {"accepts misplaced commas and colons", `{"a":1 "b":2}`}, {"accepts misplaced commas and colons", `[,1]`},
	{"accepts mismatched brackets", `[1}`}, {"accepts mismatched brackets", `{"a":1]`},
	{"accepts bytes after the value", `{} x`}, {"accepts bytes after the value", `1 2`}, {"accepts bytes after the value", `{}]`},
	{"accepts truncated text", `{"a":1`}, {"accepts truncated text", `["a`}, {"accepts truncated text", `[`}, {"accepts truncated text", `{"a":`}, {"accepts truncated text", ``},
	{"does not limit nesting", strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)},
}

// A textProbe is a text with its expected result.
type textProbe struct{ fewer, text, want string }

var (
	validTexts = []textProbe{
		{"refuses invalid UTF-8", "[\"a\xffb\xc3\"]", ""}, {"refuses half a surrogate pair", `["\ud800"]`, ""}, {"refuses 10,000 levels of nesting", strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), ""},
		{"refuses valid text", " [ 1e5 , -0.5E-7 , \"\\u00e9\\/\" , true , null , {} , \"\x7f\" ] \n", ""},
	}
	compactTexts = []textProbe{
		{"escapes characters that encoding/json does not escape", "[ \"<a&b>\" , \"\u2028\" ]", "[\"<a&b>\",\"\u2028\"]"}, {"changes invalid UTF-8, or refuses it", "[ \"a\xffb\" ]", "[\"a\xffb\"]"},
		{"changes strings or numbers", "[ \"\\u003c  \\/ \\\" \" , 1.50E+07 , -0 ]", "[\"\\u003c  \\/ \\\" \",1.50E+07,-0]"}, {"does not remove white space", " {\n\t\"a\" : [ ] ,\r \"b\" : { } } \n", `{"a":[],"b":{}}`},
	}
	indentTexts = []textProbe{
		{"indents differently", `{"a":[1,{"b":{}}],"c":[],"d":"x , y"}`, "{\n  \"a\": [\n    1,\n    {\n      \"b\": {}\n    }\n  ],\n  \"c\": [],\n  \"d\": \"x , y\"\n}"},
		{"removes white space after the value", "[1] \n", "[\n  1\n] \n"}, {"escapes characters that encoding/json does not escape", "[\"<\u2028\"]", "[\n  \"<\u2028\"\n]"},
		{"changes invalid UTF-8, or refuses it", "[\"a\xffb\"]", "[\n  \"a\xffb\"\n]"}, {"keeps existing white space", "[ 1 ,\n\n {\t} ]", "[\n  1,\n  {}\n]"},
	}
)

// onText returns the probes of functions that process JSON text without Go types. If a text is refused,
// the earlier output must not change.
func onText(work textWork, texts []textProbe) *contest.Probes {
	probes := new(contest.Probes)
	for _, p := range hostileTexts {
		probes.List = append(probes.List, contest.Probe{Fewer: p.fewer, Kept: func() bool {
			return work(new(bytes.Buffer), []byte(p.text)) != nil
		}}, contest.Probe{Fewer: "leaves partial output after a syntax error", Kept: func() bool {
			w := bytes.NewBufferString("before")
			return work(w, []byte(p.text)) == nil || w.String() == "before"
		}})
	}
	for _, p := range texts {
		probes.List = append(probes.List, contest.Probe{Fewer: p.fewer, Kept: func() bool {
			var w bytes.Buffer
			return work(&w, []byte(p.text)) == nil && w.String() == p.want
		}})
	}
	return probes
}
