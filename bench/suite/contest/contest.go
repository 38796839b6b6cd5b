// Package contest measures contestants that do the same work against one
// another: each in a process of its own, their samples interleaved.
package contest

import (
	"fmt"
	"runtime"
	"time"
)

// A Contest is one piece of work and those who do it.
type Contest struct {
	Name        string // such as "wire/record/encode"
	Contestants []Contestant
}

// A Contestant does a contest's work its own way.
type Contestant struct {
	Name  string
	Notes []string // such as "generated", "by hand"
	// New prepares the work and checks that it comes out right; only then is
	// it timed. Run does it n times.
	New func() (run func(n int), err error)
}

// A Sample is one measurement.
type Sample struct {
	NsPerOp     float64
	AllocsPerOp float64
	BytesPerOp  float64
}

// measure runs the work for about d.
func measure(run func(n int), d time.Duration) Sample {
	n := 1
	for {
		s, took := once(run, n)
		if took >= d || n >= 1<<30 {
			return s
		}
		// Aim a little past d, and grow at most a hundredfold on a guess that
		// rests on few runs.
		next := n * 100
		if took > 0 {
			next = min(next, int(1.2*float64(n)*float64(d)/float64(took)))
		}
		n = max(next, n+1)
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
		NsPerOp:     float64(took.Nanoseconds()) / float64(n),
		AllocsPerOp: per(after.Mallocs - before.Mallocs),
		BytesPerOp:  per(after.TotalAlloc - before.TotalAlloc),
	}, took
}

// Find returns the contestant of that name in the contest of that name.
func Find(contests []Contest, contest, contestant string) (Contestant, error) {
	for _, c := range contests {
		for _, who := range c.Contestants {
			if c.Name == contest && who.Name == contestant {
				return who, nil
			}
		}
	}
	return Contestant{}, fmt.Errorf("no contestant %s in %s", contestant, contest)
}
