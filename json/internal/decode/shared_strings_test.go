package decode

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestIntern interns strings of all lengths, some of them repeatedly. At the end it compares them
// with copies: no string may change when later ones are interned.
func TestIntern(t *testing.T) {
	d := new(Decoder)
	r := rand.New(rand.NewPCG(7, 8))
	var got, want []string
	var floats []any
	for i := range 30_000 {
		b := []byte(strings.Repeat(fmt.Sprint(r.IntN(1+i%5000)), 1+r.IntN(1+r.IntN(80))))
		want = append(want, string(b), string(b))
		got = append(got, d.Intern(b), d.InternName(b))
		floats = append(floats, d.BoxFloat(float64(i)))
		clear(b) // the caller may reuse the input
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
