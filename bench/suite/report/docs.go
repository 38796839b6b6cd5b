package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/results"
)

const written = "<!-- Written by `go run ./bench docs` from %s: do not edit. -->\n"

// Performance returns docs/performance.md. The results, of a full run, are in
// the folder of that name under docs/benchmarks, beside those of earlier runs; nil means that
// there are none.
func Performance(r *results.Results, now map[string]string, folder string, earlier []string) []byte {
	var b bytes.Buffer
	b.WriteString("# Performance\n\n")
	if r == nil {
		fmt.Fprintf(&b, written, "the results of a full run")
		b.WriteString("\nNo full run has been published yet. `go run ./bench` makes one on your machine, in about a quarter of an hour, and\n" +
			"writes a report of it; `go run ./bench -short` takes two minutes. [bench](../bench) says how it measures.\n")
		return b.Bytes()
	}
	a := analyse(r, now)
	fmt.Fprintf(&b, written, "docs/benchmarks/"+folder+"/results.json")
	fmt.Fprintf(&b, "\nMeasured on %s: %s, %s, %s/%s, %s; medians of %d interleaved samples, processes %s. The [whole report](benchmarks/%s/index.html) has\n"+
		"the intervals, and the [results](benchmarks/%s/results.json) every sample. A ratio is a peer's figure divided by Hone's: 2 × takes twice as long;\n"+
		"~ means that no difference was shown. `go run ./bench` measures it all on your machine.\n",
		day(r.Date), r.Machine.CPU, plural(r.Machine.Cores, "core"), r.Machine.OS, r.Machine.Arch, r.Machine.Go, r.Conditions.Count, r.Conditions.Pinning, folder, folder)
	if len(earlier) > 0 {
		links := make([]string, len(earlier))
		for i, name := range earlier {
			links[i] = fmt.Sprintf("[%s](benchmarks/%s/index.html)", name, name)
		}
		fmt.Fprintf(&b, "Reports of other runs: %s.\n", strings.Join(links, ", "))
	}
	b.WriteString(busyness(a))
	b.WriteString(staleness(a))

	fmt.Fprintf(&b, "\n## Where Hone is not first\n\n%s\n\n", a.WhoCounts())
	if len(a.Behind) == 0 {
		b.WriteString("In none of the contests.\n")
	} else {
		b.WriteString("| contest | first | its time | Hone's | Hone to it |\n|---|---|---|---|---|\n")
		for _, l := range a.Behind {
			fmt.Fprintf(&b, "| %s | %s%s | %s | %s | %s |\n", l.Name, l.Best.Contestant, inBrackets(notes(l.Best.Result)), value(l.Best.Center, l.Unit), value(l.Hone.Center, l.Unit), times(l.HoneToBest()))
		}
	}
	a.writeAhead(&b)
	if m := missed(a.Targets); len(a.Targets) > 0 {
		fmt.Fprintf(&b, "\n## Targets\n\nOf %d targets, ratios to a peer in one run, %d are met.%s\n", len(a.Counted()), len(a.Met()), a.Besides())
		if len(m) > 0 {
			b.WriteString("\n| missed in | against | at most | reached | allocations, at most | reached |\n|---|---|---|---|---|---|\n")
			for _, v := range m {
				allocs := ""
				if v.Allocs >= 0 {
					allocs = fmt.Sprint(v.Allocs)
				}
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", v.Contest, v.Peer, times(v.AtMost), times(v.Ratio), allocs, count(v.Got))
			}
		}
	}
	if len(a.Failing) > 0 {
		b.WriteString("\n## Who fails\n\nEvery output is checked before it is timed. These came out wrong, or not at all.\n\n| contest | contestant | why |\n|---|---|---|\n")
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

// busyness says that the figures are those of a disturbed run.
func busyness(a *analysis) string {
	signs := a.Busy()
	if signs == nil {
		return ""
	}
	return fmt.Sprintf("\n**Measured on a busy machine**, and not to be relied upon: %s.\n", strings.Join(signs, "; "))
}

// staleness says which suites' figures are older than the code.
func staleness(a *analysis) string {
	if a.Stale == nil {
		return ""
	}
	var names []string
	for _, s := range a.Suites {
		if s.Stale {
			names = append(names, s.name)
		}
	}
	return fmt.Sprintf("\n**Older than the code that they measure** are the figures of %s.\n", strings.Join(names, ", "))
}

func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// cell makes text fit for a cell of a table.
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

// The markers in README.md between which its figures stand.
const (
	figuresBegin = "<!-- figures: written by `go run ./bench docs`, do not edit -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

// Readme returns the README with its figures renewed.
func Readme(readme []byte, r *results.Results, now map[string]string, folder string) ([]byte, error) {
	before, rest, ok := bytes.Cut(readme, []byte(figuresBegin))
	_, after, ok2 := bytes.Cut(rest, []byte(figuresEnd))
	if !ok || !ok2 {
		return nil, fmt.Errorf("README.md lacks the lines %q and %q", strings.TrimSpace(figuresBegin), strings.TrimSpace(figuresEnd))
	}
	return slices.Concat(before, []byte(figuresBegin), Figures(r, now, folder), []byte(figuresEnd), after), nil
}

// Figures are those of the README: a line for each suite that has a rival.
func Figures(r *results.Results, now map[string]string, folder string) []byte {
	var b bytes.Buffer
	if r == nil {
		b.WriteString("No full run has been published yet: `go run ./bench` makes one on your machine.\n")
		return b.Bytes()
	}
	a := analyse(r, now)
	b.WriteString("| | contests | first | level | behind | against | geometric mean |\n|---|---|---|---|---|---|---|\n")
	for _, s := range a.Suites {
		m := s.RivalMean()
		if m == nil {
			continue
		}
		st := s.Standing()
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %s | %s |\n", s.title, st.All(), st.First, st.Level, st.Behind, m.Peer, times(m.Ratio))
	}
	fmt.Fprintf(&b, "\n%s, %s, %s, on %s; a mean of 2 × takes twice as long as Hone. \"First\" is among\n"+
		"%s; \"level\" is within 3 %% of the best, or no difference shown. [Where Hone is not first, and everything else](docs/performance.md); the [report](docs/benchmarks/%s/index.html).\n",
		r.Machine.CPU, plural(r.Machine.Cores, "core"), r.Machine.Go, day(r.Date), a.firstAmong(), folder)
	b.WriteString(busyness(a))
	b.WriteString(staleness(a))
	return b.Bytes()
}
