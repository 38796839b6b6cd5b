package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
)

// TestMigrateKilled kills the command while it writes. A revert then restores every byte,
// and removes the temporary files that the command had not renamed yet.
func TestMigrateKilled(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	const files = 150
	for i := range files {
		text := fmt.Sprintf("package app\n\nimport   \"encoding/json\"\n\nvar _, _ = json.Marshal(%d)\n", i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/app\n\ngo 1.26.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, within, left := filesIn(t, dir), 0, 0
	for range 6 {
		cmd := exec.Command(hone, "migrate", "-w", "-q", "-hone", here)
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			_ = cmd.Wait() // the error is "signal: killed", or nil if the command ended first
			close(done)
		}()
		journal := filepath.Join(dir, ".hone-migrate.json")
		for start := time.Now(); time.Since(start) < time.Minute; {
			if _, err := os.Stat(journal); err == nil {
				break
			}
		}
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
		_ = cmd.Process.Kill()
		<-done
		if n := len(filesIn(t, dir)) - len(before) - 1; n > 0 {
			left++
		}
		if text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("f%d.go", files-1))); err == nil && string(text) == before[fmt.Sprintf("f%d.go", files-1)] {
			within++
		}
		revert := exec.Command(hone, "migrate", "-w", "-q", "-revert")
		revert.Dir = dir
		if out, err := revert.CombinedOutput(); err != nil {
			t.Fatalf("revert: %v\n%s", err, out)
		}
		if after := filesIn(t, dir); !reflect.DeepEqual(before, after) {
			for name := range after {
				if before[name] != after[name] {
					t.Errorf("after the revert, %s is %q", name, after[name])
				}
			}
			t.Fatalf("%d files before, %d after", len(before), len(after))
		}
	}
	t.Logf("killed during the writes in %d of 6 runs; temporary files were left in %d of them", within, left)
	if within == 0 {
		t.Error("no run was killed while it wrote")
	}
}

// A killer ends hone migrate in or after one of its writes.
type killer struct {
	dir     string
	targets []string // the files that are written, in this order
	before  map[string]fs.FileInfo
}

// state returns the number of targets that the command has replaced, and whether it is writing
// another file. A write is a temporary file that is renamed.
func (k *killer) state() (written int, writing bool) {
	list, _ := os.ReadDir(k.dir)
	for _, e := range list {
		writing = writing || strings.HasPrefix(e.Name(), ".hone-migrate-")
	}
	for _, name := range k.targets {
		if info, err := os.Stat(filepath.Join(k.dir, name)); err == nil && !os.SameFile(info, k.before[name]) {
			written++
		}
	}
	return written, writing
}

// kill runs the command and kills it after count writes: during the next write if within is set, and
// otherwise before the next write. It reports whether the command ended in this state.
func (k *killer) kill(t *testing.T, count int, within bool, args ...string) bool {
	t.Helper()
	k.before = map[string]fs.FileInfo{}
	for _, name := range k.targets {
		if info, err := os.Stat(filepath.Join(k.dir, name)); err == nil {
			k.before[name] = info
		}
	}
	cmd := exec.Command(hone, append([]string{"migrate", "-w", "-q"}, args...)...)
	cmd.Dir = k.dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the error is "signal: killed", or nil if the command ended first
		close(done)
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		if written, writing := k.state(); written > count || written == count && writing == within {
			break
		}
	}
	_ = cmd.Process.Kill()
	<-done
	written, writing := k.state()
	return written == count && writing == within
}

// TestMigrateKilledAtEachWrite kills a change and a revert in each of their writes, before the first
// and after the last. Without HONE_SLOW, which .ci/run test sets, it kills the change and the revert
// in only one of their writes. The time between two writes is too short to kill a process there
// reliably; TestStopBetweenWrites of package migrate tests that. A second revert restores every byte,
// and removes the temporary file.
func TestMigrateKilledAtEachWrite(t *testing.T) {
	testkit.SkipInVariant(t)
	if testing.Short() {
		t.Skip("it migrates a module several times")
	}
	if runtime.GOOS == "windows" {
		t.Skip("files that the test looks at cannot be renamed")
	}
	here := checkout(t)
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	// The files are long, so that their writes take some time.
	long := strings.Repeat("// "+strings.Repeat("-", 76)+"\n", 20_000)
	texts := map[string]string{"go.mod": "module example.com/app\n\ngo 1.26.0\n\n" + long}
	for _, name := range []string{"a.go", "b.go"} {
		texts[name] = "package app\n\nimport   \"encoding/json\"\n\nvar _ = json.Valid\n\n" + long
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := filesIn(t, dir)
	must := func(args ...string) {
		t.Helper()
		cmd := exec.Command(hone, append([]string{"migrate", "-w", "-q"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	const journal = ".hone-migrate.json"
	for _, c := range []struct {
		args    []string
		targets []string
	}{
		{[]string{"-hone", here}, []string{journal, "a.go", "b.go", "go.mod"}},
		{[]string{"-revert"}, []string{"a.go", "b.go", "go.mod"}},
	} {
		k := &killer{dir: dir, targets: c.targets}
		for writes := range len(c.targets) + 1 {
			for _, in := range []bool{true, false} {
				first, last := writes == 0, writes == len(c.targets)
				if in && (last || c.targets[writes] == journal) || !in && !first && !last {
					continue // the change has fewer writes, or the write was too fast
				}
				if !testkit.IsSlow() && (!in || c.targets[writes] != "b.go") {
					continue
				}
				seen := false
				const tries = 20
				for try := 0; try < tries && !seen; try++ {
					if c.args[0] == "-revert" {
						must("-hone", here)
					}
					seen = k.kill(t, writes, in, c.args...)
					must("-revert")
					if after := filesIn(t, dir); !reflect.DeepEqual(before, after) {
						t.Fatalf("%s after %d writes (in the next: %v): the revert leaves %d files of %d, or other bytes", c.args[0], writes, in, len(after), len(before))
					}
				}
				if !seen {
					t.Errorf("%s was not killed after %d writes (in the next: %v) in %d runs", c.args[0], writes, in, tries)
				}
			}
		}
	}
}

func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		texts[d.Name()] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
