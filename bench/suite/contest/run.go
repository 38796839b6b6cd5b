package contest

import (
	"context"
	"slices"
	"time"

	"golang.org/x/perf/benchmath"
)

// Options say how long to look.
type Options struct {
	Count    int           // samples of each contestant
	Duration time.Duration // of each sample
	Progress func(contest string, done, of int)
}

// A Result is what was found out about one contestant.
type Result struct {
	Contest    string
	Contestant string
	Notes      []string  `json:",omitempty"`
	Samples    []float64 // ns per operation, in the order they were taken
	NsPerOp    float64   // their median
	Low, High  float64   // its confidence interval
	Allocs     float64
	Bytes      float64
	Error      string `json:",omitempty"` // why it was not timed
}

// Run measures the contests one after the other. If ctx ends it returns what
// there is, with the contest that was cut short left out.
func Run(ctx context.Context, contests []Contest, o Options) []Result {
	var results []Result
	for i, c := range contests {
		if o.Progress != nil {
			o.Progress(c.Name, i, len(contests))
		}
		got := runOne(ctx, c, o)
		if ctx.Err() != nil {
			break
		}
		results = append(results, got...)
	}
	return results
}

// runOne takes one sample of each contestant in turn, Count times over, so that
// what the machine does meanwhile falls on all of them.
func runOne(ctx context.Context, c Contest, o Options) []Result {
	results := make([]Result, len(c.Contestants))
	processes := make([]*process, len(c.Contestants))
	for i, who := range c.Contestants {
		results[i] = Result{Contest: c.Name, Contestant: who.Name, Notes: who.Notes}
		p, err := start(c.Name, who)
		if err != nil {
			results[i].Error = err.Error()
			continue
		}
		defer p.stop()
		processes[i] = p
	}
	for round := range o.Count + 1 {
		for i, p := range processes {
			if p == nil || results[i].Error != "" || ctx.Err() != nil {
				continue
			}
			s, err := p.sample(o.Duration)
			if err != nil {
				results[i].Error = err.Error()
				continue
			}
			if round == 0 {
				continue // warms up
			}
			r := &results[i]
			r.Samples = append(r.Samples, s.NsPerOp)
			r.Allocs, r.Bytes = s.AllocsPerOp, s.BytesPerOp
		}
	}
	for i := range results {
		r := &results[i]
		if r.Error != "" || len(r.Samples) == 0 {
			continue
		}
		s := benchmath.AssumeNothing.Summary(benchmath.NewSample(r.Samples, &benchmath.DefaultThresholds), 0.95)
		// Few samples bound nothing at that confidence; then their range is said.
		r.NsPerOp, r.Low, r.High = s.Center, max(s.Lo, slices.Min(r.Samples)), min(s.Hi, slices.Max(r.Samples))
	}
	return results
}
