package union_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/union"
)

// Message has a case for unknown names.
type (
	Message interface{ isMessage() }
	Text    struct {
		Body string `json:"body"`
	}
	Later struct{ union.Unknown }
)

func (Text) isMessage()   {}
func (*Later) isMessage() {}

var _ = union.Internal[Message]("type", union.Case[Text]("text", 1), union.Default[*Later]())

// TestUnknown decodes values whose case has an unknown name, in both versions. Encoding them again
// must give the same JSON.
func TestUnknown(t *testing.T) {
	in := `[{"type":"text","body":"b"},{"x":[1,{"y":"é"}],"type":"poll","n":1e400}]`
	for name, codec := range map[string]struct {
		decode func([]byte, any) error
		encode func(any) ([]byte, error)
	}{
		"version 1": {json.Unmarshal, json.Marshal},
		"version 2": {func(b []byte, v any) error { return jsonv2.Unmarshal(b, v) }, func(v any) ([]byte, error) { return jsonv2.Marshal(v) }},
	} {
		var v []Message
		if err := codec.decode([]byte(in), &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := []Message{Text{"b"}, &Later{Unknown: union.Unknown{Name: "poll", Text: []byte(`{"x":[1,{"y":"é"}],"type":"poll","n":1e400}`)}}}
		if !reflect.DeepEqual(v, want) {
			t.Errorf("%s: %+v", name, v)
		}
		out, err := codec.encode(v)
		if err != nil || string(out) != in {
			t.Errorf("%s: %s %v", name, out, err)
		}
		// A value without a name is an error, even if the union has a case for unknown names.
		if err := codec.decode([]byte(`[{"body":"b"}]`), &v); !errors.As(err, new(*union.CaseError)) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := codec.encode([]Message{&Later{Unknown: union.Unknown{Text: []byte(`{"x"`)}}}); err == nil {
			t.Errorf("%s: invalid text is encoded", name)
		}
		if out, err := codec.encode([]Message{(*Later)(nil), &Later{}}); err != nil || string(out) != `[null,null]` {
			t.Errorf("%s: %s %v", name, out, err)
		}
	}
}

// TestErrors decodes JSON with a wrong or missing case. Both versions must return the listed
// errors.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		into   any
		text   string
		v1, v2 string
	}{
		{new([]Event), `[{"type":"empty"},{"type":"moved"}]`,
			`json: [1].type: "moved" is not a case of union_test.Event; the cases are created, deleted, empty, word, text <&>, boxé, wrap`,
			`within "/1/type": "moved" is not a case of union_test.Event`},
		{new([]Event), `[{"id":1}]`, `json: [0]: union_test.Event needs a member "type", whose value is one of created, `, `within "/0": union_test.Event needs a member "type"`},
		{new([]Event), `[{"type":null}]`, `needs a member "type"`, `needs a member "type"`},
		{new([]Event), `[[]]`, "cannot unmarshal array into ", `cannot unmarshal JSON array into Go union_test.Event within "/0"`},
		{new([]Event), `["created"]`, "cannot unmarshal string into ", "cannot unmarshal JSON string into Go union_test.Event"},
		{new(Wrap), `{"wrapped":{"type":"created","id":"x"}}`, "cannot unmarshal string into Go struct field ", `cannot unmarshal JSON string into Go int within "/wrapped/id"`},
		{new(Shape), `{"kind":"circle","data":{"r":"x"}}`, "cannot unmarshal string into Go struct field ", `within "/data/r"`},
		{new(Shape), `{"kind":"line","data":{"r":"x"}}`, `json: .kind: "line" is not a case of union_test.Shape; the cases are circle, square, polygon, group`, `within "/kind": "line" is not a case`},
		{new(Node), `{"leaf":"a","tree":null}`, "needs an object with one member, whose name is one of leaf, tree, pair", "needs an object with one member"},
		{new(Node), `{}`, "needs an object with one member", "needs an object with one member"},
		{new(Node), `{"branch":1}`, `json: .branch: "branch" is not a case of union_test.Node`, `"branch" is not a case of union_test.Node`},
		{new(Node), `{"leaf":1}`, "cannot unmarshal number into Go ", `cannot unmarshal JSON number into Go union_test.Leaf within "/leaf"`},
	} {
		if err := json.Unmarshal([]byte(test.text), test.into); err == nil || !strings.Contains(err.Error(), test.v1) {
			t.Errorf("%s: version 1: %v", test.text, err)
		}
		// The text of a SemanticError has one of two phrases, which encoding/json/v2 chooses for each process.
		if err := jsonv2.Unmarshal([]byte(test.text), test.into); err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "unable to", "cannot"), test.v2) {
			t.Errorf("%s: version 2: %v", test.text, err)
		}
	}
	var v []Event
	err := json.Unmarshal([]byte(`[{"type":"moved"},{"type":"empty"}]`), &v)
	var fault *union.CaseError
	if !errors.As(err, &fault) || fault.Name != "moved" || fault.Tag != "type" || fault.Missing || fault.Type != eventType {
		t.Errorf("%v", err)
	}
	// Version 1 continues after a value that does not match any case.
	if !reflect.DeepEqual(v, []Event{nil, Empty{}}) {
		t.Errorf("%v", v)
	}
	long := strings.Repeat("x", 1<<20)
	if err := json.Unmarshal([]byte(`[{"type":"`+long+`"}]`), &v); err == nil || len(err.Error()) > 2000 {
		t.Errorf("the error repeats a long name: %d bytes", len(err.Error()))
	}
}

