package migrate

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

// notBuiltFiles is a module in which package bad does not compile after the change, and package differ has a
// test with another result. Each run of tests adds the name of the package to the file $HONE_TEST_RUNS. The
// rewriting removes lines above the lines with the comment "here".
const notBuiltFiles = `
-- go.mod --
module example.com/app

go 1.26.0

require github.com/labstack/echo/v4 v4.16.0

replace github.com/labstack/echo/v4 => ./echo
-- echo/go.mod --
module github.com/labstack/echo/v4

go 1.26.0
-- echo/echo.go --
package echo

type Echo struct{ HideBanner bool }

type Context interface{ JSON(int, any) error }

func New() *Echo { return &Echo{} }

func Gone() int { return 1 }
-- echo/middleware/m.go --
package middleware
-- runs/runs.go --
// Package runs counts the runs of tests.
package runs

import (
	"os"
	"testing"
)

// Main runs the tests of a package.
func Main(m *testing.M, name string) {
	f, err := os.OpenFile(os.Getenv("HONE_TEST_RUNS"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		panic(err)
	}
	if _, err := f.WriteString(name + "\n"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
-- bad/bad.go --
package bad

import "github.com/labstack/echo/v4"

// New returns an Echo.
func New() *echo.Echo {
	e := echo.New()
	e.HideBanner = true
	e.HideBanner = false
	return e
}

// Gone is not in package web.
var Gone = echo.Gone() // here
-- bad/bad_test.go --
package bad

import (
	"testing"

	"example.com/app/runs"
)

func TestMain(m *testing.M) { runs.Main(m, "bad") }

func TestOne(t *testing.T) { _ = New() }

func TestTwo(t *testing.T) {}
-- uses/uses.go --
package uses

import "example.com/app/bad"

// Gone is not in package web.
var Gone = bad.Gone
-- uses/uses_test.go --
package uses

import (
	"testing"

	"example.com/app/runs"
)

func TestMain(m *testing.M) { runs.Main(m, "uses") }

func TestUses(t *testing.T) {}
-- cmd/main.go --
package main

import _ "example.com/app/uses"

func main() {}
-- differ/differ.go --
package differ
-- differ/differ_test.go --
package differ

import (
	"reflect"
	"testing"

	"example.com/app/runs"
	"github.com/labstack/echo/v4"
)

func TestMain(m *testing.M) { runs.Main(m, "differ") }

func TestSame(t *testing.T) {
	e := echo.New()
	e.HideBanner = true
	_ = e
}

func TestPath(t *testing.T) {
	if reflect.TypeFor[echo.Echo]().PkgPath() != "github.com/labstack/echo/v4" {
		t.Error("other") // here
	}
}
-- good/good.go --
package good

import "github.com/labstack/echo/v4"

// Hello answers.
func Hello(c echo.Context) error { return c.JSON(200, 1) }
-- good/good_test.go --
package good

import (
	"testing"

	"example.com/app/runs"
)

func TestMain(m *testing.M) { runs.Main(m, "good") }

func TestGood(t *testing.T) {}
`

// lineOf returns the number of the line with the comment "here" in a file.
func lineOf(t *testing.T, a *txtar.Archive, name string) string {
	t.Helper()
	before, _, ok := strings.Cut(section(a, name), "// here")
	if !ok {
		t.Fatalf("%s has no comment here", name)
	}
	return strconv.Itoa(strings.Count(before, "\n") + 1)
}

// TestTryNotBuilt tests a change after which a package does not build. The package's tests
// run once, before the change. The result has the messages of the compiler once, with
// positions in the files before the change.
func TestTryNotBuilt(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	runs := filepath.Join(t.TempDir(), "runs")
	t.Setenv("HONE_TEST_RUNS", runs)
	a := txtar.Parse([]byte(notBuiltFiles))
	dir, _ := unpack(t, a)
	c := prepare(t, Options{Dir: dir, From: "echo/v4"})
	var steps []string
	trial, err := c.Try(t.Context(), func(format string, _ ...any) { steps = append(steps, format) })
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(runs)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"bad": 1, "uses": 1, "good": 2, "differ": 4} {
		if n := strings.Count(string(data), name+"\n"); n != want {
			t.Errorf("the tests of %s ran %d times, want %d", name, n, want)
		}
	}
	if !slices.Contains(steps, "running the tests that differ again") {
		t.Errorf("steps: %q", steps)
	}
	if trial.After.Pass != 2 || len(trial.NotBuilt) != 3 || !trial.Differs() {
		t.Fatalf("%+v", trial)
	}
	for i, want := range []NotBuilt{
		{Package: "example.com/app/bad", Tests: 2, Output: "bad/bad.go:" + lineOf(t, a, "bad/bad.go") + ":17: undefined: echo.Gone\n"},
		{Package: "example.com/app/cmd"},
		{Package: "example.com/app/uses", Tests: 1},
	} {
		want.When, want.Cause = whenAfter, "example.com/app/bad"
		if got := trial.NotBuilt[i]; got != want {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
	}
	want := "differ_test.go:" + lineOf(t, a, "differ/differ_test.go") + ": other"
	if d := trial.Differences; len(d) != 1 || d[0].Test != "TestPath" || !strings.Contains(d[0].Output, want) {
		t.Errorf("want %s in %+v", want, d)
	}
	text := summary(c, false)
	if want := "  bad/bad.go:" + lineOf(t, a, "bad/bad.go") + ":17: this does not compile with Hone: undefined: echo.Gone\n"; !strings.Contains(text, want) {
		t.Errorf("%s\nwithout %s", text, want)
	}
}

// TestOutputPositions maps the positions in outputs to the files before the change.
func TestOutputPositions(t *testing.T) {
	c := &Change{m: &module{path: "example.com/app", root: filepath.FromSlash("/home/app")}, Files: []File{
		{Name: "app.go", text: text{[]byte("package app\n\nvar a = 1\n"), []byte("package app\n\nimport \"os\"\n\nvar a = 1\n\nvar b = os.Args\n")}},
		{Name: "deep/same.go", text: text{[]byte("package deep\n"), []byte("package deep\n")}},
		{Name: "deep/d_test.go", text: text{[]byte("a()\nb()\nc(x)\n"), []byte("a()\nc(y, x)\n")}},
	}}
	m := outputMap{c, map[string]*alignment{}}
	for _, x := range []struct{ pkg, text, want string }{
		{"example.com/app", "./app.go:5:5: undefined: a", "./app.go:3:5: undefined: a"},
		{"example.com/app", "app.go:7:9: undefined: os", "app.go:3 (new code after this line): undefined: os"},
		{"example.com/app/deep", "app.go:5: another file", "app.go:5: another file"},
		{"example.com/app/deep", "    d_test.go:2: failed", "    d_test.go:3: failed"},
		{"example.com/app/deep", "deep/d_test.go:2:6: x (app.go:5)", "deep/d_test.go:3:3: x (app.go:5)"},
		{"example.com/app/deep", "\t/home/app/deep/d_test.go:2 +0x1d", "\t/home/app/deep/d_test.go:3 +0x1d"},
		{"example.com/app/deep", "/home/other/deep/d_test.go:2", "/home/other/deep/d_test.go:2"},
		{"example.com/app/deep", "deep/same.go:9:1: x", "deep/same.go:9:1: x"},
	} {
		if got := m.text(x.pkg, x.text); got != x.want {
			t.Errorf("%s: %q: got %q, want %q", x.pkg, x.text, got, x.want)
		}
	}
}
