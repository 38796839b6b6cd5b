package web

import (
	"math"
	"testing"
	"time"
)

// TestLatencies compares the histogram with the values themselves.
func TestLatencies(t *testing.T) {
	var l latencies
	for i := range 10_000 {
		l.add(time.Duration(i+1) * time.Microsecond)
	}
	for _, q := range []float64{.01, .5, .99, 1} {
		got, want := l.quantile(q), q*10_000_000
		if math.Abs(got-want) > want/16 {
			t.Errorf("the quantile %v is %v, want about %v", q, got, want)
		}
	}
	for d := uint64(16); d < 1<<40; d = d*9/8 + 1 {
		if s := step(d); float64(d) < lowest(s) || float64(d) >= lowest(s+1) {
			t.Fatalf("%d is in step %d, from %v to %v", d, s, lowest(s), lowest(s+1))
		}
	}
}
