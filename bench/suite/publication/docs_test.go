package publication

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/results"
)

// repository creates a repository with a measured package and a README, and returns its root.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, room := range results.Rooms {
		put(t, root, room+"/a.go", "package a")
	}
	put(t, root, "README.md", "# Hone\n\nbefore\n\n<!-- figures: written by `go run ./bench docs`, do not edit -->\nold\n<!-- end of figures -->\n\nafter\n")
	put(t, root, "docs/index.md", "")
	return root
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, root, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// constant returns a result with equal samples.
func constant(name string, v float64) contest.Result {
	return contest.Result{Contestant: name, Source: "a.go:1", Samples: []float64{v, v, v, v, v, v}, Center: v, Low: v, High: v}
}

// TestDocs writes the figures of a run to the pages, and checks that each cause of outdated pages
// is detected.
func TestDocs(t *testing.T) {
	root := repository(t)
	write := func() {
		t.Helper()
		if err := Docs([]string{"-root", root}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want bool, when string) {
		t.Helper()
		if err := Docs([]string{"-root", root, "-check"}); (err == nil) != want {
			t.Fatalf("%s: %v", when, err)
		}
	}
	check(false, "before anything was written")
	write()
	check(true, "without a run")
	if !strings.Contains(get(t, root, "README.md"), "No full run") {
		t.Error("the README does not say that there are no figures")
	}

	sources, err := results.Sources(root)
	if err != nil {
		t.Fatal(err)
	}
	run := &results.Results{
		Date: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Machine: results.Machine{CPU: "Some CPU", Cores: 2}, Conditions: results.Conditions{Count: 10}, Sources: sources,
		Contests: []contest.Outcome{{Name: "json/record/encode", Results: []contest.Result{constant("hone", 100), constant("encoding/json", 321), constant("sonic", 50)}}},
	}
	if err := run.Write(filepath.Join(root, "docs", "benchmarks", "2026-01-02")); err != nil {
		t.Fatal(err)
	}
	check(false, "with a new run")
	write()
	check(true, "after that was written")
	for name, wants := range map[string][]string{
		"README.md":                            {"before", "after", "Some CPU", "| JSON | encoding/json | 3.21 × | 1 of 1 contest |"},
		"docs/performance.md":                  {"2026-01-02", "| json/record/encode | sonic | 50 ns | 100 ns | 2 × |"},
		"docs/benchmarks/2026-01-02/README.md": {"Some CPU", "encoding/json 3.21 ×"},
	} {
		for _, want := range wants {
			if !strings.Contains(get(t, root, name), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, get(t, root, name))
			}
		}
	}

	put(t, root, "docs/performance.md", strings.Replace(get(t, root, "docs/performance.md"), "50 ns", "99 ns", 1))
	check(false, "after an edit by hand")
	write()
	check(true, "after that was mended")

	put(t, root, "json/a.go", "package a\n\nvar changed int")
	check(false, "after the code was changed")
	write()
	check(true, "once the pages say so")
	for _, name := range []string{"README.md", "docs/performance.md"} {
		if !strings.Contains(get(t, root, name), "Older than the code") {
			t.Errorf("%s does not say that its figures are older than the code", name)
		}
	}
	put(t, root, "json/a.go", "package a\n\nvar changedAgain int")
	check(true, "after the code was changed again: the pages say so already")

	run.Conditions.Short = true
	if err := run.Write(filepath.Join(root, "docs", "benchmarks", "2026-01-03")); err != nil {
		t.Fatal(err)
	}
	check(false, "when what is published is not of a full run")
}

