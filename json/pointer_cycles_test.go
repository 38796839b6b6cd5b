package json_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
)

// Types whose only values are nil and cycles.
//lint:file-ignore SA5008 the tag option string of a pointer is a part of the test

type (
	endless       *endless
	doublyEndless **doublyEndless
	endlessOption *mo.Option[endlessOption]
	endlessNull   *mo.Nullable[endlessNull]
	holdsEndless  struct {
		E endless
		S []endless
		M map[string]doublyEndless
		O mo.Option[endless]
		Q endless `json:",string"`
		A mo.Option[endlessOption]
		N mo.Nullable[endlessNull]
	}
)

// TestPointerCycles decodes into pointers and interfaces that lead back to themselves.
// encoding/json follows such a cycle until the stack is full, which ends the program. Here each
// decode must return an error, except that null sets pointers to nil.
func TestPointerCycles(t *testing.T) {
	targets := map[string]func() any{
		"a nil pointer":           func() any { return new(endless) },
		"a pointer to an Option":  func() any { return new(endlessOption) },
		"a pointer to a Nullable": func() any { return new(endlessNull) },
		"two pointers": func() any {
			var v, w endless
			v, w = &w, &v
			return &v
		},
		"a pointer to a pointer": func() any {
			var v doublyEndless
			p := &v
			v = &p
			return &v
		},
		"two interfaces": func() any {
			var v, w any
			v, w = &w, &v
			return &v
		},
		"an interface and a pointer": func() any {
			var v any
			p := &v
			v = &p
			return &v
		},
	}
	structs := map[string]func() any{
		"fields": func() any { return new(holdsEndless) },
		"interfaces": func() any {
			var v, w any
			v, w = &w, &v
			return &struct {
				E, Q, A, N any
				S          []any
				M          map[string]any
				O          mo.Option[any]
			}{E: v, Q: v, A: v, N: v, S: []any{v}, M: map[string]any{"a": v}, O: mo.Some(v)}
		},
	}
	hone := jsonv2.WithEngine(jsonv2.HoneEngine) // encoding/json does not return from some of these calls
	ways := map[string]func([]byte, any) error{
		"json":         json.Config{Engine: json.HoneEngine}.Unmarshal,
		"CheckMembers": json.Config{Engine: json.HoneEngine, CheckMembers: true}.Unmarshal,
		"LimitLengths": json.Config{Engine: json.HoneEngine, LimitLengths: true}.Unmarshal,
		"Go126":        json.Config{Engine: json.HoneEngine, Rules: json.Go126}.Unmarshal,
		"Go127":        json.Config{Engine: json.HoneEngine, Rules: json.Go127}.Unmarshal,
		"Decoder": func(b []byte, v any) error {
			return json.Config{Engine: json.HoneEngine}.NewDecoder(strings.NewReader(string(b))).Decode(v)
		},
		"v2":       func(b []byte, v any) error { return jsonv2.Unmarshal(b, v, hone) },
		"v2 as v1": func(b []byte, v any) error { return jsonv2.Unmarshal(b, v, hone, json.DefaultOptionsV1()) },
		"v2 of streams": func(b []byte, v any) error {
			return jsonv2.UnmarshalDecode(jsontext.NewDecoder(strings.NewReader(string(b))), v, hone)
		},
	}
	texts := []string{"1", `"x"`, "true", "[1]", `{"E":1}`, `{"E":"1"}`, `{"S":[1],"E":2}`, `{"A":1}`, `{"N":2}`, `{"Q":"1"}`}
	maps.Copy(targets, structs)
	for what, target := range targets {
		for way, unmarshal := range ways {
			for _, text := range texts {
				if err := unmarshal([]byte(text), target()); err == nil {
					t.Errorf("%s of %s into %s: no error", way, text, what)
				}
			}
			if err := unmarshal([]byte("null"), target()); err != nil && structs[what] == nil {
				t.Errorf("%s of null into %s: %v", way, what, err)
			}
		}
	}
	for _, text := range []string{`{}`, `{"E":null,"S":[null],"M":{"a":null},"O":null,"A":null,"N":null}`} {
		var v holdsEndless
		if err := (json.Config{Engine: json.HoneEngine}).Unmarshal([]byte(text), &v); err != nil {
			t.Error(err)
		}
	}
}

// TestDeepInterfaces decodes the deepest text into interfaces that hold pointers at each level,
// which is not a cycle.
func TestDeepInterfaces(t *testing.T) {
	const depth = 10_000
	var v any
	for range depth {
		v = &[]any{v}
	}
	text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
	if err := (json.Config{Engine: json.HoneEngine}).Unmarshal([]byte(text), &v); err != nil {
		t.Error(err)
	}
}
