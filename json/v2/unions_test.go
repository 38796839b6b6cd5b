package json

import (
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
