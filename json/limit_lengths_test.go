package json

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
)

type limited struct {
	List   []limited                   `json:"list" length:"..2"`
	Names  map[string][]int            `json:"naémes" length:"..3"`
	Counts map[int]bool                `length:"..2"`
	Maybe  mo.Option[[]float64]        `length:"1..1"`
	State  mo.Nullable[map[string]int] `length:"..1"`
	Held   *[]string                   `json:",omitempty" length:"..0"`
	Rest   [2]map[string]string
	Any    map[string]any
}

// FuzzLimitLengthsOfText decodes a value with LimitLengths in two ways: with an index, and without
// one, as texts with very many short values are decoded. The results must be equal.
func FuzzLimitLengthsOfText(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, seed uint64, indented bool) {
		r := rand.New(rand.NewPCG(seed, 2))
		var v limited
		random.Fill(r, reflect.ValueOf(&v).Elem(), 5)
		if r.IntN(2) == 0 {
			v.State = mo.Value(map[string]int{"a": 1, "b": 2, "c": 3})
		}
		v.Any = map[string]any{"x": []any{1.5, nil, "]"}, "\"": map[string]any{"{": true}}
		data, err := Marshal(v)
		if indented {
			data, err = MarshalIndent(v, " ", "\t")
		}
		if err != nil {
			t.Fatal(err)
		}
		var byIndex, byText limited
		o := Config{LimitLengths: true}
		if err := o.Unmarshal(data, &byIndex); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(decodingOf(o.flags()).Cut(data, reflect.ValueOf(&byText)), &byText); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		// It is random which entries of a map are dropped, so only the numbers of entries are
		// compared.
		if len(byIndex.List) != len(byText.List) || len(byIndex.List) > 3 || len(byIndex.Names) != len(byText.Names) || len(byIndex.Names) > 4 {
			t.Fatalf("%s: %+v, %+v", data, byIndex, byText)
		}
		if !reflect.DeepEqual(byIndex, byText) {
			t.Fatalf("%s:\n%+v\n%+v", data, byIndex, byText)
		}
	})
}
