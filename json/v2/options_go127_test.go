//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"bytes"
	stdtext "encoding/json/jsontext"
	std "encoding/json/v2"
	"testing"

	"github.com/hone-go/hone/json/jsontext"
)

// TestOptionsOfStreams passes the options of a stream to other streams and calls, outside and
// inside of functions. The options must have the same effect as with the standard library.
func TestOptionsOfStreams(t *testing.T) {
	byHone(t)
	for _, indent := range []string{"", "\t"} {
		for _, v := range []any{"x", 3, []any{1, "x"}, map[string]int{"a": 1}} {
			var want, wantInner, got, gotInner bytes.Buffer
			var theirs std.Options
			var ours Options
			we := stdtext.NewEncoder(&want, stdtext.WithIndent(indent), std.WithMarshalers(std.MarshalToFunc(func(e *stdtext.Encoder, s string) error {
				theirs = e.Options()
				inner := stdtext.NewEncoder(&wantInner, e.Options(), std.WithMarshalers(nil))
				_ = std.MarshalEncode(inner, 12)
				_ = std.MarshalEncode(inner, s)
				_ = inner.WriteToken(stdtext.Int(3))
				return e.WriteToken(stdtext.String(s + s))
			})))
			ge := jsontext.NewEncoder(&got, jsontext.WithIndent(indent), WithMarshalers(MarshalToFunc(func(e *jsontext.Encoder, s string) error {
				ours = e.Options()
				inner := jsontext.NewEncoder(&gotInner, e.Options(), WithMarshalers(nil))
				_ = MarshalEncode(inner, 12)
				_ = MarshalEncode(inner, s)
				_ = inner.WriteToken(jsontext.Int(3))
				return e.WriteToken(jsontext.String(s + s))
			})))
			for range 3 {
				werr, gerr := std.MarshalEncode(we, v), MarshalEncode(ge, v)
				if say(werr) != say(gerr) {
					t.Errorf("%v: got %v, want %v", v, gerr, werr)
				}
				if theirs == nil {
					continue
				}
				werr, gerr = std.MarshalEncode(we, v, theirs), MarshalEncode(ge, v, ours)
				if say(werr) != say(gerr) {
					t.Errorf("%v, with the options of a nested encoder: got %v, want %v", v, gerr, werr)
				}
			}
			if got.String() != want.String() || gotInner.String() != wantInner.String() {
				t.Errorf("%v, indent %q:\ngot  %q, within %q\nwant %q, within %q", v, indent, &got, &gotInner, &want, &wantInner)
			}
		}
	}
}
