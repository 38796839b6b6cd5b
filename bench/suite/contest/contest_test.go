package contest

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The test binary itself runs the contestants.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == ServeFlag {
		name, who, _ := strings.Cut(os.Args[2], "|")
		c, w, err := Find(served(), name, who)
		if err == nil {
			err = Serve(c, w, os.Stdin, os.Stdout)
		}
		if err != nil {
			panic(err)
		}
		return
	}
	if len(os.Args) == 3 && os.Args[1] == ProbeFlag {
		parts := strings.Split(os.Args[2], "|")
		_, w, err := Find(served(), parts[0], parts[1])
		if err == nil {
			err = ServeProbes(w, parts[2], os.Stdout)
		}
		if err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// served are the contests of these tests. The processes of contestants look them up.
func served() []Contest { return append(append(trial(), unsteady()...), promising(), documents()) }

var kept []byte

func trial() []Contest {
	turns := 0
	spin := func(each time.Duration) func() (func(int), error) {
		return func() (func(int), error) {
			return func(n int) {
				for range n {
					for start := time.Now(); time.Since(start) < each; {
					}
					kept = make([]byte, 100)
				}
			}, nil
		}
	}
	return []Contest{
		{Name: "trial/spin", Contestants: []Contestant{
			{Name: "hone", New: spin(10 * time.Microsecond)},
			{Name: "slow", New: spin(30 * time.Microsecond)},
			{Name: "wrong", New: func() (func(int), error) { return nil, errors.New("output differs") }},
			{Name: "panics early", New: func() (func(int), error) { panic("early") }},
			{Name: "panics late", New: func() (func(int), error) { return func(int) { panic("late") }, nil }},
			{Name: "exits", New: func() (func(int), error) { return func(int) { os.Exit(3) }, nil }},
		}},
		{Name: "trial/cold", Way: Cold, Contestants: []Contestant{{Name: "hone", New: func() (func(int), error) {
			return func(n int) {
				if turns += n; turns > 1 {
					panic("not the first of its process")
				}
			}, nil
		}}}},
		{Name: "trial/exact", Way: Exact, Unit: Bytes, Contestants: []Contestant{{Name: "hone", Measure: func() (func(time.Duration) (Sample, error), error) {
			return func(time.Duration) (Sample, error) {
				if turns++; turns > 1 {
					return Sample{}, errors.New("asked twice")
				}
				return Sample{Value: 42, More: map[string]float64{"of": 7}}, nil
			}, nil
		}}}},
		{Name: "trial/cores", Way: Parallel, Contestants: []Contestant{{Name: "hone", Measure: func() (func(time.Duration) (Sample, error), error) {
			return func(time.Duration) (Sample, error) { return Sample{Value: float64(runtime.GOMAXPROCS(0))}, nil }, nil
		}}}},
		{Name: "trial/core", Contestants: []Contestant{{Name: "hone", Measure: func() (func(time.Duration) (Sample, error), error) {
			return func(time.Duration) (Sample, error) { return Sample{Value: float64(runtime.GOMAXPROCS(0))}, nil }, nil
		}}}},
	}
}

func TestRun(t *testing.T) {
	told := []string{}
	o := Options{Count: 7, Duration: 2 * time.Millisecond, Progress: func(name string, behind, ahead time.Duration) {
		told = append(told, name)
		if behind+ahead != Expected(trial(), Options{Count: 7, Duration: 2 * time.Millisecond}) {
			t.Errorf("%s: %s behind and %s ahead", name, behind, ahead)
		}
	}}
	outcomes := Run(t.Context(), trial(), o)
	// On a busy machine one measurement may not be enough to distinguish the two contestants.
	for range 3 {
		if spin := outcomes[0].Results; len(spin) < 2 || Differ(spin[0].Samples, spin[1].Samples) {
			break
		}
		told = told[:0]
		outcomes = Run(t.Context(), trial(), o)
	}
	if len(outcomes) != 5 || len(told) != 5 {
		t.Fatalf("%d outcomes, told of %q", len(outcomes), told)
	}
	spin := outcomes[0].Results
	for _, r := range spin[:2] {
		if r.Error != "" || len(r.Samples) < enough(7) || len(r.Samples) > 7 || r.Low > r.Center || r.High < r.Center || r.Allocs < 0.99 || r.Allocs > 1.5 || r.Bytes < 99 {
			t.Errorf("%+v", r)
		}
	}
	if spin[0].Center < 10_000 || spin[1].Center < 30_000 || !Differ(spin[0].Samples, spin[1].Samples) {
		t.Errorf("10 µs took %v ns, 30 µs took %v", spin[0].Center, spin[1].Center)
	}
	for i, want := range []string{"output differs", "early", "late", "ended"} {
		if r := spin[2+i]; !strings.Contains(r.Error, want) || len(r.Samples) > 0 {
			t.Errorf("%s: %q, want %q", r.Contestant, r.Error, want)
		}
	}
	if cold := outcomes[1].Results[0]; cold.Error != "" || len(cold.Samples) < enough(7) || len(cold.Samples) > 7 {
		t.Errorf("cold: %+v", cold)
	}
	if exact := outcomes[2].Results[0]; exact.Error != "" || len(exact.Samples) != 1 || exact.Center != 42 || exact.More["of"] != 7 {
		t.Errorf("exact: %+v", exact)
	}
	if cores := outcomes[3].Results[0]; cores.Center != float64(runtime.NumCPU()) {
		t.Errorf("a parallel contest has %v of %d cores", cores.Center, runtime.NumCPU())
	}
	if core := outcomes[4].Results[0]; !strings.HasPrefix(Pinning(), "not") && core.Center != 1 {
		t.Errorf("a pinned contest has %v cores", core.Center)
	}
	if s := spin[0].Source; !strings.HasPrefix(s, "bench/suite/contest/contest_test.go:") {
		t.Errorf("the source is said to be %q", s)
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Count: 3, Duration: time.Millisecond, Progress: func(name string, _, _ time.Duration) {
		if name == "trial/exact" {
			cancel()
		}
	}}
	if outcomes := Run(ctx, trial(), o); len(outcomes) != 2 {
		t.Errorf("an interrupted run has %d outcomes", len(outcomes))
	}
}

// TestAgain measures three contests. The first intervals of one contest are wide. The intervals of another are narrow.
// The third runs on all cores, so its wide intervals are ignored. Only the first is measured again.
func TestAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "turns")
	t.Setenv("TRIAL_TURNS", file)
	var told []string
	o := Options{Count: 7, Duration: time.Millisecond, Again: 2, Progress: func(name string, _, ahead time.Duration) {
		told = append(told, name)
		if ahead <= 0 {
			t.Errorf("%s: %s ahead", name, ahead)
		}
	}}
	outcomes := Run(t.Context(), unsteady(), o)
	if got, want := strings.Join(told, " "), "unsteady/narrow unsteady/wide unsteady/cores unsteady/wide unsteady/wide"; got != want {
		t.Errorf("measured %s, want %s", got, want)
	}
	for i, want := range []int{0, 2, 0} {
		if o := outcomes[i]; o.Again != want || o.Results[0].Error != "" {
			t.Errorf("%+v, want it %d times again", o, want)
		}
	}
	if wide := outcomes[1]; wide.Wide() != 0 || wide.Results[0].Center != 3 {
		t.Errorf("%+v is not the third measurement", wide)
	}
	if n := len(outcomes[1].Results[0].Samples); n < enough(4*7) || n > 4*7 {
		t.Errorf("%d samples in the third measurement, want twice those of the second", n)
	}

	// The repetition ends when there is no time left, and when its context ends.
	if outcomes := Run(t.Context(), unsteady()[1:2], o); outcomes[0].Again != 0 {
		t.Errorf("a contest that takes longer again than the run was measured again: %+v", outcomes[0])
	}
	ctx, cancel := context.WithCancel(t.Context())
	told = nil
	_ = os.Remove(file)
	o.Progress = func(string, time.Duration, time.Duration) {
		if told = append(told, ""); len(told) == 4 {
			cancel()
		}
	}
	if outcomes := Run(ctx, unsteady(), o); len(outcomes) != 3 || outcomes[1].Again != 0 || outcomes[1].Wide() != 1 {
		t.Errorf("stopped while it measured again: %+v", outcomes)
	}
}

