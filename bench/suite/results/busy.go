package results

import (
	"fmt"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
)

// Others is how much of the machine's processors other processes used, in
// cores.
type Others struct {
	Unknown   string  `json:",omitempty"` // why nothing else is known
	Limit     float64 // more than that is a busy machine
	Before    float64 // in the moments before the run
	During    float64 // the mean over the run
	Most      float64 // the mean over the contest that had the most
	MostIn    string  `json:",omitempty"` // the name of that contest
	Disturbed int     // contests in which it was more than Limit
}

// Add returns the cores that others used in two parts of a run that took so long.
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

// wideShare is how many of the loops of a run may have wide intervals before the machine
// counts as busy. On a quiet machine one in two hundred does.
const wideShare = 0.05

// Again returns how many contests were measured again because intervals were wide.
func (r *Results) Again() (n int) {
	for _, c := range r.Contests {
		if c.Again > 0 {
			n++
		}
	}
	return n
}

// Slowed returns how many samples of loops on one core and of first uses were taken on a core
// that something else slowed all the time, and how many there are.
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

// Busy returns the signs of a machine that was busy with something else
// during the run; nil if nothing does.
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
