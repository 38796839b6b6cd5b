//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"bytes"
	"encoding/json"
	stdtext "encoding/json/jsontext"
	std "encoding/json/v2"
	"errors"
	"strings"
	"testing"

	v1 "github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
)

type (
	deepPointer struct{ P *deepPointer }
	deepSlice   []deepSlice
	deepMap     map[string]deepMap
)

// TestDeepValues encodes values whose depth is close to the maximum of encoding/json. The output
// and the errors must be the same as with the standard library, in both versions.
func TestDeepValues(t *testing.T) {
	for _, n := range []int{9_998, 9_999, 10_000, 10_001, 10_002, 20_000} {
		var p *deepPointer
		var s deepSlice
		var m deepMap
		var a any = 1
		for range n {
			p, s, m, a = &deepPointer{p}, deepSlice{s}, deepMap{"a": m}, []any{a}
		}
		for name, v := range map[string]any{"pointers": p, "slices": s, "maps": m, "any": a, "in a struct": struct{ V any }{a}} {
			bothWays(t, v, 0)
			bothWays(t, v, 1<<7)
			bothWays(t, v, 1<<31)
			want, werr := json.Marshal(v)
			got, gerr := v1.Marshal(v)
			if !bytes.Equal(want, got) || say(werr) != say(gerr) {
				t.Errorf("%d %s by version 1: %d bytes, %s, want %d, %s", n, name, len(got), say(gerr), len(want), say(werr))
			}
			// The same holds within a stream.
			var out, other bytes.Buffer
			we, ge := stdtext.NewEncoder(&out), jsontext.NewEncoder(&other)
			werr = errors.Join(we.WriteToken(stdtext.BeginArray), std.MarshalEncode(we, v))
			gerr = errors.Join(ge.WriteToken(jsontext.BeginArray), MarshalEncode(ge, v))
			if say(werr) != say(gerr) && EngineByDefault() == HoneEngine {
				t.Errorf("%d %s within an array: %.300s, want %.300s", n, name, say(gerr), say(werr))
			}
		}
		if t.Failed() {
			return
		}
	}
	if _, err := v1.Marshal(map[string]any{"a": strings.Repeat("[", 20_000)}); err != nil {
		t.Error(err)
	}
}