// TestRules checks that each version applies its own rules for duplicate, unknown and differently
// cased names to declared cases.
func TestRules(t *testing.T) {
	for _, test := range []struct {
		text    string
		options []jsonv2.Options
		want    Event
		fails   string
	}{
		{`{"type":"created","type":"empty"}`, nil, nil, "duplicate object member name"},
		{`{"type":"created","id":1,"id":2}`, nil, nil, "duplicate object member name"},
		{`{"id":1,"x":1,"type":"created","x":2}`, nil, nil, "duplicate object member name"},
		{`{"type":"created","type":"empty"}`, []jsonv2.Options{jsontext.AllowDuplicateNames(true)}, Empty{}, ""},
		{`{"Type":"empty"}`, nil, nil, "needs a member"},
		{`{"Type":"empty"}`, []jsonv2.Options{jsonv2.MatchCaseInsensitiveNames(true)}, Empty{}, ""},
		{`{"t\u0079pe":"em\u0070ty"}`, nil, Empty{}, ""},
		{`{"type":"empty","x":1}`, nil, Empty{}, ""},
		{`{"type":"empty","x":1}`, []jsonv2.Options{jsonv2.RejectUnknownMembers(true)}, nil, "unknown object member name"},
		{`{"type":"empty"}`, []jsonv2.Options{jsonv2.RejectUnknownMembers(true)}, Empty{}, ""},
		{"{\"type\":\"empty\",\"x\":\"\xff\"}", nil, nil, "invalid UTF-8"},
		{"{\"type\":\"\xff\"}", nil, nil, "invalid UTF-8"},
		{`{"type":"empty"`, nil, nil, "unexpected EOF"},
		{`{"type"`, nil, nil, "unexpected EOF"},
		{`{"id":1`, nil, nil, "unexpected EOF"},
		{`{`, nil, nil, "unexpected EOF"},
		{`{"type":"empty",}`, nil, nil, "invalid character"},
	} {
		for _, prefix := range []string{"", " "} {
			v := Event(Word{})
			err := jsonv2.Unmarshal([]byte(prefix+test.text), &v, test.options...)
			if test.fails == "" && (err != nil || !reflect.DeepEqual(v, test.want)) || test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
				t.Errorf("%s: %v %v", test.text, v, err)
			}
		}
	}
	for _, test := range []struct {
		text   string
		config json.Config
		want   Event
		fails  string
	}{
		{`{"type":"created","type":"empty"}`, json.Config{}, Empty{}, ""},
		{`{"TYPE":"empty"}`, json.Config{}, Empty{}, ""},
		{`{"type":"empty","x":1}`, json.Config{DisallowUnknownFields: true}, Empty{}, `unknown field "x"`},
		{`{"type":"empty"}`, json.Config{DisallowUnknownFields: true}, Empty{}, ""},
		{"{\"type\":\"boxé\",\"value\":{\"kind\":\"square\",\"data\":1,\"x\":2}}", json.Config{DisallowUnknownFields: true}, &Boxed[Shape]{Square(1)}, `unknown field "x"`},
		{`{"type":"created","id":1}`, json.Config{CheckMembers: true}, nil, "is required"},
		{`{"type":"moved","id":1}`, json.Config{CheckMembers: true}, nil, "json: .type must be one of created, deleted, empty, word"},
		{`{"type":"empty","x":1}`, json.Config{CheckMembers: true, DisallowUnknownFields: true}, Empty{}, ".x is not known"},
		{`{"type":"empty"}`, json.Config{CheckMembers: true, DisallowUnknownFields: true}, Empty{}, ""},
	} {
		v := Event(Word{})
		err := test.config.Unmarshal([]byte(test.text), &v)
		if test.want != nil && !reflect.DeepEqual(v, test.want) || test.fails == "" && err != nil || test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
			t.Errorf("%s: %v %v", test.text, v, err)
		}
	}
	// Decoding replaces the old value, by null and also by a value of the same case.
	v := Event(&Deleted{ID: 1})
	before := v.(*Deleted)
	if err := json.Unmarshal([]byte(`{"type":"deleted","all":[]}`), &v); err != nil || before.All != nil || v.(*Deleted).ID != 0 {
		t.Errorf("%v %v", v, err)
	}
	if err := json.Unmarshal([]byte(`null`), &v); err != nil || v != nil {
		t.Errorf("%v %v", v, err)
	}
}

