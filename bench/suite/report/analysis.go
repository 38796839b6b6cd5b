// Package report writes reports from results: the table on the terminal, the page, and the
// figures in the documentation.
package report

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/results"
)

// An analysis has results in the form that the reports need.
type analysis struct {
	*results.Results
	Suites  []suiteResult
	Behind  []line // contests with a ranked peer that is faster than Hone
	Ahead   []line // contests with an unranked peer that is faster than Hone
	Kinds   []kind // kinds of promises; nil if no contestant was probed
	Failing []failure
	Targets []verdict
	Tables  []publishedTable
	Stale   []string // packages whose code has changed since the run
}

type suiteResult struct {
	suite
	Lines  []line   // one for each contest
	Peers  []mean   // sorted by the number of their contests
	Curves []figure // the growth curves of contests at several sizes
	Stale  bool     // the code has changed since the run
}

// A line is one contest. Its first row is Hone's. Each further row is compared with the first.
type line struct {
	contest.Outcome
	Rows  []row
	Hone  row
	Best  row // the ranked peer with the lowest figure; its name is "" if there is none
	First bool
	Tie   bool // no significant difference to the best peer
}

type row struct {
	contest.Result
	Unit       contest.Unit
	Hone       bool
	Ratio      float64 // the figure divided by Hone's; 0 if it cannot be computed
	Low2, Hi2  float64 // the ratio's interval
	Same       bool    // no significant difference to Hone
	Comparable bool
}

type failure struct{ Contest, Contestant, Error, Source string }

// A mean is the geometric mean of the ratios of a peer to Hone.
type mean struct {
	Peer  string
	Ratio float64
	Of    int // the number of contests
}

// analyse compares the results of the contestants. The hashes of the present sources show which
// figures are stale; nil means that this is not checked.
func analyse(r *results.Results, now map[string]string) *analysis {
	a := &analysis{Results: r, Kinds: kinds(r)}
	stale := map[string]bool{}
	for _, room := range results.Rooms {
		if now != nil && now[room] != r.Sources[room] {
			stale[room] = true
			a.Stale = append(a.Stale, room)
		}
	}
	at := map[string]int{}
	for _, o := range r.Contests {
		l := compare(o)
		for _, x := range l.Rows {
			if x.Error != "" {
				a.Failing = append(a.Failing, failure{o.Name, x.Contestant, x.Error, x.Source})
			}
			a.Failing = append(a.Failing, failures(o.Name, x)...)
		}
		s := suiteOf(o.Name)
		i, ok := at[s.name]
		if !ok {
			i = len(a.Suites)
			at[s.name] = i
			a.Suites = append(a.Suites, suiteResult{suite: s, Stale: slices.ContainsFunc(s.rooms, func(room string) bool { return stale[room] })})
		}
		a.Suites[i].Lines = append(a.Suites[i].Lines, l)
		if l.Hone.Comparable && l.Best.Comparable && !l.First && !l.Tie {
			a.Behind = append(a.Behind, l)
		}
		if l.Ahead() != nil {
			a.Ahead = append(a.Ahead, l)
		}
	}
	slices.SortStableFunc(a.Suites, func(x, y suiteResult) int { return cmp.Compare(place(x.name), place(y.name)) })
	slices.SortStableFunc(a.Behind, func(x, y line) int { return cmp.Compare(x.Best.Ratio, y.Best.Ratio) })
	slices.SortStableFunc(a.Ahead, func(x, y line) int { return cmp.Compare(y.Lead(), x.Lead()) })
	for i := range a.Suites {
		a.Suites[i].Peers = means(a.Suites[i].Lines)
		a.Suites[i].Curves = figures(a.Suites[i].Lines)
	}
	a.Targets = judge(r.Contests)
	a.Tables = tables(r.Contests)
	return a
}

func place(name string) int {
	i := slices.IndexFunc(suites, func(s suite) bool { return s.name == name })
	if i < 0 {
		return len(suites)
	}
	return i
}

