package contest

import (
	"fmt"
	"runtime"
	"time"
)

// prepare makes a contestant ready to be sampled. What it panics with is an
// error: a peer that does is shown as failing. Of contests on one core the samples are
// taken while y finds it quiet.
func prepare(c Contest, who Contestant, y *yardstick) (sample func(time.Duration) (Sample, error), err error) {
	defer recovered(&err)
	if who.Measure != nil {
		return who.Measure()
	}
	run, err := who.New()
	if err != nil {
		return nil, err
	}
	switch c.Way {
	case Cold:
		return func(time.Duration) (s Sample, err error) {
			defer recovered(&err)
			runtime.GC()
			quiet := y.quiet()
			s, _ = once(run, 1)
			s.Slowed = !quiet || !y.quiet()
			return s, nil
		}, nil
	case Looped:
		return (&meter{run: run, yardstick: y}).sample, nil
	}
	return (&meter{run: run}).sample, nil
}

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v", r)
	}
}

// A meter times a loop, and remembers how long one turn of it takes.
type meter struct {
	run       func(n int)
	ns        float64
	yardstick *yardstick // nil for loops on all cores
}

func (m *meter) sample(d time.Duration) (s Sample, err error) {
	defer recovered(&err)
	runtime.GC()
	if m.yardstick == nil {
		s, _ = m.slice(d)
		return s, nil
	}
	return m.quietly(d), nil
}

// parts is how many parts a sample has, so that little is lost where one is slowed.
const parts = 4

// quietly takes a sample in slices, between which the core was quiet. Slices in front of or
// behind which it was not are thrown away, unless there are no others. Garbage is collected
// once between two slices: what a pool holds survives that.
func (m *meter) quietly(d time.Duration) Sample {
	var quiet, slowed mean
	end := time.Now().Add(mostWaiting * d)
	before := m.yardstick.await(end)
	for quiet.took < d && (quiet.took+slowed.took == 0 || time.Now().Before(end)) {
		s, took := m.slice(d / parts)
		runtime.GC()
		after := m.yardstick.quiet()
		if before && after {
			quiet.add(s, took)
		} else {
			slowed.add(s, took)
		}
		before = after || m.yardstick.await(end)
	}
	if quiet.took > 0 {
		return quiet.sample()
	}
	s := slowed.sample()
	s.Slowed = true
	return s
}

// slice runs the loop for about d.
func (m *meter) slice(d time.Duration) (Sample, time.Duration) {
	n := 1
	if m.ns > 0 {
		n = int(max(1, float64(d)/m.ns))
	}
	for {
		s, took := once(m.run, n)
		m.ns = s.Value
		if took >= d/2 || n >= 1<<30 {
			return s, took
		}
		// Grow at most a hundredfold on a guess that rests on few turns.
		n = max(n+1, min(n*100, int(float64(n)*float64(d)/float64(max(took, 1)))))
		runtime.GC()
	}
}

// A mean is that of slices, by how many turns they have.
type mean struct {
	took                 time.Duration
	turns, allocs, bytes float64
}

func (m *mean) add(s Sample, took time.Duration) {
	turns := float64(took.Nanoseconds()) / s.Value
	m.took += took
	m.turns += turns
	m.allocs += turns * s.Allocs
	m.bytes += turns * s.Bytes
}

func (m *mean) sample() Sample {
	return Sample{Value: float64(m.took.Nanoseconds()) / m.turns, Allocs: m.allocs / m.turns, Bytes: m.bytes / m.turns}
}

// once times n turns. The caller has collected the garbage of what was before.
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
