package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// light are the packages of the suite that must import none of the peers, whose dependencies take minutes to build.
var light = []string{"./cli", "./contest", "./figures", "./gate", "./load", "./publication", "./report", "./results"}

// TestSuite checks that the light packages of the suite and their tests link no peer.
func TestSuite(t *testing.T) {
	if os.Getenv("HONE_VARIANT") != "" {
		t.Skip("the suite is built by itself, and in one way")
	}
	dir, err := suiteDir()
	if err != nil {
		t.Fatal(err)
	}
	out, err := inSuite(dir, append([]string{"list", "-deps", "-test"}, light...)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(out, "/bench/suite/contestants") {
		t.Errorf("one of %v links the contestants, and so all peers", light)
	}
}

func inSuite(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestLauncher builds the command and lets it find, build and run a small suite from a nested
// folder of a repository.
func TestLauncher(t *testing.T) {
	launcher := filepath.Join(t.TempDir(), "bench.exe")
	if out, err := exec.Command("go", "build", "-o", launcher, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	suite := func(main string) {
		t.Helper()
		const figures = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() { fmt.Print(\"without peers: \", os.Args[1:]) }\n"
		for name, text := range map[string]string{"go.mod": "module suite\n\ngo 1.26\n", "main.go": main, "figures/main.go": figures} {
			path := filepath.Join(root, "bench", "suite", name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	// A workspace without the suite, like the repository's own.
	if err := os.WriteFile(filepath.Join(root, "go.work"), []byte("go 1.26\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(root, "docs", "deep")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	launch := func(dir string, args ...string) (stdout, stderr string, code int) {
		t.Helper()
		if args == nil {
			args = []string{"-run", "^json/", "two words"}
		}
		cmd := exec.Command(launcher, args...)
		var out, errs strings.Builder
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader("input"), &out, &errs
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}

	suite(`package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	in, _ := io.ReadAll(os.Stdin)
	dir, _ := os.Getwd()
	fmt.Printf("%q %s %s", os.Args[1:], in, dir)
	fmt.Fprint(os.Stderr, "a warning")
	os.Exit(7)
}
`)
	want := `["-run" "^json/" "two words"] input ` + deep
	if out, errs, code := launch(deep); out != want || errs != "a warning" || code != 7 {
		t.Errorf("got %q, %q and exit code %d; want %q and 7", out, errs, code, want)
	}
	suite("package main\n\nfunc main() { broken }\n")
	if _, errs, code := launch(root); code != 1 || !strings.Contains(errs, "building the suite") {
		t.Errorf("a suite that does not build: %q, exit code %d", errs, code)
	}
	if out, errs, code := launch(root, "docs", "-check"); out != "without peers: [docs -check]" || code != 0 {
		t.Errorf("docs in a suite whose contests do not build: %q, %q and exit code %d", out, errs, code)
	}
	if _, errs, code := launch(t.TempDir()); code != 1 || !strings.Contains(errs, "run this within Hone's repository") {
		t.Errorf("outside of the repository: %q, exit code %d", errs, code)
	}
}
