package schema_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

func mustParse(t *testing.T, typ, more string) *schema.Schema {
	t.Helper()
	s, err := parse([]byte(`{"version":1,` + more + `"type":` + typ + `}`))
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	return s
}

// TestJSONForms lists the encoding, the value and the JSON of kinds whose JSON form is not obvious.
func TestJSONForms(t *testing.T) {
	const (
		i64, f64, f32 = `{"kind":"int","bits":64,"coding":"varint"}`, `{"kind":"float","bits":64,"coding":"big"}`, `{"kind":"float","bits":32,"coding":"big"}`
		text, opt     = `{"kind":"string","length":"u8"}`, `{"kind":"optional","elem":`
		instant, at   = `{"kind":"time"}`, `{"kind":"time location"}`
	)
	for _, test := range []struct {
		typ, data string // data is hexadecimal
		value     any
		json      string
	}{
		{i64, "feffffffffffff1f", int64(1<<53 - 1), `9007199254740991`},
		{i64, "8080808080808020", int64(1 << 53), `"9007199254740992"`},
		{i64, "ffffffffffffffffff01", int64(math.MinInt64), `"-9223372036854775808"`},
		{`{"kind":"uint","bits":64,"coding":"big"}`, "ffffffffffffffff", uint64(math.MaxUint64), `"18446744073709551615"`},
		{`{"kind":"bigint","length":"u8"}`, "0100", schema.BigInt{Magnitude: []byte{}}, `0`},
		{`{"kind":"bigint","length":"u8"}`, "0901ffffffffffffffff", schema.BigInt{Negative: true, Magnitude: bytes.Repeat([]byte{255}, 8)}, `"-18446744073709551615"`},
		{`{"kind":"bigint","length":"u8"}`, "0a01010000000000000000", schema.BigInt{Negative: true, Magnitude: append([]byte{1}, make([]byte, 8)...)}, `"-0x010000000000000000"`},
		{f64, "8000000000000000", math.Copysign(0, -1), `-0.0`},
		{f64, "7ff0000000000000", math.Inf(1), `"Infinity"`},
		{f64, "fff0000000000000", math.Inf(-1), `"-Infinity"`},
		{f64, "7ff8000000000000", nil, `"NaN"`},
		{f64, "7ff0000000000001", nil, `"NaN:7ff0000000000001"`},
		{f32, "ffc00000", nil, `"NaN:ffc00000"`},
		{f32, "3dcccccd", float32(0.1), `0.1`},
		{f32, "15ae43fd", math.Float32frombits(0x15ae43fd), `7.038530691851209e-26`}, // through a float64, 7.038531e-26 would become another float32
		{f64, "7fefffffffffffff", math.MaxFloat64, `1.7976931348623157e+308`},
		{f64, "0000000000000001", math.SmallestNonzeroFloat64, `5e-324`},
		{`{"kind":"complex","bits":32,"coding":"big"}`, "3f800000ff800000", complex64(complex(1, math.Inf(-1))), `[1,"-Infinity"]`},
		{text, "0422003c5c", "\"\x00<\\", `"\"\u0000<\\"`},
		{text, "02c3a4", "ä", `"ä"`},
		{text, "01ff", "\xff", `{"base64":"/w=="}`},
		{`{"kind":"binary","name":"x"}`, "02fbff", []byte{0xfb, 0xff}, `"+/8="`},
		{opt + i64 + "}", "00", nil, `null`},
		{opt + i64 + "}", "0100", schema.Some{Value: int64(0)}, `0`},
		{opt + opt + i64 + "}}", "00", nil, `null`},
		{opt + opt + i64 + "}}", "0100", schema.Some{}, `{"some":null}`},
		{opt + opt + i64 + "}}", "010102", schema.Some{Value: schema.Some{Value: int64(1)}}, `{"some":1}`},
		{opt + opt + opt + i64 + "}}}", "010100", schema.Some{Value: schema.Some{}}, `{"some":{"some":null}}`},
		{instant, "ffdb8ff9ce030000", schema.Time{Seconds: -62135596800}, `"0001-01-01T00:00:00Z"`},
		{instant, "000502b041", schema.Time{Nanoseconds: 5, Zone: schema.ZoneLocal, Offset: 4184}, `{"seconds":0,"nanoseconds":5,"offset":4184}`},
		{instant, "000502a038", schema.Time{Nanoseconds: 5, Zone: schema.ZoneLocal, Offset: 3600}, `"1970-01-01T01:00:00.000000005+01:00"`},
		{instant, "000001a038055b615d2f62", schema.Time{Zone: schema.ZoneNamed, Offset: 3600, Name: "[a]/b"}, `"1970-01-01T01:00:00+01:00[[a]/b]"`},
		{instant, "00000100" + "00", schema.Time{Zone: schema.ZoneNamed}, `"1970-01-01T00:00:00+00:00[]"`},
		{instant, "0000010001ff", schema.Time{Zone: schema.ZoneNamed, Name: "\xff"}, `{"seconds":0,"nanoseconds":0,"offset":0,"name":{"base64":"/w=="}}`},
		{instant, "feffffffffffffffff01" + "00" + "00", schema.Time{Seconds: math.MaxInt64}, `{"seconds":"9223372036854775807","nanoseconds":0}`},
		{instant, "fe85a2ffdf0e" + "00" + "00", schema.Time{Seconds: 253402300799}, `"9999-12-31T23:59:59Z"`},
		{instant, "fe85a2ffdf0e" + "00" + "02" + "78", schema.Time{Seconds: 253402300799, Zone: schema.ZoneLocal, Offset: 60}, `{"seconds":253402300799,"nanoseconds":0,"offset":60}`},
		{at, "0000000000000000" + "00", schema.Time{}, `"1970-01-01T00:00:00Z"`},
		{at, "00001a3deb03b2a1" + "0103555443", schema.Time{Seconds: -62135596800, Zone: schema.ZoneNamed, Name: "UTC"}, `"0001-01-01T00:00:00Z[UTC]"`},
		{at, "0000000000000000" + "0101ff", schema.Time{Zone: schema.ZoneNamed, Name: "\xff"}, `{"seconds":0,"nanoseconds":0,"name":{"base64":"/w=="}}`},
		{`{"kind":"map","length":"u8","key":` + text + `,"elem":` + i64 + `}`, "0101ff02", schema.Map{{Key: "\xff", Value: int64(1)}}, `[[{"base64":"/w=="},1]]`},
		{`{"kind":"map","length":"u8","key":` + i64 + `,"elem":` + i64 + `}`, "0201020200", schema.Map{{Key: int64(-1), Value: int64(1)}, {Key: int64(1), Value: int64(0)}}, `{"-1":1,"1":0}`},
		{`{"kind":"map","length":"u8","key":{"kind":"bool"},"elem":` + i64 + `}`, "010102", schema.Map{{Key: true, Value: int64(1)}}, `{"true":1}`},
		{`{"kind":"union","tag":"uvarint","cases":[{"id":1,"name":"a"},{"id":300,"name":"a","type":` + i64 + `}]}`, "00", nil, `null`},
		{`{"kind":"union","tag":"uvarint","cases":[{"id":1,"name":"a"},{"id":300,"name":"a","type":` + i64 + `}]}`, "01", schema.Union{ID: 1}, `"#1"`},
		{`{"kind":"union","tag":"uvarint","cases":[{"id":1,"name":"a"},{"id":300,"name":"a","type":` + i64 + `}]}`, "ac0202", schema.Union{ID: 300, Value: int64(1)}, `{"#300":1}`},
		{`{"kind":"struct","fields":[{"name":"a","type":` + i64 + `},{"name":"a","type":` + i64 + `},{"type":{"kind":"skip","count":2}},{"name":"#1","type":{"kind":"bool"}},{"type":{"kind":"skip","count":1}}]}`, "02040000010a",
			schema.Struct{{"#0", int64(1)}, {"#1", int64(2)}, {"#3", true}, {"#4", []byte{10}}}, `{"#0":1,"#1":2,"#3":true,"#4":"Cg=="}`},
		{`{"kind":"struct","evolving":true,"fields":[{"name":"a","type":` + i64 + `},{"name":"b","type":` + i64 + `}]}`, "0102", schema.Struct{{"a", int64(1)}}, `{"a":1}`},
		{`{"kind":"struct","evolving":true,"fields":[{"name":"a","type":` + i64 + `}]}`, "0302ffff", schema.Struct{{"a", int64(1)}, {schema.Unknown, []byte{255, 255}}}, `{"a":1,"#unknown":"//8="}`},
		{`{"kind":"struct","evolving":true}`, "00", schema.Struct(nil), `{}`},
		{`{"kind":"slice","length":"u16be","elem":{"kind":"struct"}}`, "0002", []any{schema.Struct(nil), schema.Struct(nil)}, `[{},{}]`},
	} {
		s := mustParse(t, test.typ, "")
		data, err := hex.DecodeString(test.data)
		if err != nil {
			t.Fatal(err)
		}
		value, err := s.Decode(data)
		if err != nil || test.value != nil && !reflect.DeepEqual(value, test.value) {
			t.Errorf("%s by %s is %#v, %v; want %#v", test.data, test.typ, value, err, test.value)
		}
		if got, err := s.Encode([]byte("kept"), value); err != nil || string(got) != "kept"+string(data) {
			t.Errorf("%#v by %s is %x, %v; want %s", value, test.typ, got, err, test.data)
		}
		text, err := s.AppendJSON(nil, data)
		if err != nil || string(text) != test.json {
			t.Errorf("%s by %s is %s, %v; want %s", test.data, test.typ, text, err, test.json)
		}
		if got, err := s.EncodeJSON(nil, []byte(test.json)); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s by %s is %x, %v; want %s", test.json, test.typ, got, err, test.data)
		}
	}
}

