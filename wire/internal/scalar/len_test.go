package scalar

import "testing"

// TestLens checks that the name of each length is parsed as that length.
func TestLens(t *testing.T) {
	for l := LenVarint; l.Valid(); l++ {
		if back, ok := ParseLen(l.String()); back != l || !ok {
			t.Errorf("%v is parsed as %v, %t", l, back, ok)
		}
	}
	if _, ok := ParseLen("u24le"); ok || Len(200).Valid() {
		t.Error("u24le is parsed, or Len(200) is valid")
	}
}
