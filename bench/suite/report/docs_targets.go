package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// writeTargets lists the missed targets.
func (a *analysis) writeTargets(b *bytes.Buffer) {
	list := missed(a.Targets)
	if len(list) == 0 {
		return
	}
	b.WriteString("\n## Targets missed\n\n| contest | against | at most | reached | allocations, at most | reached |\n|---|---|---|---|---|---|\n")
	for _, v := range list {
		allocs := ""
		if v.Allocs >= 0 {
			allocs = fmt.Sprint(v.Allocs)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", v.Contest, v.Peer, times(v.AtMost), times(v.Ratio), allocs, count(v.Got))
	}
}

// writeTargetsBriefly writes the number of targets of each suite, and the target that was missed by
// the largest factor.
func (a *analysis) writeTargetsBriefly(b *bytes.Buffer) {
	if len(a.Targets) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Targets\n\nA target is a goal: the part of a peer's time that Hone may take at most. %d of %d goals are met, the others are not yet.%s\n", len(a.Met()), len(a.Counted()), a.UncountedSummary())
	if len(missed(a.Targets)) == 0 {
		return
	}
	b.WriteString("\n| suite | targets | met | furthest from its target |\n|---|---|---|---|\n")
	for _, s := range a.Suites {
		of := func(all []verdict) []verdict {
			return slices.DeleteFunc(slices.Clone(all), func(v verdict) bool { return !strings.HasPrefix(v.Contest, s.name+"/") })
		}
		all, met, worst := of(a.Counted()), of(a.Met()), ""
		least := 1.0
		for _, v := range of(missed(a.Targets)) {
			if far := v.Ratio / v.AtMost; v.AtMost > 0 && far > least {
				least, worst = far, fmt.Sprintf("%s: %s of %s, target %s", strings.TrimPrefix(v.Contest, s.name+"/"), times(v.Ratio), v.Peer, times(v.AtMost))
			}
		}
		if len(all) > 0 {
			fmt.Fprintf(b, "| %s | %d | %d | %s |\n", s.title, len(all), len(met), worst)
		}
	}
}
