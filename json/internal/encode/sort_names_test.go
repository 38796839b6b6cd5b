package encode

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestOrder sorts names with common prefixes of all lengths, with insertion sort and with the
// algorithm for many names. The order must be the same as with slices.Sort.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for count := range 3 * insertionNames {
		var o order
		var want []string
		for range count {
			name := strings.Repeat("a", r.IntN(10)) + string(rune(r.IntN(3)*r.IntN(0x200))) + strings.Repeat("\x00", r.IntN(2))
			o.add(name)
			want = append(want, name)
		}
		slices.Sort(want)
		var got []string
		for _, k := range o.sort() {
			got = append(got, o.names[k.at])
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d names: %q, want %q", count, got, want)
		}
		if o.reset(); len(o.names)+len(o.keys) > 0 {
			t.Fatal("reset has not removed all names")
		}
	}
}
