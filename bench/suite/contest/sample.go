package contest

import (
	"fmt"
	"runtime"
	"time"
)

// prepare makes a contestant ready to be sampled. What it panics with is an
// error: a peer that does is shown as failing.
func prepare(c Contest, who Contestant) (sample func(time.Duration) (Sample, error), err error) {
	defer recovered(&err)
	if who.Measure != nil {
		return who.Measure()
	}
	run, err := who.New()
	if err != nil {
		return nil, err
	}
	if c.Way == Cold {
		return func(time.Duration) (s Sample, err error) {
			defer recovered(&err)
			s, _ = once(run, 1)
			return s, nil
		}, nil
	}
	m := meter{run: run}
	return m.sample, nil
}

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v", r)
	}
}

// A meter times a loop, and remembers how long one turn of it takes.
type meter struct {
	run func(n int)
	ns  float64
}

func (m *meter) sample(d time.Duration) (s Sample, err error) {
	defer recovered(&err)
	n := 1
	if m.ns > 0 {
		n = int(max(1, float64(d)/m.ns))
	}
	for {
		s, took := once(m.run, n)
		m.ns = s.Value
		if took >= d/2 || n >= 1<<30 {
			return s, nil
		}
		// Grow at most a hundredfold on a guess that rests on few turns.
		n = max(n+1, min(n*100, int(float64(n)*float64(d)/float64(max(took, 1)))))
	}
}

func once(run func(n int), n int) (Sample, time.Duration) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	run(n)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	per := func(x uint64) float64 { return float64(x) / float64(n) }
	return Sample{
		Value:  float64(took.Nanoseconds()) / float64(n),
		Allocs: per(after.Mallocs - before.Mallocs),
		Bytes:  per(after.TotalAlloc - before.TotalAlloc),
	}, took
}
