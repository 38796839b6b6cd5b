package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hone-go/hone/bench/suite/results"
)

const written = "<!-- Written by `go run ./bench docs` from %s: do not edit. -->\n"

// Performance returns docs/performance.md: the standing, the contests in which Hone is not
// first, and the missed targets. r has the results of a full run, in the given folder under
// docs/benchmarks. earlier has the folders of earlier runs. A nil r means that no run is
// published.
func Performance(r *results.Results, now map[string]string, folder string, earlier []string) []byte {
	var b bytes.Buffer
	b.WriteString("# Performance\n\n")
	if r == nil {
		fmt.Fprintf(&b, written, "the results of a full run")
		b.WriteString("\nNo full run has been published yet. `go run ./bench` does a full run on your machine in about a quarter of an hour, and\n" +
			"writes a report. `go run ./bench -short` takes two minutes. [bench](../bench) describes how it measures.\n")
		return b.Bytes()
	}
	a := analyse(r, now)
	fmt.Fprintf(&b, written, "docs/benchmarks/"+folder+"/results.json.gz")
	fmt.Fprintf(&b, "\n%s [Every contest](benchmarks/%s/README.md) has a table there;\n"+
		"the [results](benchmarks/%s/results.json.gz) have each sample. `go run ./bench page -in docs/benchmarks/%s` draws the report,\n"+
		"with intervals and curves, and `go run ./bench` measures all of it on your machine.\n", a.measured(), folder, folder, folder)
	if len(earlier) > 0 {
		links := make([]string, len(earlier))
		for i, name := range earlier {
			links[i] = fmt.Sprintf("[%s](benchmarks/%s/README.md)", name, name)
		}
		fmt.Fprintf(&b, "Other runs: %s.\n", strings.Join(links, ", "))
	}
	b.WriteString(busyness(a))
	b.WriteString(staleness(a))
	a.writeDocuments(&b)
	fmt.Fprintf(&b, "\n## Where Hone is not first\n\n%s\n\n", a.WhoCounts())
	if len(a.Behind) == 0 {
		b.WriteString("Hone is first or level in all contests.\n")
	} else {
		b.WriteString("| contest | fastest ranked peer | its figure | Hone's figure | Hone's divided by its |\n|---|---|---|---|---|\n")
		for _, l := range a.Behind {
			fmt.Fprintf(&b, "| %s | %s%s | %s | %s | %s |\n", l.Name, l.Best.Contestant, inBrackets(notes(l.Best.Result)), value(l.Best.Center, l.Unit), value(l.Hone.Center, l.Unit), times(l.HoneToBest()))
		}
	}
	a.writeAheadBriefly(&b)
	a.writeTargetsBriefly(&b)
	b.WriteString("\n## Profiles\n\nEach page says where the time goes, which changes were tried and which of them lost: " +
		"[JSON](performance/json.md), [its text](performance/json-text.md),\n[version 2](performance/json-v2.md), [wire](performance/wire.md), " +
		"[mo](performance/mo.md), [web](performance/web.md), [sizes](performance/size.md). [Why Hone is not first there](performance/why-not-first.md) has a line for each contest above.\n")
	return b.Bytes()
}

// busyness returns a sentence if other processes disturbed the run, and otherwise "".
func busyness(a *analysis) string {
	signs := a.Busy()
	if signs == nil {
		return ""
	}
	return fmt.Sprintf("\n**Measured on a busy machine**, so the figures are unreliable: %s.\n", strings.Join(signs, "; "))
}

// staleness returns a sentence with the suites whose code has changed since the run, or "" if none
// has changed.
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
	return fmt.Sprintf("\n**Older than the code**: the measured code has changed since the run. This concerns the figures of %s.\n", strings.Join(names, ", "))
}

func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// These lines enclose the figures in README.md.
const (
	figuresBegin = "<!-- figures: written by `go run ./bench docs`, do not edit -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

// Readme returns the README with the figures of r.
func Readme(readme []byte, r *results.Results, now map[string]string, folder string) ([]byte, error) {
	before, rest, ok := bytes.Cut(readme, []byte(figuresBegin))
	_, after, ok2 := bytes.Cut(rest, []byte(figuresEnd))
	if !ok || !ok2 {
		return nil, fmt.Errorf("README.md lacks the lines %q and %q", strings.TrimSpace(figuresBegin), strings.TrimSpace(figuresEnd))
	}
	return slices.Concat(before, []byte(figuresBegin), Figures(r, now, folder), []byte(figuresEnd), after), nil
}

// Figures returns the table of the README: a row for each suite with a rival. If the run has contests with
// documents, they replace the row of JSON.
func Figures(r *results.Results, now map[string]string, folder string) []byte {
	var b bytes.Buffer
	if r == nil {
		b.WriteString("No full run has been published yet. `go run ./bench` does a full run on your machine.\n")
		return b.Bytes()
	}
	a := analyse(r, now)
	b.WriteString("| | compared with | its time, divided by Hone's | a library with the same contract is faster in |\n|---|---|---|---|\n")
	inDocuments := a.named(corpora).Tallies() != nil
	for _, s := range a.Suites {
		switch {
		case s.name == corpora:
			for _, t := range s.Tallies() {
				title := "JSON"
				if t.Work != "" {
					title += ", " + t.Work
				}
				fmt.Fprintf(&b, "| %s | %s | %s | %d of %d |\n", title, t.Peer, times(t.Ratio), t.Behind, t.All())
			}
		case s.name == "json" && inDocuments:
		default:
			if m, st := s.RivalMean(), s.Standing(); m != nil {
				fmt.Fprintf(&b, "| %s | %s | %s | %d of %s |\n", s.title, m.Peer, times(m.Ratio), st.Behind, plural(st.All(), "contest"))
			}
		}
	}
	fmt.Fprintf(&b, "\n2 × means that the other library takes twice as long, as the geometric mean of the contests. Below 1 × Hone takes longer. "+
		"%s, %s, %s, on %s.\nTo check a figure: [every contest](docs/benchmarks/%s/README.md), [where Hone is not first](docs/performance.md), which has runs on other\n"+
		"machines and releases, and `go run ./bench`, which measures all of it on your machine.\n\n%s\n",
		r.Machine.Processor(), plural(r.Machine.Cores, "core"), r.Machine.Go, day(r.Date), folder, a.ranked())
	if inDocuments {
		fmt.Fprintf(&b, "\nJSON is measured with %d [documents](bench/README.md#the-documents-of-json), each encoded and decoded, as a Go type and as `any`. "+
			"Its rows count these measurements instead of contests, each row against one ranked peer. The geometric mean is over all of them.\n", a.named(corpora).Documents())
	}
	b.WriteString(busyness(a))
	b.WriteString(staleness(a))
	return b.Bytes()
}