func TestEncodeJSONOtherForms(t *testing.T) {
	const i8 = `{"kind":"int","bits":8,"coding":"little"}`
	for _, test := range []struct{ typ, json, data string }{
		{i8, ` "-128" `, "80"},
		{`{"kind":"float","bits":64,"coding":"big"}`, `1E0`, "3ff0000000000000"},
		{`{"kind":"bigint","length":"u8"}`, `"0xfff"`, "03000fff"},
		{`{"kind":"string","length":"u8"}`, `"\ud83d\ude00\u00e4\/\b"`, "08f09f9880c3a42f08"},
		{`{"kind":"string","length":"u8"}`, `{ "base64" : "YQ==" }`, "0161"},
		{`{"kind":"map","length":"u8","key":` + i8 + `,"elem":` + i8 + `}`, `[[1,2],["3",4]]`, "0201020304"},
		{`{"kind":"struct","fields":[{"name":"a","type":` + i8 + `},{"type":{"kind":"skip","count":1}},{"name":"b","type":` + i8 + `}]}`, "{\"b\": 2,\n\"a\": 1}", "010002"},
		{`{"kind":"time"}`, `"1970-01-01T00:00:00Z[UTC]"`, "0000010003555443"},
		{`{"kind":"time"}`, `{"nanoseconds":1,"seconds":"1"}`, "020100"},
	} {
		data, err := mustParse(t, test.typ, "").EncodeJSON(nil, []byte(test.json))
		if err != nil || hex.EncodeToString(data) != test.data {
			t.Errorf("%s by %s is %x, %v; want %s", test.json, test.typ, data, err, test.data)
		}
	}
	canonical := `"mode":"canonical",`
	for _, test := range []struct{ typ, json, data string }{
		{`{"kind":"map","length":"uvarint","key":{"kind":"string","length":"uvarint"},"elem":` + i8 + `}`, `{"b":1,"a":2,"":3}`, "03000301610201" + "6201"},
		{`{"kind":"time"}`, `"1970-01-01T01:00:00+01:00[X]"`, "000000"},
		{`{"kind":"float","bits":32,"coding":"little"}`, `-0.0`, "00000000"},
		{`{"kind":"float","bits":32,"coding":"little"}`, `"NaN:ffffffff"`, "0000c07f"},
	} {
		s := mustParse(t, test.typ, canonical)
		data, err := s.EncodeJSON(nil, []byte(test.json))
		if err != nil || hex.EncodeToString(data) != test.data {
			t.Errorf("%s by the canonical %s is %x, %v; want %s", test.json, test.typ, data, err, test.data)
		}
		if _, err := s.Decode(data); err != nil {
			t.Errorf("%x by the canonical %s: %v", data, test.typ, err)
		}
	}
}

