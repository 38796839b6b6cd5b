package contest

import (
	"runtime"
	"runtime/debug"
	"time"
)

// A collector runs the garbage collector between the parts of a sample, as often as the runtime
// would, and measures the time of each collection. A part is too short for the runtime's own
// collections: most parts would end before a collection starts, and the time of a collection could
// not be assigned to a part.
type collector struct {
	off   int     // the GC percentage to restore; zero if the runtime collects
	since float64 // bytes allocated since the last collection
	room  float64 // bytes that may be allocated before the next collection
}

// leastHeap is the heap size below which the runtime does not collect.
const leastHeap = 4 << 20

// collect runs the garbage collector, resets the counter, and returns the time that the collection
// took.
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

// record adds the number of bytes that a part allocated. It collects if more than room bytes have
// been allocated since the last collection, and returns the nanoseconds of the collection. If a
// single part allocates more than room bytes, record calls leave, and the runtime collects from
// then on.
func (c *collector) record(bytes float64) (ns float64) {
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

// leave turns the runtime's own collections on again.
func (c *collector) leave() {
	if c.off != 0 {
		debug.SetGCPercent(c.off)
		c.off = 0
	}
}
