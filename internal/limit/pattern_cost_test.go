package limit

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hone-go/hone/shape"
)

// TestWidth computes the work of patterns with few and with many current instructions. The width
// must be in the listed range.
func TestWidth(t *testing.T) {
	for _, test := range []struct {
		pattern     string
		least, most int
	}{
		{`^[0-9a-f]{64}$`, 2, 6},
		{`^[a-z]+$`, 2, 6},
		{`^[^a]*$`, 2, 6},
		{`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`, 2, 6},
		{`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`, 2, 16},
		{`^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`, 2, 32},
		{`^\p{L}[\p{L}\p{M}' -]*$`, 2, 600}, // has too many classes of characters for the subset construction
		{`^[a-z0-9]+(-[a-z0-9]+)*$`, 2, 16},
		{`a`, 2, 6},
		{``, 1, 2},
		{`(?i)straße|kelvin`, 2, 32},
		{`^([a-z]+[0-9]?){1,100}$`, 300, 1000},
		{`(a?){50}a{50}`, 100, 1000},
		{`.*.*.*x`, 4, 32},
	} {
		w, err := workOf(test.pattern)
		if err != nil || w.width < test.least || w.width > test.most {
			t.Errorf("%s: %v, want %d to %d (%v)", test.pattern, w, test.least, test.most, err)
		}
	}
}

// TestWorkBounds runs the automata of patterns over random strings. No string may take more steps
// than the work of its pattern.
func TestWorkBounds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	atoms := []string{"a", "b", "[a-c]", "[^a]", ".", `\d`, `\pL`, "(?i:k)", "ß", "^", "$", `\b`, "ab", "[[:upper:]]"}
	repeats := []string{"", "", "*", "+", "?", "{2}", "{1,5}", "*?", "{0,3}"}
	var expression func(depth int) string
	expression = func(depth int) string {
		var b strings.Builder
		for range 1 + random.IntN(3) {
			if depth > 0 && random.IntN(3) == 0 {
				b.WriteString("(" + expression(depth-1) + "|" + expression(depth-1) + ")" + repeats[random.IntN(len(repeats))])
			} else {
				b.WriteString(atoms[random.IntN(len(atoms))])
				if !strings.ContainsAny(b.String()[b.Len()-1:], "^$*+?") {
					b.WriteString(repeats[random.IntN(len(repeats))])
				}
			}
		}
		return b.String()
	}
	letters := []rune("aabbcdkK\u212a0X ßé\n\U0001f600" + string(utf8.RuneError))
	tried := 0
	for range 1500 {
		pattern := expression(3)
		if random.IntN(2) == 0 {
			pattern = "^(" + pattern + ")$"
		}
		if _, err := regexp.Compile(pattern); err != nil {
			continue
		}
		w, err := workOf(pattern)
		if err != nil {
			t.Fatal(pattern, err)
		}
		text := make([]rune, random.IntN(100))
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		if got := stepsTaken(t, pattern, text); got > w.steps(len(text)) {
			t.Errorf("%s on %q takes %d steps, more than %d", pattern, string(text), got, w.steps(len(text)))
		}
		tried++
	}
	if tried < 1000 {
		t.Errorf("only %d patterns are valid", tried)
	}
}

// stepsTaken runs the automaton of pattern over text, and returns the sum of the instructions that are
// visited before each character.
func stepsTaken(t *testing.T, pattern string, text []rune) (steps int) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		t.Fatal(err)
	}
	var reached []int
	var reach func(pc, at int)
	reach = func(pc, at int) {
		if slices.Contains(reached, pc) {
			return
		}
		reached = append(reached, pc)
		inst := &prog.Inst[pc]
		before, after := rune(-1), rune(-1)
		if at > 0 {
			before = text[at-1]
		}
		if at < len(text) {
			after = text[at]
		}
		switch inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			reach(int(inst.Out), at)
			reach(int(inst.Arg), at)
		case syntax.InstCapture, syntax.InstNop:
			reach(int(inst.Out), at)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^syntax.EmptyOpContext(before, after) == 0 {
				reach(int(inst.Out), at)
			}
		}
	}
	var next []int
	for at := range max(len(text), 1) {
		reached = nil
		for _, pc := range append(next, prog.Start) {
			reach(pc, at)
		}
		steps += len(reached)
		next = nil
		for _, pc := range reached {
			inst := &prog.Inst[pc]
			switch inst.Op {
			case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
				if at < len(text) && inst.MatchRune(text[at]) {
					next = append(next, int(inst.Out))
				}
			}
		}
	}
	return steps
}

// TestBudget checks lists of short strings. The check ends at the string for which the budget does not
// suffice.
func TestBudget(t *testing.T) {
	type costly struct {
		List []string `json:"list" pattern:"^([a-z]+[0-9]?){1,100}$"`
	}
	type simple struct {
		List []string `json:"list" pattern:"^[a-z]+$"`
	}
	check := func(s *shape.Shape, v any, b *Budget) []Violation {
		program, err := Body(s)
		if err != nil {
			t.Fatal(err)
		}
		return program.Check(v, b)
	}
	list := slices.Repeat([]string{strings.Repeat("a", MaxMatched)}, 63)
	b := NewBudget(0)
	found := check(shape.For[costly](), &costly{list}, &b)
	if len(found) != 1 || !strings.Contains(found[0].Detail, "take too long to match") {
		t.Errorf("a pattern that takes long: %v", found)
	}
	if found := check(shape.For[costly](), &costly{[]string{"a"}}, &b); len(found) != 1 {
		t.Errorf("after the budget is spent: %v", found)
	}
	b = NewBudget(0)
	if found := check(shape.For[simple](), &simple{list}, &b); found != nil {
		t.Errorf("a simple pattern: %v", found)
	}
	b = NewBudget(1 << 62)
	if found := check(shape.For[costly](), &costly{list[:2]}, &b); found != nil {
		t.Errorf("a large body: %v", found)
	}
}