func TestEncodeJSONErrors(t *testing.T) {
	const i8 = `{"kind":"int","bits":8,"coding":"little"}`
	const pair = `{"kind":"struct","fields":[{"name":"a","type":` + i8 + `},{"name":"b","type":` + i8 + `}]}`
	for _, test := range []struct {
		typ, json string
		offset    int
		err       string
	}{
		{i8, ``, 0, "number"}, {i8, `1 1`, 2, "data after"}, {i8, `128`, 0, "too large"}, {i8, `1.0`, 0, "not an integer"}, {i8, `1e0`, 0, "not an integer"}, {i8, `-0`, 0, "not an integer"},
		{i8, `01`, 0, "number"}, {i8, `null`, 0, "number"}, {i8, `"1`, 2, "EOF"}, {i8, `" 1"`, 0, "not an integer"}, {i8, `"+1"`, 0, "not an integer"},
		{`{"kind":"bool"}`, ` 1`, 1, "true or false"}, {`{"kind":"bool"}`, `truer`, 4, "data after"},
		{`{"kind":"float","bits":32,"coding":"big"}`, `1e39`, 0, "too large"}, {`{"kind":"float","bits":64,"coding":"big"}`, `"1"`, 0, "NaN"},
		{`{"kind":"float","bits":64,"coding":"big"}`, `"NaN:7ff0000000000000"`, 0, "NaN"}, {`{"kind":"float","bits":64,"coding":"big"}`, `"NaN:7fc00000"`, 0, "NaN"},
		{`{"kind":"bigint","length":"u8"}`, `"99999999999999999999999"`, 0, "hexadecimal"}, {`{"kind":"bigint","length":"u8"}`, `"-0x00"`, 0, "hexadecimal"},
		{`{"kind":"string","length":"u8"}`, `"\ud83d"`, 1, "JSON string"}, {`{"kind":"string","length":"u8"}`, "\"a\xff\"", 2, "JSON string"}, {`{"kind":"string","length":"u8"}`, `"\'"`, 1, "JSON string"},
		{`{"kind":"string","length":"u8"}`, "\"\n\"", 1, "JSON string"}, {`{"kind":"string","length":"u8"}`, `{"base64":"="}`, 10, "base64"}, {`{"kind":"string","length":"u8"}`, `{}`, 0, "missing"},
		{`{"kind":"bytes","length":"u8"}`, `"YR=="`, 0, "base64"}, {`{"kind":"bytes","length":"u8"}`, `"YQ=\n="`, 0, "base64"},
		{pair, `{"a":1}`, 0, `missing: "b"`}, {pair, `{"a":1,"a":2,"b":3}`, 7, `duplicate member: "a"`}, {pair, `{"b":1,"a":2,"b":3}`, 13, `duplicate member: "b"`}, {pair, `{"a":1,"c":2}`, 7, `not have: "c"`},
		{pair, `{"a":1,}`, 7, "a string"}, {pair, `{"a":1 "b":2}`, 7, "'}'"}, {pair, `{"a":300,"b":2}`, 5, ".a: number too large"},
		{`{"kind":"array","count":2,"elem":` + i8 + `}`, `[1]`, 0, "elements"}, {`{"kind":"slice","length":"u8","elem":` + i8 + `}`, `[1,x]`, 3, "[1]"},
		{`{"kind":"map","length":"u8","key":{"kind":"string","length":"u8"},"elem":` + i8 + `}`, `{"a":1,"\u0061":2}`, 7, "twice"},
		{`{"kind":"map","length":"u8","key":{"kind":"float","bits":64,"coding":"big"},"elem":` + i8 + `}`, `[[0,1],[-0.0,1]]`, 7, "twice"},
		{`{"kind":"map","length":"u8","key":` + i8 + `,"elem":` + i8 + `}`, `{"1":1,"01":2}`, 7, "not an integer"},
		{`{"kind":"optional","elem":{"kind":"optional","elem":` + i8 + `}}`, `1`, 0, "'{'"}, {`{"kind":"optional","elem":{"kind":"optional","elem":` + i8 + `}}`, `{}`, 0, "missing"},
		{`{"kind":"union","tag":"byte","cases":[{"id":0,"name":"x"},{"id":1,"name":"y","type":` + i8 + `}]}`, `"y"`, 0, "there is no case"},
		{`{"kind":"union","tag":"byte","cases":[{"id":0,"name":"x"},{"id":1,"name":"y","type":` + i8 + `}]}`, `{"y":1,"y":2}`, 7, "duplicate member"},
		{`{"kind":"union","tag":"byte","cases":[{"id":0,"name":"x"},{"id":1,"name":"y","type":` + i8 + `}]}`, `null`, 0, "'{'"},
		{`{"kind":"time"}`, `"2023-02-29T00:00:00Z"`, 0, "RFC 3339"}, {`{"kind":"time"}`, `"2023-02-28T00:00:60Z"`, 0, "RFC 3339"}, {`{"kind":"time"}`, `"2023-02-28T00:00:00"`, 0, "RFC 3339"},
		{`{"kind":"time"}`, `"2023-02-28T00:00:00.Z"`, 0, "RFC 3339"}, {`{"kind":"time"}`, `"2023-02-28T00:00:00.1234567890Z"`, 0, "RFC 3339"}, {`{"kind":"time"}`, `"["`, 0, "RFC 3339"},
		{`{"kind":"time"}`, `{"seconds":1}`, 0, "missing"}, {`{"kind":"time"}`, `{"seconds":1,"nanoseconds":0,"name":"x"}`, 0, "missing"}, {`{"kind":"time"}`, `{"seconds":1,"seconds":0}`, 13, "duplicate member"},
		{`{"kind":"struct","evolving":true,"fields":[{"name":"a","type":` + i8 + `},{"name":"b","type":` + i8 + `}]}`, `{"b":1}`, 0, `missing: "a"`},
		{`{"kind":"struct","evolving":true,"fields":[{"name":"a","type":` + i8 + `}]}`, `{"#unknown":"AA=="}`, 0, `missing: "a"`},
	} {
		out, err := mustParse(t, test.typ, "").EncodeJSON([]byte("kept"), []byte(test.json))
		var fault *schema.DecodeError
		if !errors.As(err, &fault) || fault.Offset != test.offset || !strings.Contains(err.Error(), test.err) || string(out) != "kept" {
			t.Errorf("%s by %s: %v, %q; want %d and %q", test.json, test.typ, err, out, test.offset, test.err)
		}
	}
	for _, test := range []struct{ typ, json, err string }{
		{`{"kind":"string","length":"i8"}`, `"` + strings.Repeat("x", 128) + `"`, "longer than its length prefix can represent"},
		{`{"kind":"time"}`, `{"seconds":1,"nanoseconds":1000000000}`, "not a time"},
		{`{"kind":"time utc"}`, `"1500-01-01T00:00:00Z"`, "not a time"},
		{`{"kind":"time utc"}`, `"1970-01-01T00:00:00Z[UTC]"`, "not a time"},
		{`{"kind":"time location"}`, `"1970-01-01T00:00:00+00:00"`, "not a time"},
		{`{"kind":"skip","count":2000000000}`, `null`, "limit"},
		{`{"kind":"slice","length":"u8","elem":{"kind":"skip","count":2}}`, `[null,"AA=="]`, "encode [1]: the number of elements differs"},
	} {
		out, err := mustParse(t, test.typ, "").EncodeJSON([]byte("kept"), []byte(test.json))
		var fault *schema.EncodeError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), test.err) || string(out) != "kept" {
			t.Errorf("%s by %s: %v, %q; want %q", test.json, test.typ, err, out, test.err)
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	type config struct {
		A  int8
		By map[float64]string
	}
	s := wire.Must(wire.SchemaOf[config]())
	by := func(m schema.Map) schema.Struct { return schema.Struct{{"A", int64(1)}, {"By", m}} }
	for _, test := range []struct {
		value any
		err   string
	}{
		{nil, "struct"}, {schema.Struct{}, `"A" is missing`}, {schema.Struct{{"A", 1}}, "missing"}, {by(nil)[:1], `"By" is missing`},
		{schema.Struct{{"A", 1}, {"By", schema.Map{}}}, ".A: not a value of this kind: int is not"}, {schema.Struct{{"A", int64(1)}, {"A", int64(1)}}, `duplicate member "A"`},
		{schema.Struct{{"A", int64(128)}, {"By", schema.Map{}}}, ".A: number too large"}, {schema.Struct{{"C", 1}}, `duplicate field "C"`},
		{by(schema.Map{{Key: 0.0, Value: "a"}, {Key: math.Copysign(0, -1), Value: "b"}}), ".By[key]: map key written twice"},
		{by(schema.Map{{Key: 1.0, Value: 5}}), ".By[…]: not a value of this kind"},
	} {
		out, err := s.Encode([]byte("kept"), test.value)
		var fault *schema.EncodeError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), test.err) || string(out) != "kept" {
			t.Errorf("%v: %v, %q; want %q", test.value, err, out, test.err)
		}
	}
	nan := by(schema.Map{{Key: math.NaN(), Value: "a"}, {Key: math.NaN(), Value: "b"}})
	if _, err := s.Encode(nil, nan); err != nil {
		t.Errorf("a NaN equals nothing: %v", err)
	}
}

