//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	v1 "github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
)

// A spelled has methods that take Hone's streams.
type spelled struct{ S string }

func (s spelled) MarshalJSONTo(to *jsontext.Encoder) error {
	switch s.S {
	case "":
		return errors.ErrUnsupported
	case "fail":
		return errors.New("fails")
	}
	if err := to.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	if err := MarshalEncode(to, s.S); err != nil { // uses the functions of the call
		return err
	}
	if err := MarshalEncode(to, to.StackPointer()); err != nil {
		return err
	}
	return to.WriteToken(jsontext.EndArray)
}

func (s *spelled) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	switch from.PeekKind() {
	case '{':
		return errors.ErrUnsupported
	case '0':
		return errors.New("no numbers")
	case '[':
		var all []string
		err := UnmarshalDecode(from, &all)
		s.S = strings.Join(all, ",") + " at " + string(from.StackPointer())
		return err
	}
	return UnmarshalDecode(from, &s.S)
}

type engineCase struct {
	A string             `json:"a,omitempty"`
	S spelled            `json:"s"`
	P *spelled           `json:"p,omitempty"`
	M map[string]spelled `json:"m,omitempty"`
	L []spelled          `json:"l"`
	N int                `json:"n,string"`
	V any                `json:"v,omitempty"`
}

// engineOptions are lists of options. Some of them contain functions.
func engineOptions() map[string][]Options {
	upper := MarshalFunc(func(s string) ([]byte, error) { return jsontext.AppendQuote(nil, strings.ToUpper(s)) })
	numbers := MarshalToFunc(func(to *jsontext.Encoder, n *int) error {
		if *n == 0 {
			return errors.ErrUnsupported
		}
		return to.WriteToken(jsontext.String("n"))
	})
	lower := UnmarshalFunc(func(b []byte, s *string) error {
		if string(b) == `"refused"` {
			return errors.New("refused")
		}
		*s = strings.ToLower(strings.Trim(string(b), `"`))
		return nil
	})
	values := UnmarshalFromFunc(func(from *jsontext.Decoder, v *any) error {
		if from.PeekKind() != 't' {
			return errors.ErrUnsupported
		}
		*v = "true at " + string(from.StackPointer())
		return from.SkipValue()
	})
	functions := []Options{WithMarshalers(JoinMarshalers(upper, nil, numbers)), WithUnmarshalers(JoinUnmarshalers(lower, values))}
	return map[string][]Options{
		"none": nil, "functions": functions, "function": {WithMarshalers(upper), WithUnmarshalers(lower)},
		"lines": {jsontext.Multiline(true)}, "spaces": {jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)},
		"lines and functions": append([]Options{jsontext.WithIndent(" ")}, functions...),
		"strict":              {RejectUnknownMembers(true), StringifyNumbers(true), OmitZeroStructFields(true)},
		"nil":                 {FormatNilMapAsNull(true), FormatNilSliceAsNull(true)},
		"loose":               {jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), MatchCaseInsensitiveNames(true)},
		"version 1":           {v1.DefaultOptionsV1()},
	}
}

// skipBroken reports whether the engine is encoding/json/v2 and the text is invalid. In a part of a
// stream, this engine does not decode the values before an error, and does not call their methods.
func skipBroken(text string) bool {
	return EngineByDefault() == StdEngine && !jsontext.Value(text).IsValid()
}

