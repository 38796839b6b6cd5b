package contest

import (
	"math"
	"slices"
	"strconv"

	"golang.org/x/perf/benchmath"
)

// Confidence is the confidence level of the intervals, and Alpha the level at which two
// contestants count as different.
const (
	Confidence = 0.95
	Alpha      = 0.05
)

// leastSamples is the smallest number of samples for which an interval of the level Confidence
// exists.
const leastSamples = 6

func (r *Result) summarize(samples []Sample) {
	more := map[string][]float64{}
	for _, s := range samples {
		r.Samples = append(r.Samples, eightDigits(s.Value))
		if s.Slowed {
			r.Slowed++
		}
		for name, v := range s.More {
			more[name] = append(more[name], v)
		}
	}
	s := benchmath.AssumeNothing.Summary(sampleOf(r.Samples), Confidence)
	// With fewer than leastSamples samples, the interval is the range of the samples.
	r.Center, r.Low, r.High = s.Center, max(s.Lo, slices.Min(r.Samples)), min(s.Hi, slices.Max(r.Samples))
	r.Allocs = median(samples, func(s Sample) float64 { return s.Allocs })
	r.Bytes = median(samples, func(s Sample) float64 { return s.Bytes })
	r.Failed = samples[0].Failed
	for i := range samples[0].Documents {
		middle := median(samples, func(s Sample) float64 { return s.Documents[i] })
		r.Documents = append(r.Documents, math.Round(10*middle)/10)
	}
	for name, values := range more {
		if r.More == nil {
			r.More = map[string]float64{}
		}
		r.More[name] = Middle(values)
	}
}

// eightDigits rounds a time to eight significant digits, because the results of a run are kept and more digits are
// noise. A whole number, such as the size of a binary, stays exact.
func eightDigits(v float64) float64 {
	if v == math.Trunc(v) {
		return v
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 8, 64), 64)
	return rounded
}

// WideFrom is the limit above which an interval counts as wide: half of the interval, divided by
// its median.
const WideFrom = 0.10

// Spread returns half the width of a result's interval, divided by its median. It is 0 for a result
// without an interval. It is also 0 for all contests other than loops on one core: the times of
// parallel work and of the first use in a process vary even on a quiet machine.
func (o Outcome) Spread(r Result) float64 {
	if o.Way != Looped || r.Center <= 0 || len(r.Samples) < 2 {
		return 0
	}
	return (r.High - r.Low) / 2 / r.Center
}

// Wide returns the number of results with wide intervals.
func (o Outcome) Wide() (n int) {
	for _, r := range o.Results {
		if o.Spread(r) > WideFrom {
			n++
		}
	}
	return n
}

// Differ reports whether two lists of samples differ significantly, by the Mann-Whitney U test.
func Differ(a, b []float64) bool {
	if len(a) == 1 && len(b) == 1 {
		return a[0] != b[0] // a single sample is an exact value
	}
	c := benchmath.AssumeNothing.Compare(sampleOf(a), sampleOf(b))
	return c.P < Alpha
}

func sampleOf(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds) // NewSample sorts the values
}

func median(samples []Sample, of func(Sample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	return Middle(values)
}

// Middle returns the median.
func Middle(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