// TestDecodeKeys decodes maps with two equal or two similar keys. The schema must refuse equal
// keys. Package wire must agree, where the map has a Go type.
func TestDecodeKeys(t *testing.T) {
	check := func(name string, s *schema.Schema, data string, typed error, twice bool) {
		t.Helper()
		_, err := s.Decode([]byte(data))
		if errors.Is(err, wire.ErrDuplicate) != twice || !twice && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if errors.Is(typed, wire.ErrDuplicate) != twice {
			t.Errorf("%s: wire returns %v", name, typed)
		}
	}
	const zero, minus, nan = "\x00\x00\x00\x00", "\x00\x00\x00\x80", "\x00\x00\xc0\x7f"
	floats := wire.Must(wire.SchemaOf[map[float32]bool]())
	for data, twice := range map[string]bool{
		"\x02" + zero + "\x00" + minus + "\x00": true, "\x02" + nan + "\x00" + nan + "\x00": false, "\x02" + zero + "\x00" + nan + "\x00": false,
	} {
		check("floats", floats, data, wire.Unmarshal([]byte(data), new(map[float32]bool)), twice)
	}
	pointers := wire.Must(wire.SchemaOf[map[*int8]bool]())
	for data, twice := range map[string]bool{"\x02\x01\x05\x00\x01\x05\x00": false, "\x02\x00\x00\x00\x01": true} {
		check("pointers", pointers, data, wire.Unmarshal([]byte(data), new(map[*int8]bool)), twice)
	}
	type part struct {
		A [2]float32
		B string
	}
	parts := wire.Must(wire.SchemaOf[map[part]bool]())
	data := "\x02" + zero + minus + "\x01a\x00" + minus + zero + "\x01a\x00"
	check("structs", parts, data, wire.Unmarshal([]byte(data), new(map[part]bool)), true)
	data = "\x02" + zero + minus + "\x01a\x00" + minus + zero + "\x01b\x00"
	check("structs", parts, data, wire.Unmarshal([]byte(data), new(map[part]bool)), false)

	times := wire.Must(wire.SchemaOf[map[time.Time]bool]())
	for data, twice := range map[string]bool{
		"\x02\x00\x00\x00\x00\x00\x00\x00\x00":                       true,
		"\x02\x00\x00\x00\x00\x00\x00\x01\x00\x01X\x00":              false, // one instant in two zones
		"\x02\x00\x00\x01\x78\x01X\x00\x00\x00\x01\x78\x01X\x00":     true,
		"\x02\x00\x00\x01\x78\x01X\x00\x00\x00\x01\x78\x01Y\x00":     false,
		"\x02\x00\x00\x01\x78\x01X\x00\x00\x00\x01\xf0\x01\x01X\x00": false,
	} {
		check("times", times, data, wire.Unmarshal([]byte(data), new(map[time.Time]bool)), twice)
	}
	results := wire.Must(wire.SchemaOf[map[mo.Result[int8]]bool]())
	for data, twice := range map[string]bool{"\x02\x01\x01e\x00\x01\x01e\x00": false, "\x02\x00\x05\x00\x00\x05\x00": true} {
		check("results", results, data, wire.Unmarshal([]byte(data), new(map[mo.Result[int8]]bool)), twice)
	}
	eithers := wire.Must(wire.SchemaOf[map[mo.Either[string, string]]bool]())
	for data, twice := range map[string]bool{"\x02\x01\x01e\x00\x00\x01e\x00": false, "\x02\x01\x01e\x00\x01\x01e\x00": true} {
		check("eithers", eithers, data, wire.Unmarshal([]byte(data), new(map[mo.Either[string, string]]bool)), twice)
	}
	// Equal options, which a schema does not distinguish from pointers.
	data = "\x02\x01\x05\x00\x01\x05\x00"
	if err := wire.Unmarshal([]byte(data), new(map[mo.Option[int8]]bool)); !errors.Is(err, wire.ErrDuplicate) {
		t.Errorf("wire accepts equal options: %v", err)
	}
	if _, err := wire.Must(wire.SchemaOf[map[mo.Option[int8]]bool]()).Decode([]byte(data)); err != nil {
		t.Errorf("the schema refuses equal options: %v", err)
	}

	const slice = `{"kind":"slice","length":"u8","elem":{"kind":"bool"}}`
	s := mustParse(t, `{"kind":"map","length":"u8","key":{"kind":"union","tag":"uvarint","cases":[{"id":1,"name":"[]bool","type":`+slice+`}]},"elem":{"kind":"bool"}}`, "")
	if _, err := s.Decode([]byte("\x01\x01\x00\x00")); !errors.Is(err, wire.ErrKey) {
		t.Errorf("a slice in an interface as a key: %v", err)
	}
}

