// Package gate determines whether one build of Hone is slower than another, by the suite's own
// contests.
package gate

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/hone-go/hone/bench/suite/contest"
)

// Notable is the ratio above which a benchmark is named, if it is significantly slower.
const Notable = 1.05

// A Pair is one benchmark's samples in both builds.
type Pair struct {
	Name      string
	Base, New []contest.Sample
}

// Bounds are the losses that the gate accepts, in percent.
type Bounds struct {
	Mean float64 // the maximum loss of the geometric mean of all ratios
	Each float64 // the maximum loss of each significantly slower benchmark; 0 means no bound
}

// A Verdict is the comparison of two builds.
type Verdict struct {
	Mean   float64 // geometric mean of the new times divided by the old ones
	Bounds Bounds
	Pairs  int
	Slower []Change // significantly slower, the worst first
	Faster []Change
	Allocs []Change // the benchmarks with more allocations than before
	Passed bool
}

// A Change is the old and the new figure of one benchmark.
type Change struct {
	Name      string
	Base, New float64
}

// Ratio returns the new figure divided by the old one.
func (c Change) Ratio() float64 { return c.New / c.Base }

// Judge compares two builds. The new build fails if its losses exceed the bounds, or if a
// benchmark allocates more than before.
func Judge(pairs []Pair, bounds Bounds) Verdict {
	v := Verdict{Bounds: bounds}
	notable, worst := Notable, math.Inf(1)
	if bounds.Each > 0 {
		worst = 1 + bounds.Each/100
		notable = min(notable, worst)
	}
	logs := 0.0
	for _, p := range pairs {
		base, now := values(p.Base), values(p.New)
		c := Change{p.Name, contest.Middle(base), contest.Middle(now)}
		if c.Base <= 0 || c.New <= 0 {
			continue
		}
		v.Pairs++
		logs += math.Log(c.Ratio())
		if contest.Differ(base, now) {
			switch {
			case c.Ratio() > notable:
				v.Slower = append(v.Slower, c)
			case c.Ratio() < 1/Notable:
				v.Faster = append(v.Faster, c)
			}
		}
		if a := (Change{p.Name, allocs(p.Base), allocs(p.New)}); a.New > a.Base+0.5+a.Base/1000 {
			v.Allocs = append(v.Allocs, a)
		}
	}
	v.Mean = 1
	if v.Pairs > 0 {
		v.Mean = math.Exp(logs / float64(v.Pairs))
	}
	slices.SortFunc(v.Slower, func(x, y Change) int { return cmp.Compare(y.Ratio(), x.Ratio()) })
	slices.SortFunc(v.Faster, func(x, y Change) int { return cmp.Compare(x.Ratio(), y.Ratio()) })
	v.Passed = v.Mean <= 1+bounds.Mean/100 && len(v.Allocs) == 0 && (len(v.Slower) == 0 || v.Slower[0].Ratio() <= worst)
	return v
}

func values(samples []contest.Sample) []float64 {
	list := make([]float64, len(samples))
	for i, s := range samples {
		list[i] = s.Value
	}
	return list
}

// allocs returns the lowest number of allocations in a sample. Other samples may have more, because
// of the runtime and refilled pools.
func allocs(samples []contest.Sample) float64 {
	return slices.MinFunc(samples, func(x, y contest.Sample) int { return cmp.Compare(x.Allocs, y.Allocs) }).Allocs
}

// Print writes the verdict and the reasons for it.
func (v Verdict) Print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	times := func(title string, changes []Change) {
		if len(changes) > 0 {
			fmt.Fprintln(t, title)
		}
		for _, c := range changes {
			fmt.Fprintf(t, "  %s\t%.4g ns\t→ %.4g ns\t%+.1f %%\n", c.Name, c.Base, c.New, 100*(c.Ratio()-1))
		}
	}
	times("faster:", v.Faster)
	times("slower:", v.Slower)
	if len(v.Allocs) > 0 {
		fmt.Fprintln(t, "allocates more:")
	}
	for _, c := range v.Allocs {
		fmt.Fprintf(t, "  %s\t%.2f allocs\t→ %.2f allocs\n", c.Name, c.Base, c.New)
	}
	t.Flush()
	fmt.Fprintf(w, "\n%d benchmarks, geometric mean %+.1f %%, %d slower, %d faster, %d with new allocations: ", v.Pairs, 100*(v.Mean-1), len(v.Slower), len(v.Faster), len(v.Allocs))
	switch {
	case v.Passed:
		fmt.Fprintln(w, "passed")
	case len(v.Allocs) > 0:
		fmt.Fprintln(w, "FAILED: no benchmark may allocate more than before")
	case v.Mean > 1+v.Bounds.Mean/100:
		fmt.Fprintf(w, "FAILED: the mean may be at most %g %% slower\n", v.Bounds.Mean)
	default:
		fmt.Fprintf(w, "FAILED: each benchmark may be at most %g %% slower\n", v.Bounds.Each)
	}
}
