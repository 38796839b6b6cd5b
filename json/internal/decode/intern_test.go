package decode

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestIntern keeps strings of all lengths and repetitions, and compares them at the end with
// copies: no string changes when later ones are made.
func TestIntern(t *testing.T) {
	d := new(Decoder)
	r := rand.New(rand.NewPCG(7, 8))
	var got, want []string
	var floats []any
	for i := range 30_000 {
		b := []byte(strings.Repeat(fmt.Sprint(r.IntN(1+i%5000)), 1+r.IntN(1+r.IntN(80))))
		want = append(want, string(b), string(b))
		got = append(got, d.Intern(b), d.internName(b))
		floats = append(floats, d.BoxFloat(float64(i)))
		clear(b) // as the input may be used again
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("string %d is %q, want %q", i, got[i], want[i])
		}
	}
	for i, f := range floats {
		if f != float64(i) {
			t.Fatalf("float %d is %v", i, f)
		}
	}
}
