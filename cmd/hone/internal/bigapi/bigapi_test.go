package bigapi

import "testing"

func TestBig(t *testing.T) {
	n := 0
	for _, item := range Document().Paths {
		n += len(item)
	}
	if n < 60 {
		t.Errorf("%d operations, want sixty at least", n)
	}
}
