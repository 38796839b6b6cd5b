package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules/v1"
	"github.com/hone-go/hone/mo"
)

// byIndex decodes data with an index.
func byIndex(d *v1.Decoder, data []byte, v reflect.Value, on option.Flag) error {
	if !d.Index.Build(data) {
		return new(SyntaxError)
	}
	return d.UnmarshalIndexed(data, v, nil, on)
}

// decodeBothWays decodes data into new values of type t, once with an index and once in one pass.
// took reports whether the pass succeeded.
func decodeBothWays(o Config, t reflect.Type, data []byte) (indexed, direct reflect.Value, err error, took bool) {
	indexed, direct = reflect.New(t), reflect.New(t)
	d := decodingOf(o.flags()).Take()
	err = byIndex(d, data, indexed, o.flags())
	d.Put()
	for range 17 { // because the decoder skips some passes after a pass has failed
		d = decodingOf(o.flags()).Take()
		took = took || d.Direct(data, direct, nil, o.flags())
		d.Put()
	}
	return indexed, direct, err, took
}

// sameDirect compares decoding in one pass with decoding with an index, for each option that one
// pass supports.
func sameDirect(t *testing.T, typ reflect.Type, data []byte) (took bool) {
	t.Helper()
	for _, o := range []Config{{}, {UseNumber: true, DisallowUnknownFields: true}, {AliasInput: true}, {LimitLengths: true}, {CheckMembers: true}} {
		indexed, direct, err, ok := decodeBothWays(o, typ, data)
		switch {
		case ok && err != nil:
			t.Fatalf("%+v: %.300q into %v\ndecoded in one pass, but with an index the error is %v", o, data, typ, err)
		case ok && !reflect.DeepEqual(direct.Interface(), indexed.Interface()):
			t.Fatalf("%+v: %.300q into %v\none pass %+v\nindex    %+v", o, data, typ, direct.Elem(), indexed.Elem())
		case !ok && !direct.Elem().IsZero():
			t.Fatalf("%+v: %.300q into %v\nleft behind: %+v", o, data, typ, direct.Elem())
		}
		took = took || ok
	}
	return took
}

func FuzzDirect(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed, []byte(nil))
		f.Add(seed, []byte{byte(seed * 31), byte(seed * 7), byte(seed), byte(seed / 3)})
	}
	f.Fuzz(func(t *testing.T, seed uint64, edits []byte) {
		r := rand.New(rand.NewPCG(seed, 9))
		typ := random.Type(r, 3, fieldTags, reflect.TypeFor[any](), reflect.TypeFor[RawMessage](), reflect.TypeFor[Number](), reflect.TypeFor[*float64]())
		v := valueOf(typ, seed)
		data, err := json.Marshal(v.Interface())
		if err != nil {
			return
		}
		data = random.Edited(data, edits)
		for range 2 { // the second decode reuses the memory of the first one
			sameDirect(t, typ, data)
		}
	})
}

// directRecord has fields of all kinds that one pass decodes.
type directRecord struct {
	ID      int64            `json:"id"`
	Small   int8             `json:"small"`
	Size    uint32           `json:"size"`
	Name    string           `json:"name"`
	On      bool             `json:"on"`
	Ratio   float64          `json:"ratio"`
	Half    float32          `json:"half"`
	At      time.Time        `json:"at"`
	Tags    []string         `json:"tags"`
	Grid    [2][]int         `json:"grid"`
	Next    *directRecord    `json:"next"`
	Others  []directRecord   `json:"others"`
	Labels  map[string]int   `json:"labels"`
	Places  map[Named]string `json:"places"`
	Any     any              `json:"any"`
	Raw     RawMessage       `json:"raw"`
	Bytes   []byte           `json:"bytes"`
	Maybe   mo.Option[int]   `json:"maybe"`
	Pointer **float64        `json:"pointer"`
	Embedded
}

type (
	Named    string
	Embedded struct{ Inner []struct{ A, B int } }
)