// stranger implements Event and is not a case.
type stranger struct{ ID int }

func (stranger) isEvent() {}

// TestEncode encodes values that are not cases, which must fail. It also encodes cases with
// indentation, in streams, and with the escapes for HTML.
func TestEncode(t *testing.T) {
	for _, v := range []any{[]Event{stranger{}}, map[string]Event{"a": stranger{}}, &Wrap{Event: &stranger{}}} {
		if b, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "is not a case of union_test.Event") {
			t.Errorf("version 1: %s %v", b, err)
		}
		if b, err := jsonv2.Marshal(v); err == nil || !strings.Contains(err.Error(), "is not a case of union_test.Event") {
			t.Errorf("version 2: %s %v", b, err)
		}
	}
	v := []Event{Created{ID: 1, Inner: stranger{}}}
	if _, err := jsonv2.Marshal(v); err == nil || !strings.Contains(err.Error(), `within "/0/inner"`) {
		t.Errorf("%v", err)
	}
	if _, err := jsonv2.Marshal([]Node{Tree{"a": nil, "b": &Pair{L: Leaf("\xff")}}}, jsonv2.Deterministic(true)); err == nil || !strings.Contains(err.Error(), `invalid UTF-8 within "/0/tree/b/pair/l/leaf"`) {
		t.Errorf("%v", err)
	}
	v = []Event{Empty{}, Boxed[string]{"<>"}}
	b, err := json.MarshalIndent(v, "", " ")
	if want := "[\n {\n  \"type\": \"empty\"\n },\n {\n  \"type\": \"text \\u003c\\u0026\\u003e\",\n  \"value\": \"\\u003c\\u003e\"\n }\n]"; err != nil || string(b) != want {
		t.Errorf("%s %v", b, err)
	}
	b, err = jsonv2.Marshal(v, jsontext.Multiline(true))
	if want := "[\n\t{\n\t\t\"type\": \"empty\"\n\t},\n\t{\n\t\t\"type\": \"text <&>\",\n\t\t\"value\": \"<>\"\n\t}\n]"; err != nil || string(b) != want {
		t.Errorf("%s %v", b, err)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil || out.String() != "[{\"type\":\"empty\"},{\"type\":\"text <&>\",\"value\":\"<>\"}]\n" {
		t.Errorf("%s %v", out.String(), err)
	}
	out.Reset()
	if err := (json.Config{Engine: json.StdEngine}).NewEncoder(&out).Encode(v); err != nil || !strings.HasPrefix(out.String(), `[{"type":"empty"}`) {
		t.Errorf("%s %v", out.String(), err)
	}
}

