package migrate

import (
	"slices"
	"testing"
)

// TestSortWarnings sorts warnings by file, line and column as numbers, and removes duplicates.
func TestSortWarnings(t *testing.T) {
	at := func(name string, line, column int, text string) Warning {
		return Warning{at: position{name: name, line: line, column: column}, Text: text}
	}
	var got []string
	for _, w := range sortWarnings([]Warning{
		at("b.go", 100, 2, "x"), at("b.go", 27, 10, "x"), at("b.go", 27, 9, "y"), at("b.go", 27, 9, "x"), at("a.go", 200, 0, "x"), at("b.go", 27, 10, "x"),
	}) {
		got = append(got, w.at.String()+" "+w.Text)
	}
	if want := []string{"a.go:200 x", "b.go:27:9 x", "b.go:27:9 y", "b.go:27:10 x", "b.go:100:2 x"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
