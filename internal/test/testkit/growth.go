package testkit

import (
	"testing"
	"time"
)

// Grows fails if run(n) takes more than factor times as much processor time as run(n/4). The factor is 4
// for linear work and 16 for quadratic work, so a bound of 9 tells them apart. Both are run alternately
// until their fastest runs are within the bound, at most twenty times. A busy machine makes such a test
// slower, and does not make it fail.
func Grows(t testing.TB, n int, factor float64, run func(n int)) {
	t.Helper()
	run(n / 4) // the first run fills caches and grows the stack
	few, many := time.Duration(1<<62), time.Duration(1<<62)
	for range 20 {
		few, many = min(few, cost(run, n/4)), min(many, cost(run, n))
		if float64(many) <= factor*float64(few) {
			return
		}
	}
	t.Errorf("%v for %d, %v for %d: more than %v times as long", few, n/4, many, n, factor)
}

func cost(run func(n int), n int) time.Duration {
	start := processorTime()
	run(n)
	return max(processorTime()-start, time.Microsecond)
}