const directText = `{"id":-9223372036854775808,"small":-128,"size":4294967295,"name":"aé\n\ud83d\ude00b","on":true,` +
	`"ratio":-12.25,"half":0.5,"at":"2026-11-01T12:30:00.25+02:00","tags":["a","","b"],"grid":[[1,2],[]],` +
	`"next":{"id":7,"others":[{"id":8},{"name":"x","others":[{"id":9}]}]},"others":[{},{"tags":[]}],` +
	`"labels":{"one":1,"two":2},"places":{"here":"there"},"any":{"a":[1,null,"x"]},"raw":[1, 2],"bytes":"AQI=",` +
	`"maybe":3,"pointer":1e3,"Inner":[{"A":1,"B":2},{"B":3}],"unknown":{"deep":[1,{"x":"y"}]}}`

// TestDirectTakes decodes texts that one pass must support, and compares the values with
// encoding/json.
func TestDirectTakes(t *testing.T) {
	typ := reflect.TypeFor[directRecord]()
	for name, text := range map[string]string{
		"compact":  directText,
		"spaced":   strings.NewReplacer(":", " : ", ",", " ,\n\t", "{", "{ ", "]", " ]").Replace(strings.ReplaceAll(directText, "12:30:00", "")),
		"indented": string(indented(t, directText)),
		"empty":    " {} ",
		"null":     `{"id":null,"name":null,"at":null,"tags":null,"grid":null,"next":null,"labels":null,"any":null,"raw":null,"bytes":null,"maybe":null,"pointer":null}`,
		"cases":    `{"ID":1,"NAME":"n","Tags":["t"]}`,
		"backward": `{"size":1,"small":2,"id":3}`,
	} {
		if name == "spaced" {
			text = strings.ReplaceAll(text, `"2026-11-01T.25+02 : 00"`, `"2026-11-01T12:30:00.25+02:00"`)
		}
		var want directRecord
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(name, err)
		}
		indexed, direct, err, took := decodeBothWays(Config{}, typ, []byte(text))
		if err != nil || !took {
			t.Errorf("%s: decoded in one pass: %v; error with an index: %v", name, took, err)
		}
		if !reflect.DeepEqual(direct.Elem().Interface(), want) || !reflect.DeepEqual(indexed.Elem().Interface(), want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", name, direct.Elem(), want)
		}
	}
}

func indented(t *testing.T, text string) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", "    "); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestDirectGivesUp decodes texts that one pass does not support. The pass must leave the target
// unchanged. The result must be the same as with encoding/json.
func TestDirectGivesUp(t *testing.T) {
	typ := reflect.TypeFor[directRecord]()
	var texts []string
	for i := range len(directText) { // the text, cut off at each byte
		texts = append(texts, directText[:i])
	}
	for _, wrong := range []string{
		`"id":1,"id":2`, `"next":{"id":1},"next":{"name":"a"}`, `"tags":["a"],"tags":["b","c"]`, `"id":1.5`, `"id":"1"`, `"id":01`,
		`"id":9223372036854775808`, `"small":128`, `"size":-1`, `"size":4294967296`, `"half":1e39`, `"ratio":1e309`, `"ratio":1.`, `"ratio":.5`, `"ratio":-`,
		`"ratio":00.5`, `"ratio":+1`, `"on":truE`, `"on":1`, `"name":1`, `"name":"\x"`, `"name":"` + "\x01" + `"`, `"name":"\u12"`, `"at":"yesterday"`, `"at":5`,
		`"tags":{}`, `"tags":["a",]`, `"tags":["a" "b"]`, `"tags":[1]`, `"grid":[[1],[2],[3]`, `"labels":{"a":"b"}`, `"labels":{"a":1,}`, `"labels":[]`,
		`"any":1e400`, `"any":[1,}`, `"raw":[1,`, `"bytes":"?"`, `"maybe":"x"`, `"others":[{},{"id":"x"}]`, `"others":[{},1]`, `"next":1`, `"next":{"id":1`,
		`"id":1,}`, `"id" 1`, `id:1`, `"id":1 "name":"x"`, `"unknown":[1,2`, `"unknown":tru`, `"id":1}}`, `"id":1}x`, `"\u0069d":1`, `"next":nul`, `"name":"` + "\xff" + `"`,
	} {
		texts = append(texts, "{"+wrong+"}")
	}
	takes := 0
	for _, text := range texts {
		for range 3 { // the decoder is reused
			if sameDirect(t, typ, []byte(text)) {
				takes++
			}
			if strings.Contains(text, `"maybe":"x"`) {
				continue // encoding/json does not support the type
			}
			var want, got directRecord
			wantErr, err := json.Unmarshal([]byte(text), &want), Unmarshal([]byte(text), &got)
			compare(t, "Unmarshal", []byte(text), [2]any{&want, &got}, err, wantErr)
		}
	}
	if takes > len(texts) {
		t.Errorf("%d of %d were decoded in one pass", takes, len(texts))
	}
}

