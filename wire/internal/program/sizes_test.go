package program

import "testing"

// TestSizes records encodings of many lengths. A length must become the guess if it came twice in a
// row, and the guessed memory must never be much larger than this length.
func TestSizes(t *testing.T) {
	const reserve = 50
	steps := []struct{ n, room int }{
		{1000, 0}, {1000, 1050}, {1010, 1060}, {1000, 1060}, {990, 1060}, // about the same: the longest counts
		{1 << 20, 0}, {1000, 0}, {1000, 1050}, // a single long encoding
		{1 << 20, 0}, {1 << 20, 1<<20 + 50}, {1000, 0}, {500, 0}, {250, 0}, // decreasing lengths
		{100, 0}, {100, 0}, {100, 0}, // the reserved bytes would be a large part of the memory
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
