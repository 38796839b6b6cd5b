package try

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hone-go/hone/cmd/hone/internal/migrate"
)

// rows is the number of benchmarks on the screen.
const rows = 12

// Print prints the report on one screen.
func (r *Report) Print(w io.Writer) {
	p := &printer{w: w}
	p.line("hone try", "%s, %s, %s", r.Module, r.Go, r.Platform)
	r.printChange(p)
	if r.Imports > 0 {
		r.printDifferences(p)
		r.printGain(p)
		r.printCost(p)
	}
	r.printNext(p)
	fmt.Fprintf(w, "\n%s\n", r.Summary)
}

// A printer prints lines with a heading in front of the first line of a part.
type printer struct {
	w    io.Writer
	last string
}

func (p *printer) line(part, format string, args ...any) {
	if part == p.last {
		part = ""
	} else {
		p.last = part
	}
	fmt.Fprintf(p.w, "%-8s  %s\n", part, fmt.Sprintf(format, args...))
}

func (r *Report) printChange(p *printer) {
	moves := r.Change.Moves()
	byFrom := slices.SortedFunc(maps.Keys(moves), func(a, b migrate.Move) int { return strings.Compare(a.From, b.From) })
	for _, m := range byFrom {
		p.line("changes", "%s of %s to %s", count(moves[m], "import"), m.From, m.To)
	}
	files, stays := 0, map[string]int{}
	for _, f := range r.Change.Files {
		if len(f.Changes) > 0 {
			files++
		}
		for _, s := range f.Stays {
			stays[s.Reason]++
		}
	}
	if files > 0 {
		text := fmt.Sprintf("%s, and go.mod requires Hone", count(files, "file"))
		if before, after := r.Change.GoLines(); after != "" && before != after {
			text += fmt.Sprintf("; its go line changes from %s to %s", before, after)
		}
		p.line("changes", "%s", text)
	}
	reasons := slices.SortedFunc(maps.Keys(stays), func(a, b string) int {
		if stays[a] != stays[b] {
			return stays[b] - stays[a]
		}
		return strings.Compare(a, b)
	})
	for i, reason := range reasons {
		if i == 3 {
			p.line("stays", "%d more reasons: hone migrate lists them", len(reasons)-i)
			break
		}
		p.line("stays", "%s: %s", count(stays[reason], "import"), short(reason, 110))
	}
}

// needsService matches messages of tests that need a server, a container or the network.
var needsService = regexp.MustCompile(`(?i)connection refused|no such host|docker|dial tcp|dial unix|i/o timeout|network is unreachable`)

