package json_test

import (
	"errors"
	"fmt"
	"regexp"
	"testing"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
)

// TestOptionErrors decodes texts with type errors into fields that are Options, and into the same
// fields without them. The other members, and the error's offset and field, must be the same.
func TestOptionErrors(t *testing.T) {
	type inner struct{ X int }
	type plain struct {
		A int
		C []int
		E []int
		F map[string]inner
		N int
		B int
		D string
	}
	type optional struct {
		A mo.Option[int]
		C mo.Option[[]int]
		E []mo.Option[int]
		F map[string]mo.Option[inner]
		N mo.Nullable[int]
		B int
		D string
	}
	nameOfType := regexp.MustCompile(`\b(plain|optional)\b`)
	for _, rules := range []json.Rules{json.Go126, json.Go127} {
		for _, text := range []string{
			`{"A":"x","B":2,"D":"d"}`, ` {"B":1, "C" : [1,"x",3],"D":"d"}`, `{"E":[1,"x",3],"B":5}`, `{"F":{"k":{"X":"y"}},"B":6}`,
			`{"A":1e99,"B":3}`, `{"N":[],"B":4}`, `{"A":{},"N":"x","B":7}`, `{"C":5,"B":8}`,
		} {
			var want plain
			var got optional
			config := json.Config{Rules: rules, Engine: json.HoneEngine}
			wantErr, gotErr := config.Unmarshal([]byte(text), &want), config.Unmarshal([]byte(text), &got)
			if got.B != want.B || got.B == 0 || got.D != want.D {
				t.Errorf("%v, %s: the other members are %d and %q, want %d and %q", rules, text, got.B, got.D, want.B, want.D)
			}
			if w, g := describeTypeError(wantErr), describeTypeError(gotErr); nameOfType.ReplaceAllString(g, "") != nameOfType.ReplaceAllString(w, "") {
				t.Errorf("%v, %s\ngot  %s\nwant %s", rules, text, g, w)
			}
		}
	}
}

func describeTypeError(err error) string {
	e, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return fmt.Sprint(err)
	}
	return fmt.Sprintf("%s %v at %d, field %s of %s", e.Value, e.Type, e.Offset, e.Field, e.Struct)
}
