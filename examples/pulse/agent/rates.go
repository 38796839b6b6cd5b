package agent

import (
	"math"
	"time"

	"github.com/hone-go/hone/mo"
)

// rates converts counters, which count since the system started, to units per second between two
// measurements.
type rates struct {
	at        time.Time
	last, now map[string]uint64
	elapsed   float64 // seconds between the two measurements
}

// begin starts a measurement at the time now. The counters of this measurement are passed to
// perSecond.
func (r *rates) begin(now time.Time) {
	r.elapsed = 0
	if !r.at.IsZero() {
		r.elapsed = now.Sub(r.at).Seconds()
	}
	r.at, r.last, r.now = now, r.now, make(map[string]uint64, len(r.now))
}

// perSecond records a counter and returns its rate since the previous measurement, in whole units.
// The rate is None the first time, and if the counter is less than before, as when an interface is
// removed and added again.
func (r *rates) perSecond(counter string, value uint64) mo.Option[float64] {
	r.now[counter] = value
	before, known := r.last[counter]
	if !known || value < before || r.elapsed <= 0 {
		return mo.None[float64]()
	}
	return mo.Some(math.Round(float64(value-before) / r.elapsed))
}
