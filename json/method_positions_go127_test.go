//go:build go1.27 && goexperiment.jsonv2

package json_test

import (
	stdjson "encoding/json"
	std "encoding/json/jsontext"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
)

// A positioned is a stream that is passed to a method.
type positioned interface {
	StackDepth() int
	StackIndex(int) (jsontext.Kind, int64)
	StackPointer() jsontext.Pointer
}

// positionOf describes the position of a stream that is passed to a method.
func positionOf(p positioned) string {
	var b strings.Builder
	for i := 0; i <= p.StackDepth(); i++ {
		k, n := p.StackIndex(i)
		fmt.Fprint(&b, k, n, " ")
	}
	fmt.Fprintf(&b, "%q", p.StackPointer())
	switch p := p.(type) {
	case interface {
		InputOffset() int64
		UnreadBuffer() []byte
	}:
		fmt.Fprintf(&b, " %d %q", p.InputOffset(), p.UnreadBuffer())
	case interface{ OutputOffset() int64 }:
		fmt.Fprint(&b, " ", p.OutputOffset())
	}
	return b.String()
}

// A place is encoded as its position in the text, and decoded from the position of its value.
// stdPlace is its twin for the standard library.
type (
	place    string
	stdPlace string
)

func (place) MarshalJSONTo(to *jsontext.Encoder) error {
	if err := to.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	outer := positionOf(to)
	if err := to.WriteToken(jsontext.String(outer)); err != nil {
		return err
	}
	return to.WriteToken(jsontext.EndArray)
}

func (stdPlace) MarshalJSONTo(to *std.Encoder) error {
	if err := to.WriteToken(std.BeginArray); err != nil {
		return err
	}
	outer := positionOf(to)
	if err := to.WriteToken(std.String(outer)); err != nil {
		return err
	}
	return to.WriteToken(std.EndArray)
}

var errPlace = errors.New("refused")

func (p *place) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	before := positionOf(from)
	v, err := from.ReadValue()
	*p = place(before + " then " + positionOf(from))
	if string(v) == "false" {
		return errPlace
	}
	return err
}

func (p *stdPlace) UnmarshalJSONFrom(from *std.Decoder) error {
	before := positionOf(from)
	v, err := from.ReadValue()
	*p = stdPlace(before + " then " + positionOf(from))
	if string(v) == "false" {
		return errPlace
	}
	return err
}

type placeTree[P any] struct {
	A P
	L []P          `json:"l~/"`
	M map[string]P `json:"m"`
	N *placeTree[P]
	F [2]struct{ X, Y P }
	I any
}

func placesOf[P ~string]() any {
	inner := &placeTree[P]{L: []P{"x", "y"}}
	return map[string]any{"é": []any{1, &placeTree[P]{L: []P{"a", "b", "c"}, M: map[string]P{"k": "v", "l": "w"}, N: inner, I: P("i")}}}
}

// TestMethodPositions calls methods that take streams by version 1. The streams must have the same
// position as those of the standard library.
func TestMethodPositions(t *testing.T) {
	hone := json.Config{Engine: json.HoneEngine}
	want, err := stdjson.Marshal(placesOf[stdPlace]())
	if err != nil {
		t.Fatal(err)
	}
	got, err := hone.Marshal(placesOf[place]())
	if err != nil || string(got) != string(want) {
		t.Errorf("encoding: %v\ngot  %s\nwant %s", err, got, want)
	}
	for _, text := range []string{
		`{"A":1,"l~/":[ 1 , {"x":[2]} ,3 ],"m":{"k":"v" , "l" :[[]]},"N":{"A":"\u00e9","F":[{"X":1},{"Y":[1,2]}]}}`,
		` {"A" : false}`, `{"l~/":[1,false,3],"m":{"a":false}}`, "\n[]", `{"N":{"N":{"N":{"m":{"a~b":true}}}}}`,
	} {
		var want placeTree[stdPlace]
		var got placeTree[place]
		wantErr, gotErr := stdjson.Unmarshal([]byte(text), &want), hone.Unmarshal([]byte(text), &got)
		wantText := strings.ReplaceAll(fmt.Sprint(show(want), " ", wantErr), "stdPlace", "place")
		if gotText := fmt.Sprint(show(got), " ", gotErr); gotText != wantText {
			t.Errorf("%s\ngot  %s\nwant %s", text, gotText, wantText)
		}
	}
	var list []place
	if err := hone.Unmarshal([]byte("["+strings.Repeat("1,", 1000)+"1]"), &list); err != nil || len(list) != 1001 || !strings.Contains(string(list[1000]), `"/1000"`) {
		t.Errorf("a long list: %v, %d places, the last is %.200s", err, len(list), list[len(list)-1])
	}
}

// show describes a tree without the addresses of its pointers.
func show[P any](t placeTree[P]) string {
	inner := "nil"
	if t.N != nil {
		inner = show(*t.N)
	}
	return fmt.Sprint(t.A, t.L, t.M, inner, t.F, t.I)
}
