package migrate

import (
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

// TestWrittenPositions checks that the positions of warnings and of imports that stay are at the same code
// before the change and after it. The comments of hone migrate and the order of imports move that code.
func TestWrittenPositions(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	moved := 0
	for name, want := range map[string]int{"stays": 4, "warnings_from": 10} {
		a, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		dir, _ := unpack(t, a)
		o, _ := options(t, string(a.Comment), dir)
		before := read(t, dir)
		c := prepare(t, o)
		writeChange(t, c)
		after := read(t, dir)
		var list []Location
		for _, f := range c.Files {
			for _, s := range f.Stays {
				if s.Where != "" {
					list = append(list, s.Location)
				}
			}
		}
		for _, w := range c.Warnings {
			list = append(list, w.Location, w.Import.Location)
		}
		for _, l := range list {
			if l.Where != l.Written {
				moved++
			}
			if was, is := lineAt(t, before, l.Where), lineAt(t, after, l.Written); was != is || l.New {
				t.Errorf("%s: %+v: %q before, %q after", name, l, was, is)
			}
		}
		if len(list) != want {
			t.Errorf("%s: %d positions, want %d: %+v", name, len(list), want, list)
		}
	}
	if moved == 0 {
		t.Error("no position moved, so the test shows nothing")
	}
}

// lineAt returns the line of a position in the result of read. In this result the first line of each file
// is the mode of the file.
func lineAt(t *testing.T, files map[string]string, where string) string {
	t.Helper()
	name, row, _ := strings.Cut(where, ":")
	n, err := strconv.Atoi(row)
	if lines := strings.Split(files[name], "\n"); err == nil && n < len(lines) {
		return lines[n]
	}
	t.Errorf("no line %s", where)
	return ""
}
