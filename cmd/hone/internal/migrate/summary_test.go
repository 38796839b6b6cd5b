package migrate

import (
	"strings"
	"testing"
)

// TestSummaryNotBuilt checks that the summary lists packages that do not build separately from tests that differ.
// It has the messages about each cause once.
func TestSummaryNotBuilt(t *testing.T) {
	trial := &Trial{
		Differences: []Difference{{Package: "example.com/b", Test: "TestFails", Before: "pass", After: "fail", Output: "--- FAIL: TestFails"}},
		NotBuilt: []NotBuilt{
			{Package: "example.com/c", When: whenBefore, Cause: "example.com/c", Tests: 3, Output: "c/c.go:1:2: undefined: c\n"},
			{Package: "example.com/a", When: whenAfter, Cause: "example.com/a", Tests: 1, Output: "a/a.go:3:4: undefined: b\na/a.go:5:6: undefined: c\n"},
			{Package: "example.com/cmd", When: whenAfter, Cause: "example.com/a"},
			{Package: "example.com/d", When: whenAfter, Cause: "example.com/d", Tests: 2, GoLine: true, Output: "d/d.go:3:4: non-constant format string\n"},
		},
	}
	want := `tests before: 0 passed, 0 failed, 0 skipped
tests after: 0 passed, 0 failed, 0 skipped
  example.com/b TestFails: pass before, fail after
    | --- FAIL: TestFails
these packages do not build before the change, so their tests were not compared:
  example.com/c: 3 tests
    | c/c.go:1:2: undefined: c
these packages do not build after the change, so their tests were not compared:
  example.com/a: 1 test
    | a/a.go:3:4: undefined: b
    | a/a.go:5:6: undefined: c
  example.com/cmd: 0 tests, because of example.com/a
  example.com/d: 2 tests, because of the go line of go.mod, not of Hone
    | d/d.go:3:4: non-constant format string
1 other test differs
`
	if got, want := trial.Reason(), "1 test differs and 3 packages do not build"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	fixed := Trial{NotBuilt: trial.NotBuilt[:1]}
	if fixed.Differs() || !trial.Differs() {
		t.Error("a package that builds only after the change makes a difference, or another does not")
	}
	var b strings.Builder
	trial.Summary(&b)
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestSummaryStays checks that a reason is printed once, above all files that it concerns, in the order of
// the files. The files that share types with a package come after the files that have the reason themselves.
func TestSummaryStays(t *testing.T) {
	const long, short, guard = "in deep/d.go: cannot use x as y", "the file is generated", "guard is built for Echo v4"
	c := &Change{m: &module{}, Files: []File{
		{Name: "a.go", Stays: []Stay{{Import: "echo", Reason: guard, Use: "guard.Check", Location: Location{Where: "z/z.go:4"}, Shares: "example.com/z"}}},
		{Name: "b.go", Stays: []Stay{{Import: "json", Reason: long, Location: Location{Where: "deep/d.go:3"}}, {Import: "mo", Reason: short}, {Import: "mo/either", Reason: short}}},
		{Name: "c.go", Stays: []Stay{{Import: "echo", Reason: guard, Use: "guard.Check", Location: Location{Where: "z/z.go:4"}, Shares: "example.com/z"}}},
		{Name: "deep/d.go", Stays: []Stay{{Import: "json", Reason: "cannot use x as y", Location: Location{Where: "deep/d.go:3"}}}},
		{Name: "e.go", Stays: []Stay{{Import: "mo", Reason: short}}},
		{Name: "y/y.go", Stays: []Stay{{Import: "echo", Reason: guard, Use: "guard.New", Location: Location{Where: "y/y.go:7"}}}},
		{Name: "z/y.go", Stays: []Stay{{Import: "echo", Reason: guard, Use: "guard.Check", Location: Location{Where: "z/z.go:4"}}}},
		{Name: "z/z.go", Stays: []Stay{{Import: "echo", Reason: guard, Use: "guard.Check", Location: Location{Where: "z/z.go:4"}}}},
	}}
	want := `these imports stay:
  guard is built for Echo v4
    y/y.go:7: echo, because of guard.New
    z/y.go: echo, because of guard.Check in z/z.go:4
    z/z.go:4: echo, because of guard.Check
    the package shares types with example.com/z, which uses guard.Check in z/z.go:4
      a.go: echo
      c.go: echo
  cannot use x as y
    b.go: json, because of deep/d.go:3
    deep/d.go:3: json
  the file is generated
    b.go: mo, mo/either
    e.go: mo
`
	want += "no import changes: see the reasons\n"
	if got := summary(c, false); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
