package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// The coordinates of drawings are percentages of their width, so that they fit any screen
// without scaling the text.

// An axis is a logarithmic axis, from 0 to 100.
type axis struct{ low, high float64 }

func (a axis) at(v float64) float64 {
	if a.high <= a.low || v <= 0 {
		return 50
	}
	p := 100 * (math.Log(v) - math.Log(a.low)) / (math.Log(a.high) - math.Log(a.low))
	return min(100, max(0, p))
}

// ratioAxis returns an axis for the ratios of a suite. It includes 1 and has some space at both
// ends.
func ratioAxis(lines []line) axis {
	a := axis{0.8, 1.25}
	for _, l := range lines {
		for _, x := range l.Rows {
			if x.Ratio > 0 {
				a.low, a.high = min(a.low, x.Low2), max(a.high, x.Hi2)
			}
		}
	}
	a.low, a.high = max(a.low, 0.02), min(a.high, 500)
	margin := math.Pow(a.high/a.low, 0.03)
	return axis{a.low / margin, a.high * margin}
}

// ticks returns about five round numbers on the axis.
func (a axis) ticks() []float64 {
	var all []float64
	for _, steps := range [][]float64{{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}, {1, 1.1, 1.2, 1.5, 2, 3, 5, 7, 9}} {
		all = all[:0]
		for power := math.Floor(math.Log10(a.low)); power <= math.Ceil(math.Log10(a.high)); power++ {
			for _, s := range steps {
				if v := s * math.Pow(10, power); v >= a.low && v <= a.high {
					all = append(all, v)
				}
			}
		}
		if len(all) >= 4 {
			break
		}
	}
	for len(all) > 7 {
		all = slices.DeleteFunc(slices.Clone(all), func(v float64) bool { return slices.Index(all, v)%2 == 1 })
	}
	return all
}

// labels returns the ticks that have space for a number, even on a phone. The tick 1 always gets a
// number. A tick that is too near to another labelled tick gets none.
func (a axis) labels() (list []float64) {
	const room = 13 // percent: about 45 of 360 pixels
	for _, t := range a.ticks() {
		if len(list) > 0 && a.at(t)-a.at(list[len(list)-1]) < room {
			if t != 1 {
				continue
			}
			list = list[:len(list)-1]
		}
		list = append(list, t)
	}
	return list
}

// colours gives each contestant of a suite a number, 0 for Hone. The number is the index of the
// peer's colour in the palette.
type colours map[string]int

func coloursOf(lines []line) colours {
	c := colours{}
	next := 1
	for _, l := range lines {
		for _, x := range l.Rows {
			if _, ok := c[x.Contestant]; ok {
				continue
			}
			if x.Hone {
				c[x.Contestant] = 0
				continue
			}
			c[x.Contestant] = next
			next++
		}
	}
	return c
}

// palette is the number of colours that the style sheet has for peers.
const palette = 12

// colour returns the colour of a contestant: 0 for Hone, and 1 to palette for peers. Peers share
// colours if there are more peers than colours.
func colour(number int) int {
	if number == 0 {
		return 0
	}
	return (number-1)%palette + 1
}

