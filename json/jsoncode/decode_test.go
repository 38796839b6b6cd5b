package jsoncode_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/jsoncode"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

// reads are the ways to decode a text into the value that v points to. Each way uses different
// options.
var reads = map[string]func(text []byte, v any) error{
	"default":         json.Unmarshal,
	"rules of 1.26":   json.Config{Rules: json.Go126}.Unmarshal,
	"rules of 1.27":   json.Config{Rules: json.Go127}.Unmarshal,
	"unknown refused": json.Config{DisallowUnknownFields: true}.Unmarshal,
	"alias":           json.Config{AliasInput: true}.Unmarshal,
	"separate":        json.Config{SeparateStrings: true, UseNumber: true}.Unmarshal,
	"limits":          json.Config{LimitLengths: true}.Unmarshal,
	"members checked": json.Config{CheckMembers: true}.Unmarshal,
	"stream": func(text []byte, v any) error {
		d := json.NewDecoder(bytes.NewReader(text))
		if err := d.Decode(v); err != nil {
			return err
		}
		_, err := d.Token()
		if err == io.EOF {
			return nil
		}
		return fmt.Errorf("after the value: %w", err)
	},
	"v2": func(text []byte, v any) error { return jsonv2.Unmarshal(text, v) },
	"v2, loose": func(text []byte, v any) error {
		return jsonv2.Unmarshal(text, v, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsonv2.MatchCaseInsensitiveNames(true))
	},
	"v2, strict":  func(text []byte, v any) error { return jsonv2.Unmarshal(text, v, jsonv2.RejectUnknownMembers(true)) },
	"v2, numbers": func(text []byte, v any) error { return jsonv2.Unmarshal(text, v, jsonv2.StringifyNumbers(true)) },
	"v2, as v1":   func(text []byte, v any) error { return jsonv2.Unmarshal(text, v, json.DefaultOptionsV1()) },
}

// readSame decodes text into a T and into its twin, in all ways. The twin is a type with the same
// fields and no methods. The values and the errors must be equal. After an error both values
// contain the members before the error.
func readSame[T, Twin any](t *testing.T, text []byte) {
	t.Helper()
	for name, read := range reads {
		// The decoder skips one pass, and generated code, after the pass gave up.
		for range 17 {
			_ = read([]byte("{}"), new(T))
			_ = read([]byte("{}"), new(Twin))
		}
		var got T
		var want Twin
		err, wantErr := read(bytes.Clone(text), &got), read(bytes.Clone(text), &want)
		if twin := reflect.ValueOf(&got).Convert(reflect.TypeFor[*Twin]()).Interface(); !reflect.DeepEqual(twin, &want) || message(err) != message(wantErr) {
			t.Fatalf("%s: %.500q\ngenerated code reads %+v, %v\nthe engine           %+v, %v", name, text, got, err, want, wantErr)
		}
	}
	var got, want T
	// After an error in an mo.Option encoding/json decodes no further members, but Hone continues.
	if err, wantErr := json.Unmarshal(text, &got), stdjson.Unmarshal(text, &want); (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("%.500q\ngenerated code reads %+v, %v\nencoding/json        %+v, %v", text, got, err, want, wantErr)
	}
}

// A reader compares the generated decoder of a type with the engine and with encoding/json.
type reader struct {
	name string
	same func(t *testing.T, r *rand.Rand, edits []byte)
}

// readerOf returns the reader of T. Twin is a type with the same fields as T and no methods.
func readerOf[T, Twin any]() reader {
	return reader{reflect.TypeFor[T]().Name(), func(t *testing.T, r *rand.Rand, edits []byte) {
		var v Twin
		random.Fill(r, reflect.ValueOf(&v).Elem(), 4)
		text, err := stdjson.Marshal(&v)
		if err != nil {
			return
		}
		text = rearranged(r, text)
		if len(edits) > 0 {
			text = random.Edited(text, edits)
		}
		readSame[T, Twin](t, text)
	}}
}

// rearranged returns text with some of its objects changed. Members may be in another order,
// omitted, repeated, unknown or null. Names may be in another case, and white space may be added.
func rearranged(r *rand.Rand, text []byte) []byte {
	var members map[string]stdjson.RawMessage
	if r.IntN(3) == 0 || text[0] != '{' || stdjson.Unmarshal(text, &members) != nil {
		return text
	}
	// names contains the names in the order of the text, which a map would lose.
	var names []string
	d := stdjson.NewDecoder(bytes.NewReader(text))
	_, _ = d.Token()
	for d.More() {
		name, _ := d.Token()
		var value stdjson.RawMessage
		_ = d.Decode(&value)
		names = append(names, name.(string))
	}
	space := func() string { return []string{"", "", "", " ", "\n\t"}[r.IntN(5)] }
	rare := func() bool { return r.IntN(2+4*len(names)) == 0 }
	if r.IntN(4) == 0 {
		r.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	}
	var out bytes.Buffer
	member := func(name string, value []byte) {
		if out.Len() > 0 {
			out.WriteString("," + space())
		}
		quoted, _ := stdjson.Marshal(name)
		out.Write(quoted)
		out.WriteString(space() + ":" + space())
		out.Write(value)
		out.WriteString(space())
	}
	for _, name := range names {
		value := rearranged(r, members[name])
		if rare() {
			continue
		}
		if rare() {
			value = []byte([]string{"null", "[]", "{}", `"x"`, "-1", "1e400", "true", "300", "1.5", `"\u0061"`, `"\xff"`}[r.IntN(11)])
		}
		if rare() {
			name = strings.ToLower(name)
		}
		member(name, value)
		if rare() {
			member(name, value)
		}
		if rare() {
			member("other", random.JSON(r, 2))
		}
	}
	return []byte("{" + space() + out.String() + "}")
}

