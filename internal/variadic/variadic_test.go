package variadic

import "testing"

func TestOnly(t *testing.T) {
	type options struct{ n int }
	if got := Only[options](nil); got != (options{}) {
		t.Errorf("no element: %v", got)
	}
	if got := Only([]options{{1}}); got != (options{1}) {
		t.Errorf("one element: %v", got)
	}
	defer func() {
		if got := recover(); got != "hone: more than one variadic.options" {
			t.Errorf("two elements: %v", got)
		}
	}()
	Only([]options{{1}, {2}})
}