// strip draws the rows of a contest on a ratio axis: a dot for each ratio to Hone, and a line
// for its interval. Hone and the best peer have colours; the others are grey until the pointer
// is on them or on their names.
func strip(l line, a axis, c colours) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="strip" width="100%%" height="22" role="img" aria-label="%s">`, template.HTMLEscapeString(describe(l)))
	for _, t := range a.ticks() {
		class := "grid"
		if t == 1 {
			class = "one"
		}
		fmt.Fprintf(&b, `<line class="%s" x1="%.2f%%" x2="%.2f%%" y1="0" y2="22"/>`, class, a.at(t), a.at(t))
	}
	// The last dot is drawn on top.
	rank := func(x row) int {
		switch {
		case x.Contestant == l.Hone.Contestant:
			return 3
		case x.Contestant == l.Best.Contestant:
			return 2
		case x.Hone:
			return 1
		}
		return 0
	}
	rows := slices.Clone(l.Rows)
	slices.SortStableFunc(rows, func(x, y row) int { return cmp.Compare(rank(x), rank(y)) })
	for _, x := range rows {
		if x.Ratio == 0 {
			continue
		}
		class := []string{fmt.Sprintf("k%d", c[x.Contestant]), "own", "best", "hone"}[rank(x)]
		if rank(x) == 2 {
			class += fmt.Sprintf(" k%d", c[x.Contestant])
		}
		if x.Less() != "" {
			class += " less"
		}
		fmt.Fprintf(&b, `<g class="%s"><title>%s</title><line x1="%.2f%%" x2="%.2f%%" y1="11" y2="11"/><circle cx="%.2f%%" cy="11" r="4.5"/></g>`,
			class, template.HTMLEscapeString(x.Contestant+": "+value(x.Center, x.Unit)+" "+spread(x.Result)+", "+times(x.Ratio)), a.at(x.Low2), a.at(x.Hi2), a.at(x.Ratio))
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) //nolint:gosec // every text in it is escaped
}

func describe(l line) string {
	var parts []string
	for _, x := range l.Rows {
		if x.Ratio > 0 {
			parts = append(parts, x.Contestant+" "+times(x.Ratio))
		}
	}
	return l.Name + ": " + strings.Join(parts, ", ")
}

// scale draws the numbers of the axis.
func scale(a axis) template.HTML {
	var b strings.Builder
	b.WriteString(`<svg class="scale" width="100%" height="20" aria-hidden="true">`)
	for _, t := range a.labels() {
		anchor, p := "middle", a.at(t)
		if p > 96 {
			anchor = "end"
		}
		if p < 4 {
			anchor = "start"
		}
		fmt.Fprintf(&b, `<text x="%.2f%%" y="14" text-anchor="%s">%s</text>`, p, anchor, times(t))
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) //nolint:gosec // numbers
}

// A figure is a growth curve: a line for each contestant.
type figure struct {
	Name    string
	Of      string
	Sizes   []int
	Curves  []curve
	Drawing template.HTML
}

type curve struct {
	Contestant string
	Colour     int
	Points     []point
}

type point struct {
	size float64
	row  row
}

func figures(lines []line) []figure {
	var all []figure
	at := map[[2]string]int{}
	c := coloursOf(lines)
	for _, l := range lines {
		if l.Curve.Name == "" {
			continue
		}
		key := [2]string{l.Curve.Name, l.Curve.Of}
		i, ok := at[key]
		if !ok {
			i = len(all)
			at[key] = i
			all = append(all, figure{Name: l.Curve.Name, Of: l.Curve.Of})
		}
		f := &all[i]
		f.Sizes = append(f.Sizes, l.Curve.Size)
		for _, x := range l.Rows {
			if !x.Comparable {
				continue
			}
			k := slices.IndexFunc(f.Curves, func(c curve) bool { return c.Contestant == x.Contestant })
			if k < 0 {
				k = len(f.Curves)
				f.Curves = append(f.Curves, curve{Contestant: x.Contestant, Colour: colour(c[x.Contestant])})
			}
			f.Curves[k].Points = append(f.Curves[k].Points, point{float64(l.Curve.Size), x})
		}
	}
	for i := range all {
		all[i].Drawing = all[i].draw()
	}
	return all
}

// draw draws the curves on two logarithmic axes.
func (f figure) draw() template.HTML {
	const height, bottom, left = 220.0, 24.0, 14.0 // pixels, pixels, percent
	x := axis{float64(slices.Min(f.Sizes)), float64(slices.Max(f.Sizes))}
	y := axis{math.Inf(1), 0}
	for _, c := range f.Curves {
		for _, p := range c.Points {
			y.low, y.high = min(y.low, p.row.Low), max(y.high, p.row.High)
		}
	}
	if len(f.Curves) == 0 {
		return ""
	}
	y.low, y.high = y.low/1.2, y.high*1.2
	px := func(v float64) float64 { return left + (96-left)*x.at(v)/100 }
	py := func(v float64) float64 { return height - bottom - (height-bottom-10)*y.at(v)/100 }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="curve" width="100%%" height="%.0f" role="img" aria-label="%s">`, height, template.HTMLEscapeString(f.Name+" by "+f.Of))
	for _, t := range y.ticks() {
		fmt.Fprintf(&b, `<line class="grid" x1="%.0f%%" x2="96%%" y1="%.1f" y2="%.1f"/><text x="%.0f%%" dx="-6" y="%.1f" text-anchor="end">%s</text>`,
			left, py(t), py(t), left, py(t)+4, value(t, f.Curves[0].Points[0].row.Unit))
	}
	last := -100.0
	for _, s := range f.Sizes {
		p := px(float64(s))
		fmt.Fprintf(&b, `<line class="grid" x1="%.2f%%" x2="%.2f%%" y1="%.0f" y2="%.0f"/>`, p, p, 10.0, height-bottom)
		if p-last < 9 {
			continue // the label does not fit
		}
		last = p
		fmt.Fprintf(&b, `<text x="%.2f%%" y="%.0f" text-anchor="middle">%s</text>`, p, height-6, strings.TrimSpace(scaled(float64(s), 1000, "", "k", "M")))
	}
	for i := range f.Curves {
		c := f.Curves[len(f.Curves)-1-i] // draw Hone last, so that it is on top
		fmt.Fprintf(&b, `<g class="c%d">`, c.Colour)
		for j, p := range c.Points {
			if j > 0 {
				q := c.Points[j-1]
				fmt.Fprintf(&b, `<line x1="%.2f%%" y1="%.1f" x2="%.2f%%" y2="%.1f"/>`, px(q.size), py(q.row.Center), px(p.size), py(p.row.Center))
			}
			fmt.Fprintf(&b, `<line class="interval" x1="%.2f%%" y1="%.1f" x2="%.2f%%" y2="%.1f"/>`, px(p.size), py(p.row.Low), px(p.size), py(p.row.High))
			fmt.Fprintf(&b, `<circle cx="%.2f%%" cy="%.1f" r="3.5"><title>%s</title></circle>`, px(p.size), py(p.row.Center),
				template.HTMLEscapeString(fmt.Sprintf("%s, %.0f %s: %s", c.Contestant, p.size, f.Of, value(p.row.Center, p.row.Unit))))
		}
		b.WriteString(`</g>`)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) //nolint:gosec // every text in it is escaped
}
