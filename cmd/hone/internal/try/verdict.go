package try

import (
	"fmt"
	"math"

	"github.com/hone-go/hone/cmd/hone/internal/migrate"
)

// fewestRounds is the number of rounds from which a difference can be significant.
const fewestRounds = 4

// tooLate is the summary if there are fewer rounds.
func tooLate(rounds int) string {
	return fmt.Sprintf("The time limit passed after %s, and a difference shows only after %d: -limit raises it.", count(rounds, "round"), fewestRounds)
}

// judge sets the verdict.
func (r *Report) judge() {
	b := r.Benchmarks
	faster, slower, lighter := 0, 0, 0
	if b != nil {
		for _, row := range b.Rows {
			if row.Allocs.Differs && row.Allocs.Ratio() < 1 {
				lighter++
			}
			switch {
			case row.Noisy || !row.Time.Differs:
			case row.Time.Ratio() < 1:
				faster++
			default:
				slower++
			}
		}
	}
	switch {
	case r.Imports == 0:
		r.Verdict, r.Summary = "nothing", "You would gain nothing: no import would change."
	case r.Tests != nil && r.Tests.Differs() && byGoLine(r.Tests):
		r.Verdict, r.Summary = "differs", "Tests differ because of the newer go line alone, and not because of Hone: mend them first."
	case r.Tests != nil && r.Tests.Differs():
		r.Verdict, r.Summary = "differs", "Results of your tests differ after the change: look at them first."
	case r.Server != nil:
		r.Verdict, r.Summary = r.Server.judge()
	case b != nil && b.Late:
		r.Verdict, r.Summary = "unmeasured", tooLate(b.Count)
	case b != nil && b.Pattern != "" && b.Found == 0:
		r.Verdict, r.Summary = "unmeasured", fmt.Sprintf("No benchmark that links a changed package matches -bench %s.", b.Pattern)
	case b == nil || len(b.Rows) == 0 && b.Found+b.Written == 0:
		r.Verdict, r.Summary = "unmeasured", "There is no benchmark to measure, and no type for which hone can write one: use -run and -load to measure a server, or -profile to read a profile."
	case len(b.Rows) == 0 && b.Outside > 0:
		r.Verdict, r.Summary = "nothing", fmt.Sprintf("You would gain nothing in these benchmarks: none spends %.0f %% of its time in the replaced packages.", 100*least)
	case len(b.Rows) == 0:
		r.Verdict, r.Summary = "unmeasured", "No benchmark ran in both copies."
	case b.Noisy:
		r.Verdict, r.Summary = "noisy", "The machine is too noisy: the old code differs from itself in most benchmarks. Allocations are known. Close other programs and try again."
	case faster == 0 && slower == 0 && lighter > 0:
		r.Verdict, r.Summary = "nothing", fmt.Sprintf("You would gain no time: no benchmark differs. %s less.", allocate(lighter))
	case faster == 0 && slower == 0:
		r.Verdict, r.Summary = "nothing", "You would gain nothing: no benchmark differs."
	case faster == 0:
		r.Verdict, r.Summary = "loss", fmt.Sprintf("You would lose: %s slower, none is faster.", benchmarks(slower))
	case slower == 0:
		r.Verdict, r.Summary = "gain", fmt.Sprintf("You would gain: %s faster, none is slower.", benchmarks(faster))
	default:
		r.Verdict, r.Summary = "mixed", fmt.Sprintf("You would gain and lose: %s faster, %d slower.", benchmarks(faster), slower)
	}
}

// byGoLine reports whether the new go line causes all differences.
func byGoLine(t *migrate.Trial) bool {
	for _, d := range t.Differences {
		if !d.GoLine {
			return false
		}
	}
	for _, n := range t.NotBuilt {
		if !n.GoLine && n.When == "after" {
			return false
		}
	}
	return true
}

func benchmarks(n int) string {
	if n == 1 {
		return "1 benchmark is"
	}
	return fmt.Sprintf("%d benchmarks are", n)
}

// faster describes the time after the change divided by the time before, as in "2.1 times as fast".
func faster(ratio float64) string {
	switch {
	case ratio <= 0 || math.IsInf(ratio, 0) || math.IsNaN(ratio):
		return "-"
	case ratio < 1/1.095:
		return fmt.Sprintf("%.1f times as fast", 1/ratio)
	case ratio < 1:
		return fmt.Sprintf("%.0f %% faster", 100*(1/ratio-1))
	}
	return fmt.Sprintf("%.0f %% slower", 100*(ratio-1))
}
