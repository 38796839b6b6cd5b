//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"encoding/json"
	"encoding/json/jsontext"
	"fmt"
	"testing"
)

// TestEmbeddedText encodes structs whose embedded field stores unknown members as JSON text, and
// expects the output and errors of encoding/json.
func TestEmbeddedText(t *testing.T) {
	type first struct {
		A int
		X jsontext.Value `json:",embed"`
	}
	type only struct {
		X *jsontext.Value `json:",embed"`
	}
	for _, text := range []string{
		``, `{}`, ` { } `, `{"a":1}`, `{"a":{"b":[1, 2]},"c":"<é\u00e9"}`, `{"A":"x"}`, `{"a":1,"a":1.0e5}`, "{\"\xff\":\"\xff\"}", "{ \"a b<\" : \"\\u2028\u2028\" ,\n\"k\\/\" : [ ] } ",
		` `, `null`, `[1]`, `nul`, `{"a":`, `{"a":1} x`, `{"a":1}}`, `{"a":x}`, `{"a" 1}`, `{"a":[1}`, `{"a":tru}`, `{"a":1,}`, `{1:2}`,
	} {
		x := jsontext.Value(text)
		for _, v := range []any{first{1, x}, []any{&first{1, x}}, only{&x}, map[string]any{"m": only{&x}}, only{}} {
			got, err := Marshal(v)
			want, wantErr := json.Marshal(v)
			if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("Marshal(%T with %q) = %s, %v; encoding/json: %s, %v", v, text, got, err, want, wantErr)
			}
			got, err = MarshalIndent(v, ">", "\t")
			want, wantErr = json.MarshalIndent(v, ">", "\t")
			if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("MarshalIndent(%T with %q) = %s, %v; encoding/json: %s, %v", v, text, got, err, want, wantErr)
			}
		}
	}
}
