package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/hone-go/hone/json"
)

// TestMapOrder encodes maps of up to 140 members. The order must be the same as with encoding/json.
// Most names have a common prefix that is longer than the part that is compared at once, and many
// names differ only in zero bytes at the end.
func TestMapOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabets := []string{"ab", "a\x00", "\x00\xff", "0123456789", "aé\u2028<"}
	for n := range 140 {
		for _, alphabet := range alphabets {
			letters := []rune(alphabet)
			start := "aaaaaaaaaa"[:r.IntN(11)]
			m, other := map[string]int{}, map[string]string{}
			for range n {
				name := start
				for range r.IntN(9) {
					name += string(letters[r.IntN(len(letters))])
				}
				m[name], other[name] = len(name), fmt.Sprint(len(m))
			}
			for _, v := range []any{m, other, map[string]any{"a": m}} {
				got, err := json.Marshal(v)
				want, _ := stdjson.Marshal(v)
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%d names of %q after %q: got %s, %v; want %s", len(m), alphabet, start, got, err, want)
				}
			}
		}
	}
}
