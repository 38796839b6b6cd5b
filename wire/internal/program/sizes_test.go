package program

import "testing"

// TestSizes holds the guesses to what they are for: memory is taken for what came twice,
// never much more than that, and not for what came once.
func TestSizes(t *testing.T) {
	const reserve = 50
	steps := []struct{ n, room int }{
		{1000, 0}, {1000, 1050}, {1010, 1060}, {1000, 1060}, {990, 1060}, // about the same: the longest
		{1 << 20, 0}, {1000, 0}, {1000, 1050}, // one that is much longer
		{1 << 20, 0}, {1 << 20, 1<<20 + 50}, {1000, 0}, {500, 0}, {250, 0}, // ever shorter
		{100, 0}, {100, 0}, {100, 0}, // what it may reserve is too much of it
		{0, 0}, {0, 0}, {5000, 0},
	}
	var s sizes
	for i, step := range steps {
		s.note(step.n)
		if got := s.room(reserve); got != step.room {
			t.Errorf("step %d, %d bytes: room for %d, want %d", i, step.n, got, step.room)
		}
	}
}
