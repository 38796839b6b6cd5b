//go:build go1.27 && goexperiment.jsonv2

//lint:file-ignore SA5008 the tests need unusual tags

package json

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hone-go/hone/json/jsontext"
)

type (
	casedMap struct {
		A    int            `json:"aa_a,case:ignore,omitzero"`
		B    int            `json:"AAB,case:strict,omitzero"`
		C    int            `json:"aab,omitzero"`
		D    int            `json:"aa-a,case:ignore,omitzero"`
		Rest map[string]int `json:",embed"`
	}
	casedText struct {
		A    int            `json:"aa_a,case:ignore,omitzero"`
		B    int            `json:"AAB,omitzero"`
		Rest jsontext.Value `json:",embed"`
	}
	casedPlain struct {
		A    int            `json:"aaa,omitzero"`
		Rest map[string]any `json:",embed"`
	}
)

// TestNamesInOtherCases encodes unknown members whose names differ from the names of fields, or
// from each other, only in case or in dashes and underscores. The output and the errors must be the
// same as with the standard library.
func TestNamesInOtherCases(t *testing.T) {
	byHone(t)
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"aaa", "AAA", "aAa", "aa_a", "AA_A", "aa-a", "aab", "AAB", "Aab", "A_AB", "x", "X", "é", "É", "s", "ſ", "k", "K"}
	bits := []uint32{0, 1 << 0, 1 << 14, 1<<14 | 1<<20, 1 << 20, 1 << 31, 1<<31 | 1, 1<<31 | 1<<14 | 1<<0}
	for range 3000 {
		rest, list := map[string]int{}, []string{}
		for range random.IntN(4) {
			name := names[random.IntN(len(names))]
			if _, there := rest[name]; !there {
				rest[name] = random.IntN(3)
				list = append(list, `"`+name+`":1`)
			}
		}
		held := map[string]any{}
		for name, v := range rest {
			held[name] = v
		}
		text := jsontext.Value("{" + strings.Join(list, ",") + "}")
		for _, v := range []any{
			casedMap{random.IntN(2), random.IntN(2), random.IntN(2), random.IntN(2), rest},
			casedText{random.IntN(2), random.IntN(2), text},
			casedPlain{random.IntN(2), held},
			&struct{ In []casedPlain }{[]casedPlain{{random.IntN(2), held}, {1, nil}}},
		} {
			bothWays(t, v, bits[random.IntN(len(bits))])
		}
		if t.Failed() {
			return
		}
	}
}
