package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestRun measures one contest with a program that was built as a user builds
// it, and reads back what it wrote.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bench.test.exe")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(bin, "-run", "^wire/nested/encode$", "-count", "6", "-duration", "1ms", "-out", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 3 || r.Date.IsZero() || r.Machine.Go == "" {
		t.Fatalf("report: %+v", r)
	}
	for _, res := range r.Results {
		if res.Error != "" || res.NsPerOp <= 0 || res.Low > res.NsPerOp || res.High < res.NsPerOp || len(res.Samples) != 6 {
			t.Errorf("%s: %+v", res.Contestant, res)
		}
	}
	for _, args := range [][]string{{"-run", "no such contest"}, {"-run", "("}, {"-peers", "nobody"}, {"-count", "0"}, {"stray"}, {"-serve", "x|y"}} {
		if out, err := exec.Command(bin, args...).CombinedOutput(); err == nil {
			t.Errorf("%q is taken:\n%s", args, out)
		}
	}
}