var readers = []reader{
	readerOf[scalars, scalarsTwin](), readerOf[tagged, taggedTwin](), readerOf[omitted, omittedTwin](), readerOf[optional, optionalTwin](),
	readerOf[sequences, sequencesTwin](), readerOf[outer, outerTwin](), readerOf[inner, innerTwin](), readerOf[Deep, DeepTwin](), readerOf[tree, treeTwin](),
	readerOf[names, namesTwin](), readerOf[both, bothTwin](), readerOf[options, optionsTwin](), readerOf[containers, containersTwin](),
	readerOf[chain, chainTwin](), readerOf[empty, emptyTwin](), readerOf[checked, checkedTwin](), readerOf[wide, wideTwin](), readerOf[promoted, promotedTwin](),
}

// TestReadSame decodes texts of random values, some of them damaged. The generated decoder must
// return the same values and errors as the engine.
func TestReadSame(t *testing.T) {
	rounds := 100
	if testing.Short() || os.Getenv("HONE_VARIANT") != "" {
		rounds = 20
	}
	for _, p := range readers {
		t.Run(p.name, func(t *testing.T) {
			for i := range rounds {
				r := rand.New(rand.NewPCG(uint64(i), 3))
				var edits []byte
				if i%3 == 0 {
					edits = []byte{byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256))}
				}
				p.same(t, r, edits)
			}
		})
	}
}

// FuzzReadSame is like TestReadSame, for texts that fuzzing changes.
func FuzzReadSame(f *testing.F) {
	for i := range readers {
		f.Add(uint8(i), uint64(i), []byte(nil))
		f.Add(uint8(i), uint64(i), []byte{byte(i), 7, byte(i * 3), 1})
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64, edits []byte) {
		readers[int(which)%len(readers)].same(t, rand.New(rand.NewPCG(seed, 4)), edits)
	})
}

// TestReadCut decodes every prefix of a text, and the text with single bytes replaced. The
// generated decoder must return the same values and errors as the engine.
func TestReadCut(t *testing.T) {
	text := []byte(`{"Name":"a\u00e9","Strings":["x"], "Ints" : [1,2],"Floats":[1.5],"Bytes":"AQ==","Score":-2.5e3,"PS":"p","z":0,"Deep":{"A":true,"B":false},"Tree":[{"Label":"t","Kids":[]}]}`)
	for i := range text {
		readSame[both, bothTwin](t, text[:i])
		for _, c := range []byte{'"', '}', ',', ' ', 0, 'n', '9'} {
			changed := bytes.Clone(text)
			changed[i] = c
			readSame[both, bothTwin](t, changed)
		}
		if testing.Short() && i > 40 {
			break
		}
	}
}

// TestReadInto decodes into values that are not zero. The generated decoder must return the same
// values as the engine: a member that is missing in the text keeps its value.
func TestReadInto(t *testing.T) {
	note := "n"
	for _, text := range []string{`{}`, `{"deep":{"N":2}}`, `{"name":"b","deep":{"Note":"m"}}`, `{"deep":null,"name":null}`, `{"name":1,"deep":{"N":7}}`} {
		for way, read := range reads {
			got := inner{"a", Deep{1, &note}}
			want := innerTwin(got)
			err, wantErr := read([]byte(text), &got), read([]byte(text), &want)
			if !reflect.DeepEqual(innerTwin(got), want) || message(err) != message(wantErr) {
				t.Errorf("%s: %s: %+v, %v; the engine %+v, %v", way, text, got, err, want, wantErr)
			}
			note = "n"
		}
	}
}

// TestReadDepth decodes texts that are nested up to the permitted depth, and deeper. The generated
// decoder must return the same values and errors as the engine.
func TestReadDepth(t *testing.T) {
	for _, n := range []int{9_999, 10_000, 10_001} {
		readSame[tree, treeTwin](t, []byte(strings.Repeat(`{"Next":`, n)+"null"+strings.Repeat("}", n)))
		readSame[tree, treeTwin](t, []byte(strings.Repeat(`{"Kids":[`, n/2)+strings.Repeat("]}", n/2)))
	}
}

// readUsed fails the test if T has no generated decoder, or if the fingerprint of this decoder is
// out of date. The engine ignores a decoder with another fingerprint.
func readUsed[T any](t *testing.T) {
	t.Helper()
	g, ok := any(new(T)).(decode.Generated)
	if !ok {
		t.Fatalf("%v has no generated decoder", reflect.TypeFor[T]())
	}
	_, fingerprint, _ := decode.Fields(reflect.TypeFor[T]())
	if c := g.HoneDecodeJSON(); c.Type != reflect.TypeFor[T]() || c.Fingerprint != fingerprint {
		t.Errorf("the decoder of %v is for %v, with the fingerprint %x instead of %x", reflect.TypeFor[T](), c.Type, c.Fingerprint, fingerprint)
	}
}