// TestEngines encodes and decodes with both engines and with different options. The results must be
// the same.
func TestEngines(t *testing.T) {
	values := []any{
		engineCase{A: "x", S: spelled{"s"}, P: &spelled{"<p>"}, M: map[string]spelled{"k": {"m"}}, L: []spelled{{"l"}, {}, {"z"}}, N: 5, V: []any{1, "x"}},
		&engineCase{}, engineCase{M: map[string]spelled{"k/~": {"fail"}}}, engineCase{A: "\xff"},
		map[string]int{"a": 1}, []string{"a", "b"}, nil, make(chan int), "text", 5, map[int]any{1: spelled{"s"}},
	}
	texts := []string{
		`{"a":"X","s":"S","p":["A","b"],"m":{"k":["x"]},"l":["A",["b"],{"S":"c"}],"n":"7","v":[true,{"x":true}]}`,
		`{"s":1}`, `{"l":["a",1]}`, `{"l":[[1]]}`, `{"a":"refused"}`, `{"m":{"k":["refused"]}}`, `{"A":"x","b":1}`, `{"a":"x","a":"y"}`,
		`null`, `{}`, ` {} `, `{} x`, `{"v":true} true`, `[1]`, `{"n":7}`, `{"l":`, ``,
	}
	for name, opts := range engineOptions() {
		hone, std := append([]Options{WithEngine(HoneEngine), Deterministic(true)}, opts...), append([]Options{WithEngine(StdEngine), Deterministic(true)}, opts...)
		for i, v := range values {
			a, errA := Marshal(v, hone...)
			b, errB := Marshal(v, std...)
			if b == nil && errB != nil {
				a = nil // encoding/json/v2 keeps the tokens that functions or methods wrote before an error
			}
			sameEngines(t, name, "Marshal", i, a, errA, b, errB)
			a, errA = Append([]byte("x"), v, hone...)
			b, errB = Append([]byte("x"), v, std...)
			sameEngines(t, name, "Append", i, a, errA, b, errB)
			var outA, outB bytes.Buffer
			errA, errB = MarshalWrite(&outA, v, hone...), MarshalWrite(&outB, v, std...)
			sameEngines(t, name, "MarshalWrite", i, outA.Bytes(), errA, outB.Bytes(), errB)
			a, errA = streamed(v, hone)
			b, errB = streamed(v, std)
			sameEngines(t, name, "MarshalEncode", i, a, errA, b, errB)
		}
		codecA, codecB := For[engineCase](hone...), For[engineCase](std...)
		v := values[0].(engineCase)
		a, errA := codecA.Marshal(&v)
		b, errB := codecB.Marshal(&v)
		sameEngines(t, name, "Codec.Marshal", 0, a, errA, b, errB)
		for i, text := range texts {
			var a, b engineCase
			errA, errB := Unmarshal([]byte(text), &a, hone...), Unmarshal([]byte(text), &b, std...)
			sameEngines(t, name, "Unmarshal", i, a, errA, b, errB)
			a, b = engineCase{}, engineCase{}
			errA, errB = codecA.Unmarshal([]byte(text), &a), codecB.Unmarshal([]byte(text), &b)
			sameEngines(t, name, "Codec.Unmarshal", i, a, errA, b, errB)
			a, b = engineCase{}, engineCase{}
			errA, errB = UnmarshalRead(strings.NewReader(text), &a, hone...), UnmarshalRead(strings.NewReader(text), &b, std...)
			sameEngines(t, name, "UnmarshalRead", i, a, errA, b, errB)
			if jsontext.Value(text).IsValid() {
				var listA, listB [2]engineCase
				errA, errB = elements(text, &listA, hone), elements(text, &listB, std)
				sameEngines(t, name, "Elements", i, listA, errA, listB, errB)
			}
		}
	}
}

// streamed writes v into an object, as a name and as a value.
func streamed(v any, opts []Options) ([]byte, error) {
	var out bytes.Buffer
	e := jsontext.NewEncoder(&out, opts...)
	err := errors.Join(e.WriteToken(jsontext.BeginObject), MarshalEncode(e, "name"))
	if err == nil {
		err = MarshalEncode(e, v)
	}
	if err != nil {
		return nil, err
	}
	return out.Bytes(), e.WriteToken(jsontext.EndObject)
}

// elements decodes an array that contains text twice.
func elements(text string, to *[2]engineCase, opts []Options) (first error) {
	i := 0
	for v, err := range Elements[engineCase](strings.NewReader("["+text+" , "+text+"]"), opts...) {
		if to[i] = v; first == nil {
			first = err
		}
		i++
	}
	return first
}

func sameEngines(t *testing.T, name, call string, i int, a any, errA error, b any, errB error) {
	t.Helper()
	// With the standard library's engine, functions call the methods that take Hone's streams, so
	// errors name the functions instead of the methods.
	saysB := strings.ReplaceAll(say(errB), "calling MarshalToFunc for type *json.spelled", "calling MarshalJSONTo for type *json.spelled")
	if strings.HasPrefix(name, "lines") || name == "spaces" {
		if errA != nil && errB != nil {
			return // the positions differ
		}
	}
	if s := say(errA); s != saysB || !reflect.DeepEqual(a, b) {
		t.Errorf("%s: %s %d: %s, %s\nand by encoding/json/v2 %s, %s", name, call, i, shown(a), s, shown(b), saysB)
	}
}

func shown(v any) string {
	if b, ok := v.([]byte); ok {
		return string(b)
	}
	return describe(v)
}

// TestFailedReads decodes incomplete texts from a failing reader with both engines. The error must
// wrap the error of the reader.
func TestFailedReads(t *testing.T) {
	for _, text := range []string{``, `12`, `{"a":"x"}`, `{"a":`, `{"a":1`} {
		for _, e := range []Engine{HoneEngine, StdEngine} {
			r := io.MultiReader(strings.NewReader(text), &failingReader{strings.NewReader("")})
			if err := UnmarshalRead(r, new(engineCase), WithEngine(e)); !errors.Is(err, errReader) && text != `{"a":1` && text != "12" {
				t.Errorf("engine %d, %s: %v", e, text, err)
			}
		}
	}
}
