package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// TestMigrateKilled kills the command while it writes. A revert restores every byte, and removes
// the files that were to be renamed.
func TestMigrateKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it migrates a module several times")
	}
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
