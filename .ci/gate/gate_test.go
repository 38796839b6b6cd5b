package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A clone is a repository of a test.
type clone struct {
	*repository
	t *testing.T
}

// newClone returns a repository with one commit and a workspace of two modules. Package b and the tests of package c
// import package a. Package c embeds a file of its folder page.
func newClone(t *testing.T) clone {
	t.Helper()
	t.Setenv("GOWORK", "") // the tests of this module run without a workspace
	c := clone{&repository{root: t.TempDir(), state: t.TempDir()}, t}
	c.run("git", "init", "--quiet", "--initial-branch=main")
	for name, text := range map[string]string{
		"go.work":              "go 1.26.2\n\nuse (\n\t.\n\t./other\n)\n",
		"go.mod":               "module example.org/m\n\ngo 1.26.0\n",
		"a/a.go":               "package a\n\n// F returns 1.\nfunc F() int { return 1 }\n",
		"a/a_test.go":          "package a\n\nimport \"testing\"\n\nfunc TestF(*testing.T) {}\n",
		"b/b.go":               "package b\n\nimport \"example.org/m/a\"\n\nvar V = a.F()\n",
		"c/c.go":               "package c\n\nimport _ \"embed\"\n\n//go:embed page/index.html\nvar Page string\n",
		"c/page/index.html":    "<p>",
		"c/c_test.go":          "package c_test\n\nimport _ \"example.org/m/a\"\n",
		"c/testdata/fuzz/F/01": "go test fuzz v1\n",
		"README.md":            "# M\n",
		"other/go.mod":         "module example.org/other\n\ngo 1.26.0\n",
		"other/other.go":       "package other\n",
	} {
		c.write(name, text)
	}
	c.commit("first")
	return c
}

