// Echotests runs the tests of Echo v5 on Hone: it takes the test files of the release that
// package web names from the module cache, copies them and the shim to a temporary module,
// and compares the tests that fail with the list in expected.txt.
//
// A test of Echo's that uses names which Echo does not export cannot be compiled here. It counts
// as failed, with the name as the cause.
//
// Usage, in the module of conformance:
//
//	GOWORK=off go run ./echotests
//
// The exit status is 1 if a test fails that is not listed, or a listed one passes. With -keep the
// temporary module remains.
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hone-go/hone/web"
)

const echoPath = "github.com/labstack/echo/v5"

//go:embed expected.txt
var expected string

func main() {
	log.SetFlags(0)
	log.SetPrefix("echotests: ")
	keep := flag.Bool("keep", false, "keep the temporary module, and print its folder")
	flag.Parse()
	failed, ran, err := run(*keep)
	if err != nil {
		log.Fatal(err)
	}
	listed, err := parseList(expected)
	if err != nil {
		log.Fatal(err)
	}
	complaints := compare(failed, ran, listed)
	for _, c := range complaints {
		fmt.Println(c)
	}
	fmt.Printf("Echo %s: %d tests passed, %d failed as listed, %d differ from the list\n", web.Version, ran-len(failed), len(failed)-len(complaints), len(complaints))
	if len(complaints) > 0 {
		os.Exit(1)
	}
}

// run runs Echo's tests. It returns the cause of each failure by the name of the test, and the
// number of tests.
func run(keep bool) (failed map[string]string, tests int, err error) {
	dir, err := os.MkdirTemp("", "echotests")
	if err != nil {
		return nil, 0, err
	}
	if keep {
		fmt.Println(dir)
	} else {
		defer os.RemoveAll(dir)
	}
	if err := makeModule(dir); err != nil {
		return nil, 0, err
	}
	failed = map[string]string{}
	for _, sub := range []string{".", "middleware", "echotest"} {
		p := &testPackage{dir: filepath.Join(dir, sub), name: sub, failed: failed}
		if err := p.compile(); err != nil {
			return nil, 0, err
		}
		n, err := p.run()
		if err != nil {
			return nil, 0, err
		}
		tests += n
	}
	return failed, tests, nil
}

// makeModule makes a module of the shim, with Echo's tests and the files that they read.
func makeModule(dir string) error {
	echo, err := download(echoPath + "@v" + web.Version)
	if err != nil {
		return err
	}
	hone, err := filepath.Abs("../../..")
	if err != nil {
		return err
	}
	if err := copyFiles(dir, echo, func(path string) bool {
		return !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go")
	}); err != nil {
		return err
	}
	if err := copyFiles(dir, filepath.Join(hone, "integrations/echoshim/v5"), func(path string) bool {
		return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "internal")
	}); err != nil {
		return err
	}
	// Echo's go.mod has the modules that its tests use.
	for _, args := range [][]string{
		{"mod", "edit", "-require=github.com/hone-go/hone@v0.1.0", "-replace=github.com/hone-go/hone=" + hone, "-go=1.26.0"},
		{"mod", "tidy"},
	} {
		if out, err := goCommand(dir, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

// download returns the folder of a module in the module cache.
func download(module string) (dir string, err error) {
	out, err := goCommand("", "mod", "download", "-json", module).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", module, err, out)
	}
	var found struct{ Dir string }
	err = json.Unmarshal(out, &found)
	return found.Dir, err
}

func goCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	return cmd
}

// copyFiles copies the files of a folder whose paths below it are wanted.
func copyFiles(to, from string, wanted func(path string) bool) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, below), 0o755)
		}
		if !d.Type().IsRegular() || !wanted(below) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, below), text, 0o644)
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
			return nil, fmt.Errorf("expected.txt: no reason in %q", line)
		case reasons[name] != "":
			return nil, fmt.Errorf("expected.txt: %s is listed twice", name)
		}
		reasons[name] = reason
	}
	return reasons, nil
}

// compare returns a line for each test that failed and is not listed, or is listed and did not fail.
func compare(failed map[string]string, ran int, listed map[string]string) (complaints []string) {
	for _, name := range slices.Sorted(maps.Keys(failed)) {
		if _, ok := listed[name]; !ok {
			complaints = append(complaints, fmt.Sprintf("fails, and is not listed: %s: %s", name, failed[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if _, ok := failed[name]; !ok {
			complaints = append(complaints, fmt.Sprintf("is listed, and does not fail: %s: %s", name, listed[name]))
		}
	}
	if ran < 500 {
		complaints = append(complaints, fmt.Sprintf("only %d tests were found", ran))
	}
	return complaints
}
