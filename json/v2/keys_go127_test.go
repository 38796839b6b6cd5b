//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"encoding"
	std "encoding/json/v2"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// The types below are keys of maps, of several kinds and with each of the methods that
// could say how a key is written.
type (
	keyText        string // by MarshalText of the value
	keyTextPointer string // by MarshalText of the pointer
	keyAppend      string
	keyJSON        string
	keyJSONPointer string
	keyTextInt     int
	keyJSONInt     int
	keyTextUint    uint8
	keyTextStruct  struct{ A, B int }
	keyTextBool    bool
	keyTextFloat   float64
	keyTextArray   [1]string
	keyPlain       string
	keyBoth        string // by MarshalJSON and MarshalText
)

func text(v any) ([]byte, error) {
	s := fmt.Sprint("t:", v)
	if strings.Contains(s, "fail") {
		return nil, fmt.Errorf("failed with %q", s)
	}
	return []byte(s), nil
}

func fromText[T any](to *T, b []byte, make func(string) T) error {
	s, ok := strings.CutPrefix(string(b), "t:")
	if !ok {
		return fmt.Errorf("%q is no key", b)
	}
	*to = make(s)
	return nil
}

func number[T ~int | ~uint8 | ~float64](s string) T {
	v, _ := strconv.Atoi(s)
	return T(v)
}

func (k keyText) MarshalText() ([]byte, error) { return text(string(k)) }
func (k *keyText) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) keyText { return keyText(s) })
}
func (k *keyTextPointer) MarshalText() ([]byte, error) { return text(string(*k)) }
func (k *keyTextPointer) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) keyTextPointer { return keyTextPointer(s) })
}
func (k keyAppend) AppendText(b []byte) ([]byte, error) { return append(b, "a:"+string(k)...), nil }
func (k keyJSON) MarshalJSON() ([]byte, error)          { return strconv.AppendQuote(nil, "j:"+string(k)), nil }
func (k *keyJSON) UnmarshalJSON(b []byte) error         { *k = keyJSON(b); return nil }
func (k *keyJSONPointer) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, "j:"+string(*k)), nil
}
func (k *keyJSONPointer) UnmarshalJSON(b []byte) error { *k = keyJSONPointer(b); return nil }
func (k keyTextInt) MarshalText() ([]byte, error)      { return text(int(k)) }
func (k *keyTextInt) UnmarshalText(b []byte) error     { return fromText(k, b, number[keyTextInt]) }
func (k keyJSONInt) MarshalJSON() ([]byte, error)      { return strconv.AppendInt(nil, int64(k), 10), nil }
func (k *keyJSONInt) UnmarshalJSON(b []byte) error     { *k = keyJSONInt(len(b)); return nil }
func (k keyTextUint) MarshalText() ([]byte, error)     { return text(uint8(k)) }
func (k *keyTextUint) UnmarshalText(b []byte) error    { return fromText(k, b, number[keyTextUint]) }
func (k keyTextStruct) MarshalText() ([]byte, error)   { return text(k.A) }
func (k *keyTextStruct) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) keyTextStruct { return keyTextStruct{A: number[int](s)} })
}
func (k keyTextBool) MarshalText() ([]byte, error) { return text(bool(k)) }
func (k *keyTextBool) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) keyTextBool { return s == "true" })
}
func (k keyTextFloat) MarshalText() ([]byte, error)  { return text(float64(k)) }
func (k *keyTextFloat) UnmarshalText(b []byte) error { return fromText(k, b, number[keyTextFloat]) }
func (k keyTextArray) MarshalText() ([]byte, error)  { return text(k[0]) }
func (k *keyTextArray) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) keyTextArray { return keyTextArray{s} })
}
func (k keyBoth) MarshalJSON() ([]byte, error)  { return strconv.AppendQuote(nil, "j:"+string(k)), nil }
func (k keyBoth) MarshalText() ([]byte, error)  { return text(string(k)) }
func (k *keyBoth) UnmarshalJSON(b []byte) error { *k = keyBoth(b); return nil }
func (k *keyBoth) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) keyBoth { return keyBoth(s) })
}

