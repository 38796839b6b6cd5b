package migrate

import (
	"fmt"
	"io"
	"strings"
)

// Summary prints the imports that change, the imports that stay, and the places whose behaviour may
// change.
func (c *Change) Summary(w io.Writer, written bool) {
	files := 0
	for _, f := range c.Files {
		if len(f.Changes) > 0 {
			files++
		}
	}
	c.stays(w)
	places := c.places(w, written)
	if len(c.Warnings) > 0 {
		fmt.Fprintln(w, "these places compile, but may behave differently:")
		for _, x := range c.Warnings {
			fmt.Fprintf(w, "  %s: %s\n", x.Where, x.Text)
		}
	}
	for _, d := range c.copies {
		verb := "would be copied"
		if written {
			verb = "is copied"
		}
		fmt.Fprintf(w, "%s %s %s to ./%s\n", d.module, d.version, verb, d.dir)
	}
	for _, d := range c.gone {
		verb := "would be removed"
		if written {
			verb = "is removed"
		}
		fmt.Fprintf(w, "./%s %s\n", d.Dir, verb)
	}
	if c.m.vendored && string(c.mod.before) != string(c.mod.after) {
		verb := "would update"
		if written {
			verb = "has updated"
		}
		fmt.Fprintf(w, "go mod vendor %s the vendor folder\n", verb)
	}
	for _, n := range c.Notes {
		fmt.Fprintln(w, "note:", n)
	}
	c.rewritten(w, places, written)
	switch n := c.moves(); {
	case c.Nothing():
		if len(c.Notes) > 0 {
			fmt.Fprintln(w, "no import changes: see the notes")
		} else {
			fmt.Fprintln(w, "nothing to do")
		}
	case n == 0 && written:
		fmt.Fprintln(w, "only comments changed")
	case n == 0:
		fmt.Fprintln(w, "only comments would change; -w writes them")
	case written:
		fmt.Fprintf(w, "%s in %s changed\n", count(n, "import"), count(files, "file"))
	default:
		fmt.Fprintf(w, "%s in %s would change; -w writes it\n", count(n, "import"), count(files, "file"))
	}
}

// places prints the code that the user has to write, and returns the number of places.
func (c *Change) places(w io.Writer, written bool) int {
	n := 0
	for _, f := range c.Files {
		for _, x := range f.Places {
			if n == 0 {
				fmt.Fprintln(w, "these places need your edits:")
			}
			n++
			where, old := x.Where, ""
			if written {
				where = x.Written
			}
			if x.Old != "" {
				old = x.Old + ": "
			}
			fmt.Fprintf(w, "  %s: %s%s\n", where, old, x.Say)
		}
	}
	return n
}

// rewritten prints how much code changes, and whether it compiles.
func (c *Change) rewritten(w io.Writer, places int, written bool) {
	n := 0
	for _, f := range c.Files {
		n += f.Rewritten
	}
	if n > 0 {
		verb := "would be rewritten"
		if written {
			verb = "rewritten"
		}
		fmt.Fprintf(w, "%s in the code %s\n", count(n, "place"), verb)
	}
	if places > 0 {
		verb := "would not compile"
		if written {
			verb = "does not compile"
		}
		fmt.Fprintf(w, "the module %s until you edit the %s above\n", verb, count(places, "place"))
	}
}

// stays prints the imports that stay, grouped by reason.
func (c *Change) stays(w io.Writer) {
	type reason struct{ path, text string }
	var order []reason
	files := map[reason][]string{}
	for _, f := range c.Files {
		for _, s := range f.Stays {
			text := s.Reason
			if file, _, ok := strings.Cut(s.Where, ":"); ok {
				text = s.Where + ": " + strings.TrimPrefix(text, "in "+file+": ")
			}
			r := reason{s.Import, text}
			if files[r] == nil {
				order = append(order, r)
			}
			files[r] = append(files[r], f.Name)
		}
	}
	if len(order) == 0 {
		return
	}
	fmt.Fprintln(w, "these imports stay:")
	for _, r := range order {
		fmt.Fprintf(w, "  %s in %s\n    %s\n", r.path, strings.Join(files[r], ", "), r.text)
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Summary prints the results of the tests.
func (t *Trial) Summary(w io.Writer) {
	say := func(when string, c Counts) {
		fmt.Fprintf(w, "tests %s: %d passed, %d failed, %d skipped\n", when, c.Pass, c.Fail, c.Skip)
	}
	say("before", t.Before)
	say("after", t.After)
	or := func(s string) string {
		if s == "" {
			return "absent"
		}
		return s
	}
	// The names of subtests may differ in each run, so there can be many.
	unsteady := map[string]int{}
	for _, d := range t.Unsteady {
		top, _, _ := strings.Cut(d.Test, "/")
		unsteady[d.Package+" "+top]++
	}
	for _, name := range sortedKeys(unsteady) {
		fmt.Fprintf(w, "  unsteady: %s: %s between two runs of the same code\n", name, count(unsteady[name], "difference"))
	}
	byGoLine := 0
	for _, d := range t.Differences {
		cause := ""
		if d.GoLine {
			cause = " (caused by the go line of go.mod, not by Hone)"
			byGoLine++
		}
		fmt.Fprintf(w, "  %s: %s before, %s after%s\n", strings.TrimSpace(d.Package+" "+d.Test), or(d.Before), or(d.After), cause)
		for line := range strings.Lines(strings.TrimSpace(d.Output)) {
			fmt.Fprintf(w, "    | %s\n", strings.TrimRight(line, "\n"))
		}
	}
	switch n := len(t.Differences); n {
	case 0:
		fmt.Fprintln(w, "no test differs")
	case 1:
		fmt.Fprintln(w, "1 test differs")
	default:
		fmt.Fprintf(w, "%d tests differ\n", n)
	}
	if n := t.notBuilt(); n > 0 {
		fmt.Fprintf(w, "%s in packages that do not compile after the change, or that import one\n", isAre(n))
	}
	if byGoLine > 0 {
		fmt.Fprintf(w, "%s caused by the new go line alone: the outcome is the same without Hone\n", isAre(byGoLine))
	}
	if len(t.Bench) > 0 {
		fmt.Fprintln(w, "benchmarks, after divided by before (below 1 is better):")
		fmt.Fprintf(w, "  %8s %8s %8s\n", "time", "bytes", "allocs")
		for _, b := range t.Bench {
			fmt.Fprintf(w, "  %8s %8s %8s  %s %s\n", ratio(b.After.Nanoseconds, b.Before.Nanoseconds), ratio(b.After.Bytes, b.Before.Bytes), ratio(b.After.Allocs, b.Before.Allocs), b.Package, b.Name)
		}
	}
}

// notBuilt returns the number of differences in packages whose tests cannot be built after the change,
// without those that the go line of go.mod causes.
func (t *Trial) notBuilt() int {
	failed := map[string]bool{}
	for _, d := range t.Differences {
		if strings.Contains(d.Output, "[build failed]") {
			failed[d.Package] = true
		}
	}
	n := 0
	for _, d := range t.Differences {
		if failed[d.Package] && !d.GoLine {
			n++
		}
	}
	return n
}

func isAre(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

func ratio(after, before float64) string {
	switch {
	case before == after:
		return "1.00"
	case before == 0:
		return "more"
	}
	return fmt.Sprintf("%.2f", after/before)
}
