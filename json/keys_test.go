package json

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/keys"
)

// TestKeys encodes and decodes maps with all kinds of keys. The results must be the same as with
// encoding/json.
func TestKeys(t *testing.T) {
	keysOf[string](t, "a", "fail", "<>", "\xff")
	keysOf[keys.Plain](t, "a", "b")
	keysOf[keys.Text](t, "a", "b", "fail", "<\xff>")
	keysOf[keys.TextPointer](t, "a", "b", "fail")
	keysOf[keys.Append](t, "a", "b")
	keysOf[keys.JSON](t, "a", "b")
	keysOf[keys.JSONPointer](t, "a", "b")
	keysOf[keys.Both](t, "a", "b", "fail")
	keysOf[int](t, 1, -2, 10)
	keysOf[int8](t, 1, -2, 10)
	keysOf[uint16](t, 1, 10)
	keysOf[keys.TextInt](t, 1, 10, 2)
	keysOf[keys.JSONInt](t, 1, 10, 2)
	keysOf[keys.TextUint](t, 1, 10, 2)
	keysOf[keys.TextStruct](t, keys.TextStruct{A: 1}, keys.TextStruct{A: 1, B: 2})
	keysOf[struct{ A int }](t, struct{ A int }{1})
	keysOf[keys.TextBool](t, true, false)
	keysOf[bool](t, true, false)
	keysOf[keys.TextFloat](t, 1, 2)
	keysOf[float64](t, 1, 2.5)
	keysOf[keys.TextArray](t, keys.TextArray{"a"}, keys.TextArray{"fail"})
	keysOf[[1]string](t, [1]string{"a"})
	keysOf[*string](t, ptr("a"))
	keysOf[*keys.Text](t, ptr(keys.Text("a")), nil)
	keysOf[*keys.TextInt](t, ptr(keys.TextInt(1)), nil)
	keysOf[*keys.TextPointer](t, ptr(keys.TextPointer("a")), nil)
	keysOf[*keys.TextStruct](t, ptr(keys.TextStruct{A: 7}), nil)
	keysOf[**keys.TextStruct](t, nil)
	keysOf[any](t, "a", 1, keys.Text("x"), nil, 1.5, keys.TextStruct{A: 3}, ptr(keys.Text("p")), [0]int{})
	keysOf[encoding.TextMarshaler](t, keys.Text("x"), keys.TextInt(1), nil, ptr(keys.Text("p")))
	keysOf[fmt.Stringer](t, nil, reflect.Int)
	keysOf[Number](t, "1", "x", "")
}

func keysOf[K comparable](t *testing.T, list ...K) {
	t.Helper()
	var values []any
	for _, k := range list {
		if panics(map[K]int{k: 1}) {
			continue
		}
		values = append(values, map[K]int{k: 1}, map[K]*keys.Text{k: nil}, struct{ M map[K]string }{map[K]string{k: "v"}})
		values = append(values, k, &k, []K{k}, struct{ F K }{k}, &struct{ F K }{k}, map[string]K{"k": k})
	}
	// The maps contain only keys that can be encoded and whose names differ. Otherwise the output
	// or the error would depend on the random order of the iteration.
	all, held, names := map[K]int{}, map[K][]any{}, map[string]bool{}
	for i, k := range list {
		if panics(map[K]int{k: 1}) {
			continue
		}
		name, err := json.Marshal(map[K]int{k: 1})
		if err == nil && !names[string(name)] {
			all[k], held[k], names[string(name)] = i, []any{i, nil, map[K]bool{k: true}}, true
		}
	}
	values = append(values, all, held, []map[K]int{all, nil, {}})
	for _, v := range values {
		want, wantErr := json.Marshal(v)
		got, err := Marshal(v)
		if !sameError(err, wantErr) || wantErr == nil && !bytes.Equal(got, want) {
			t.Errorf("Marshal(%T %[1]v)\n%s, %v (%[3]T)\nwant\n%s, %v (%[5]T)", v, got, err, want, wantErr)
		}
	}
	byPointer := reflect.TypeFor[K]().Kind() == reflect.Pointer // each pointer is a different key
	for _, text := range []string{
		`{"a":1,"b":2}`, `{"t:a":1,"t:a":2}`, `{"t:1":1,"t:10":2,"x":3,"t:2":4}`, `{"1":1,"-2":2,"300":3,"1e2":4,"0":5,"-0":6,"":7}`, `{"t:true":true}`,
		`{"t:1":"bad","t:2":{}}`, `{}`, `null`, `{"\u0074:a":1,"\ud800":2}`, "{\"\xff\":1}", `{"a":{"t:1":1},"t:b":{"x":1}}`, `{"x":"bad","y":1,"":"bad"}`, `{"1":"bad","x":1}`,
	} {
		for _, pair := range [][2]any{
			{new(map[K]int), new(map[K]int)}, {new(map[K]any), new(map[K]any)}, {new(map[string]map[K]int), new(map[string]map[K]int)}, {new(map[K]*int), new(map[K]*int)},
			{&struct{ A, T map[K]int }{}, &struct{ A, T map[K]int }{}}, {&map[K]int{list[0]: 9}, &map[K]int{list[0]: 9}},
		} {
			wantErr, err := json.Unmarshal([]byte(text), pair[0]), Unmarshal([]byte(text), pair[1])
			if !sameError(err, wantErr) || !reflect.DeepEqual(pair[0], pair[1]) && !byPointer {
				t.Errorf("Unmarshal(%q, %T)\nerror %#v\nwant  %#v\ngot  %+v\nwant %+v", text, pair[1], err, wantErr, reflect.ValueOf(pair[1]).Elem(), reflect.ValueOf(pair[0]).Elem())
			}
		}
	}
}

// panics reports whether encoding/json panics on a value.
func panics(v any) bool {
	return oracle(func() error { _, err := json.Marshal(v); return err }) == errPanicked
}