// unsteady returns a contest. Its times are steady from the third process on. Each process appends a byte to a
// file, and the environment has the name of the file.
func unsteady() []Contest {
	steady := func() (func(time.Duration) (Sample, error), error) {
		return func(time.Duration) (Sample, error) { return Sample{Value: 5}, nil }, nil
	}
	wide := func() (func(time.Duration) (Sample, error), error) {
		f, err := os.OpenFile(os.Getenv("TRIAL_TURNS"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if _, err := f.WriteString("."); err != nil {
			return nil, err
		}
		size, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			return nil, err
		}
		value, step := float64(size), 1.0
		return func(time.Duration) (Sample, error) {
			if size < 3 {
				value, step = value+step, -step
			}
			return Sample{Value: value}, nil
		}, nil
	}
	return []Contest{
		{Name: "unsteady/narrow", Contestants: []Contestant{{Name: "hone", Measure: steady}, {Name: "other", Measure: steady}, {Name: "third", Measure: steady}}},
		{Name: "unsteady/wide", Contestants: []Contestant{{Name: "hone", Measure: wide}}},
		{Name: "unsteady/cores", Way: Parallel, Contestants: []Contestant{{Name: "hone", Measure: steady}}},
	}
}

func TestTakeAgain(t *testing.T) {
	interval := func(half float64) Result {
		return Result{Samples: []float64{1, 1}, Center: 1, Low: 1 - half, High: 1 + half}
	}
	failed := Result{Error: "it does not start"}
	for _, c := range []struct {
		name           string
		earlier, later []Result
		taken          bool
	}{
		{"fewer", []Result{interval(0.2), interval(0.2)}, []Result{interval(0.05), interval(0.3)}, true},
		{"as many", []Result{interval(0.2), interval(0.05)}, []Result{interval(0.05), interval(0.2)}, false},
		{"more", []Result{interval(0.2), interval(0.05)}, []Result{interval(0.3), interval(0.2)}, false},
		{"fails", []Result{interval(0.2), interval(0.05)}, []Result{failed, interval(0.05)}, false},
		{"fails again", []Result{failed, interval(0.2)}, []Result{failed, interval(0.05)}, true},
	} {
		o := Outcome{Name: "earlier", Results: c.earlier}
		o.takeAgain(Outcome{Name: "later", Results: c.later})
		if taken := o.Name == "later"; taken != c.taken || o.Again != 1 {
			t.Errorf("%s: %+v, want the later taken: %v", c.name, o, c.taken)
		}
	}
}

func TestFit(t *testing.T) {
	contests := make([]Contest, 100)
	for i := range contests {
		contests[i] = Contest{Contestants: make([]Contestant, 5)}
	}
	for _, total := range []time.Duration{2 * time.Minute, 10 * time.Minute} {
		o := Fit(contests, Options{Count: 10}, total)
		if got := Expected(contests, o); got < total*9/10 || got > total {
			t.Errorf("samples of %s take %s, want %s", o.Duration, got, total)
		}
	}
	if o := Fit(contests, Options{Count: 10}, time.Second); o.Duration <= 0 {
		t.Errorf("no time makes samples of %s", o.Duration)
	}
	if o := Fit(contests[:1], Options{Count: 10}, time.Hour); o.Duration > time.Second {
		t.Errorf("an hour makes samples of %s", o.Duration)
	}
}

func TestDiffer(t *testing.T) {
	low, high := []float64{1, 2, 3, 4, 5, 6}, []float64{11, 12, 13, 14, 15, 16}
	mixed := []float64{6, 5, 4, 3, 2, 1.5}
	if !Differ(low, high) || Differ(low, mixed) || Differ(low, low) {
		t.Error("want a difference between samples that do not overlap, and none between samples that do")
	}
	if low[0] != 1 || mixed[0] != 6 {
		t.Error("the samples were put in order")
	}
	if Differ([]float64{5}, []float64{5}) || !Differ([]float64{5}, []float64{6}) {
		t.Error("of what is exact one sample tells")
	}
}
