//lint:file-ignore SA5008 the tag option string is used on types of any kind

package json

import (
	"reflect"
	"testing"

	"github.com/hone-go/hone/mo"
)

// TestUnions encodes union types of package mo. The output must be the same as by version 1.
func TestUnions(t *testing.T) {
	byHone(t)
	for want, v := range map[string]any{
		`{"left":"a"}`:   mo.Left[string, int]("a"),
		`{"right":[]}`:   mo.Right[int]([]int(nil)),
		`{"result":1}`:   mo.Ok(1),
		`[{"arg2":"b"}]`: []mo.Either3[int, string, bool]{mo.NewEither3Arg2[int, string, bool]("b")},
	} {
		if got, err := Marshal(v); err != nil || string(got) != want {
			t.Errorf("%T: %s, %v, want %s", v, got, err, want)
		}
	}
}

// TestQuotedUnions encodes and decodes values of mo's types with the tag option "string". It has no
// effect on them, as on other types with methods.
func TestQuotedUnions(t *testing.T) {
	byHone(t)
	quotedUnion(t, mo.Value(1), "1")
	quotedUnion(t, mo.Value("x"), `"x"`)
	quotedUnion(t, mo.Null[int](), "null")
	quotedUnion(t, mo.Some(1), "1")
	quotedUnion(t, mo.Ok(1), `{"result":1}`)
	quotedUnion(t, mo.Left[int, string](1), `{"left":1}`)
	quotedUnion(t, mo.NewEither3Arg2[int, string, bool]("x"), `{"arg2":"x"}`)
}

func quotedUnion[T any](t *testing.T, v T, want string) {
	t.Helper()
	type quoted struct {
		V T `json:",string"`
	}
	b, err := Marshal(quoted{v})
	if want = `{"V":` + want + `}`; err != nil || string(b) != want {
		t.Errorf("%T: %s, %v, want %s", v, b, err, want)
	}
	var back quoted
	if err := Unmarshal([]byte(want), &back); err != nil || !reflect.DeepEqual(back.V, v) {
		t.Errorf("%T: %v, %v, want %v", v, back.V, err, v)
	}
}
