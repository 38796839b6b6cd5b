package report

import (
	"regexp"

	"github.com/hone-go/hone/bench/suite/contest"
)

// A target is what Hone is to reach in some contests: its time divided by a
// peer's, and its allocations.
type target struct {
	contests string // a regular expression for their whole names
	peer     string
	atMost   float64 // 0 for no bound
	allocs   int     // at most; -1 for no bound
}

// A verdict is a target in one contest.
type verdict struct {
	Contest string
	Peer    string
	AtMost  float64
	Allocs  int
	Ratio   float64 // reached
	Got     float64 // allocations
	Met     bool
	Source  string
}

// judge returns the verdicts in the contests that were measured, for both
// sides.
func judge(outcomes []contest.Outcome) []verdict {
	var all []verdict
	for _, t := range targets {
		re := regexp.MustCompile("^(?:" + t.contests + ")$")
		for _, o := range outcomes {
			if !re.MatchString(o.Name) {
				continue
			}
			l := compare(o)
			if !l.Hone.Comparable {
				continue
			}
			for _, x := range l.Rows {
				if x.Contestant != t.peer || !x.Comparable {
					continue
				}
				v := verdict{Contest: o.Name, Peer: t.peer, AtMost: t.atMost, Allocs: t.allocs, Ratio: 1 / x.Ratio, Got: l.Hone.Allocs, Source: l.Hone.Source}
				v.Met = (t.atMost == 0 || v.Ratio <= t.atMost) && (t.allocs < 0 || v.Got < float64(t.allocs)+0.5)
				all = append(all, v)
			}
		}
	}
	return all
}

func missed(all []verdict) (list []verdict) {
	for _, v := range all {
		if !v.Met {
			list = append(list, v)
		}
	}
	return list
}

var targets = []target{}
