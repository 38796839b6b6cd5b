package migrate

import (
	"fmt"
	"io"
	"slices"
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
	c.stays(w, written)
	places := c.places(w, written)
	if len(c.Warnings) > 0 {
		fmt.Fprintln(w, "these places compile, but may behave differently:")
		for _, x := range c.Warnings {
			from := ""
			if x.Import != nil {
				from = fmt.Sprintf(" (%s imports %s)", x.Import.onDisk(written), x.Import.Path)
			}
			fmt.Fprintf(w, "  %s: %s%s\n", x.onDisk(written), x.Text, from)
		}
	}
	c.runtime(w, written)
	if len(c.Vet) > 0 {
		fmt.Fprintln(w, "go test refuses these places with the new go line, even without Hone (go vet):")
		for _, f := range c.Vet {
			fmt.Fprintf(w, "  %s: %s\n", f.onDisk(written), f.Text)
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
		stays := slices.ContainsFunc(c.Files, func(f File) bool { return len(f.Stays) > 0 })
		switch {
		case stays:
			fmt.Fprintln(w, "no import changes: see the reasons")
		case len(c.Notes) > 0:
			fmt.Fprintln(w, "no import changes: see the notes")
		default:
			fmt.Fprintln(w, "nothing to do")
		}
	case n == 0 && written:
		fmt.Fprintln(w, "only comments changed")
	case n == 0 && c.Refused:
		fmt.Fprintln(w, "only comments would change")
	case n == 0:
		fmt.Fprintln(w, "only comments would change; -w writes them")
	case written:
		fmt.Fprintf(w, "%s in %s changed\n", count(n, "import"), count(files, "file"))
	case c.Refused:
		fmt.Fprintf(w, "%s in %s would change\n", count(n, "import"), count(files, "file"))
	default:
		fmt.Fprintf(w, "%s in %s would change; -w writes it\n", count(n, "import"), count(files, "file"))
	}
}

// runtime prints the differences at run time between the replaced packages and Hone.
func (c *Change) runtime(w io.Writer, written bool) {
	var unused []string
	for i, b := range c.Behaviours {
		if i == 0 {
			fmt.Fprintln(w, "at run time, Hone differs from Echo or needs a setting:")
		}
		if b.Met {
			fmt.Fprintf(w, "  %s\n", b.Line(written))
		} else {
			unused = append(unused, strings.TrimSuffix(b.Text, "."))
		}
	}
	for _, text := range unused {
		fmt.Fprintf(w, "  %s: your code does not use it\n", strings.ReplaceAll(text, "`", ""))
	}
	for _, page := range c.Pages() {
		fmt.Fprintln(w, "what may differ at run time:", page)
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
			old := ""
			if x.Old != "" {
				old = x.Old + ": "
			}
			fmt.Fprintf(w, "  %s: %s%s\n", x.onDisk(written), old, x.Say)
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

// A stayGroup has the imports that stay for one reason.
type stayGroup struct {
	reason string
	lines  []*stayLine
	shared []*stayGroup // files whose packages share types with a package of this group
}

// A stayLine lists the imports of one file that stay because the same piece of code needs them. The field
// where is the position of this code, and the field use names what the code uses.
type stayLine struct {
	file, where, use string
	imports          []string
}

// stays prints the imports that stay. A reason is printed once, above the files that it concerns.
func (c *Change) stays(w io.Writer, written bool) {
	groups := c.stayGroups(written)
	if len(groups) > 0 {
		fmt.Fprintln(w, "these imports stay:")
	}
	for _, g := range groups {
		g.print(w, "  ")
	}
}

func (g *stayGroup) print(w io.Writer, indent string) {
	fmt.Fprintf(w, "%s%s\n", indent, g.reason)
	for _, l := range g.lines {
		fmt.Fprintf(w, "%s  %s\n", indent, l)
	}
	for _, s := range g.shared {
		s.print(w, indent+"  ")
	}
}

// stayGroups groups the imports that stay by their reasons, in the order of the files.
func (c *Change) stayGroups(written bool) []*stayGroup {
	var groups []*stayGroup
	for _, f := range c.Files {
		for _, s := range f.Stays {
			reason, where := s.Reason, s.onDisk(written)
			if file, _, ok := strings.Cut(s.Where, ":"); ok {
				reason = strings.TrimPrefix(reason, "in "+file+": ")
			}
			g := withReason(&groups, reason)
			l := &stayLine{file: f.Name, where: where, use: s.Use}
			if s.Shares != "" {
				cause := s.Shares
				if s.Use != "" {
					cause += ", which uses " + s.Use + " in " + where
				}
				g = withReason(&g.shared, "the package shares types with "+cause)
				l.where, l.use = "", ""
			}
			g.add(l, s.Import)
		}
	}
	return groups
}

// withReason returns the group with the given reason. If the list has no such group, withReason adds
// one.
func withReason(groups *[]*stayGroup, reason string) *stayGroup {
	for _, g := range *groups {
		if g.reason == reason {
			return g
		}
	}
	g := &stayGroup{reason: reason}
	*groups = append(*groups, g)
	return g
}

// add adds an import to a line of the group.
func (g *stayGroup) add(l *stayLine, path string) {
	i := slices.IndexFunc(g.lines, func(x *stayLine) bool { return x.file == l.file && x.where == l.where && x.use == l.use })
	if i < 0 {
		g.lines = append(g.lines, l)
	} else {
		l = g.lines[i]
	}
	if !slices.Contains(l.imports, path) {
		l.imports = append(l.imports, path)
	}
}

// String returns the file with its imports that stay, and the code that is the reason.
func (l *stayLine) String() string {
	at := l.file
	var because []string
	if l.use != "" {
		because = append(because, l.use)
	}
	if file, _, ok := strings.Cut(l.where, ":"); ok && file == l.file {
		at = l.where
	} else if ok {
		because = append(because, l.where)
	}
	text := at + ": " + strings.Join(l.imports, ", ")
	if len(because) > 0 {
		text += ", because of " + strings.Join(because, " in ")
	}
	return text
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
	// The names of subtests may differ in each run, so the list can be long.
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
		quote(w, d.Output)
	}
	summarizeNotBuilt(w, t.NotBuilt)
	other := ""
	if len(t.NotBuilt) > 0 {
		other = "other "
	}
	fmt.Fprintln(w, differ(len(t.Differences), other+"test"))
	if byGoLine > 0 {
		fmt.Fprintf(w, "%s caused by the new go line alone: the outcome is the same without Hone\n", isAre(byGoLine))
	}
}

// Reason says how the tests differ.
func (t *Trial) Reason() string {
	var parts []string
	if n := len(t.Differences); n > 0 {
		parts = append(parts, differ(n, "test"))
	}
	n := 0
	for _, x := range t.NotBuilt {
		if x.When == whenAfter {
			n++
		}
	}
	switch {
	case n == 1:
		parts = append(parts, "1 package does not build")
	case n > 1:
		parts = append(parts, fmt.Sprintf("%d packages do not build", n))
	}
	return strings.Join(parts, " and ")
}

// differ says that a number of tests differ.
func differ(n int, test string) string {
	switch n {
	case 0:
		return "no " + test + " differs"
	case 1:
		return "1 " + test + " differs"
	}
	return fmt.Sprintf("%d %ss differ", n, test)
}

// quote prints the output of a test or a compiler.
func quote(w io.Writer, output string) {
	for line := range strings.Lines(strings.TrimSpace(output)) {
		fmt.Fprintf(w, "    | %s\n", strings.TrimRight(line, "\n"))
	}
}

func isAre(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}
