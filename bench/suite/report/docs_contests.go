package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/results"
)

// Contests returns the README.md of a folder under docs/benchmarks, with all contests of its
// run.
func Contests(r *results.Results, folder string) []byte {
	var b bytes.Buffer
	a := analyse(r, nil)
	fmt.Fprintf(&b, "# The contests of %s\n\n", folder)
	fmt.Fprintf(&b, written, "results.json.gz")
	fmt.Fprintf(&b, "\n%s\n[Performance](../../performance.md) has the summary of the newest run.\n", a.measured())
	b.WriteString(busyness(a))
	a.writeAhead(&b)
	a.writeTargets(&b)
	if len(a.Failing) > 0 {
		b.WriteString("\n## Failures\n\nEvery output is checked before it is timed. These were wrong or missing.\n\n| contest | contestant | reason |\n|---|---|---|\n")
		for _, f := range a.Failing {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", f.Contest, f.Contestant, cell(f.Error))
		}
	}
	for _, s := range a.Suites {
		s.write(&b)
	}
	for _, t := range a.Tables {
		t.write(&b)
	}
	a.writeKinds(&b)
	b.WriteString("\n## Not measured\n\n")
	for _, m := range missing(r) {
		fmt.Fprintf(&b, "- %s: %s\n", m.Peer, m.Reason)
	}
	return b.Bytes()
}

// measured returns the machine, the release and the date of a run, and explains the ratios.
func (a *analysis) measured() string {
	r := a.Results
	return fmt.Sprintf("Measured on %s: %s, %s, %s/%s, %s; medians of %d interleaved samples, processes %s.\n"+
		"A ratio is a peer's figure divided by Hone's: 2 × takes twice as long; ~ means that no difference was shown.",
		day(r.Date), r.Machine.Processor(), plural(r.Machine.Cores, "core"), r.Machine.OS, r.Machine.Arch, r.Machine.Go, r.Conditions.Count, r.Conditions.Pinning)
}

// cell returns text for a cell of a table.
func cell(s string) string {
	s = strings.NewReplacer("\n", " ", "|", "\\|", "<", "&lt;").Replace(s)
	if r := []rune(s); len(r) > 160 {
		s = string(r[:160]) + "…"
	}
	return s
}

func (s suiteResult) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n", s.title, s.about)
	if s.Stale {
		b.WriteString("\n*Older than the code.*\n")
	}
	for _, f := range s.Curves {
		table := f.table()
		fmt.Fprintf(b, "\n**%s, by %s**\n\n", f.Name, f.Of)
		for i, cells := range table {
			fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
			if i == 0 {
				b.WriteString("|" + strings.Repeat("---|", len(cells)) + "\n")
			}
		}
	}
	lines := slices.DeleteFunc(slices.Clone(s.Lines), func(l line) bool { return l.Curve.Name != "" })
	if len(lines) == 0 {
		return
	}
	others := slices.DeleteFunc(slices.Clone(s.Peers), func(m mean) bool { return m.Of < 2 })
	if len(others) > 0 {
		b.WriteString("\nGeometric means of the ratios:")
		for i, m := range others {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(b, " %s %s", m.Peer, times(m.Ratio))
		}
		b.WriteString(".\n")
	}
	if s.name == corpora {
		s.writeTable(b)
		s.writeLosses(b)
	}
	b.WriteString("\n| contest | Hone | allocations | peers |\n|---|---|---|---|\n")
	for _, l := range lines {
		hone, allocs := "fails", ""
		if l.Hone.Comparable {
			hone = value(l.Hone.Center, l.Unit)
			if l.Unit == contest.Nanoseconds {
				allocs = count(l.Hone.Allocs)
			}
		}
		var peers []string
		for _, x := range l.Rows {
			if x.Contestant != l.Hone.Contestant && x.Comparable {
				peers = append(peers, x.Contestant+" "+ratio(x))
			}
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", l.Short(), hone, allocs, strings.Join(peers, ", "))
	}
}

func (t publishedTable) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## Published: %s\n\n%s\n\n", t.Title, t.About)
	fmt.Fprintf(b, "| | %s | %s, here | Hone, here | ratio |\n|%s\n", strings.Join(t.Columns, " | "), t.PeerIs, strings.Repeat("---|", len(t.Columns)+4))
	figure := func(x row) string {
		if !x.Comparable {
			return ""
		}
		return value(x.Center, x.Unit) + ", " + count(x.Allocs)
	}
	for _, l := range t.Lines {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", l.Name, strings.Join(l.Values, " | "), figure(l.Peer), figure(l.Hone), l.Ratio)
	}
}
