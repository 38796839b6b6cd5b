package contest

import (
	"runtime"
	"time"
)

// A meter times a loop, and estimates the time of one iteration.
type meter struct {
	run       func(n int)
	ns        float64
	yardstick *yardstick // nil if the loops use all cores
	garbage   collector
}

func (m *meter) sample(d time.Duration) (s Sample, err error) {
	defer recovered(&err)
	if m.yardstick == nil {
		runtime.GC()
		s, _ = m.part(d)
		return s, nil
	}
	return m.sampleInParts(d), nil
}

// parts is the number of parts of a sample. With short parts, little time is lost when a part is
// dropped because the core was slowed.
const parts = 8

// sampleInParts takes a sample in parts. It drops a part if the core was not quiet just before or after the part, unless
// it would drop all parts. The time of the collector is added to the parts.
func (m *meter) sampleInParts(d time.Duration) Sample {
	var quiet, slowed mean
	m.garbage.collect()
	defer m.garbage.leave()
	end := time.Now().Add(mostWaiting * d)
	before := m.yardstick.await(end)
	for quiet.took < d && (quiet.took+slowed.took == 0 || time.Now().Before(end)) {
		s, n := m.part(d / parts)
		s.Value += m.garbage.record(s.Bytes*float64(n)) / float64(n)
		after := m.yardstick.quiet()
		if before && after {
			quiet.add(s, n)
		} else {
			slowed.add(s, n)
		}
		before = after || m.yardstick.await(end)
	}
	s := slowed.sample()
	if quiet.took > 0 {
		s = quiet.sample()
	}
	s.Slowed = quiet.took == 0 || m.yardstick.factor == 0
	return s
}

// part runs the loop for about d, and returns the number of iterations.
func (m *meter) part(d time.Duration) (Sample, int) {
	n := 1
	if m.ns > 0 {
		n = int(max(1, float64(d)/m.ns))
	}
	for {
		s, took := once(m.run, n)
		m.ns = s.Value
		if took >= d/2 || n >= 1<<30 {
			return s, n
		}
		// Grow at most a hundredfold, since the estimate may be from few iterations.
		n = max(n+1, min(n*100, int(float64(n)*float64(d)/float64(max(took, 1)))))
	}
}

// A mean is the mean of parts, weighted by their numbers of iterations.
type mean struct {
	took                        time.Duration
	turns, total, allocs, bytes float64
}

func (m *mean) add(s Sample, n int) {
	turns := float64(n)
	m.took += time.Duration(turns * s.Value)
	m.turns += turns
	m.total += turns * s.Value
	m.allocs += turns * s.Allocs
	m.bytes += turns * s.Bytes
}

func (m *mean) sample() Sample {
	return Sample{Value: m.total / m.turns, Allocs: m.allocs / m.turns, Bytes: m.bytes / m.turns}
}

// once times n iterations.
func once(run func(n int), n int) (Sample, time.Duration) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	run(n)
	took := max(1, time.Since(start))
	runtime.ReadMemStats(&after)
	per := func(x uint64) float64 { return float64(x) / float64(n) }
	return Sample{
		Value:  float64(took.Nanoseconds()) / float64(n),
		Allocs: per(after.Mallocs - before.Mallocs),
		Bytes:  per(after.TotalAlloc - before.TotalAlloc),
	}, took
}
