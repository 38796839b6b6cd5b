package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func shell(name, script string) check { return check{name: name, args: []string{"sh", "-c", script}} }

// TestRunSlice runs checks that pass, fail, cannot run and do not end. Only those that pass are recorded.
func TestRunSlice(t *testing.T) {
	r := &repository{root: t.TempDir(), state: t.TempDir()}
	child := filepath.Join(r.root, "child")
	checks := []check{
		shell("passes", "echo a"), shell("fails", "echo reason; exit 1"),
		{name: "too new", args: []string{"true"}, toolchain: "go1.9999.0"},
		{name: "the fuzzer's own time", args: []string{"sh", "-c", "echo context deadline exceeded; exit 1"}, fuzz: true},
		{name: "a find", args: []string{"sh", "-c", "echo context deadline exceeded, Failing input; exit 1"}, fuzz: true},
	}
	var out bytes.Buffer
	err := r.runSlice(t.Context(), &out, checks, time.Hour)
	if err == nil || !strings.Contains(err.Error(), "fails") || !strings.Contains(err.Error(), "a find") || strings.Contains(err.Error(), "too new") {
		t.Errorf("got %v", err)
	}
	for _, want := range []string{"passed: passes", "FAILED: fails: exit status 1\nreason", "1 of 5 checks were not reached: too new"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
	passed, err := r.passed()
	if err != nil || len(passed) != 2 || passed["passes"].IsZero() || passed["the fuzzer's own time"].IsZero() {
		t.Errorf("recorded: %v, %v", passed, err)
	}

	// The time ends while each worker waits for a process that the check has started.
	var endless []check
	for i := range 20 {
		endless = append(endless, shell(fmt.Sprint("endless ", i), fmt.Sprintf("sleep 600 & echo $! >>%s; wait", child)))
	}
	out.Reset()
	if err := r.runSlice(t.Context(), &out, endless, 2*time.Second); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "20 of 20 checks were not reached") {
		t.Errorf("%s", out.String())
	}
	if again, err := r.passed(); err != nil || len(again) != 2 {
		t.Errorf("recorded: %v, %v", again, err)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.runSlice(interrupted, &out, endless, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted slice: %v", err)
	}
	text, err := os.ReadFile(child)
	if err != nil {
		t.Fatal(err)
	}
	for id := range strings.FieldsSeq(string(text)) {
		for range 500 { // the process ends soon after its signal
			if !runs(id) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if runs(id) {
			t.Errorf("process %s was not ended", id)
		}
	}
}

// runs reports whether a process runs.
func runs(id string) bool {
	state, err := os.ReadFile("/proc/" + id + "/stat")
	return err == nil && !bytes.Contains(state, []byte(") Z "))
}

// TestOrder puts first what never passed, and then what passed longest ago.
func TestOrder(t *testing.T) {
	now := time.Now()
	checks := []check{{name: "new"}, {name: "old"}, {name: "never"}, {name: "older"}}
	record{"new": now, "old": now.Add(-time.Hour), "older": now.Add(-2 * time.Hour)}.order(checks)
	var got []string
	for _, c := range checks {
		got = append(got, c.name)
	}
	if want := []string{"never", "older", "old", "new"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestReportSlices reports slices by the file and by the records, and writes the file.
func TestReportSlices(t *testing.T) {
	r := &repository{root: t.TempDir(), state: t.TempDir()}
	if err := os.Mkdir(filepath.Join(r.root, ".ci"), 0o755); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	day := 24 * time.Hour
	checks := make([][]check, len(sliceNames))
	for i := range checks {
		checks[i] = []check{{name: fmt.Sprint("a", i)}, {name: fmt.Sprint("b", i)}}
	}
	if err := r.save(record{"a0": now.Add(-2 * day), "b0": now.Add(-3 * day), "a1": now, "a2": now.Add(-22 * day), "b2": now}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	stale, err := r.reportSlices(&out, checks, now, true)
	if err != nil || len(stale) != len(sliceNames)-1 || stale[0] != 1 {
		t.Errorf("stale: %v, %v", stale, err)
	}
	for _, want := range []string{
		" 0  2026-06-27  " + sliceNames[0] + " (here 2 of 2 checks passed in the last 21 days)\n",
		" 1  never       " + sliceNames[1] + " (here 1 of 2 checks passed in the last 21 days); STALE: run .ci/run slice 1\n",
		" 2  2026-06-08  " + sliceNames[2] + " (here 1 of 2 checks passed in the last 21 days); STALE: run .ci/run slice 2\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	name := filepath.Join(r.root, slicesFile)
	text, err := os.ReadFile(name)
	if err != nil || !strings.HasPrefix(string(text), "0 2026-06-27 "+sliceNames[0]+"\n1 never ") {
		t.Errorf("%s has\n%s, %v", slicesFile, text, err)
	}

	// The file counts on a machine without records, and an older record does not replace a day in the file.
	all := regexp.MustCompile(`(?m)^(\d+) \S+`).ReplaceAllString(string(text), "$1 2026-06-28")
	if err := os.WriteFile(name, []byte(all), 0o644); err != nil {
		t.Fatal(err)
	}
	if stale, err := r.reportSlices(&out, checks, now, true); err != nil || len(stale) > 0 {
		t.Errorf("stale: %v, %v", stale, err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != all {
		t.Errorf("%s has\n%s, %v", slicesFile, text, err)
	}
	for _, text := range []string{"x 2026-06-28 a\n", "14 2026-06-28 a\n", "-1 2026-06-28 a\n", "0 yesterday a\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := r.reportSlices(&out, checks, now, false); err == nil {
			t.Errorf("%q is no error", text)
		}
	}
}

// TestSlowChecks lists the checks of this repository: each package and each fuzz test is in one slice.
func TestSlowChecks(t *testing.T) {
	t.Setenv("GOWORK", "") // the tests of this module run without a workspace
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	r := &repository{root: root}
	all, err := r.slowChecks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	packages, err := r.tested(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names, kinds := map[string]bool{}, map[string]int{}
	for i, checks := range all {
		if len(checks) == 0 {
			t.Errorf("slice %d, %s, is empty", i, sliceNames[i])
		}
		for _, c := range checks {
			if names[c.name] {
				t.Errorf("two checks are called %s", c.name)
			}
			names[c.name] = true
			kind, _, _ := strings.Cut(c.name, " ")
			kinds[kind]++
		}
	}
	if len(packages) < 50 || kinds["race"] != len(packages) || kinds["purego"] != len(packages) || kinds["fuzz"] < 60 || kinds["386"] < len(emulated) {
		t.Errorf("%d packages, and of each kind: %v", len(packages), kinds)
	}
	for i := range raceSlices {
		if n := len(all[i]); n < len(packages)/raceSlices {
			t.Errorf("slice %d has %d of %d packages", i, n, len(packages))
		}
	}
}

// TestPatches chooses the toolchains of a release for this system from a list of the module proxy.
func TestPatches(t *testing.T) {
	system := "." + runtime.GOOS + "-" + runtime.GOARCH
	list := "golang.org/toolchain v0.0.1-go1.27.10" + system + " v0.0.1-go1.27.9" + system + " v0.0.1-go1.27.0" + system +
		" v0.0.1-go1.27rc1" + system + " v0.0.1-go1.27.1.plan9-mips v0.0.1-go1.26.3" + system + " v0.0.1-go1.2" + system
	if got, want := patches(list, "go1.27"), []string{"go1.27.0", "go1.27.9", "go1.27.10"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := patches(list, "go1.2"), []string{"go1.2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
