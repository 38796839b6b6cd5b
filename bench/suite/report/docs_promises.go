package report

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// writeAhead lists the faster peers that are not ranked.
func (a *analysis) writeAhead(b *bytes.Buffer) {
	if len(a.Ahead) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Ahead, and not counted\n\n%s\n\n| contest | faster entrant | Hone's figure divided by its | reason |\n|---|---|---|---|\n", a.Unranked())
	for _, l := range a.Ahead {
		for _, x := range l.Ahead() {
			fmt.Fprintf(b, "| %s | %s %s | %s | %s |\n", l.Name, x.Contestant, value(x.Center, x.Unit), times(1/x.Ratio), cell(x.Less()))
		}
	}
}

// writeAheadBriefly writes a table with a row for each faster peer that is not ranked, with its
// greatest lead.
func (a *analysis) writeAheadBriefly(b *bytes.Buffer) {
	if len(a.Ahead) == 0 {
		return
	}
	type lead struct {
		contests int
		most     row
		contest  string
	}
	leads := map[string]*lead{}
	for _, l := range a.Ahead {
		for _, x := range l.Ahead() {
			of := leads[x.Contestant]
			if of == nil {
				of = &lead{}
				leads[x.Contestant] = of
			}
			if of.contests++; of.contests == 1 || x.Ratio < of.most.Ratio {
				of.most, of.contest = x, l.Name
			}
		}
	}
	fmt.Fprintf(b, "\n### Ahead, and not counted\n\n%s\n\n| entrant | faster in | largest lead in | Hone's figure divided by its | reason |\n|---|---|---|---|---|\n", a.Unranked())
	for _, name := range slices.SortedFunc(maps.Keys(leads), func(x, y string) int {
		return cmp.Or(cmp.Compare(leads[x].most.Ratio, leads[y].most.Ratio), cmp.Compare(x, y))
	}) {
		l := leads[name]
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", name, plural(l.contests, "contest"), l.contest, times(1/l.most.Ratio), cell(l.most.Why()))
	}
}

// Unranked returns a text with the number of contests in which an unranked peer is faster than
// Hone.
func (a *analysis) Unranked() string {
	verb := "have"
	if len(a.Ahead) == 1 {
		verb = "has"
	}
	return fmt.Sprintf("%s %s a faster entrant that is not ranked: it %s.", plural(len(a.Ahead), "contest"), verb, a.WhoIsLess())
}

// writeKinds lists the peers that keep fewer promises, and the promises.
func (a *analysis) writeKinds(b *bytes.Buffer) {
	if a.Kinds == nil {
		return
	}
	b.WriteString("\n## Who promises less\n\nEach promise is tested by a probe: a small piece of work, done by the function that is timed, whose result must equal the\n" +
		"original's. See [bench](../../../bench/README.md#promises).\n\n| probed for | contestant | differences from the original |\n|---|---|---|\n")
	for _, k := range a.Kinds {
		for _, f := range k.Fewer {
			fmt.Fprintf(b, "| %s | %s | %s |\n", k.Name, f.Contestant, strings.ReplaceAll(f.said(), "|", "\\|"))
		}
	}
}

// UncountedSummary returns a sentence with the number of targets against peers that are not ranked.
func (a *analysis) UncountedSummary() string {
	list := a.Uncounted()
	if len(list) == 0 {
		return ""
	}
	reached := 0
	for _, v := range list {
		if v.Met {
			reached++
		}
	}
	return fmt.Sprintf(" Of %d other targets, against peers that promise less, %d are met.", len(list), reached)
}

// ranked returns a sentence that says which peers the numbers of the README compare.
func (a *analysis) ranked() string {
	s := "All libraries of a contest are ranked"
	if a.Kinds != nil {
		s = "The peers that keep the original's contract are ranked"
	}
	s += ", generated code included."
	if len(a.Ahead) > 0 {
		s += "\n" + a.Unranked()
	}
	return s
}
