package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/results"
)

//go:embed page.html
var pageSource string

// A page is the template's argument.
type page struct {
	*analysis
	Root string // the path to the repository's root, with a slash at the end
}

// A block is one suite on the page.
type block struct {
	suiteResult
	Axis    axis
	Colours colours
	Legend  []legend // the peers
	Own     bool     // Hone has more than one row
	Root    string
}

type legend struct {
	Name   string
	Number int
}

// Page writes the report as a single page, without scripts and other files. The argument now
// is the result of results.Sources for the present code, and toRoot the path from the page's
// folder to the root of the repository.
func Page(w io.Writer, r *results.Results, now map[string]string, toRoot string) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"value": value, "count": count, "times": times, "ratio": ratio, "spread": spread, "day": day, "notes": notes, "measure": measure, "label": label,
		"plural": plural, "stack": stack, "breakable": breakable, "numbers": numbers, "strip": strip, "scale": scale, "missed": missed, "missing": missing, "disturbed": disturbed,
		"bytes":   func(n int64) string { return scaled(float64(n), 1024, "B", "KiB", "MiB", "GiB") },
		"float":   func(n int) float64 { return float64(n) },
		"section": func(p page, s suiteResult) block { return newBlock(s, p.Root) },
		"link":    func(root, source string) string { return root + strings.Replace(source, ":", "#L", 1) },
		"file":    func(source string) string { return source[strings.LastIndexByte(source, '/')+1:] },
		"rows": func(root string, lines []line) any {
			return struct {
				Root  string
				Lines []line
			}{root, lines}
		},
		"verdicts": func(root string, list []verdict) any {
			return struct {
				Root     string
				Verdicts []verdict
			}{root, list}
		},
		"briefly":    briefly,
		"aboutTable": func() string { return aboutTable },
		"points": func(f figure) [][]string {
			return f.table()
		},
		"timed":    func(c contest.Outcome) bool { return c.Unit == contest.Nanoseconds },
		"absolute": func(r contest.Result) string { return fmt.Sprintf("%s to %s", digits(r.Low), digits(r.High)) },
	}).Parse(pageSource)
	if err != nil {
		return err
	}
	return t.Execute(w, page{analyse(r, now), toRoot})
}

// numbers are the colour numbers of the suite with the most peers.
func numbers(a page) (all []int) {
	most := 0
	for _, s := range a.Suites {
		for _, k := range coloursOf(s.Lines) {
			most = max(most, k)
		}
	}
	for k := range most {
		all = append(all, k+1)
	}
	return all
}

func newBlock(s suiteResult, root string) block {
	b := block{suiteResult: s, Axis: ratioAxis(s.Lines), Colours: coloursOf(s.Lines), Root: root}
	for name, k := range b.Colours {
		if k > 0 {
			b.Legend = append(b.Legend, legend{name, k})
		} else if name != "hone" {
			b.Own = true
		}
	}
	slices.SortFunc(b.Legend, func(x, y legend) int { return x.Number - y.Number })
	return b
}

// table returns the values of the figure: a row for each size, and a column for each curve.
func (f figure) table() [][]string {
	head := []string{f.Of}
	for _, c := range f.Curves {
		head = append(head, c.Contestant)
	}
	all := [][]string{head}
	for _, size := range f.Sizes {
		cells := []string{strings.TrimSpace(scaled(float64(size), 1000, "", "k", "M"))}
		for _, c := range f.Curves {
			cell := ""
			for _, p := range c.Points {
				if p.size == float64(size) {
					cell = value(p.row.Center, p.row.Unit)
				}
			}
			cells = append(cells, cell)
		}
		all = append(all, cells)
	}
	return all
}
