package report

import (
	"fmt"
	"html/template"
	"strings"
)

// near is the distance to the best peer within which Hone counts as level with it, even if the
// difference is significant. Smaller differences hardly matter for the choice of a library.
const near = 0.03

// A standing counts the contests in which Hone is first, level with the best peer, or behind it.
type standing struct{ First, Level, Behind int }

// All returns the number of contests.
func (s standing) All() int { return s.First + s.Level + s.Behind }

func (s standing) plus(t standing) standing {
	return standing{s.First + t.First, s.Level + t.Level, s.Behind + t.Behind}
}

// Near reports whether Hone is within [near] of the best peer.
func (l line) Near() bool { return l.Best.Ratio >= 1/(1+near) && l.Best.Ratio <= 1+near }

// Standing returns the numbers of the contests that Hone and a peer have completed.
func (s suiteResult) Standing() (all standing) {
	for _, l := range s.Lines {
		switch {
		case !l.Best.Comparable || !l.Hone.Comparable:
		case l.Tie || l.Near():
			all.Level++
		case l.First:
			all.First++
		default:
			all.Behind++
		}
	}
	return all
}

// Standing returns the standing over all suites.
func (a *analysis) Standing() (all standing) {
	for _, s := range a.Suites {
		all = all.plus(s.Standing())
	}
	return all
}

// NearBehind returns the number of contests with a peer that is faster by less than [near].
func (a *analysis) NearBehind() (n int) {
	for _, l := range a.Behind {
		if l.Near() {
			n++
		}
	}
	return n
}

// Most returns the number of contests of the largest suite.
func (a *analysis) Most() (most int) {
	for _, s := range a.Suites {
		most = max(most, s.Standing().All())
	}
	return most
}

// stack draws a standing as a bar of three parts. All bars have the same scale: a standing of as
// many contests as the argument widest fills the full width.
func stack(s standing, widest int) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="stack" width="100%%" height="14" role="img" aria-label="first in %d, level in %d, behind in %d">`, s.First, s.Level, s.Behind)
	at := 0.0
	for _, part := range []struct {
		class string
		n     int
	}{{"first", s.First}, {"level", s.Level}, {"behind", s.Behind}} {
		if part.n == 0 {
			continue
		}
		width := 100 * float64(part.n) / float64(max(1, widest))
		fmt.Fprintf(&b, `<rect class="%s" x="%.2f%%" width="%.2f%%" y="0" height="14"><title>%s in %d</title></rect>`, part.class, at, width, part.class, part.n)
		at += width
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) //nolint:gosec // numbers
}
