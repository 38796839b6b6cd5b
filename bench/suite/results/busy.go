package results

import (
	"fmt"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
)

// Others has the processor use of other processes, in cores.
type Others struct {
	Unknown   string  `json:",omitempty"` // why the other fields are not known
	Limit     float64 // the number of cores above which the machine counts as busy
	Before    float64 // the use just before the run
	During    float64 // the mean use during the run
	Most      float64 // the mean use during the contest with the highest use
	MostIn    string  `json:",omitempty"` // the name of that contest
	Disturbed int     // number of contests in which the use was above Limit
}

// Add returns the mean use of cores over two parts of a run with the given durations.
func (o *Others) Add(later *Others, took, tookLater time.Duration) *Others {
	if o == nil || o.Unknown != "" {
		return o
	}
	if later.Unknown != "" {
		return later
	}
	sum := *o
	if took += tookLater; took > 0 {
		part := float64(tookLater) / float64(took)
		sum.During += (later.During - o.During) * part
	}
	if later.Most > o.Most {
		sum.Most, sum.MostIn = later.Most, later.MostIn
	}
	sum.Disturbed += later.Disturbed
	return &sum
}

// wideShare is a fraction of the loops on one core. If more of the loops have wide intervals, the
// machine counts as busy. On a quiet machine about one in two hundred has a wide interval.
const wideShare = 0.05

// Again returns the number of contests that were measured again because of wide intervals.
func (r *Results) Again() (n int) {
	for _, c := range r.Contests {
		if c.Again > 0 {
			n++
		}
	}
	return n
}

// Slowed counts the samples of loops on one core and the samples of first uses. It returns how many
// of them were taken while something else slowed the core, and how many there are in total.
func (r *Results) Slowed() (slowed, all int) {
	for _, c := range r.Contests {
		if c.Way != contest.Looped && c.Way != contest.Cold {
			continue
		}
		for _, res := range c.Results {
			slowed, all = slowed+res.Slowed, all+len(res.Samples)
		}
	}
	return slowed, all
}

// Busy returns the signs that other programs disturbed the run, or nil.
func (r *Results) Busy() []string {
	var signs []string
	if o := r.Conditions.Others; o != nil && o.Unknown == "" {
		cores := r.Machine.Cores
		if o.During > o.Limit {
			signs = append(signs, fmt.Sprintf("other processes used %.2f of %d cores on average", o.During, cores))
		}
		if 5*o.Disturbed > len(r.Contests) {
			signs = append(signs, fmt.Sprintf("other processes used more than %.2f of %d cores in %d of %d contests, at most %.2f (%s)",
				o.Limit, cores, o.Disturbed, len(r.Contests), o.Most, o.MostIn))
		}
	}
	wide, loops, widest := 0, 0, 0.0
	for _, c := range r.Contests {
		wide += c.Wide()
		for _, res := range c.Results {
			if c.Way == contest.Looped && len(res.Samples) > 1 {
				loops++
				widest = max(widest, c.Spread(res))
			}
		}
	}
	if wide > 2 && float64(wide) > wideShare*float64(loops) {
		signs = append(signs, fmt.Sprintf("%d of %d intervals are wider than ±%.0f %%, up to ±%.0f %%", wide, loops, 100*contest.WideFrom, 100*widest))
	}
	return signs
}