// TestPublish publishes a run. A run on a busy machine is refused unless it is forced, and the
// docs then say so.
func TestPublish(t *testing.T) {
	root := repository(t)
	put(t, root, "bench/suite/go.mod", "module suite")
	t.Chdir(root)
	sources, err := results.Sources(root)
	if err != nil {
		t.Fatal(err)
	}
	run := &results.Results{
		Date: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Machine: results.Machine{CPU: "AMD EPYC(TM) 7763 Processor", Vector: "AVX2", Cores: 2, Go: "go1.27.1"}, Sources: sources,
		Conditions: results.Conditions{Count: 10, Others: &results.Others{Limit: 0.1, During: 0.02}},
		Contests: []contest.Outcome{{Name: "json/record/encode", Results: []contest.Result{
			constant("hone", 1), constant("encoding/json", 3),
		}}},
	}
	keep := func(args ...string) error {
		t.Helper()
		if err := run.Write(filepath.Join(root, "bench", "report")); err != nil {
			t.Fatal(err)
		}
		return Publish(args)
	}
	if err := keep(); err != nil {
		t.Fatal(err)
	}
	if text := get(t, root, "README.md"); strings.Contains(text, "busy") || !strings.Contains(text, "3.00 ×") {
		t.Errorf("the README of a quiet machine:\n%s", text)
	}
	run.Date = run.Date.AddDate(0, 0, 1)
	run.Conditions.Others.During = 1.5
	if err := keep(); err == nil || !strings.Contains(err.Error(), "other processes used 1.50 of 2 cores on average") {
		t.Errorf("a run of a busy machine: %v", err)
	}
	if _, err := os.Stat(filepath.Join(benchmarks(root), "2026-01-03-go1.27-amd-epyc-7763-avx2")); err == nil {
		t.Error("it was kept nevertheless")
	}
	if err := keep("-force"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "docs/performance.md", "docs/benchmarks/2026-01-03-go1.27-amd-epyc-7763-avx2/README.md"} {
		if !strings.Contains(get(t, root, name), "Measured on a busy machine") {
			t.Errorf("%s does not say that the machine was busy", name)
		}
	}
	run.Machine.Go = "go1.26.8"
	if err := keep("-force"); err != nil {
		t.Fatal(err)
	}
	if _, folder, _, err := lastPublished(root); err != nil || folder != "2026-01-03-go1.27-amd-epyc-7763-avx2" {
		t.Errorf("of two releases on one day %q is the last: %v", folder, err)
	}
	// The earlier report of this processor and release is gone. The report of the other release stays,
	// and so does the report of another processor.
	if _, err := os.Stat(filepath.Join(benchmarks(root), "2026-01-02-go1.27-amd-epyc-7763-avx2")); err == nil {
		t.Error("two reports of one processor and one release are there")
	}
	run.Machine.CPU, run.Contests[0].Results[1] = "Ampere(R) Altra", constant("encoding/json", 0.5)
	if err := keep("-force"); err != nil {
		t.Fatal(err)
	}
	const others = "[2026-01-03-go1.26-amd-epyc-7763-avx2](benchmarks/2026-01-03-go1.26-amd-epyc-7763-avx2/README.md), [2026-01-03-go1.26-ampere-altra-avx2](benchmarks/2026-01-03-go1.26-ampere-altra-avx2/README.md).\n"
	if text := get(t, root, "docs/performance.md"); !strings.Contains(text, others) {
		t.Errorf("docs/performance.md does not link the other runs:\n%s", text)
	}
	// The same processor with other vector instructions has a report of its own.
	run.Machine.Vector = "NEON"
	if err := keep("-force"); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"2026-01-03-go1.26-ampere-altra-avx2", "2026-01-03-go1.26-ampere-altra-neon"} {
		if _, err := os.Stat(filepath.Join(benchmarks(root), folder)); err != nil {
			t.Error(err)
		}
	}
	// encoding/json is ahead on one of the processors, so the row does not hold in that report.
	for _, want := range []string{"| JSON | encoding/json | 3.00 × | 0 of 1 contest |", "AMD EPYC(TM) 7763 Processor with AVX2, 2 cores"} {
		if text := get(t, root, "README.md"); !strings.Contains(text, want) {
			t.Errorf("the README lacks %q:\n%s", want, text)
		}
	}
}
