package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/results"
)

// Table prints each contest, with the peers as ratios to Hone, and then the summary, which
// begins with the contests in which Hone is not first.
func Table(w io.Writer, r *results.Results) {
	a := analyse(r, nil)
	m := r.Machine
	fmt.Fprintf(w, "%s, %d cores, %s/%s, %s; processes %s\n\n", m.Processor(), m.Cores, m.OS, m.Arch, m.Go, r.Conditions.Pinning)
	if signs := r.Busy(); signs != nil {
		fmt.Fprintf(w, "Measured on a busy machine: %s.\n\n", strings.Join(signs, "; "))
	}
	if said := disturbed(r); said != "" {
		fmt.Fprintf(w, "Samples: %s.\n\n", said)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tmedian\t\tto Hone\tallocs\t")
	for _, s := range a.Suites {
		for _, l := range s.Lines {
			fmt.Fprintf(t, "%s\t\t\t\t\t\n", l.Name)
			for _, x := range l.Rows {
				if x.Error != "" {
					fmt.Fprintf(t, "  %s\tfails: %s\t\t\t\t\n", x.Contestant, shorten(x.Error))
					continue
				}
				said := notes(x.Result)
				for _, name := range l.MoreNames() {
					said += fmt.Sprintf("  %s %s", measure(name, x.More[name]), label(name))
				}
				allocs, compared := "", ""
				if l.Unit == contest.Nanoseconds {
					allocs = count(x.Allocs)
				}
				if x.Contestant != l.Hone.Contestant {
					compared = ratio(x)
				}
				fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\t%s\n", x.Contestant, value(x.Center, x.Unit), spread(x.Result), compared, allocs, strings.TrimSpace(said))
			}
		}
	}
	t.Flush()

	fmt.Fprintln(w, "\nGeometric means of the ratios to Hone:")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range a.Suites {
		for _, m := range s.Peers {
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", s.name, m.Peer, times(m.Ratio), plural(m.Of, "contest"))
		}
	}
	t.Flush()
	for _, s := range a.Suites {
		table := s.DocumentTable()
		if table == nil {
			continue
		}
		fmt.Fprintf(w, "\n%s. %s\n", s.title, aboutTable)
		t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, cells := range table {
			fmt.Fprintf(t, "  %s\n", strings.Join(cells, "\t"))
		}
		t.Flush()
		for _, x := range s.Tallies() {
			fmt.Fprintf(w, "  %s: %s\n", x.Peer, x)
		}
	}
	if len(a.Behind) > 0 {
		fmt.Fprintf(w, "\nHone is not first in %s:\n", plural(len(a.Behind), "contest"))
		t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, l := range a.Behind {
			fmt.Fprintf(t, "  %s\t%s\t%s Hone's figure\n", l.Name, l.Best.Contestant, times(l.Best.Ratio))
		}
		t.Flush()
	}
	if len(a.Ahead) > 0 {
		fmt.Fprintf(w, "\nAhead, and not counted: %s\n", a.Unranked())
		t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, l := range a.Ahead {
			for _, x := range l.Ahead() {
				fmt.Fprintf(t, "  %s\t%s\t%s Hone's figure\t%s\n", l.Name, x.Contestant, times(x.Ratio), shorten(x.Less()))
			}
		}
		t.Flush()
	}
	for _, k := range a.Kinds {
		for _, f := range k.Fewer {
			fmt.Fprintf(w, "\n%s, %s: %s", k.Name, f.Contestant, f.said())
		}
	}
	if a.Kinds != nil {
		fmt.Fprintln(w)
	}
	if m := missed(a.Targets); len(a.Targets) > 0 {
		fmt.Fprintf(w, "\n%d of %d targets are met; %d are missed:%s\n", len(a.Met()), len(a.Counted()), len(m), a.UncountedSummary())
		t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, v := range m {
			fmt.Fprintf(t, "  %s\t%s the figure of %s, target %s\t%s allocs\n", v.Contest, times(v.Ratio), v.Peer, times(v.AtMost), count(v.Got))
		}
		t.Flush()
	}
}

// shorten cuts an error to the length of a line; results.json.gz has the whole error.
func shorten(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// disturbed returns a text with two numbers: the samples that were taken on a slowed core, and the
// contests that were measured again. If both are 0, the text is "".
func disturbed(r *results.Results) string {
	var said []string
	if n, all := r.Slowed(); n > 0 {
		said = append(said, fmt.Sprintf("%d of %d while the core was slowed by other work", n, all))
	}
	if n := r.Again(); n > 0 {
		said = append(said, fmt.Sprintf("%s repeated with more samples because of wide intervals", plural(n, "contest")))
	}
	return strings.Join(said, "; ")
}