// TestCheckKeys checks maps with keys of many types. Check must accept a key exactly if Go can
// compare it by ==.
func TestCheckKeys(t *testing.T) {
	const lengthOf, elem = `"length":"uvarint"`, `"elem":{"kind":"bool"}`
	kinds := map[string]bool{ // whether Go compares the kind
		`{"kind":"bigint"}`: false, `{"kind":"bytes",` + lengthOf + `}`: false, `{"kind":"slice",` + lengthOf + `,` + elem + `}`: false,
		`{"kind":"map",` + lengthOf + `,"key":{"kind":"bool"},` + elem + `}`: false, `{"kind":"raw",` + lengthOf + `,` + elem + `}`: false,
		`{"kind":"bool"}`: true, `{"kind":"string",` + lengthOf + `}`: true, `{"kind":"float","bits":64,"coding":"little"}`: true, `{"kind":"time"}`: true,
	}
	for kind, compared := range kinds {
		for within, hides := range map[string]bool{ // whether Go can compare the outer kind for every inner kind
			`%s`:                                   false,
			`{"kind":"array","count":2,"elem":%s}`: false,
			`{"kind":"struct","fields":[{"name":"A","type":%s}]}`:                                   false,
			`{"kind":"union","tag":"byte","cases":[{"id":0,"name":"value","type":%s}]}`:             false,
			`{"kind":"struct","fields":[{"name":"A","type":{"kind":"array","count":2,"elem":%s}}]}`: false,
			`{"kind":"optional","elem":%s}`:                                                         true,
			`{"kind":"optional","elem":{"kind":"array","count":2,"elem":%s}}`:                       true,
			`{"kind":"union","tag":"uvarint","cases":[{"id":1,"name":"T","type":%s}]}`:              true,
		} {
			key := fmt.Sprintf(within, kind)
			s := new(schema.Schema)
			if err := json.Unmarshal([]byte(`{"version":1,"type":{"kind":"map",`+lengthOf+`,"key":`+key+`,`+elem+`}}`), s); err != nil {
				t.Fatal(err)
			}
			if err := s.Check(); (err == nil) != (compared || hides) {
				t.Errorf("the key %s: %v", key, err)
			}
		}
	}
	for name, s := range map[string]func() (*schema.Schema, error){
		"a pointer to a big.Int": wire.SchemaOf[map[*big.Int]bool], "an option of a pointer": wire.SchemaOf[map[mo.Option[*[]byte]]bool],
	} {
		if s, err := s(); err != nil || s.Check() != nil {
			t.Errorf("%s: %v, %v", name, err, s.Check())
		}
	}
}

