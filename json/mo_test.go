package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/mo"
)

type carrier struct {
	N mo.Nullable[string]            `json:"n,omitzero"`
	M mo.Nullable[inner]             `json:"m"`
	R mo.Result[inner]               `json:"r"`
	S *mo.Result[string]             `json:"s"`
	E mo.Either[inner, string]       `json:"e"`
	A []mo.Either3[int, inner, *int] `json:"a"`
	B mo.Either4[int, bool, inner, string]
	C mo.Either5[int, bool, *int, mo.Option[inner], []inner]
	D map[string]mo.Result[any]
	O mo.Option[mo.Result[big.Int]]
	P mo.Either[big.Int, int]
}

type inner struct {
	Text string `json:"text"`
	Any  any    `json:"any,omitempty"`
}

// unionValues are values of mo's types. Their JSON must be the output of their methods.
func unionValues() []any {
	seven := 7
	five := *big.NewInt(5)
	failed := mo.Err[string](errors.New(`<no> "way"`))
	return []any{
		carrier{},
		&carrier{
			N: mo.Value("a<b"), M: mo.Value(inner{Text: "x&y"}), R: mo.Ok(inner{Any: []any{1.5}}), S: &failed,
			E: mo.Left[inner, string](inner{Text: ">"}),
			A: []mo.Either3[int, inner, *int]{mo.NewEither3Arg1[int, inner, *int](1), mo.NewEither3Arg2[int, inner, *int](inner{}), mo.NewEither3Arg3[int, inner](&seven), mo.NewEither3Arg3[int, inner, *int](nil)},
			B: mo.NewEither4Arg4[int, bool, inner]("\u2028"),
			C: mo.NewEither5Arg5[int, bool, *int, mo.Option[inner]]([]inner{{Text: "in"}}),
			D: map[string]mo.Result[any]{"ok": mo.Ok[any](map[string]any{"k": "<"}), "err": mo.Err[any](nil)},
			O: mo.Some(mo.Ok(five)),
			P: mo.Left[big.Int, int](five),
		},
		carrier{N: mo.Null[string](), M: mo.Null[inner](), O: mo.Some(mo.Err[big.Int](errors.New("e"))), P: mo.Right[big.Int](3), C: mo.NewEither5Arg4[int, bool, *int, mo.Option[inner], []inner](mo.Some(inner{}))},
		mo.Value(five), mo.Left[big.Int, string](five), mo.Ok(five), mo.Some(five), mo.Right[string](five),
		mo.Ok(1), mo.Err[int](errors.New("x")), mo.Null[int](), mo.Absent[int](), mo.Result[int]{},
		map[string]mo.Either[big.Int, int]{"a": mo.Left[big.Int, int](five), "b": mo.Right[big.Int](0)},
		[]mo.Nullable[bool]{mo.Value(true), mo.Null[bool]()},
	}
}

// TestUnionEncoding encodes and decodes values of mo's types. The results must be the same as with
// encoding/json, which calls the methods of the types.
func TestUnionEncoding(t *testing.T) {
	for _, v := range unionValues() {
		data, err := Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(v)
		if err != nil || string(data) != string(want) {
			t.Fatalf("%T: %s, its methods: %s, %v", v, data, want, err)
		}
		ours, theirs := reflect.New(reflect.TypeOf(v)), reflect.New(reflect.TypeOf(v))
		if err := Unmarshal(data, ours.Interface()); err != nil {
			t.Fatalf("%s into %T: %v", data, v, err)
		}
		if err := json.Unmarshal(data, theirs.Interface()); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(ours.Interface(), theirs.Interface()) {
			t.Errorf("%s into %T: %+v, its methods: %+v", data, v, ours.Elem(), theirs.Elem())
		}
	}
}

