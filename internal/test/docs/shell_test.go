package docs

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// elsewhere has the pages whose shell lines other tests run.
var elsewhere = map[string]string{
	"examples/pulse/README.md": "the tests of examples/pulse run its commands",
}

// prelude is shell code that runs before each block.
const prelude = `set -euo pipefail
module() { # makes a module that requires this tree
	go mod init "$1"
	go mod edit -go=1.26.0 -require=github.com/hone-go/hone@v0.1.0
	export GOFLAGS="$GOFLAGS -mod=mod" # adds the lines of go.sum
}
needs() { # ends the test if a program is not there
	command -v "$1" >/dev/null || exit 77
}
`

// TestShell runs the shell lines of all pages, each block in a folder of its own. The release that
// they install is this tree.
func TestShell(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs programs")
	}
	testkit.SkipInVariant(t)
	if runtime.GOOS != "linux" {
		t.Skip("the pages have commands of GNU")
	}
	bash := testkit.Tool(t, "bash")
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("git", "-C", abs, "rev-parse").Run(); err != nil {
		t.Skip("not a clone of the repository")
	}
	shared := t.TempDir()
	env := environment(t, abs, shared)
	build := exec.Command("go", "build", "-o", filepath.Join(shared, "bin", "hone"), "./cmd/hone")
	build.Dir = abs
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build ./cmd/hone: %v\n%s", err, out)
	}
	ran := 0
	for _, b := range blocks(t) {
		if b.Language != "sh" || b.Omitted != "" || elsewhere[b.Page] != "" {
			continue
		}
		ran++
		t.Run(fmt.Sprintf("%s:%d", b.Page, b.Line), func(t *testing.T) {
			var script strings.Builder
			script.WriteString(prelude)
			for _, c := range b.Contexts {
				script.WriteString(c.Text + "\n")
			}
			script.WriteString("set -x\n" + b.Text)
			cmd := exec.Command(bash, "-c", script.String())
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), env...)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			switch {
			case errors.As(err, &exit) && exit.ExitCode() == 77 && os.Getenv("HONE_REQUIRE_SERVICES") == "":
				t.Skip("a program is not installed")
			case err != nil:
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	if ran < 12 {
		t.Errorf("the pages have only %d blocks of shell lines that run", ran)
	}
}

// environment returns the variables for shell lines, with a module proxy that has this tree as the
// release v0.1.0.
func environment(t *testing.T, root, dir string) []string {
	t.Helper()
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := exec.Command("go", "env", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := filepath.Join(dir, "proxy")
	release(t, root, "", files)
	release(t, root, "cmd/hone", files)
	return []string{
		"HONE=" + root,
		"PATH=" + filepath.Join(dir, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"GOBIN=" + filepath.Join(dir, "gobin"),
		"GOMODCACHE=" + filepath.Join(dir, "mod"),
		"GOPROXY=file://" + files + ",file://" + filepath.Join(strings.TrimSpace(string(cache)), "cache", "download") + "," + strings.TrimSpace(string(proxy)),
		"GONOSUMDB=github.com/hone-go/hone,github.com/hone-go/hone/*",
		"GOFLAGS=-modcacherw -trimpath", // objects of the module cache's packages are the same in each run
		"GOWORK=",
		// A clone is made from this repository.
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url." + root + "/.insteadOf", "GIT_CONFIG_VALUE_0=https://github.com/hone-go/hone",
	}
}

// release writes the release v0.1.0 of a module for a proxy.
func release(t *testing.T, root, folder, proxy string) {
	t.Helper()
	module := strings.TrimSuffix("github.com/hone-go/hone/"+folder, "/")
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-C", filepath.Join(root, folder), "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	var nested []string // the folders of other modules
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for _, name := range names {
		if sub, ok := strings.CutSuffix(name, "/go.mod"); ok {
			nested = append(nested, sub+"/")
		}
	}
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
next:
	for _, name := range names {
		for _, sub := range nested {
			if strings.HasPrefix(name, sub) {
				continue next
			}
		}
		f, err := os.Open(filepath.Join(root, folder, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // it was removed from the working tree
		}
		if err != nil {
			t.Fatal(err)
		}
		part, err := w.Create(module + "@v0.1.0/" + name)
		if err == nil {
			_, err = io.Copy(part, f)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, folder, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"list": []byte("v0.1.0\n"), "v0.1.0.info": []byte(`{"Version":"v0.1.0"}`), "v0.1.0.mod": mod, "v0.1.0.zip": archive.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
