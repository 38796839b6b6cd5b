package json

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/testkit/random"
)

var fieldTags = []string{"", "", `json:"name,omitempty"`, `json:",omitzero"`, `json:",string"`, `json:"-"`, `json:"f0"`, `json:"<é>"`, `json:"F1,omitempty,string"`}

// FuzzTypes makes a type and a value of it from a seed, encodes the value, and
// decodes what came out into another value of the type.
func FuzzTypes(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		typ := random.Type(r, 3, fieldTags)
		v, std, ours := reflect.New(typ), reflect.New(typ), reflect.New(typ)
		random.Fill(r, v.Elem(), 4)
		sameEncoding(t, v.Interface())
		sameEncoding(t, v.Elem().Interface())
		data, err := json.Marshal(v.Interface())
		if err != nil {
			return
		}
		wantErr, err := json.Unmarshal(data, std.Interface()), Unmarshal(data, ours.Interface())
		compare(t, "Unmarshal", data, [2]any{std.Interface(), ours.Interface()}, err, wantErr)
	})
}