// TestRemovedAtTheEnd converts evolving structs that end before or after a removed field to JSON
// and back. The result must have a zero in place of the removed field, or end before it.
func TestRemovedAtTheEnd(t *testing.T) {
	s := mustParse(t, `{"kind":"struct","evolving":true,"fields":[{"name":"A","type":{"kind":"bool"}},{"name":"B","removed":"00","type":{"kind":"bool"}},{"name":"C","type":{"kind":"bool"}}]}`, "")
	for data, want := range map[string]string{
		"\x00": "\x00", "\x01\x01": "\x01\x01", "\x02\x01\x01": "\x01\x01", "\x03\x01\x01\x01": "\x03\x01\x00\x01",
	} {
		text, err := s.AppendJSON(nil, []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if back, err := s.EncodeJSON(nil, text); err != nil || string(back) != want {
			t.Errorf("%x is %s, and %x again, %v; want %x", data, text, back, err, want)
		}
	}
}

// TestHostileSchemas decodes short input by schemas that ask for much memory. The decoder must
// return the expected error.
func TestHostileSchemas(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	long := strings.Repeat("n", 1<<16)
	wide := strings.TrimSuffix(strings.Repeat(`{"name":"x","type":{"kind":"struct"}},`, 10000), ",")
	const many = 2000000000
	for _, test := range []struct {
		name, schema, data string
		cause              error
	}{
		{"many empty structs", fmt.Sprintf(`"type":{"kind":"array","count":%d,"elem":{"kind":"struct"}}`, many), "", wire.ErrLimit},
		{"a slice of empty structs", `"type":{"kind":"slice","length":"uvarint","elem":{"kind":"struct"}}`, "\xff\xff\xff\xff\x07", wire.ErrLimit},
		{"arrays of arrays of nothing", fmt.Sprintf(`"type":{"kind":"array","count":%d,"elem":{"kind":"array","count":%d,"elem":{"kind":"skip"}}}`, many, many), "", wire.ErrLimit},
		{"a map of nothing", `"type":{"kind":"map","length":"uvarint","key":{"kind":"struct"},"elem":{"kind":"struct"}}`, "\xff\xff\xff\xff\x07", wire.ErrLimit},
		{"wide structs", `"type":{"kind":"slice","length":"u32le","elem":{"kind":"struct","fields":[{"type":{"kind":"bool"}},` + wide + `]}}`, "\x00\x01\x00\x00" + strings.Repeat("\x00", 256), wire.ErrLimit},
		{"long names", `"type":{"kind":"slice","length":"u32le","elem":{"kind":"struct","fields":[{"name":"` + long + `","type":{"kind":"bool"}}]}}`, "\x00\x01\x00\x00" + strings.Repeat("\x00", 256), wire.ErrLimit},
		{"a long skip", fmt.Sprintf(`"type":{"kind":"skip","count":%d}`, many), "", io.ErrUnexpectedEOF},
		{"a long array", fmt.Sprintf(`"type":{"kind":"array","count":%d,"elem":{"kind":"bool"}}`, many), "\x00", io.ErrUnexpectedEOF},
		{"deep", `"type":{"kind":"ref","name":"a"},"types":{"a":{"kind":"optional","elem":{"kind":"ref","name":"a"}}}`, strings.Repeat("\x01", 5000), wire.ErrDepth},
		{"deep and evolving", `"type":{"kind":"ref","name":"a"},"types":{"a":{"kind":"slice","length":"uvarint","elem":{"kind":"ref","name":"a"}}}`, strings.Repeat("\x01", 5000), wire.ErrDepth},
	} {
		s, err := parse([]byte(`{"version":1,` + test.schema + `}`))
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out, err := s.AppendJSON(nil, []byte(test.data))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, test.cause) || out != nil {
			t.Errorf("%s: %v and %d bytes; want %v", test.name, err, len(out), test.cause)
		}
		if took, most := after.TotalAlloc-before.TotalAlloc, uint64(16<<20); took > most {
			t.Errorf("%s: allocated %d bytes for %d of input", test.name, took, len(test.data))
		}
	}
	for name, text := range map[string]string{
		"a struct in itself":       `"type":{"kind":"ref","name":"a"},"types":{"a":{"kind":"struct","fields":[{"name":"b","type":{"kind":"ref","name":"a"}}]}}`,
		"an array of itself":       `"type":{"kind":"ref","name":"a"},"types":{"a":{"kind":"array","count":1,"elem":{"kind":"ref","name":"a"}}}`,
		"an evolving key":          `"type":{"kind":"map","length":"u8","key":{"kind":"optional","elem":{"kind":"struct","evolving":true}},"elem":{"kind":"bool"}}`,
		"an id twice":              `"type":{"kind":"union","tag":"byte","cases":[{"id":1,"name":"a"},{"id":1,"name":"b"}]}`,
		"an id that is no byte":    `"type":{"kind":"union","tag":"byte","cases":[{"id":256,"name":"a"}]}`,
		"an id that stands for no": `"type":{"kind":"union","tag":"uvarint","cases":[{"id":0,"name":"a"}]}`,
	} {
		if _, err := parse([]byte(`{"version":1,` + text + `}`)); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	// Decode and Encode return an error for an invalid schema even if Check was not called.
	none := &schema.Schema{Version: 1, Type: &schema.Type{Kind: "ref", Name: "a"}, Types: map[string]*schema.Type{"a": {Kind: "struct", Fields: []schema.Field{{Name: "b", Type: &schema.Type{Kind: "ref", Name: "a"}}}}}}
	if _, err := none.Decode(nil); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("no end: %v", err)
	}
	if _, err := new(schema.Schema).Decode(nil); err == nil {
		t.Error("no type: no error")
	}
}

