package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/results"
)

// Less returns the reason why a peer is shown but not ranked: it keeps fewer promises than the
// original, is hand-written for one type, or has another HTTP engine. It returns "" if the peer is
// ranked, and for Hone's rows.
func (x row) Less() string {
	if x.Hone {
		return ""
	}
	if why := contest.Apart(x.Notes); why != "" {
		return why
	}
	return strings.Join(x.Fewer, "; ")
}

// counted reports whether x is a peer that Hone is ranked against.
func (x row) counted() bool { return !x.Hone && x.Comparable && x.Less() == "" }

// group returns 0 for Hone and ranked peers, and 1 for unranked peers. Rows of group 0 come first.
func group(x row) int {
	if x.Less() != "" {
		return 1
	}
	return 0
}

// Ahead returns the peers that are not ranked and are faster than Hone, or need less. The
// fastest is the first.
func (l line) Ahead() (all []row) {
	for _, x := range l.Rows {
		if l.Hone.Comparable && x.Comparable && x.Less() != "" && !x.Same && x.Center < l.Hone.Center {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(x, y row) int { return cmp.Compare(x.Center, y.Center) })
	return all
}

// Lead returns Hone's time divided by the time of the first peer of Ahead.
func (l line) Lead() float64 { return 1 / l.Ahead()[0].Ratio }

// Divides reports whether row i is the first row of a peer that is not ranked.
func (l line) Divides(i int) bool {
	return group(l.Rows[i]) == 1 && (i == 0 || group(l.Rows[i-1]) == 0)
}

// A kind is the behaviour that the contestants of some contests were probed for.
type kind struct {
	Name  string
	Keep  []string // contestants that keep every promise
	Fewer []breach
}

// A breach is a promise of the original that a contestant does not keep.
type breach struct {
	Contestant string
	What       []string
	Partly     bool // only in some contests of the kind
}

// kinds returns the findings of the probes of all contests, by the behaviour that was probed.
func kinds(r *results.Results) (all []kind) {
	type found struct {
		breach
		in, of int
	}
	byKind := map[string][]*found{}
	var names []string
	for _, o := range r.Contests {
		if o.Promises == "" {
			continue
		}
		if byKind[o.Promises] == nil {
			names = append(names, o.Promises)
		}
		for _, res := range o.Results {
			list := byKind[o.Promises]
			i := slices.IndexFunc(list, func(f *found) bool { return f.Contestant == res.Contestant })
			if i < 0 {
				i = len(list)
				list = append(list, &found{breach: breach{Contestant: res.Contestant}})
				byKind[o.Promises] = list
			}
			list[i].of++
			if res.Fewer != nil {
				list[i].in++
			}
			for _, what := range res.Fewer {
				what = contest.WithoutEnd(what) // a suffix such as " (panics)" may differ between the contests of one kind
				if !slices.Contains(list[i].What, what) {
					list[i].What = append(list[i].What, what)
				}
			}
		}
	}
	for _, name := range names {
		k := kind{Name: name}
		for _, f := range byKind[name] {
			if f.What == nil {
				k.Keep = append(k.Keep, f.Contestant)
				continue
			}
			f.Partly = f.in < f.of
			k.Fewer = append(k.Fewer, f.breach)
		}
		all = append(all, k)
	}
	return all
}

// said returns a text with the promises that a contestant breaks.
func (b breach) said() string {
	s := strings.Join(b.What, "; ")
	if b.Partly {
		s += "; in some of the contests"
	}
	return s
}

// briefly returns a text with up to two broken promises. If there are more, it has the first and
// the number of the rest.
func briefly(what []string) string {
	if len(what) < 3 {
		return strings.Join(what, "; ")
	}
	return what[0] + fmt.Sprintf("; and %d more", len(what)-1)
}

// Why returns the reason for Less in a few words.
func (x row) Why() string {
	if why := contest.Apart(x.Notes); why != "" {
		return why
	}
	return briefly(x.Fewer)
}

// Sentences about the ranked peers.
const (
	whoCounts = "Only peers that keep the original's contract are ranked: encoding/json's bytes and checks, Echo's routes and answers. " +
		"A binary codec has to refuse truncated and hostile input. Probes test this."
	notProbed  = "This run is from before contestants were probed, so all libraries are ranked."
	whoIsApart = "is written by hand for one type, or does not use net/http"
)

// WhoIsLess returns the predicate of a sentence about the peers that are not ranked.
func (a *analysis) WhoIsLess() string {
	if a.Kinds == nil {
		return whoIsApart
	}
	return "breaks the original's contract, " + whoIsApart
}

// WhoCounts describes the ranked peers of these results.
func (a *analysis) WhoCounts() string {
	if a.Kinds == nil {
		return notProbed
	}
	return whoCounts
}