// TestUnionOptions checks that the options of a call apply to the inner values of mo's types. The
// types' methods would ignore the options.
func TestUnionOptions(t *testing.T) {
	byHone(t)
	v := &carrier{N: mo.Value("<"), R: mo.Ok(inner{Text: ">"}), E: mo.Right[inner]("&"), D: map[string]mo.Result[any]{"k": mo.Err[any](errors.New("<>"))}}
	var out bytes.Buffer
	e := NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil || strings.Contains(out.String(), `\u00`) {
		t.Errorf("%s, %v", out.String(), err)
	}
	strict := Config{DisallowUnknownFields: true, UseNumber: true}
	for _, doc := range []string{
		`{"m":{"text":"","x":1}}`, `{"r":{"result":{"x":1}}}`, `{"e":{"left":{"x":1}}}`, `{"a":[{"arg2":{"x":1}}]}`, `{"C":{"arg4":{"x":1}}}`,
	} {
		if err := strict.Unmarshal([]byte(doc), new(carrier)); err == nil || !strings.Contains(err.Error(), `unknown field "x"`) {
			t.Errorf("%s: %v", doc, err)
		}
		if err := Unmarshal([]byte(doc), new(carrier)); err != nil {
			t.Errorf("%s: %v", doc, err)
		}
	}
	var got carrier
	if err := strict.Unmarshal([]byte(`{"r":{"result":{"any":12345678901234567890}},"D":{"k":{"result":[1]}}}`), &got); err != nil {
		t.Fatal(err)
	}
	if n := got.R.MustGet().Any; n != Number("12345678901234567890") {
		t.Errorf("%T %v", n, n)
	}
	if n := got.D["k"].MustGet().([]any)[0]; n != Number("1") {
		t.Errorf("%T %v", n, n)
	}
}

// TestUnionTypeError checks that a value of the wrong type does not change the target, and that the
// error contains the position of the value.
func TestUnionTypeError(t *testing.T) {
	byHone(t)
	for _, test := range []struct{ doc, field string }{
		{`{"n":1}`, "n"}, {`{"m":{"text":1}}`, "m.text"}, {`{"m":"x"}`, "m"}, {`{"r":{"result":{"text":1}}}`, "r.text"}, {`{"r":{}}`, "r"},
		{`{"r":{"error":{}}}`, "r"}, {`{"r":{"error":"x"}}`, "r"}, {`{"r":null}`, "r"}, {`{"r":[]}`, "r"}, {`{"r":{"error":{"message":1}}}`, "r"},
		{`{"e":{}}`, "e"}, {`{"e":{"left":{},"right":""}}`, "e"}, {`{"e":{"Left":{}}}`, "e"}, {`{"e":1}`, "e"}, {`{"e":{"right":1}}`, "e"},
	} {
		keep := carrier{N: mo.Value("was"), M: mo.Value(inner{Text: "was"}), R: mo.Ok(inner{Text: "was"}), E: mo.Left[inner, string](inner{Text: "was"})}
		got := keep
		err := Unmarshal([]byte(test.doc[:len(test.doc)-1]+`,"B":{"arg1":9}}`), &got)
		var typeErr *UnmarshalTypeError
		// From Go 1.27 on the path ends at the value. In Go 1.26 it ends at the innermost field.
		if !errors.As(err, &typeErr) || typeErr.Field != test.field && !strings.HasSuffix(typeErr.Field, test.field[1:]) && !strings.HasPrefix(typeErr.Field, test.field+".") {
			t.Errorf("%s: %#v", test.doc, err)
		}
		if n, ok := got.B.Arg1(); !ok || n != 9 {
			t.Errorf("%s: the members after the error were not decoded", test.doc)
		}
		got.B = keep.B
		if !reflect.DeepEqual(got, keep) {
			t.Errorf("%s left %+v", test.doc, got)
		}
		got = carrier{}
		if err := Unmarshal([]byte(test.doc), &got); err == nil || !reflect.DeepEqual(got, carrier{}) {
			t.Errorf("%s left %+v, %v", test.doc, got, err)
		}
	}
	for _, doc := range []string{
		`{"r":{"jsonrpc":"2.0","RESULT":{"text":"a"},"id":1}}`, `{"r":{"error":null,"result":{"text":"a"}}}`, `{"r":{"result":{"text":"a"},"error":null}}`,
		`{"r":{"result":{"text":"b"},"result":{"text":"a"}}}`,
	} {
		var got carrier
		if err := Unmarshal([]byte(doc), &got); err != nil || got.R.OrEmpty().Text != "a" {
			t.Errorf("%s: %+v, %v", doc, got.R, err)
		}
	}
	for _, doc := range []string{`{"result":1,"error":{"message":"m"}}`, `{"error":{"Message":"m","code":-1},"result":1}`, `{"error":{"message":"x","message":"m"}}`} {
		var got, std mo.Result[int]
		if err := Unmarshal([]byte(doc), &got); err != nil || !got.IsError() || got.Error().Error() != "m" {
			t.Errorf("%s: %+v, %v", doc, got, err)
		}
		if err := json.Unmarshal([]byte(doc), &std); err != nil || std.Error().Error() != "m" {
			t.Errorf("its method: %s: %+v, %v", doc, std, err)
		}
	}
}
