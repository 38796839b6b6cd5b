package migrate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

// echo4Module unpacks a program for Echo v4 and completes its go.mod. The test is skipped if Echo
// cannot be downloaded.
func echo4Module(t *testing.T, name string) (dir string, a *txtar.Archive) {
	t.Helper()
	testkit.SkipInVariant(t)
	if testing.Short() {
		t.Skip("-short: modules are downloaded, and tests run")
	}
	a, err := txtar.ParseFile(filepath.Join("testdata", "echo4", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := *a
	files.Files = nil
	for _, f := range a.Files {
		switch f.Name {
		case "want", "force", "written":
		default:
			files.Files = append(files.Files, f)
		}
	}
	dir, _ = unpack(t, &files)
	if out, errs, err := (&module{ctx: t.Context()}).start(dir, "mod", "tidy"); err != nil {
		if os.Getenv("HONE_REQUIRE_SERVICES") != "" {
			t.Fatalf("%s%s%v", out, errs, err)
		}
		t.Skipf("Echo v4 cannot be downloaded: %s%s", out, errs)
	}
	return dir, a
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// summary returns the summary that hone migrate prints after the diff.
func summary(c *Change, written bool) string {
	var b bytes.Buffer
	c.Summary(&b, written)
	return b.String()
}

// The program's own tests pass after the change, and -revert undoes the change.
func TestEcho4Program(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	t.Parallel()
	dir, _ := echo4Module(t, "crud")
	before := read(t, dir)
	c := prepare(t, Options{Dir: dir, From: "echo/v4"})
	if text := summary(c, false); strings.Contains(text, "these places need your edits") || strings.Contains(text, "stay") {
		t.Errorf("the summary has places or imports that stay:\n%s", text)
	}
	trial, err := c.Try(t.Context(), func(string, ...any) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range trial.Differences {
		t.Errorf("%s %s: %q before, %q after\n%s", d.Package, d.Test, d.Before, d.After, d.Output)
	}
	for _, n := range trial.NotBuilt {
		t.Errorf("%s does not build %s the change:\n%s", n.Package, n.When, n.Output)
	}
	if trial.Before.Pass != 2 || trial.After.Pass != 2 {
		t.Errorf("tests: %+v before, %+v after", trial.Before, trial.After)
	}
	writeChange(t, c)
	if out, errs, err := (&module{ctx: t.Context()}).start(dir, "vet", "./..."); err != nil {
		t.Errorf("go vet: %s%s", out, errs)
	}
	if mod := read(t, dir)["go.mod"]; strings.Contains(mod, "labstack") {
		t.Errorf("go.mod still requires Echo:\n%s", mod)
	}
	if again := prepare(t, Options{Dir: dir, From: "echo/v4"}); !again.Nothing() {
		t.Errorf("a second run changes\n%s", again.Diff())
	}
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
	requireSame(t, "a revert", before, read(t, dir))
}

// Without -from the program does not change, and a note names the flag.
func TestEcho4Note(t *testing.T) {
	t.Parallel()
	dir, _ := echo4Module(t, "listed")
	text := summary(prepare(t, Options{Dir: dir}), false)
	if want := "note: 1 file imports github.com/labstack/echo/v4, whose API differs from Hone's: hone migrate -from echo/v4 rewrites the code\nno import changes: see the notes\n"; text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// Code that cannot be rewritten is listed with its position. Without -w this is the position before
// the change, and with -w the position after the change.
func TestEcho4Listed(t *testing.T) {
	t.Parallel()
	dir, a := echo4Module(t, "listed")
	before := read(t, dir)
	c := prepare(t, Options{Dir: dir, From: "echo/v4"})
	want(t, a, "listed", "want", summary(c, false))
	writeChange(t, c)
	text := summary(c, true)
	want(t, a, "listed", "written", text)
	for line := range strings.Lines(text) {
		// At each listed position the file has the listed name.
		if strings.HasPrefix(line, "these places compile") {
			break
		}
		place, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		f := strings.Split(place, ":")
		if !ok || len(f) != 3 || strings.HasPrefix(rest, "this does not compile") {
			continue
		}
		name, _, _ := strings.Cut(rest, ":")
		name = name[strings.LastIndexByte(name, '.')+1:]
		row, column := number(t, f[1]), number(t, f[2])
		lines := strings.Split(read(t, dir)[f[0]], "\n")
		if row >= len(lines) || !strings.HasPrefix(lines[row][column-1:], name) { // the first line of the file is its mode
			t.Errorf("%s has no %s", place, name)
		}
	}
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
	requireSame(t, "a revert", before, read(t, dir))
}

func number(t *testing.T, s string) int {
	n := 0
	for _, d := range []byte(s) {
		if d < '0' || d > '9' {
			t.Fatalf("%q is not a number", s)
		}
		n = 10*n + int(d-'0')
	}
	return n
}

// want compares a text with a section of a case.
func want(t *testing.T, a *txtar.Archive, file, name, got string) {
	t.Helper()
	if update {
		for i := range a.Files {
			if a.Files[i].Name == name {
				a.Files[i].Data = []byte(got)
			}
		}
		if err := os.WriteFile(filepath.Join("testdata", "echo4", file+".txtar"), txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if expect := section(a, name); got != expect {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, expect)
	}
}

// Packages that use a module for Echo v4 do not change, and packages that share Echo's types with
// them do not change either. With -force they change.
func TestEcho4Held(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	t.Parallel()
	dir, a := echo4Module(t, "held")
	c := prepare(t, Options{Dir: dir, From: "echo/v4"})
	want(t, a, "held", "want", summary(c, false))
	want(t, a, "held", "force", summary(prepare(t, Options{Dir: dir, From: "echo/v4", Force: true}), false))
	before := read(t, dir)
	writeChange(t, c)
	if out, errs, err := (&module{ctx: t.Context()}).start(dir, "build", "./..."); err != nil {
		t.Errorf("go build: %s%s", out, errs)
	}
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
	requireSame(t, "a revert", before, read(t, dir))
}

// Other imports are changed in a separate run, before or after the run that rewrites Echo. One
// -revert undoes both runs.
func TestEcho4AndJSON(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	t.Parallel()
	for _, order := range [][]string{{"echo/v4", ""}, {"", "echo/v4"}} {
		dir, _ := echo4Module(t, "two")
		before := read(t, dir)
		for _, from := range order {
			writeChange(t, prepare(t, Options{Dir: dir, From: from}))
		}
		if out, errs, err := (&module{ctx: t.Context()}).start(dir, "build", "./..."); err != nil {
			t.Errorf("go build: %s%s", out, errs)
		}
		for name, text := range read(t, dir) {
			if strings.HasSuffix(name, ".go") && (strings.Contains(text, "encoding/json") || strings.Contains(text, "labstack")) {
				t.Errorf("%q: %s has imports that should have moved:\n%s", order, name, text)
			}
		}
		writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
		requireSame(t, "a revert", before, read(t, dir))
	}
}

// -revert refuses to restore code that was edited after the change.
func TestEcho4RevertEdited(t *testing.T) {
	t.Parallel()
	dir, _ := echo4Module(t, "listed")
	writeChange(t, prepare(t, Options{Dir: dir, From: "echo/v4"}))
	if _, err := Prepare(t.Context(), t.TempDir(), Options{Dir: dir, Revert: true, Only: []string{"echo"}}); err == nil || !strings.Contains(err.Error(), "as a whole") {
		t.Errorf("a part: %v", err)
	}
	edit1(t, filepath.Join(dir, "app.go"), "// New makes an app.", "// New makes it.")
	if _, err := Prepare(t.Context(), t.TempDir(), Options{Dir: dir, Revert: true}); err == nil || !strings.Contains(err.Error(), "app.go was edited") {
		t.Errorf("an edit: %v", err)
	}
}

func TestEcho4Options(t *testing.T) {
	t.Parallel()
	dir, _ := echo4Module(t, "listed")
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{From: "echo/v3"}, "the possible values are echo/v4 and go-json-experiment"},
		{Options{From: "echo/v4", Only: []string{"json"}}, "so -only and -skip must be files or packages"},
	} {
		c.o.Dir, c.o.Hone = dir, checkout(t)
		if _, err := Prepare(t.Context(), t.TempDir(), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	// If one file is left out, its whole package stays.
	c := prepare(t, Options{Dir: dir, From: "echo/v4", Skip: []string{"app.go"}})
	if !c.Nothing() {
		t.Errorf("a file that is left out changes:\n%s", c.Diff())
	}
}
