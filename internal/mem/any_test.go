package mem

import "testing"

// TestOfAny finds what a pointer in an interface points to.
func TestOfAny(t *testing.T) {
	n := int64(5)
	Store(OfAny(&n), 0, int64(7))
	if n != 7 {
		t.Errorf("%d", n)
	}
	if a := OfAny((*int64)(nil)); !a.IsNil() {
		t.Error("a nil pointer is an address")
	}
}