// TestDepth checks that this package counts the same levels of nesting as package wire.
func TestDepth(t *testing.T) {
	type list struct {
		Next *list
		V    int8
	}
	s := wire.Must(wire.SchemaOf[list]())
	for n := 990; n < 1010; n++ {
		data := append([]byte(strings.Repeat("\x01", n)+"\x00"), make([]byte, n+1)...)
		typed := wire.Unmarshal(data, new(list))
		text, err := s.AppendJSON(nil, data)
		if (typed == nil) != (err == nil) {
			t.Errorf("%d deep: wire returns %v, the schema %v", n, typed, err)
		}
		if err != nil {
			continue
		}
		if got, err := s.EncodeJSON(nil, text); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d deep: %v", n, err)
		}
	}
}

func TestEncodeJSONLines(t *testing.T) {
	s := wire.Must(wire.SchemaOf[line]())
	out, err := s.EncodeJSONLines([]byte("kept"), []byte("{\"Item\":1,\"Count\":0}\n{\"Item\":2,\"Count\":-1} \n"))
	if want := "kept\x02\x02\x00\x02\x04\x01"; err != nil || string(out) != want {
		t.Errorf("%q, %v", out, err)
	}
	out, err = s.EncodeJSONLines([]byte("kept"), []byte(`{"Item":1,"Count":0} {"Item":2}`))
	if err == nil || !strings.Contains(err.Error(), `byte 21: record 1: a member is missing: "Count"`) || string(out) != "kept" {
		t.Errorf("%q, %v", out, err)
	}
}