func (c clone) run(name string, args ...string) string {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), name, args...)
	cmd.Dir = c.root
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	// The commits are four days old: the gate must not look at dates.
	date := time.Now().Add(-96 * time.Hour).Format(time.RFC3339)
	cmd.Env = append(cmd.Env, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c clone) write(name, text string) {
	c.t.Helper()
	name = filepath.Join(c.root, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// commit commits all files and returns the commit.
func (c clone) commit(subject string) string {
	c.t.Helper()
	c.run("git", "add", "--all")
	c.run("git", "commit", "--quiet", "--allow-empty", "-m", subject)
	return c.run("git", "rev-parse", "HEAD")
}

func (c clone) baseIs(want, reason string) {
	c.t.Helper()
	base, got, err := c.baseCommit(c.t.Context())
	if err != nil || base != want || !strings.Contains(got, reason) {
		c.t.Errorf("the base is %q, %q, %v; want %q, %q", base, got, err, want, reason)
	}
}

// TestBaseOfABranch: the base of a branch is its merge base with the target, however old its commits are.
func TestBaseOfABranch(t *testing.T) {
	c := newClone(t)
	shared := c.run("git", "rev-parse", "HEAD")
	c.run("git", "checkout", "--quiet", "-b", "change")
	c.write("a/a.go", "package a\n\nfunc F() int { return 2 }\n")
	c.commit("change")
	c.run("git", "checkout", "--quiet", "main")
	c.write("b/b.go", "package b\n")
	c.commit("main goes on")
	c.run("git", "checkout", "--quiet", "change")

	c.base = "main"
	c.baseIs(shared, "shares with main")
	c.run("git", "update-ref", "refs/remotes/origin/main", "main")
	c.base = ""
	c.baseIs(shared, "shares with origin/main")
	p, err := c.packages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := p.choose("changed"); !slices.Equal(got, []string{"example.org/m/a"}) {
		t.Errorf("changed: %v", got)
	}

	c.base = "none"
	c.baseIs("", "every package")
	c.base = "missing"
	if _, _, err := c.baseCommit(t.Context()); err == nil || !strings.Contains(err.Error(), `HONE_BASE is "missing"`) {
		t.Errorf("a base that does not exist: %v", err)
	}
	c.run("git", "checkout", "--quiet", "--orphan", "unrelated")
	c.commit("unrelated")
	c.base = "main"
	if _, _, err := c.baseCommit(t.Context()); err == nil || !strings.Contains(err.Error(), "no common history") {
		t.Errorf("an unrelated base: %v", err)
	}
}

// TestBaseOnMain: a commit of the target itself is compared with the last commit that passed before it.
func TestBaseOnMain(t *testing.T) {
	c := newClone(t)
	c.base = "main"
	c.baseIs("", "Every package")
	if err := c.recordGreen(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := c.run("git", "rev-parse", "HEAD")
	c.baseIs("", "Every package") // a repeated run is no shorter
	c.commit("second")
	c.baseIs(first, "all checks passed")
	second := c.commit("third, which passes")
	if err := c.recordGreen(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.baseIs(first, "all checks passed")
	c.commit("fourth")
	c.baseIs(second, "all checks passed")
	c.run("git", "checkout", "--quiet", "-B", "main", first)
	c.commit("another history")
	c.baseIs(first, "all checks passed") // the other record is no ancestor

	c.write("a/a.go", "package a\n")
	if err := c.recordGreen(t.Context()); err == nil || !strings.Contains(err.Error(), "a/a.go") {
		t.Errorf("a tree with changes is recorded: %v", err)
	}
}

// TestRecords keeps a bounded number of commits.
func TestRecords(t *testing.T) {
	c := newClone(t)
	for range maxGreens + 3 {
		c.commit("next")
		if err := c.recordGreen(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	all, err := c.greens()
	if err != nil || len(all) != maxGreens || all[maxGreens-1] != c.run("git", "rev-parse", "HEAD") {
		t.Errorf("%d records, %v", len(all), err)
	}
}

// TestShallow deepens a shallow clone, or fails.
func TestShallow(t *testing.T) {
	c := newClone(t)
	shared := c.run("git", "rev-parse", "HEAD")
	c.run("git", "branch", "target")
	c.commit("second")
	shallow := func() clone {
		dir := filepath.Join(t.TempDir(), "clone")
		c.run("git", "clone", "--quiet", "--depth=1", "--no-single-branch", "file://"+c.root, dir)
		return clone{&repository{root: dir, state: c.state, base: "origin/target"}, t}
	}
	shallow().baseIs(shared, "shares with origin/target")
	s := shallow()
	s.run("git", "remote", "set-url", "origin", "file:///nowhere")
	if _, _, err := s.baseCommit(t.Context()); err == nil || !strings.Contains(err.Error(), "this clone is shallow") {
		t.Errorf("got %v", err)
	}
}

// TestPackages changes one file at a time.
func TestPackages(t *testing.T) {
	c := newClone(t)
	c.base = c.run("git", "rev-parse", "HEAD")
	c.commit("empty") // HEAD must not be the base
	all := "a b c other"
	for _, test := range []struct {
		name, text              string // an empty text removes the file
		changed, tests, reached string
	}{
		{"a/a.go", "package a\n\nfunc F() int { return 2 }\n", "a", "", "a b c"},
		{"a/a.go", "package a\n\n// F is one.\nfunc F() int { return 1 }\n", "", "", ""},
		{"a/more.go", "package a\n", "a", "", "a b c"},
		{"a/a_arm64.s", "// assembly\n", "a", "", "a b c"},
		{"a/a_test.go", "package a\n", "", "a", "a"},
		{"a/a_test.go", "", "", "a", "a"},
		{"b/b.go", "package b\n", "b", "", ""},
		{"a/testdata/shared.txt", "data", "", "a", "a b c"},
		{"b/example_test.go", "package b_test\n\nfunc Example() {\n\tprintln(1)\n\t// Output: 2\n}\n", "", "b", "b"},
		{"c/page/index.html", "<p>new", "c", "", "c"},
		{"c/testdata/fuzz/F/01", "other", "", "c", "c"},
		{"c/testdata/page.md", "# Page", "", "c", "c"},
		{"README.md", "# New", "", "", ""},
		{"go.mod", "module example.org/m\n\ngo 1.26.1\n", "a b c", "", "a b c"},
		{"go.work", "go 1.26.3\n\nuse (\n\t.\n\t./other\n)\n", all, "", "a b c"},
		{"other/go.mod", "module example.org/other\n\ngo 1.26.1\n", "other", "", ""},
		{"new/new.go", "package new\n\nimport _ \"example.org/m/a\"\n", "new", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.text == "" {
				if err := os.Remove(filepath.Join(c.root, test.name)); err != nil {
					t.Fatal(err)
				}
			} else {
				c.write(test.name, test.text)
			}
			defer func() {
				c.run("git", "checkout", "--quiet", ".")
				c.run("git", "clean", "--quiet", "-d", "--force")
			}()
			p, err := c.packages(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for which, want := range map[string]string{"changed": test.changed, "tests": test.tests, "reached": test.reached} {
				short := strings.NewReplacer("example.org/m/", "", "example.org/", "")
				if got := short.Replace(strings.Join(p.choose(which), " ")); got != want {
					t.Errorf("%s: got %q, want %q", which, got, want)
				}
			}
		})
	}
	c.base = "none"
	p, err := c.packages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := p.choose("changed"); len(got) != 4 {
		t.Errorf("without a base: %v", got)
	}
}