// TestKeys holds maps of every kind of key to encoding/json/v2, in both directions.
func TestKeys(t *testing.T) {
	keysOf[string](t, "a", "fail", "<>", "\xff")
	keysOf[keyPlain](t, "a", "b")
	keysOf[keyText](t, "a", "b", "fail")
	keysOf[keyText](t, "a", "<\xff>", "b")
	keysOf[keyTextPointer](t, "a", "b", "fail")
	keysOf[keyAppend](t, "a", "b")
	keysOf[keyJSON](t, "a", "b")
	keysOf[keyJSONPointer](t, "a", "b")
	keysOf[keyBoth](t, "a", "b", "fail")
	keysOf[int](t, 1, -2, 10)
	keysOf[int8](t, 1, -2, 10)
	keysOf[uint16](t, 1, 10)
	keysOf[keyTextInt](t, 1, 10, 2)
	keysOf[keyJSONInt](t, 1, 10, 2)
	keysOf[keyTextUint](t, 1, 10, 2)
	keysOf[keyTextStruct](t, keyTextStruct{A: 1}, keyTextStruct{A: 1, B: 2})
	keysOf[struct{ A int }](t, struct{ A int }{1})
	keysOf[keyTextBool](t, true, false)
	keysOf[bool](t, true, false)
	keysOf[keyTextFloat](t, 1, 2)
	keysOf[float64](t, 1, 2.5)
	keysOf[keyTextArray](t, keyTextArray{"a"}, keyTextArray{"fail"})
	keysOf[[1]string](t, [1]string{"a"})
	keysOf[*string](t, ptr("a"))
	keysOf[*keyText](t, ptr(keyText("a")), nil)
	keysOf[*keyTextInt](t, ptr(keyTextInt(1)), nil)
	keysOf[*keyTextPointer](t, ptr(keyTextPointer("a")), nil)
	keysOf[*keyTextStruct](t, ptr(keyTextStruct{A: 7}), nil)
	keysOf[**keyTextStruct](t, nil)
	keysOf[any](t, "a", 1, keyText("x"), nil, 1.5, keyTextStruct{A: 3}, ptr(keyText("p")), [0]int{})
	keysOf[encoding.TextMarshaler](t, keyText("x"), keyTextInt(1), nil, ptr(keyText("p")))
	keysOf[fmt.Stringer](t, nil, reflect.Int)
}

func keysOf[K comparable](t *testing.T, keys ...K) {
	t.Helper()
	sets := []uint32{0, 1 << 31}
	for i := range flags {
		sets = append(sets, 1<<i, 1<<31|1<<i)
	}
	// Keys that fail, or have the name of another, have no order.
	all, held, names := map[K]int{}, map[K][]any{}, map[string]bool{}
	for i, k := range keys {
		name, err := std.Marshal(map[K]int{k: 1})
		if err == nil && !names[string(name)] {
			all[k], held[k], names[string(name)] = i, []any{i, nil, map[K]bool{k: true}}, true
		}
	}
	for _, bits := range sets {
		for _, k := range keys {
			bothWays(t, map[K]int{k: 1}, bits)
			bothWays(t, map[K]*keyText{k: nil}, bits)
			bothWays(t, struct{ M map[K]string }{map[K]string{k: "v"}}, bits)
			bothWays(t, &struct{ F K }{k}, bits)
			bothWays(t, []K{k}, bits)
		}
		bothWays(t, all, bits)
		bothWays(t, held, bits)
		if reflect.TypeFor[K]().Kind() == reflect.Pointer {
			continue // no two keys are one
		}
		for _, text := range []string{
			`{"a":1,"b":2}`, `{"t:a":1,"t:a":2}`, `{"t:1":1,"t:10":2,"x":3,"t:2":4}`, `{"1":1,"-2":2,"300":3,"1e2":4,"0":5,"-0":6,"":7}`, `{"t:true":true}`,
			`{"t:1":"bad","t:2":{}}`, `{}`, `null`, `{"\u0074:a":1,"\ud800":2}`, "{\"\xff\":1}", `{"a":{"t:1":1},"t:b":{"x":1}}`, `{"x":"bad","y":1,"":"bad"}`, `{"1":"bad","x":1}`, `{"a"`, `{"a`, `{a`, `{"a":`, `{"a":}`,
		} {
			both(t, reflect.TypeFor[map[K]int](), "", text, bits)
			both(t, reflect.TypeFor[map[K]any](), `{"a":2}`, text, bits)
			both(t, reflect.TypeFor[struct{ A, T map[K]int }](), "", `{"T":`+text+`,"A":`+text+`}`, bits)
		}
	}
}

func ptr[T any](v T) *T { return &v }
