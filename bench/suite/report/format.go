package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/hone-go/hone/bench/suite/contest"
)

// value formats a figure with three digits and a suitable unit.
func value(v float64, unit contest.Unit) string {
	if unit == contest.Bytes {
		return scaled(v, 1000, "B", "kB", "MB", "GB")
	}
	if v < 1000 {
		return digits(v) + " ns"
	}
	return scaled(v, 1000, "ns", "µs", "ms", "s")
}

func scaled(v, by float64, units ...string) string {
	i := 0
	for ; i < len(units)-1 && math.Abs(v) >= by*0.9995; i++ {
		v /= by
	}
	return digits(v) + " " + units[i]
}

// digits formats a number with three significant digits, or all digits before the point.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 99.95, a == math.Trunc(a):
		return fmt.Sprintf("%.0f", v)
	case a >= 9.995:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

// count formats a number of allocations. A number that is nearly an integer is rounded, since the
// runtime allocates a little too.
func count(n float64) string {
	if n < 0.01 {
		return "0"
	}
	if r := math.Round(n); math.Abs(n-r) < 0.02*r {
		return fmt.Sprintf("%.0f", r)
	}
	return digits(n)
}

// times formats a ratio.
func times(r float64) string {
	if r == 0 {
		return ""
	}
	return digits(r) + " ×"
}

// ratio formats the ratio of a row to Hone's.
func ratio(x row) string {
	switch {
	case x.Ratio == 0:
		return ""
	case x.Same:
		return "~"
	}
	return times(x.Ratio)
}

// spread returns half of an interval, in percent of its centre.
func spread(r contest.Result) string {
	if r.Center == 0 || len(r.Samples) < 2 {
		return ""
	}
	return fmt.Sprintf("±%.0f %%", 100*(r.High-r.Low)/2/r.Center)
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02") }

// notes joins the labels of a contestant.
func notes(r contest.Result) string { return strings.Join(r.Notes, ", ") }

// measure formats one of the additional figures of a contestant by its name. Names that end in
// "ns" are times.
func measure(name string, v float64) string {
	if strings.HasSuffix(name, "ns") {
		return value(v, contest.Nanoseconds)
	}
	return scaled(v, 1000, "", "k", "M")
}

// label returns the name of an additional figure without the suffix " ns", because measure adds a unit to the
// value.
func label(name string) string { return strings.TrimSuffix(name, " ns") }

// breakable marks the places where a browser may break a name: after slashes, and within joined
// words.
func breakable(name string) template.HTML {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if last == '/' || unicode.IsLower(last) && unicode.IsUpper(r) {
			b.WriteString("<wbr>")
		}
		b.WriteString(template.HTMLEscapeString(string(r)))
		last = r
	}
	return template.HTML(b.String()) //nolint:gosec // all letters are escaped
}

// plural returns "1 contest", "2 contests" and so on.
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