func (r *Report) printDifferences(p *printer) {
	if t := r.Tests; t != nil {
		tests := fmt.Sprintf("tests: %d passed, %d failed, %d skipped before and after", t.Before.Pass, t.Before.Fail, t.Before.Skip)
		if t.Before != t.After {
			tests = fmt.Sprintf("tests: %d passed, %d failed, %d skipped before; %d, %d, %d after", t.Before.Pass, t.Before.Fail, t.Before.Skip, t.After.Pass, t.After.Fail, t.After.Skip)
		}
		p.line("differs", "%s", tests)
		for _, d := range t.Differences[:min(len(t.Differences), 5)] {
			cause := ""
			if d.GoLine {
				cause = ", because of the go line alone"
			}
			p.line("differs", "%s: %s before, %s after%s", strings.TrimSpace(d.Package+" "+d.Test), orAbsent(d.Before), orAbsent(d.After), cause)
		}
		for _, n := range t.NotBuilt[:min(len(t.NotBuilt), 5)] {
			cause := ""
			if n.GoLine {
				cause = ", because of the go line alone"
			}
			p.line("differs", "%s does not build %s the change%s: %s", n.Package, n.When, cause, short(firstLine(n.Output), 90))
		}
		if more := max(0, len(t.Differences)-5) + max(0, len(t.NotBuilt)-5); more > 0 {
			p.line("differs", "%d more: hone migrate -test lists them", more)
		}
		if n := len(t.Unsteady); n > 0 {
			p.line("differs", "%s other results in two runs of the same code", verb(n, "test", "has", "have"))
		}
		if n := len(t.Broken); n > 0 {
			p.line("differs", "%s before the change already, such as %s: the rest is measured", doesNotBuild(n), t.Broken[0])
		}
		if n := len(t.Failing); n > 0 {
			f := t.Failing[0]
			p.line("differs", "%s before the change already, such as %s: the rest is measured", fails(n), strings.TrimSpace(f.Package+" "+f.Test))
			if slices.ContainsFunc(t.Failing, func(f migrate.Failure) bool { return needsService.MatchString(f.Output) }) {
				p.line("differs", "some of them need a service, such as a database: start it for a full comparison")
			}
		}
	}
	if n := len(r.Change.Vet); n > 0 {
		p.line("differs", "go test refuses %s with the new go line, even without Hone, such as %s: hone migrate -test lists them", count(n, "place"), r.Change.Vet[0].Where)
	}
	if n := len(r.Change.Uncopied); n > 0 {
		p.line("differs", "the copies lack %s that cannot be read, such as %s", count(n, "path"), r.Change.Uncopied[0])
	}
	if n := len(r.Writes); n > 0 {
		p.line("differs", "the tests write into the source (%s, such as %s): here they wrote into a copy", count(n, "file"), r.Writes[0])
	}
	for i, x := range r.Change.Warnings {
		if i == 3 {
			p.line("differs", "%d more places: hone migrate lists them", len(r.Change.Warnings)-i)
			break
		}
		p.line("differs", "%s: %s", x.Where, short(x.Text, 100))
	}
	for i := range r.Change.Behaviours {
		if b := &r.Change.Behaviours[i]; b.Met {
			p.line("differs", "%s", b.Line(false))
		}
	}
	for _, page := range r.Change.Pages() {
		p.line("differs", "what may differ at run time: %s", page)
	}
}

func (r *Report) printGain(p *printer) {
	if r.Server != nil {
		r.Server.print(p)
		return
	}
	b := r.Benchmarks
	if b == nil {
		return
	}
	if b.Share.Seconds > 0 {
		which := "these benchmarks"
		if b.Written > 0 && len(b.Rows) > 0 && !slices.ContainsFunc(b.Rows, func(r Row) bool { return !r.Written }) {
			which = "the benchmarks that hone wrote"
		}
		bound := ""
		if b.AtMost > 0 {
			bound = fmt.Sprintf(": taken together, at most about %.1f times as fast", b.AtMost)
		}
		p.line("gains", "%.0f %% of the CPU time of %s was in the replaced packages%s", 100*b.Share.Replaced, which, bound)
		if b.Share.Others >= 0.01 {
			p.line("gains", "%.0f %% was in calls of these packages by dependencies, which stay", 100*b.Share.Others)
		}
	}
	if b.Outside > 0 {
		p.line("gains", "%s less than %.0f %% of the time there: not measured", spend(b.Outside), 100*least)
	}
	if b.Written > 0 {
		p.line("gains", "%s had no benchmark for the types that they encode or decode: hone wrote some (+)", count(b.Written, "package"))
	}
	switch {
	case len(b.Rows) == 0:
		p.line("gains", "nothing was measured")
	case b.Noisy:
		p.line("gains", "no times: the old code differs from itself by more than %.0f %% in most benchmarks", 100*maxNoise)
		fallthrough
	default:
		r.printRows(p)
	}
	if b.Late {
		p.line("gains", "the time limit passed after %s: -limit raises it", count(b.Count, "round"))
	}
	if n := len(b.Left); n > 0 {
		p.line("gains", "%s not measured because of the time limit: -limit raises it", isAre(n, "benchmark"))
	}
	for i, f := range b.Failed {
		if i == 2 {
			p.line("gains", "%d more do not run", len(b.Failed)-i)
			break
		}
		p.line("gains", "does not run: %s", short(f, 110))
	}
}

