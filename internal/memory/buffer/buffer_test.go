package buffer

import "testing"

// uses returns the number of calls that write n bytes before a slice of the given size is dropped.
func uses(size, n, most int) (calls int) {
	b := &Buffer{B: make([]byte, size)}
	for b.Reset(); cap(b.B) == size && calls < most; calls++ {
		b.B = b.B[:n]
		b.Reset()
	}
	return calls
}

func TestReset(t *testing.T) {
	const megabyte = 1 << 20
	for _, test := range []struct {
		name      string
		size, n   int
		low, high int
	}{
		{"a list of a megabyte whose elements' methods encode each", megabyte, 50, megabyte / 50, 64 * 1024},
		{"small answers after a large one", megabyte, 4096, 1024, 4096},
		{"empty ones", megabyte, 0, 1024, 64 * 1024},
		{"none that is not large", Large, 1, 1_000_000, 1_000_000},
		{"large answers", megabyte, megabyte / 4, 10_000, 10_000},
	} {
		if got := uses(test.size, test.n, test.high); got < test.low {
			t.Errorf("%s: dropped after %d calls, want %d to %d", test.name, got, test.low, test.high)
		} else if test.low < test.high && got == test.high {
			t.Errorf("%s: not dropped in %d calls", test.name, got)
		}
	}
	b := &Buffer{B: make([]byte, 0, megabyte)}
	for range 1_000_000 {
		b.B = b.B[:10]
		b.Reset()
		b.B = b.B[:min(cap(b.B), megabyte/2)]
		b.Reset()
	}
	if cap(b.B) != megabyte {
		t.Error("a slice in regular use was dropped")
	}
}
