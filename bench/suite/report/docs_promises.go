package report

import (
	"bytes"
	"fmt"
	"strings"
)

// writeAhead lists who is ahead of Hone and does not count.
func (a *analysis) writeAhead(b *bytes.Buffer) {
	if len(a.Ahead) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### Ahead, and not counted\n\nFaster than Hone here is who %s.\n\n| contest | ahead | Hone to it | why it does not count |\n|---|---|---|---|\n", a.WhoIsLess())
	for _, l := range a.Ahead {
		for _, x := range l.Ahead() {
			fmt.Fprintf(b, "| %s | %s %s | %s | %s |\n", l.Name, x.Contestant, value(x.Center, x.Unit), times(1/x.Ratio), cell(x.Less()))
		}
	}
}

// writeKinds lists who promises less, and what.
func (a *analysis) writeKinds(b *bytes.Buffer) {
	if a.Kinds == nil {
		return
	}
	b.WriteString("\n## Who promises less\n\nEach promise is a probe: a small piece of work whose right answer is the original's, done by the very function that is timed.\n" +
		"[bench](../bench/README.md#promises) says how.\n\n| probed for | who | does what the original does not |\n|---|---|---|\n")
	for _, k := range a.Kinds {
		for _, f := range k.Fewer {
			fmt.Fprintf(b, "| %s | %s | %s |\n", k.Name, f.Contestant, strings.ReplaceAll(f.said(), "|", "\\|"))
		}
	}
}

// Besides tells of the targets that do not count.
func (a *analysis) Besides() string {
	list := a.Beside()
	if len(list) == 0 {
		return ""
	}
	reached := 0
	for _, v := range list {
		if v.Met {
			reached++
		}
	}
	return fmt.Sprintf(" Of %d more, to be before a peer that promises less, %d are met.", len(list), reached)
}

// firstAmong tells the README's readers who counts, and of those who do not.
func (a *analysis) firstAmong() string {
	s := "all libraries of a contest"
	if a.Kinds != nil {
		s = "those peers of a contest that keep the original's promises"
	}
	s += ", generated code included"
	if len(a.Ahead) > 0 {
		s += fmt.Sprintf(";\nin %s somebody is ahead who %s", plural(len(a.Ahead), "contest"), a.WhoIsLess())
	}
	return s
}
