package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

const quickstart = "docs/quickstart.md"

// A step is a block of sh of the quickstart, with the files that are saved before it and the output
// that the page shows after it.
type step struct {
	Block
	files  []Block
	output *Block
}

// TestQuickstart runs the quickstart from an empty folder: it saves the files that the page shows, runs
// the blocks of sh in one shell, and compares their output with the output on the page.
func TestQuickstart(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	if runtime.GOOS != "linux" {
		t.Skip("the page has commands of a Unix shell")
	}
	bash := testkit.Tool(t, "bash")
	testkit.Tool(t, "curl")
	abs := clone(t)
	list, err := Read(root, quickstart)
	if err != nil {
		t.Fatal(err)
	}
	address := free(t)
	var steps []step
	var files []Block
	for i, b := range list {
		b.Text = strings.ReplaceAll(b.Text, "127.0.0.1:8080", address)
		switch {
		case b.File != "":
			files = append(files, b)
		case b.Language == "sh":
			steps, files = append(steps, step{Block: b, files: files}), nil
		case i > 0 && list[i-1].Language == "sh":
			steps[len(steps)-1].output = &b
		default:
			t.Errorf("%s:%d: the block is no file, no command and no output", b.Page, b.Line)
		}
	}
	if len(steps) < 8 || len(files) > 0 {
		t.Fatalf("the page has %d steps, and %d files after the last one", len(steps), len(files))
	}
	dir, printed := t.TempDir(), t.TempDir()
	var script strings.Builder
	script.WriteString("set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n")
	for i, s := range steps {
		fmt.Fprintf(&script, "exec >%s/%d\necho '%s:%d' >&2\n", printed, i, s.Page, s.Line)
		for j, f := range s.files {
			source := filepath.Join(printed, fmt.Sprintf("file-%d-%d", i, j))
			if err := os.WriteFile(source, []byte(f.Text), 0o666); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&script, "mkdir -p %s && cp %s %s\n", filepath.Dir(f.File), source, f.File)
		}
		for _, c := range s.Contexts {
			script.WriteString(strings.ReplaceAll(c.Text, "127.0.0.1:8080", address) + "\n")
		}
		script.WriteString(s.Text)
	}
	cmd := exec.Command(bash, "-c", script.String())
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), environment(t, abs, t.TempDir())...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, s := range steps {
		if s.output == nil || s.output.Omitted != "" {
			continue
		}
		got, err := os.ReadFile(filepath.Join(printed, fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		want := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(s.output.Text)), "…", "(?s:.*)")
		if !regexp.MustCompile("^" + want + "$").MatchString(strings.TrimSpace(string(got))) {
			t.Errorf("%s:%d: the command prints\n%s\nand the page shows\n%s", s.Page, s.Line, got, s.output.Text)
		}
	}
}
