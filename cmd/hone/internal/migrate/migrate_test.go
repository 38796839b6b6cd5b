package migrate

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

// update makes each case in testdata record its result as the expected one.
var update = os.Getenv("HONE_UPDATE") != ""

// TestMain makes all tests share the types of the standard library and of Hone, which take most of the time of a
// small module. TestMemory has a cache of its own.
//
// TestMain also sets the environment of the go command that most tests need, so that they can run in
// parallel. The garbage collector takes a third of the time of type checks and compilations, so it
// runs less often, unless GOGC is set.
func TestMain(m *testing.M) {
	environment := map[string]string{"GOWORK": "off", "GOFLAGS": ""}
	if os.Getenv("GOGC") == "" {
		environment["GOGC"] = "400"
		debug.SetGCPercent(400)
	}
	for name, value := range environment {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	shared := emptyDependencies()
	newDependencies = func() *dependencyCache { return shared }
	os.Exit(m.Run())
}

// checkout is this repository, which the cases require as Hone.
func checkout(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Each case is a module, the options and the expected result:
//
//	the comment: lines of options, such as "only json"
//	-- want --    the diff and the summary, or the error
//	-- link --    lines "NAME TARGET" of symbolic links
//	-- FILE --    the module; the lines of a FILE.crlf end in CR LF
func TestCases(t *testing.T) {
	testkit.SkipInVariant(t)
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal(err, len(cases))
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			if strings.Contains(file, "workspace") {
				t.Setenv("GOWORK", "")
			} else {
				t.Parallel()
			}
			testCase(t, file)
		})
	}
}

