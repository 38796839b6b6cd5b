package contest

import (
	"math"
	"sync"
	"time"
)

// slowed is the maximum ratio of the yardstick's time to its shortest time on an idle core. If another
// program runs on the core, or another virtual machine on the same physical core, the ratio is 1.2 to 2.
const slowed = 1.07

// These constants limit the time that contestants wait for a quiet core, so that a run ends even if
// the core never becomes quiet. A sample waits up to mostWaiting times its own duration. A contest has
// up to moreRounds times the requested number of rounds, and its samples take up to mostRun times as
// long as without waiting. Beyond these limits, samples of a slowed core count.
const (
	mostWaiting = 6
	moreRounds  = 3
	mostRun     = 3
)

// A yardstick is a constant piece of work. Its time shows whether the core is slowed. Clocks and the
// system's accounting do not show this if another virtual machine runs on the second thread of the
// physical core.
type yardstick struct {
	shortest time.Duration // the shortest known time on this machine
	factor   float64       // the allowed ratio to the shortest time; 0 for no limit
}

// quiet runs the yardstick, and reports whether it took about its shortest time.
func (y *yardstick) quiet() bool {
	took := yardstickWork()
	if y.shortest == 0 || took < y.shortest {
		y.shortest = took
	}
	return y.factor == 0 || float64(took) <= y.factor*float64(y.shortest)
}

// await runs the yardstick until the core is quiet or the time is over. It reports whether the core
// is quiet.
func (y *yardstick) await(until time.Time) bool {
	for {
		if y.quiet() {
			return true
		}
		if time.Now().After(until) {
			return false
		}
	}
}

// calibrate measures the shortest time on the core to which contestants are pinned. It takes two
// seconds, once.
var calibrate = sync.OnceValue(func() time.Duration {
	shortest := time.Duration(math.MaxInt64)
	_ = pinned(func() error {
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
			shortest = min(shortest, yardstickWork())
		}
		return nil
	})
	return shortest
})

// The work reads and writes these variables, so that the compiler cannot remove it. Each run continues
// where the last one ended. Otherwise the processor would learn the branches, and forget them when other
// code runs, so the time would vary.
var (
	yardstickTable [2048]uint64
	yardstickState uint64
)

// yardstickWork returns the time of the work, about an eighth of a millisecond. It first fills the
// caches.
func yardstickWork() time.Duration {
	yardstickTurns(8_000)
	start := time.Now()
	yardstickTurns(24_000)
	return time.Since(start)
}

// yardstickTurns does work that a neighbour on the same core slows down: independent
// arithmetic, unpredictable branches, and loads and stores within 16 KB.
//
//go:noinline
func yardstickTurns(n int) {
	table := &yardstickTable
	a, b, c, d := yardstickState, uint64(3), uint64(5), uint64(7)
	for range n {
		a = a*6364136223846793005 + 1442695040888963407
		b ^= table[a>>53]
		c += b >> 3
		if a&(1<<40) != 0 {
			d ^= c
		} else {
			d += table[c&2047]
		}
		table[(a>>30)&2047] = d
	}
	yardstickState = a
}