// TestDirectDepth decodes texts whose nesting is near the maximum depth, in all members for which
// one pass builds an index. The pass must succeed exactly if the text is not too deep.
func TestDirectDepth(t *testing.T) {
	testkit.SkipInVariant(t)
	typ := reflect.TypeFor[directRecord]()
	for _, around := range []string{`{"any":%s}`, `{"unknown":%s}`, `{"raw":%s}`, `{"next":{"next":{"any":%s}}}`, `{"others":[{"unknown":%s}]}`} {
		for deep := 9990; deep <= 10002; deep++ {
			text := fmt.Appendf(nil, around, strings.Repeat("[", deep)+strings.Repeat("]", deep))
			_, _, err, took := decodeBothWays(Config{}, typ, text)
			if took != (err == nil) {
				t.Errorf("%s, %d deep: decoded in one pass: %v, error %v", around, deep, took, err)
			}
		}
	}
	for deep := 9990; deep <= 10002; deep++ {
		text := []byte(strings.Repeat(`{"next":`, deep) + "null" + strings.Repeat("}", deep))
		_, _, err, took := decodeBothWays(Config{}, typ, text)
		if took != (err == nil) {
			t.Errorf("%d records deep: decoded in one pass: %v, error %v", deep, took, err)
		}
	}
}

// TestDirectShares checks that no part of a value appears in the next one, although both were
// decoded with the same staging slice.
func TestDirectShares(t *testing.T) {
	if byStd(DefaultEngine) {
		t.Skip("tests the memory of Hone's engine")
	}
	type part struct {
		P *int
		S []part
		M map[string]int
		T string
	}
	full := []byte(`[{"P":1,"S":[{"P":2,"T":"x"},{"P":3,"S":[{"T":"y"},{"T":"z"}]}],"M":{"a":1},"T":"t"},{"P":4,"S":[{"P":5},{"P":6}]}]`)
	bare := []byte(`[{},{"S":[{},{"S":[{},{},{}]}]},{}]`)
	var first []part
	if err := Unmarshal(full, &first); err != nil {
		t.Fatal(err)
	}
	before := fmt.Sprint(*first[0].P, *first[0].S[0].P, first[0].S[1].S, first[1].S)
	for n := range 20 {
		for _, broken := range [][]byte{full[:len(full)-n], bare} {
			var v []part
			_ = Unmarshal(broken, &v)
		}
		var empty, want []part
		if err := Unmarshal(bare, &empty); err != nil {
			t.Fatal(err)
		}
		_ = json.Unmarshal(bare, &want)
		if !reflect.DeepEqual(empty, want) {
			t.Fatalf("got %+v, want %+v", empty, want)
		}
	}
	if after := fmt.Sprint(*first[0].P, *first[0].S[0].P, first[0].S[1].S, first[1].S); after != before {
		t.Errorf("the first value was %s and is %s", before, after)
	}
}