// printRows prints the fastest rows, and always the slowest.
func (r *Report) printRows(p *printer) {
	b := r.Benchmarks
	p.line("gains", "%-20s %9s %9s  %-13s %s", "time", "bytes", "allocs", "p", "benchmark")
	list := b.Rows
	if len(list) > rows {
		list = slices.Concat(list[:rows*2/3], list[len(list)-rows/3:])
	}
	short := shortNames(r.Module, list)
	for i, row := range list {
		if len(b.Rows) > rows && i == rows*2/3 {
			p.line("gains", "... %d more rows ...", len(b.Rows)-rows)
		}
		time, sure := faster(row.Time.Ratio()), fmt.Sprintf("%.3f n=%d", row.Time.P, row.Time.N)
		switch {
		case row.Noisy || b.Noisy:
			time = fmt.Sprintf("noisy (%.0f %%)", 100*max(row.Control-1, 1/row.Control-1))
		case !row.Time.Differs:
			time = "no difference"
		}
		mark := ""
		if row.Written {
			mark = "+ "
		}
		p.line("gains", "%-20s %9s %9s  %-13s %s%s", time, change(row.Bytes), change(row.Allocs), sure, mark, short[i])
	}
	worse, steady := 0, 0
	for _, row := range b.Rows {
		if !row.Noisy {
			steady++
		}
		if row.Allocs.Differs && row.Allocs.Ratio() > 1 || row.Bytes.Differs && row.Bytes.Ratio() > 1 {
			worse++
		}
	}
	if worse > 0 {
		p.line("gains", "%s more", allocate(worse))
	}
	if b.Gain > 0 {
		p.line("gains", "geometric mean of %s: %s (rows without a difference count as 1)", count(steady, "row"), faster(1/b.Gain))
	}
}

// shortNames returns the names of rows, with the package relative to the module.
func shortNames(module string, list []Row) []string {
	var names []string
	for _, row := range list {
		pkg := strings.TrimPrefix(strings.TrimPrefix(row.Package, module), "/")
		name := strings.TrimPrefix(row.Name, "HoneTryWritten/")
		if pkg != "" {
			name = pkg + " " + name
		}
		names = append(names, name)
	}
	return names
}

func (r *Report) printCost(p *printer) {
	if s := r.Size; s != nil {
		p.line("costs", "%s: %.1f MB before, %.1f MB after (%+.1f MB); go build links it in %.1f s before, %.1f s after",
			s.Program, float64(s.Before)/1e6, float64(s.After)/1e6, float64(s.After-s.Before)/1e6, s.LinkBefore, s.LinkAfter)
	} else {
		p.line("costs", "the module has no program that builds, so its size was not compared")
	}
}

func (r *Report) printNext(p *printer) {
	switch r.Verdict {
	case "gain", "mixed":
		p.line("next", "hone migrate%s -w writes the change, hone migrate -w -revert undoes it", r.hone)
		if r.Benchmarks != nil && r.Verdict == "mixed" {
			p.line("next", "-only and -skip leave imports as they are")
		}
	case "differs":
		p.line("next", "hone migrate%s -test prints the output of each test that differs", r.hone)
	case "unmeasured":
		p.line("next", "hone try -profile cpu.pprof reads a profile of your program in production")
	}
}

// change describes a quantity relative to before.
func change(q Quantity) string {
	switch {
	case q.N == 0:
		return "-"
	case !q.Differs:
		return "="
	case q.Before == 0:
		return fmt.Sprintf("+%.0f", q.After)
	}
	return fmt.Sprintf("%+.0f %%", 100*(q.After/q.Before-1))
}

func short(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return text
}

func orAbsent(s string) string {
	if s == "" {
		return "absent"
	}
	return s
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func verb(n int, what, one, many string) string {
	if n == 1 {
		return "1 " + what + " " + one
	}
	return fmt.Sprintf("%d %ss %s", n, what, many)
}

func isAre(n int, what string) string { return verb(n, what, "is", "are") }
func doesNotBuild(n int) string       { return verb(n, "package", "does not build", "do not build") }
func fails(n int) string              { return verb(n, "test", "fails", "fail") }
func spend(n int) string              { return verb(n, "benchmark", "spends", "spend") }
func allocate(n int) string           { return verb(n, "row", "allocates", "allocate") }