func testCase(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir, want := unpack(t, a)
	o, expect := options(t, string(a.Comment), dir)
	o.Hone, o.Progress = checkout(t), t.Logf
	before := read(t, dir)
	c, err := Prepare(t.Context(), t.TempDir(), o)
	if err == nil && expect["vet"] {
		err = c.vetGoLine(o.Progress)
	}
	var got string
	if err != nil {
		got = "error: " + err.Error() + "\n"
	} else {
		var b bytes.Buffer
		b.WriteString(c.Diff())
		c.Summary(&b, false)
		got = b.String()
		requireRules(t, c)
	}
	got = strings.ReplaceAll(got, checkout(t), "HONE")
	got = strings.ReplaceAll(got, dir, "DIR")
	got = strings.ReplaceAll(got, "\r", "␍")
	if got != want {
		if update {
			set(a, got)
			if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		} else {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	requireSame(t, "looking", before, read(t, dir))
	if err != nil || expect["once"] {
		return
	}

	// The changed module compiles. A second run changes nothing, and reverting restores the original files.
	if err := c.Write(); err != nil {
		t.Fatal(err)
	}
	written := read(t, dir)
	if !expect["broken"] {
		args := []string{"build", "./..."}
		if out, errs, err := (&module{ctx: t.Context()}).start(dir, args...); err != nil {
			t.Errorf("after the change: %s%s%v", out, errs, err)
		}
	}
	second, err := Prepare(t.Context(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !second.Nothing() {
		t.Errorf("a second run changes\n%s", second.Diff())
	}
	if err := second.Write(); err != nil {
		t.Fatal(err)
	}
	requireSame(t, "a second run", written, read(t, dir))
	back, err := Prepare(t.Context(), t.TempDir(), Options{Dir: dir, Revert: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Write(); err != nil {
		t.Fatal(err)
	}
	requireSame(t, "a revert", before, read(t, dir))
	if expect["journal"] || len(c.copies) > 0 {
		return
	}

	// Without the journal, a revert restores the Go files too.
	if err := c.Write(); err == nil {
		if err := os.Remove(filepath.Join(dir, journalName)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		back, err := Prepare(t.Context(), t.TempDir(), Options{Dir: dir, Revert: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := back.Write(); err != nil {
			t.Fatal(err)
		}
		goFiles := func(m map[string]string) map[string]string {
			m = maps.Clone(m)
			maps.DeleteFunc(m, func(name, _ string) bool { return !strings.HasSuffix(name, ".go") })
			return m
		}
		requireSame(t, "a revert without the journal", goFiles(before), goFiles(read(t, dir)))
	} else {
		t.Error(err)
	}
}

// requireRules requires that all diagnostics name a rule.
func requireRules(t *testing.T, c *Change) {
	t.Helper()
	for _, f := range c.Files {
		for _, s := range f.Stays {
			if !slices.Contains(diagnostics, s.Rule) {
				t.Errorf("the rule of %s in %s is %q", s.Import, f.Name, s.Rule)
			}
		}
	}
	for _, w := range c.Warnings {
		if !slices.Contains(diagnostics, w.Rule) {
			t.Errorf("the rule of %q is %q", w.Text, w.Rule)
		}
	}
}

// options reads the lines in front of a case.
func options(t *testing.T, comment, dir string) (Options, map[string]bool) {
	o, expect := Options{Dir: dir}, map[string]bool{}
	for line := range strings.Lines(comment) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		switch f[0] {
		case "only":
			o.Only = append(o.Only, f[1:]...)
		case "skip":
			o.Skip = append(o.Skip, f[1:]...)
		case "packages":
			o.Patterns = f[1:]
		case "deps":
			o.Deps = f[1:]
		case "generated":
			o.Generated = true
		case "in":
			o.Dir = filepath.Join(dir, f[1])
		case "expect":
			for _, w := range f[1:] {
				expect[w] = true
			}
		default:
			t.Fatalf("what is the option %q?", f[0])
		}
	}
	return o, expect
}

// unpack writes the files of a case.
func unpack(t *testing.T, a *txtar.Archive) (dir, want string) {
	dir = t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	dir = real
	links := ""
	for _, f := range a.Files {
		data := f.Data
		switch f.Name {
		case "want":
			want = string(data)
			continue
		case "link":
			links = string(data)
			continue
		}
		name, crlf := strings.CutSuffix(f.Name, ".crlf")
		if crlf {
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		}
		path := filepath.Join(dir, name)
		mode := fs.FileMode(0o644)
		if strings.Contains(name, "mode600") {
			mode = 0o600
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, mode); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(links) {
		f := strings.Fields(line)
		if err := os.Symlink(f[1], filepath.Join(dir, f[0])); err != nil {
			t.Skip(err)
		}
	}
	return dir, want
}

func set(a *txtar.Archive, want string) {
	for i := range a.Files {
		if a.Files[i].Name == "want" {
			a.Files[i].Data = []byte(want)
			return
		}
	}
	a.Files = append([]txtar.File{{Name: "want", Data: []byte(want)}}, a.Files...)
}

// read returns the files of a folder with their modes.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			files[strings.TrimPrefix(path, dir+"/")] = "link to " + to
			return err
		}
		data, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir+"/")] = info.Mode().String() + "\n" + string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// requireSame compares two readings of a folder.
func requireSame(t *testing.T, what string, a, b map[string]string) {
	t.Helper()
	for name := range b {
		if _, ok := a[name]; !ok {
			t.Errorf("after %s there is %s", what, name)
		}
	}
	for name := range a {
		if got, ok := b[name]; !ok {
			t.Errorf("after %s there is no %s", what, name)
		} else if got != a[name] {
			t.Errorf("after %s %s differs:\n%s", what, name, Diff("before", "after", []byte(a[name]), []byte(got)))
		}
	}
}

// The counts of a step grow to the number of packages.
func TestCount(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(revertFiles)))
	calls, ends, last, before := 0, 0, -1, 0.0
	prepare(t, Options{Dir: dir, Count: func(done, total int, part float64) {
		calls++
		if done < last || part < before || part > 1 || (done == total) != (part == 1) && done == total {
			t.Errorf("%d of %d packages, part %v of the work, after %d and %v", done, total, part, last, before)
		}
		last, before = done, part
		if done == total {
			ends++
			last, before = -1, 0
		}
	}})
	if ends < 2 || calls < 20*ends {
		t.Errorf("%d counts in %d checks", calls, ends)
	}
}

// If the context is canceled, Prepare returns an error.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Prepare(ctx, t.TempDir(), Options{Dir: t.TempDir()}); err == nil {
		t.Error("no error")
	}
}
