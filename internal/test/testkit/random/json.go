package random

import (
	"math/rand/v2"
	"strconv"
)

// JSON returns a valid JSON value with at most depth levels of nesting. It has white space in all
// permitted places, numbers in all forms, and strings with escapes. The names of an object are
// different. Some arrays and objects are long.
func JSON(r *rand.Rand, depth int) []byte {
	g := jsonText{r: r}
	g.value(depth)
	return g.out
}

type jsonText struct {
	r   *rand.Rand
	out []byte
}

func (g *jsonText) pick(choices ...string) {
	g.out = append(g.out, choices[g.r.IntN(len(choices))]...)
}

func (g *jsonText) space() { g.pick("", "", "", " ", "\n\t", "\r\n ") }

func (g *jsonText) value(depth int) {
	g.space()
	defer g.space()
	n := 9
	if depth <= 0 {
		n = 6
	}
	switch g.r.IntN(n) {
	case 0:
		g.pick("null", "true", "false")
	case 1, 2:
		g.number()
	case 3, 4, 5:
		g.text("")
	case 6, 7:
		g.out = append(g.out, '{')
		g.space()
		for i := range g.length() {
			if i > 0 {
				g.out = append(g.out, ',')
			}
			g.space()
			g.text(strconv.Itoa(i))
			g.space()
			g.out = append(g.out, ':')
			g.value(depth - 1)
		}
		g.out = append(g.out, '}')
	default:
		g.out = append(g.out, '[')
		g.space()
		for i := range g.length() {
			if i > 0 {
				g.out = append(g.out, ',')
			}
			g.value(depth - 1)
		}
		g.out = append(g.out, ']')
	}
}

// length returns the length of an array or object: mostly a few, sometimes more than a hundred.
func (g *jsonText) length() int {
	if g.r.IntN(40) == 0 {
		return 90 + g.r.IntN(30)
	}
	return g.r.IntN(5)
}

func (g *jsonText) number() {
	g.pick("", "-")
	g.pick("0", "7", "12", "9007199254740993", "100000000000000000000")
	g.pick("", "", ".5", ".000", ".141592653589793")
	g.pick("", "", "e3", "E-2", "e+05")
}

// text appends a string that ends with suffix.
func (g *jsonText) text(suffix string) {
	g.out = append(g.out, '"')
	for range g.r.IntN(4) {
		g.pick("a", "name", "~", "/", "ä", "日本", "😀", `\"`, `\\`, `\/`, `\n`, `\u00e4`, `\ud83d\ude00`, "<&>", "\u2028", "\x7f")
	}
	g.out = append(g.out, suffix...)
	g.out = append(g.out, '"')
}
