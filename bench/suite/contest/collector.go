package contest

import (
	"runtime"
	"runtime/debug"
	"time"
)

// A collector has the garbage collected between the parts of a sample, as often as the
// runtime would by itself, and says how long that took. Parts are too short for the runtime:
// most would end before a collection does, and its remainder would count for no part.
type collector struct {
	off   int     // percent to go back to; the runtime collects by itself if it is zero
	since float64 // bytes allocated since the last collection
	room  float64 // bytes that may be
}

// leastHeap is the size of a heap below which the runtime does not collect.
const leastHeap = 4 << 20

// collect collects, begins to count, and returns how long the collection took.
func (c *collector) collect() time.Duration {
	if c.off == 0 {
		c.off = debug.SetGCPercent(-1)
	}
	start := time.Now()
	runtime.GC()
	took := time.Since(start)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	c.since, c.room = 0, float64(max(leastHeap, 2*m.HeapAlloc)-m.HeapAlloc)
	return took
}

// after takes the number of bytes that a part allocated. It collects if there is no more room, and
// returns the nanoseconds that took. A part that allocates more than that is left to the
// runtime from then on: it collects within the part.
func (c *collector) after(bytes float64) (ns float64) {
	if c.off == 0 {
		return 0
	}
	if bytes > c.room {
		c.leave()
		return 0
	}
	if c.since += bytes; c.since < c.room {
		return 0
	}
	return float64(c.collect().Nanoseconds())
}

// leave lets the runtime collect by itself.
func (c *collector) leave() {
	if c.off != 0 {
		debug.SetGCPercent(c.off)
		c.off = 0
	}
}