// TestReadUsed checks that the decoders in these tests are not stale, and that no decoder was
// generated for the types that the engine does not decode in one pass.
func TestReadUsed(t *testing.T) {
	readUsed[scalars](t)
	readUsed[sequences](t)
	readUsed[outer](t)
	readUsed[inner](t)
	readUsed[Deep](t)
	readUsed[tree](t)
	readUsed[both](t)
	readUsed[containers](t)
	readUsed[chain](t)
	readUsed[empty](t)
	readUsed[checked](t)
	readUsed[wide](t)
	readUsed[promoted](t)
	for _, v := range []any{new(tagged), new(omitted), new(methods), new(embedding)} {
		// A method that is promoted from an embedded struct returns the decoder of that struct.
		if g, ok := v.(decode.Generated); ok && g.HoneDecodeJSON().Type == reflect.TypeOf(v).Elem() {
			t.Errorf("%T has a generated decoder", v)
		}
	}
}

// TestReadAllocs checks that generated decoders allocate no more than the engine.
func TestReadAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	readAllocs[scalars, scalarsTwin](t)
	readAllocs[optional, optionalTwin](t)
	readAllocs[sequences, sequencesTwin](t)
	readAllocs[outer, outerTwin](t)
	readAllocs[both, bothTwin](t)
	readAllocs[wide, wideTwin](t)
}

func readAllocs[T, Twin any](t *testing.T) {
	t.Helper()
	var v Twin
	random.Fill(rand.New(rand.NewPCG(5, 5)), reflect.ValueOf(&v).Elem(), 3)
	text, err := stdjson.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	got := testing.AllocsPerRun(200, func() {
		if err := json.Unmarshal(text, new(T)); err != nil {
			t.Error(err)
		}
	})
	if want := testing.AllocsPerRun(200, func() { _ = json.Unmarshal(text, new(Twin)) }); got > want {
		t.Errorf("%T: generated code allocates %v times, the engine %v times", v, got, want)
	}
}

// counted has a decoder that counts its calls.
type counted struct{ N, M int }

var calls int

func (*counted) HoneDecodeJSON() jsoncode.Decoding {
	_, fingerprint, _ := decode.Fields(reflect.TypeFor[counted]())
	_, other, _ := decode.Fields(reflect.TypeFor[besides]())
	return jsoncode.DecodingOf(fingerprint, decodeCounted, jsoncode.DecodingOf(other, decodeBesides))
}

func decodeCounted(d *jsoncode.Decoder, o *jsoncode.Object, i int, v *counted) int {
	calls++
	var seen jsoncode.Seen
	return jsoncode.CloseObject(d, o, d.OpenObject(i), &seen, v)
}

func decodeBesides(d *jsoncode.Decoder, o *jsoncode.Object, i int, v *besides) int {
	calls++
	var seen jsoncode.Seen
	return jsoncode.CloseObject(d, o, d.OpenObject(i), &seen, v)
}

// besides has no generated method. The method of counted returns the decoder of besides along with
// its own.
type besides struct{ S string }

// TestReadWhere checks where generated decoders are used: in one pass, wherever an object is decoded into
// their type.
func TestReadWhere(t *testing.T) {
	type field struct {
		C  counted
		P  *counted
		Cs []counted
		By map[string]counted
		A  [2]counted
		B  besides
	}
	for _, test := range []struct {
		v    any
		text string
		want int
	}{
		{new(counted), `{"N":1}`, 1},
		{&counted{N: 1}, `{"N":1}`, 0}, // not zero, so there is no pass
		{new([]counted), `[{"N":1},{"M":2},null]`, 2},
		{new(field), `{"C":{},"P":{"M":1},"Cs":[{},{}],"A":[{},{}],"B":{"S":"x"}}`, 7},
		// The elements of a map are decoded with an index.
		{new(field), `{"By":{"a":{}}}`, 0},
		{new([]besides), `[{}]`, 0}, // counted, whose method returns the decoder, is not a part of this type
	} {
		calls = 0
		if err := json.Unmarshal([]byte(test.text), test.v); err != nil || calls != test.want {
			t.Errorf("%s into %T: %d calls, %v; want %d", test.text, test.v, calls, err, test.want)
		}
		want := reflect.New(reflect.TypeOf(test.v).Elem())
		if err := stdjson.Unmarshal([]byte(test.text), want.Interface()); err != nil || !reflect.DeepEqual(test.v, want.Interface()) && test.want > 0 {
			t.Errorf("%s: %+v, %v; want %+v", test.text, test.v, err, want.Elem())
		}
	}
	calls = 0
	if err := jsonv2.Unmarshal([]byte(`{"N":1}`), new(counted)); err != nil || calls != 1 {
		t.Errorf("version 2: %d calls, %v", calls, err)
	}
}
