// Package foreign runs the tests of another project on Hone. The command for a project copies the
// test files to a temporary module, in which a package with the old name has Hone's functions. The
// repository contains none of the tests, only a list of the failing ones, with reasons.
//
// A test that uses a name that the package does not export cannot be compiled. It counts as failed,
// with the name as the cause.
package foreign

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Suite is the set of tests of a project.
type Suite struct {
	Name     string                 // the name and version of the project
	Prepare  func(dir string) error // makes the module in an empty folder
	Packages []string               // the folders of the module that have tests
	Expected string                 // lines of the form "package.Test: reason", and comments with "#"
	Least    int                    // the minimum number of tests; finding fewer is an error
}

// Results are the results of tests.
type Results struct {
	Tests  int               // the number of tests that were found
	Failed map[string]string // causes by "package.Test"
}

// Main runs a suite and prints how its results differ from the list. It returns an error if they
// differ. If keep is set, the temporary module is not removed, and its folder is printed.
func Main(s Suite, keep bool) error {
	listed, err := parseList(s.Expected)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "foreign")
	if err != nil {
		return err
	}
	if keep {
		fmt.Println(dir)
	} else {
		defer os.RemoveAll(dir)
	}
	if err := s.Prepare(dir); err != nil {
		return err
	}
	results := Results{Failed: map[string]string{}}
	for _, name := range s.Packages {
		p := &testPackage{Results: &results, dir: filepath.Join(dir, name), name: name}
		if err := p.compile(); err != nil {
			return err
		}
		if err := p.run(); err != nil {
			return err
		}
	}
	complaints := results.compare(listed, s.Least)
	for _, c := range complaints {
		fmt.Println(c)
	}
	fmt.Printf("%s: %d tests, %d fail, %d are listed\n", s.Name, results.Tests, len(results.Failed), len(listed))
	if len(complaints) > 0 {
		return fmt.Errorf("%s: %d differences from the list", s.Name, len(complaints))
	}
	return nil
}

// Command returns a command of the go tool, outside of any workspace.
func Command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	return cmd
}

// Run runs a command of the go tool. The error contains the output of the command.
func Run(dir string, args ...string) error {
	if out, err := Command(dir, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// CopyFiles copies files from the folder src to the folder dst. It copies each file for whose path,
// relative to src, the function match returns true.
func CopyFiles(dst, src string, match func(path string) bool) error {
	return filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(src, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(dst, below), 0o755)
		}
		if !d.Type().IsRegular() || !match(below) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dst, below), text, 0o644)
	})
}

// parseList reads lines of the form "package.Test: reason". Lines that begin with "#" are comments.
func parseList(text string) (reasons map[string]string, err error) {
	reasons = map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, ": ")
		switch {
		case !ok || reason == "":
			return nil, fmt.Errorf("list of failures: no reason in %q", line)
		case reasons[name] != "":
			return nil, fmt.Errorf("list of failures: %s is listed twice", name)
		}
		reasons[name] = reason
	}
	return reasons, nil
}

// compare returns a line for each test that failed and is not listed, and for each test that is
// listed and did not fail.
func (r *Results) compare(listed map[string]string, least int) (complaints []string) {
	for _, name := range slices.Sorted(maps.Keys(r.Failed)) {
		if _, ok := listed[name]; !ok {
			complaints = append(complaints, fmt.Sprintf("fails, and is not listed: %s: %s", name, r.Failed[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if _, ok := r.Failed[name]; !ok {
			complaints = append(complaints, fmt.Sprintf("is listed, and does not fail: %s: %s", name, listed[name]))
		}
	}
	if r.Tests < least {
		complaints = append(complaints, fmt.Sprintf("only %d tests were found, at least %d are expected", r.Tests, least))
	}
	return complaints
}
