package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestDecoderStd reads some tokens with a Decoder of this package and the rest with the result of
// Std. All of them must be the same as with a decoder of encoding/json.
func TestDecoderStd(t *testing.T) {
	for _, text := range []string{
		`1 "a" [1,2,{"a":[true,null],"b":{}}] {"x":1,"y":[[]]} 3`, `[1,2`, `{"a":1 "b"}`, `[1,,2]`, ``, `[[[[1],2],3],4]`, `{"a":{"b":{"c":[1.5]}}}`,
	} {
		for _, reader := range []func(string) io.Reader{
			func(s string) io.Reader { return strings.NewReader(s) },
			func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
		} {
			for n := range 20 {
				std, ours := json.NewDecoder(reader(text)), NewDecoder(reader(text))
				std.UseNumber()
				ours.UseNumber()
				next := ours.Token
				for i := range 20 {
					if i == n {
						next = ours.Std().Token
					}
					want, wantErr := std.Token()
					got, err := next()
					if fmt.Sprintf("%T %v", got, got) != fmt.Sprintf("%T %v", want, want) || (err == nil) != (wantErr == nil) {
						t.Fatalf("%s, Std after %d tokens, token %d: got %v, %v; want %v, %v", text, n, i, got, err, want, wantErr)
					}
					if err != nil {
						break
					}
				}
			}
		}
	}
	d := Config{DisallowUnknownFields: true}.NewDecoder(strings.NewReader(`{"A":1} {"B":2}`))
	var v struct{ A int }
	if err := d.Std().Decode(&v); err != nil || v.A != 1 {
		t.Errorf("got %v, %v", v, err)
	}
	if err := NewDecoder(strings.NewReader(`{"B":2}`)).Std().Decode(&v); err != nil {
		t.Error(err)
	}
	if err := (Config{DisallowUnknownFields: true}).NewDecoder(strings.NewReader(`{"B":2}`)).Std().Decode(&v); err == nil {
		t.Error("no error for an unknown field")
	}
}

func TestEncoderStd(t *testing.T) {
	for _, html := range []bool{true, false} {
		var want, got bytes.Buffer
		std, ours := json.NewEncoder(&want), NewEncoder(&got)
		std.SetEscapeHTML(html)
		std.SetIndent(">", "\t")
		ours.SetEscapeHTML(html)
		ours.SetIndent(">", "\t")
		for _, e := range []*json.Encoder{std, ours.Std()} {
			if err := e.Encode([]string{"<a>"}); err != nil {
				t.Fatal(err)
			}
		}
		if got.String() != want.String() {
			t.Errorf("got %q, want %q", got.String(), want.String())
		}
	}
}