// TestZero decodes an empty evolving struct with package wire, which sets all fields to zero. The
// JSON of this value must have the zero value of each kind.
func TestZero(t *testing.T) {
	type within struct {
		A bool
		B uint8
	}
	type everything struct {
		_ wire.Evolving
		A bool
		B int
		C float32
		D string
		E []byte
		F []int
		G map[string]int
		H *int
		I mo.Option[int]
		J mo.Either[string, within]
		K mo.Either3[int8, string, bool]
		L mo.Nullable[int]
		M mo.Result[string]
		N within
		O [2]bool
		P time.Time
		Q complex64
	}
	v := everything{A: true, B: 1, D: "d", J: mo.Left[string, within]("l"), L: mo.Value(1), P: time.Unix(0, 0)}
	if err := wire.Unmarshal([]byte{0}, &v); err != nil {
		t.Fatal(err)
	}
	s := wire.Must(wire.SchemaOf[everything]())
	text, err := s.AppendJSON(nil, wire.Must(wire.Marshal(&v)))
	if want := `{"A":false,"B":0,"C":0,"D":"","E":"","F":[],"G":{},"H":null,"I":null,"J":{"right":{"A":false,"B":0}},"K":{"arg1":0},"L":"absent",` +
		`"M":{"result":""},"N":{"A":false,"B":0},"O":[false,false],"P":"0001-01-01T00:00:00Z","Q":[0,0]}`; err != nil || string(text) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, text, want)
	}
	if text, err := s.AppendJSON(nil, []byte{0}); err != nil || string(text) != "{}" {
		t.Errorf("nothing is %s, %v", text, err)
	}
}

// TestOmitted reads an encoding by a schema in which every optional property is missing.
func TestOmitted(t *testing.T) {
	s := mustParse(t, `{"kind":"struct","fields":[{"type":{"kind":"array","elem":{"kind":"bool"}}},{"type":{"kind":"skip"}},{"type":{"kind":"union","tag":"byte","cases":[{"id":0,"name":""}]}}]}`, "")
	if text, err := s.AppendJSON(nil, []byte{0}); err != nil || string(text) != `{"#0":[],"#2":"#0"}` {
		t.Errorf("%s, %v", text, err)
	}
}