// TestDirectTargets checks that only zero values of types without methods are decoded in one pass.
func TestDirectTargets(t *testing.T) {
	text := []byte(`{"A":1,"B":[1]}`)
	type plain struct {
		A int
		B []int
	}
	type withMethod struct {
		A int
		B []mayFail
	}
	for _, test := range []struct {
		v    any
		took bool
	}{
		{&plain{}, true},
		{&plain{A: 2}, false},
		{&plain{B: []int{}}, false},
		{plain{}, false},
		{(*plain)(nil), false},
		{nil, false},
		{&struct{ plain }{}, true},
		{&struct{ *plain }{}, false},
		{&struct {
			A int
			B []keepsText
		}{}, false},
		{&struct {
			A int
			B marshals
		}{}, false},
		{&struct {
			A int `json:",string"`
		}{}, false},
		{new(any), false}, // this type needs an index
		{new(map[string]any), true},
		{new(map[int]plain), false},
		{new(interface{ String() string }), false},
	} {
		took := false
		for range 17 { // because the decoder skips some passes after a pass has failed
			d := decodingOf(plainFlags).Take()
			took = took || d.Direct(text, reflect.ValueOf(test.v), nil, plainFlags)
			d.Put()
		}
		if took != test.took {
			t.Errorf("%T %+v: taken %v", test.v, test.v, took)
		}
	}
	var method withMethod // its method only encodes
	if err := Unmarshal([]byte(`{"A":1,"B":[{"Fail":true}]}`), &method); err != nil || len(method.B) != 1 {
		t.Error(method, err)
	}
}

// plainFlags are the flags of a call without options.
var plainFlags = new(Config).flags()

// TestDirectPauses decodes a type for which one pass often fails, and checks that most decodes do
// not try one pass.
func TestDirectPauses(t *testing.T) {
	type unusual struct{ A int }
	took := 0
	for range 100 {
		d := decodingOf(plainFlags).Take()
		d.Direct([]byte(`{"A":"x"}`), reflect.ValueOf(new(unusual)), nil, plainFlags)
		if d.Direct([]byte(`{"A":1}`), reflect.ValueOf(new(unusual)), nil, plainFlags) {
			took++
		}
		d.Put()
	}
	if took > 20 {
		t.Errorf("tried after %d of 100 failures", took)
	}
}

// A plainRecord resembles most request bodies.
type plainRecord struct {
	ID    int
	Name  string
	Ratio float64
	Tags  []string
	Next  *plainRecord
}

const plainText = `{"ID":1,"Name":"a name","Ratio":0.5,"Tags":["one","two","three"],"Next":{"ID":2,"Tags":["one"],"Next":null}}`

// TestDirectAllocs counts the allocations for a record whose lists always have the same lengths:
// one for each list and each pointer. Its strings repeat, and share memory.
func TestDirectAllocs(t *testing.T) {
	if byStd(DefaultEngine) {
		t.Skip("tests the memory of Hone's engine")
	}
	testkit.SkipIfInstrumented(t)
	text := []byte(plainText)
	var v plainRecord
	most := 3.0 // two lists and a record
	if n := testing.AllocsPerRun(200, func() {
		v = plainRecord{}
		if err := Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
	}); n > most {
		t.Errorf("%v allocations, %v allowed", n, most)
	}
}

// BenchmarkDirect decodes the same text with an index and in one pass.
func BenchmarkDirect(b *testing.B) {
	text := []byte(plainText)
	for name, one := range map[string]func(d *v1.Decoder, v reflect.Value) bool{
		"index": func(d *v1.Decoder, v reflect.Value) bool {
			return byIndex(d, text, v, plainFlags) == nil
		},
		"one pass": func(d *v1.Decoder, v reflect.Value) bool { return d.Direct(text, v, nil, plainFlags) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d := decodingOf(plainFlags).Take()
				if !one(d, reflect.ValueOf(new(plainRecord))) {
					b.Fatal("not decoded")
				}
				d.Put()
			}
		})
	}
}