func compare(o contest.Outcome) line {
	l := line{Outcome: o}
	var base *contest.Result
	for i := range o.Results {
		if contest.IsHone(o.Results[i].Contestant) && o.Results[i].Error == "" {
			base = &o.Results[i]
			break
		}
	}
	for _, res := range o.Results {
		if o.Documents != nil {
			res = onDocuments(res, base)
		}
		x := row{Result: res, Unit: o.Unit, Hone: contest.IsHone(res.Contestant), Comparable: res.Error == "" && len(res.Samples) > 0 && res.Center > 0}
		if base != nil && x.Comparable && base.Center > 0 {
			x.Ratio = res.Center / base.Center
			x.Low2, x.Hi2 = res.Low/base.High, res.High/base.Low
			x.Same = res.Contestant != base.Contestant && !contest.Differ(res.Samples, base.Samples)
			if res.Contestant == base.Contestant {
				x.Low2, x.Hi2 = res.Low/res.Center, res.High/res.Center
				l.Hone = x
			}
		}
		if x.counted() && (l.Best.Contestant == "" || x.Center < l.Best.Center) {
			l.Best = x
		}
		l.Rows = append(l.Rows, x)
	}
	slices.SortStableFunc(l.Rows, func(x, y row) int { return cmp.Compare(group(x), group(y)) })
	l.Tie = l.Best.Same
	l.First = l.Hone.Comparable && (!l.Best.Comparable || !l.Tie && l.Hone.Center < l.Best.Center)
	return l
}

func means(lines []line) []mean {
	sums := map[string]mean{}
	for _, l := range lines {
		for _, x := range l.Rows {
			if !x.Hone && x.Ratio > 0 {
				m := sums[x.Contestant]
				sums[x.Contestant] = mean{x.Contestant, m.Ratio + math.Log(x.Ratio), m.Of + 1}
			}
		}
	}
	list := slices.Collect(maps.Values(sums))
	for i := range list {
		list[i].Ratio = math.Exp(list[i].Ratio / float64(list[i].Of))
	}
	slices.SortFunc(list, func(x, y mean) int { return cmp.Or(cmp.Compare(y.Of, x.Of), strings.Compare(x.Peer, y.Peer)) })
	return list
}

// RivalMean returns the mean of the suite's rival, or nil.
func (s suiteResult) RivalMean() *mean {
	for _, m := range s.Peers {
		if m.Peer == s.rival {
			return &m
		}
	}
	return nil
}

// The templates of the page and of the documents use the exported methods and fields.

func (s suiteResult) Name() string  { return s.name }
func (s suiteResult) Title() string { return s.title }
func (s suiteResult) About() string { return s.about }

// OtherPeers returns the means of the peers except the rival.
func (s suiteResult) OtherPeers() []mean {
	return slices.DeleteFunc(slices.Clone(s.Peers), func(m mean) bool { return m.Peer == s.rival })
}

// HoneToBest returns Hone's time divided by the time of the best peer, or 0 if there is none.
func (l line) HoneToBest() float64 {
	if l.Best.Ratio == 0 {
		return 0
	}
	return 1 / l.Best.Ratio
}

// Short returns the contest's name without the name of the suite.
func (l line) Short() string {
	_, short, ok := strings.Cut(l.Name, "/")
	if !ok {
		return l.Name
	}
	return short
}

// MoreNames returns the sorted names of the additional figures.
func (l line) MoreNames() []string {
	names := map[string]bool{}
	for _, x := range l.Rows {
		for name := range x.More {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Counted returns the targets that count.
func (a *analysis) Counted() []verdict {
	return slices.DeleteFunc(slices.Clone(a.Targets), func(v verdict) bool { return v.Less != "" })
}

// Met returns the targets that count and were reached.
func (a *analysis) Met() []verdict {
	return slices.DeleteFunc(a.Counted(), func(v verdict) bool { return !v.Met })
}

// Uncounted returns the targets that do not count, whether or not they are reached.
func (a *analysis) Uncounted() []verdict {
	return slices.DeleteFunc(slices.Clone(a.Targets), func(v verdict) bool { return v.Less == "" })
}

// shown is the maximum number of contests in FirstAhead and in FirstBehind.
const shown = 12

// FirstAhead returns the contests in which an unranked peer has the greatest lead over Hone.
func (a *analysis) FirstAhead() []line { return a.Ahead[:min(shown, len(a.Ahead))] }

// RestAhead returns the contests that FirstAhead leaves out.
func (a *analysis) RestAhead() []line { return a.Ahead[min(shown, len(a.Ahead)):] }

// FirstBehind returns the contests in which a ranked peer has the greatest lead over Hone.
func (a *analysis) FirstBehind() []line { return a.Behind[:min(shown, len(a.Behind))] }

// RestBehind returns the contests that FirstBehind leaves out.
func (a *analysis) RestBehind() []line { return a.Behind[min(shown, len(a.Behind)):] }