// TestCycle encodes a value that contains itself. The error must report the cycle.
func TestCycle(t *testing.T) {
	d := &Deleted{}
	d.All = []Event{d}
	if _, err := json.Marshal(d); err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("%v", err)
	}
	if _, err := jsonv2.Marshal(d); err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("%v", err)
	}
}

// TestFunctions passes marshal and unmarshal functions to version 2. A function for a case must
// supply only the members next to the tag. A function for the interface must replace the declared
// form.
func TestFunctions(t *testing.T) {
	object := jsonv2.WithMarshalers(jsonv2.MarshalFunc(func(Empty) ([]byte, error) { return []byte(`{"by":"function"}`), nil }))
	if b, err := jsonv2.Marshal([]Event{Empty{}}, object); err != nil || string(b) != `[{"type":"empty","by":"function"}]` {
		t.Errorf("%s %v", b, err)
	}
	text := jsonv2.WithMarshalers(jsonv2.MarshalFunc(func(Empty) ([]byte, error) { return []byte(`"text"`), nil }))
	if b, err := jsonv2.Marshal([]Event{Empty{}}, text); err == nil || !strings.Contains(err.Error(), `the case "empty" of union_test.Event is not encoded as an object`) {
		t.Errorf("%s %v", b, err)
	}
	named := jsonv2.WithMarshalers(jsonv2.MarshalToFunc(func(e *jsontext.Encoder, v Event) error {
		return e.WriteToken(jsontext.String(reflect.TypeOf(v).String()))
	}))
	if b, err := jsonv2.Marshal([]Event{Empty{}, Word{}, nil}, named); err != nil || string(b) != `["*union_test.Empty","*union_test.Word",null]` {
		t.Errorf("%s %v", b, err)
	}
	if b, err := jsonv2.Marshal([]Event{Empty{}}); err != nil || string(b) != `[{"type":"empty"}]` {
		t.Errorf("%s %v", b, err)
	}
	whole := jsonv2.WithUnmarshalers(jsonv2.UnmarshalFunc(func(b []byte, v *Event) error { *v = Word{}; return nil }))
	var v []Event
	if err := jsonv2.Unmarshal([]byte(`[{"type":"moved"}]`), &v, whole); err != nil || !reflect.DeepEqual(v, []Event{Word{}}) {
		t.Errorf("%v %v", v, err)
	}
}

// TestAllocs counts the allocations of a decode: one for each value, and one for the list.
func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	text := []byte(`[{"type":"empty"},{"type":"created","id":1},{"type":"text <&>","value":"a"}]`)
	var v []Event
	if n := testing.AllocsPerRun(100, func() {
		v = nil
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
	}); n > 4 {
		t.Errorf("decode: %v allocations", n)
	}
	out := make([]byte, 0, 1000)
	if n := testing.AllocsPerRun(100, func() {
		b, err := json.Append(out, &v)
		if err != nil || len(b) == 0 {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("encode: %v allocations", n)
	}
}
