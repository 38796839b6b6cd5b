package agent

import (
	"math"
	"time"

	"github.com/hone-go/hone/mo"
)

// rates turns the counters that a system keeps since it started into units a
// second between two measurements.
type rates struct {
	at        time.Time
	last, now map[string]uint64
	elapsed   float64 // seconds between the two
}

// begin opens a measurement taken at at. Its counters follow through perSecond.
func (r *rates) begin(at time.Time) {
	r.elapsed = 0
	if !r.at.IsZero() {
		r.elapsed = at.Sub(r.at).Seconds()
	}
	r.at, r.last, r.now = at, r.now, make(map[string]uint64, len(r.now))
}

// perSecond notes a counter and returns its rate since the measurement before,
// in whole units.
// It is None the first time, and when the counter went backwards, as it does
// when an interface is taken away and comes back.
func (r *rates) perSecond(counter string, value uint64) mo.Option[float64] {
	r.now[counter] = value
	before, known := r.last[counter]
	if !known || value < before || r.elapsed <= 0 {
		return mo.None[float64]()
	}
	return mo.Some(math.Round(float64(value-before) / r.elapsed))
}
