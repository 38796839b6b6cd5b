package migrate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// longest returns the length of a longest common subsequence, by the table of all pairs of prefixes.
func longest(a, b []string) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			table[i][j] = max(table[i+1][j], table[i][j+1])
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			}
		}
	}
	return table[0][0]
}

// TestMatches compares the number of pairs that matches returns with the result of longest, for random lists.
func TestMatches(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() []string {
		list := make([]string, random.IntN(12))
		for i := range list {
			list[i] = string('a' + rune(random.IntN(4)))
		}
		return list
	}
	for range 20_000 {
		a, b := text(), text()
		list := matches(a, b)
		last := [2]int{-1, -1}
		for _, m := range list {
			if m[0] <= last[0] || m[1] <= last[1] || a[m[0]] != b[m[1]] {
				t.Fatalf("%v %v: matches %v", a, b, list)
			}
			last = m
		}
		if want := longest(a, b); len(list) != want {
			t.Fatalf("%v %v: %d matches %v, want %d", a, b, len(list), list, want)
		}
	}
	// Texts with too many differences still match at their start and end.
	a, b := []string{"start"}, []string{"start"}
	for i := range maxEdits {
		a, b = append(a, "a"+strings.Repeat("x", i)), append(b, "b"+strings.Repeat("x", i))
	}
	if list := matches(append(a, "end"), append(b, "end")); !slices.Equal(list, [][2]int{{0, 0}, {maxEdits + 1, maxEdits + 1}}) {
		t.Errorf("%v", list)
	}
}

// TestAlign maps a position in a changed file to the file before the change. # marks the position in the new text,
// and the expected position in the old text. If the code is new, > marks the nearest line before it in the old text.
func TestAlign(t *testing.T) {
	for _, c := range []struct{ name, old, new string }{
		{"same line", "a\n\tb#()\n", "a\nx\n\tb#()\n"},
		{"moved down", "import \"a\"\n\nfunc f() { #g(1) }\n", "import (\n\t\"a\"\n\t\"b\"\n)\n\nfunc f() { #g(1) }\n"},
		{"moved up", "a := 1\nb := 2\nc := #a\n", "c := #a\n"},
		{"changed line", "func f(c echo.#Context) error {\n", "func f(c *echo.#Context) error {\n"},
		{"after a change", "\treturn next(#own{c})\n", "\treturn func(c *echo.Context) error { return next(#own{c}) }\n"},
		{"within a name", "\tfirst.sec#ond(1)\n", "\tanother.sec#ond(2)\n"},
		{"nested", "e.GET(\"/\", func(c C) {\n\tx := #y\n}).Name = \"a\"\n", "e.AddRoute(R{Handler: func(c *C) {\n\tx := #y\n}, Name: \"a\"})\n"},
		{"new line", "a := 1\n>b := 2\nc := 3\n", "a := 1\nb := 2\nif err := #run(); err != nil {\nc := 3\n"},
		{"new function", "package a\n\nfunc f() {\n>}\n", "package a\n\nfunc f() {\n}\n\n// g is new.\nfunc g() error { return #nil }\n"},
		{"new first line", ">package a\n", "#import \"x\"\npackage a\n"},
		{"end", "a\nb#", "x\na\nb#"},
	} {
		column := func(text string) (line, column int, rest string) {
			at := strings.IndexByte(text, '#')
			line, column = place([]byte(text), max(at, 0))
			return line, column, strings.Replace(text, "#", "", 1)
		}
		line, col, after := column(c.new)
		wantLine, wantColumn, before := column(c.old)
		found := true
		if i := strings.IndexByte(before, '>'); i >= 0 && (i == 0 || before[i-1] == '\n') {
			wantLine, _ = place([]byte(before), i)
			before, found, wantColumn = strings.Replace(before, ">", "", 1), false, 0
		}
		gotLine, gotColumn, ok := align([]byte(after), []byte(before)).find(line, col)
		if gotLine != wantLine || gotColumn != wantColumn || ok != found {
			t.Errorf("%s: got %d:%d, %v, want %d:%d, %v", c.name, gotLine, gotColumn, ok, wantLine, wantColumn, found)
		}
	}
}
