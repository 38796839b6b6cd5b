package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/bench/suite/load"
	"github.com/hone-go/hone/bench/suite/results"
)

// folder has the program that the tests run.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "hone-bench-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

var built = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(folder, "bench.test.exe")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return bin, nil
})

// build returns the program, built with go build. All tests share one.
func build(t *testing.T) string {
	t.Helper()
	bin, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// TestRun measures one contest with the built program, and reads the results.
func TestRun(t *testing.T) {
	bin, dir := build(t), t.TempDir()
	out, err := exec.Command(bin, "-run", "^router/static route$", "-peers", "echo v5", "-count", "6", "-duration", "1ms", "-again", "0", "-out", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Contests) != 1 || len(r.Contests[0].Results) != 2 || r.Date.IsZero() || r.Machine.Go == "" || r.Modules["github.com/labstack/echo/v5"] == "" {
		t.Fatalf("results: %+v", r)
	}
	for _, res := range r.Contests[0].Results {
		if res.Error != "" || res.Center <= 0 || res.Low > res.Center || res.High < res.Center || len(res.Samples) != 6 {
			t.Errorf("%s: %+v", res.Contestant, res)
		}
		file, line, _ := strings.Cut(res.Source, ":")
		if _, err := os.Stat(filepath.Join("../..", filepath.FromSlash(file))); err != nil || line == "" {
			t.Errorf("%s: its source is said to be %q: %v", res.Contestant, res.Source, err)
		}
	}
	if r.Full() == nil {
		t.Error("a part of a run counts as a full one")
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !strings.Contains(string(page), "static route") {
		t.Errorf("the page: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "results.txt"))
	if err != nil || strings.Count(string(text), "\nBenchmark") != 12 {
		t.Errorf("for benchstat: %v\n%s", err, text)
	}
}

// TestBusy measures while another process keeps the machine busy. The run waits and fails, or
// warns and has a note in its report.
func TestBusy(t *testing.T) {
	if _, err := load.Read(); load.Unknown(err) {
		t.Skip(err)
	}
	bin, dir := build(t), t.TempDir()
	for range runtime.NumCPU()/10 + 1 { // keep the machine busy beyond the limit, and leave cores for other tests
		spin := exec.Command("sh", "-c", "while :; do :; done")
		if err := spin.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = spin.Process.Kill()
			_ = spin.Wait()
		})
	}
	args := []string{"-run", "^router/static route$", "-peers", "echo v5", "-count", "6", "-duration", "1ms", "-again", "0", "-out", dir}
	out, err := exec.Command(bin, append(args, "-wait", "100ms")...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "not quiet within 100ms") {
		t.Errorf("-wait on a busy machine: %v\n%s", err, out)
	}
	if _, err := results.Read(dir); err == nil {
		t.Error("something was measured although the machine was not quiet in time")
	}
	if out, err = exec.Command(bin, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"warning: the machine is busy", "warning: this was measured on a busy machine"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the run does not say %q:\n%s", want, out)
		}
	}
	r, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if o := r.Conditions.Others; r.Busy() == nil || o == nil || o.Before <= o.Limit || o.During <= o.Limit {
		t.Errorf("the results say of other processes %+v, and %q", o, r.Busy())
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !strings.Contains(string(page), "Measured on a busy machine") {
		t.Errorf("the page does not say that the machine was busy: %v", err)
	}
}

func TestFlags(t *testing.T) {
	bin := build(t)
	for _, args := range [][]string{
		{"-run", "no such contest"}, {"-run", "("}, {"-peers", "nobody"}, {"-count", "0"}, {"-wait", "-1s"}, {"stray"}, {"-serve", "x|y"}, {"-serve"}, {"-probe"}, {"-probe", "x|y|0"}, {"promises", "-run", "no such contest"}, {"promises", "-in", "no such folder"},
		{"-run", "^mo/", "-peers", "encoding/gob"}, {"gate"}, {"gate", "-base", "no such revision"},
		{"gate", "-base", "HEAD", "-samples", "5"}, {"gate", "-base", "HEAD", "-loss", "-1"}, {"gate", "-base", "HEAD", "-loss", "NaN"},
	} {
		if out, err := exec.Command(bin, args...).CombinedOutput(); err == nil {
			t.Errorf("%q is taken:\n%s", args, out)
		}
	}
	help, err := exec.Command(bin, "-help").CombinedOutput()
	if err != nil || strings.Contains(string(help), "serve") || !strings.Contains(string(help), "gate -base") {
		t.Errorf("-help: %v\n%s", err, help)
	}
	list, err := exec.Command(bin, "-list", "-run", "^router/").CombinedOutput()
	if err != nil || !strings.Contains(string(list), "router/static route\n    hone, echo v5") {
		t.Errorf("-list: %v\n%s", err, list)
	}
}

// TestInterrupt interrupts a long run, and reads the results until then.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no interrupt to send")
	}
	bin := build(t)
	var r *results.Results
	// The time of the first contest depends on the other processes on the machine.
	for wait := 4 * time.Second; r == nil || len(r.Contests) == 0; wait *= 3 {
		if wait > time.Minute {
			t.Fatalf("no contest was measured in %v", wait/3)
		}
		dir := t.TempDir()
		cmd := exec.Command(bin, "-run", "^(mo|router)/", "-count", "3", "-duration", "50ms", "-out", dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatalf("after an interrupt: %v", err)
		}
		var err error
		if r, err = results.Read(dir); err != nil {
			t.Fatal(err)
		}
		if !r.Conditions.Interrupted {
			t.Fatal("the run does not say that it was interrupted")
		}
	}
	for _, c := range r.Contests {
		for _, res := range c.Results {
			if res.Error != "" || len(res.Samples) != 3 {
				t.Errorf("%s, %s: %d samples, %q", c.Name, res.Contestant, len(res.Samples), res.Error)
			}
		}
	}
}
