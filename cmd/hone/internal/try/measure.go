package try

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// A candidate is a top-level benchmark with its profile.
type candidate struct {
	suite *suite
	name  string
	share Share
	took  time.Duration // of the run with the profiler
}

const (
	profileTime = 200 * time.Millisecond // -benchtime of the run with the profiler
	// least is the share of a benchmark's time in the replaced packages from which it is measured.
	least = 0.05
)

// profile runs a benchmark of the old copy with the CPU profiler.
func (r *runner) profile(s *suite, name string) (candidate, error) {
	c := candidate{suite: s, name: name}
	file := filepath.Join(r.tmp, "cpu.pprof")
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return c, err
	}
	ctx, cancel := context.WithTimeout(r.ctx, time.Minute)
	defer cancel()
	start := time.Now()
	out, err := r.command(ctx, r.sides[0], s, "-test.run=^$", "-test.bench=^"+name+"$"+r.parts, "-test.benchtime="+profileTime.String(), "-test.cpuprofile="+file).CombinedOutput()
	c.took = time.Since(start)
	if err != nil {
		if ctx.Err() != nil && r.ctx.Err() == nil {
			return c, errors.New("it takes more than a minute")
		}
		return c, errors.New(lastLine(out, err))
	}
	f, err := os.Open(file)
	if err != nil {
		return c, err
	}
	defer f.Close()
	c.share, err = readProfile(f, r.replaced, r.changes)
	return c, err
}

// lastLine returns the first line of a failed run that says something, or the error.
func lastLine(out []byte, err error) string {
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		for _, noise := range []string{"goos:", "goarch:", "pkg:", "cpu:", "---", "FAIL", "PASS", "exit status", "Benchmark"} {
			if strings.HasPrefix(line, noise) {
				line = ""
			}
		}
		if line != "" {
			return line
		}
	}
	return err.Error()
}

// samples are the values of one row: by unit, for the old copy, the new copy and the control.
type samples map[string]*[3][]float64

// A rowID names a row: a benchmark or a part of one.
type rowID struct{ pkg, name string }

// orders are the orders of the runs within a round: the old copy (0), the new copy (1) and the control (2).
var orders = [][3]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {2, 0, 1}, {0, 2, 1}, {1, 2, 0}}

// round runs a benchmark once in the old copy, in the new copy and as the control.
func (r *runner) round(c candidate, n int, into map[rowID]samples) error {
	for _, slot := range orders[n%len(orders)] {
		x := r.sides[slot%2] // the control is the old copy
		ctx, cancel := context.WithTimeout(r.ctx, 2*time.Minute)
		out, err := r.command(ctx, x, c.suite, "-test.run=^$", "-test.bench=^"+c.name+"$"+r.parts, "-test.benchmem", "-test.benchtime="+r.benchTime.String()).CombinedOutput()
		cancel()
		if err != nil {
			return errors.New(lastLine(out, err))
		}
		read := benchfmt.NewReader(bytes.NewReader(out), c.name)
		for read.Scan() {
			result, ok := read.Result().(*benchfmt.Result)
			if !ok {
				continue // lines that are not results, such as the output of the benchmark
			}
			id := rowID{c.suite.pkg, rowName(result.Name, processors)}
			if into[id] == nil {
				into[id] = samples{}
			}
			for _, v := range result.Values {
				if into[id][v.Unit] == nil {
					into[id][v.Unit] = new([3][]float64)
				}
				list := &into[id][v.Unit][slot]
				*list = append(*list, v.Value)
			}
		}
	}
	return nil
}

// processors is the number of processors for benchmarks. The names of their results end with it if it is not 1.
var processors = runtime.GOMAXPROCS(0)

// rowName returns the name of a benchmark without the number of processors.
func rowName(n benchfmt.Name, processors int) string {
	name := string(n.Full())
	if processors > 1 {
		name = strings.TrimSuffix(name, fmt.Sprintf("-%d", processors))
	}
	return name
}

// A Quantity compares a measurement before and after the change. Its figures are medians.
type Quantity struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	P      float64 `json:"p"`
	N      int     `json:"n"` // samples on each side
	// Differs is set if the difference is significant and larger than the control's.
	Differs bool `json:"differs"`
}

// Ratio returns after divided by before.
func (q Quantity) Ratio() float64 {
	switch {
	case q.Before == q.After:
		return 1
	case q.Before == 0:
		return math.MaxFloat64
	}
	return q.After / q.Before
}

// A Row is the result of one benchmark.
type Row struct {
	Package string   `json:"package"`
	Name    string   `json:"name"`
	Written bool     `json:"written,omitempty"` // hone has written the benchmark
	Share   float64  `json:"share"`             // the part of its CPU time in the replaced packages
	Time    Quantity `json:"time"`              // seconds
	Bytes   Quantity `json:"bytes"`             // allocated
	Allocs  Quantity `json:"allocs"`
	// Control is the time of the old copy in the control divided by its time.
	Control float64 `json:"control"`
	// Noisy is set if the old copy differs from itself, so that Time says nothing.
	Noisy bool `json:"noisy,omitempty"`
}

// A row is too noisy if the old copy differs from itself by more than maxNoise, unless the new copy differs
// decisive times as much.
const (
	maxNoise = 0.05
	decisive = 4
)

// compare computes a row from its samples. ok is false if the benchmark did not run on both sides.
func compare(id rowID, share Share, written bool, s samples) (row Row, ok bool) {
	row = Row{Package: id.pkg, Name: id.name, Written: written, Share: share.Replaced, Control: 1}
	times := s["sec/op"]
	if times == nil || len(times[0]) == 0 || len(times[1]) == 0 || len(times[2]) == 0 {
		return row, false
	}
	control := quantity(times[0], times[2])
	row.Control = control.Ratio()
	row.Time = quantity(times[0], times[1])
	noise, change := math.Abs(math.Log(row.Control)), math.Abs(math.Log(row.Time.Ratio()))
	row.Noisy = noise > math.Log1p(maxNoise) && change < decisive*noise
	row.Time.Differs = row.Time.Differs && change > noise
	if x := s["B/op"]; x != nil {
		row.Bytes = quantity(x[0], x[1])
	}
	if x := s["allocs/op"]; x != nil {
		row.Allocs = quantity(x[0], x[1])
	}
	return row, true
}

func quantity(before, after []float64) Quantity {
	if len(before) == 0 || len(after) == 0 {
		return Quantity{}
	}
	sample := func(values []float64) *benchmath.Sample {
		return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	}
	a, b := sample(before), sample(after)
	c := benchmath.AssumeNothing.Compare(a, b)
	q := Quantity{
		Before: benchmath.AssumeNothing.Summary(a, 0.95).Center, After: benchmath.AssumeNothing.Summary(b, 0.95).Center,
		P: c.P, N: min(len(before), len(after)),
	}
	q.Differs = c.P < c.Alpha && q.Before != q.After
	return q
}

// A Benchmarks has the results of all benchmarks.
type Benchmarks struct {
	Pattern string `json:"pattern,omitempty"` // of -bench
	Found   int    `json:"found"`             // top-level benchmarks in packages that link a changed package
	Apart   int    `json:"apart"`             // packages whose benchmarks link no changed package
	Outside int    `json:"outside"`           // benchmarks that spend too little time in the replaced packages
	Written int    `json:"written"`           // benchmarks that hone has written
	// Share is the share of the measured benchmarks' time, written ones excluded if there are others.
	Share  Share   `json:"share"`
	AtMost float64 `json:"atMost,omitzero"`
	Count  int     `json:"count"` // complete rounds
	Rows   []Row   `json:"rows"`
	// Noisy is set if so many rows are noisy that no time is reported.
	Noisy bool `json:"noisy,omitempty"`
	// Gain is the geometric mean of time before divided by time after, over the rows that are not noisy. A row
	// without a significant difference counts as 1. Gain is 0 if no row differs.
	Gain float64 `json:"gain,omitempty"`
	// Left has the benchmarks that were not measured because of the time limit.
	Left []string `json:"left,omitempty"`
	// Late is set if the time limit passed before there were enough rounds for a verdict.
	Late bool `json:"late,omitempty"`
	// Failed has the benchmarks and packages that do not run, with the reason.
	Failed []string `json:"failed,omitempty"`
}

// judge sets Noisy and Gain.
func (b *Benchmarks) judge() {
	b.Gain = 0
	noisy, differ, sum, n := 0, 0, 0.0, 0
	for _, r := range b.Rows {
		if r.Noisy {
			noisy++
			continue
		}
		if r.Time.Differs {
			sum -= math.Log(r.Time.Ratio())
			differ++
		}
		n++
	}
	if b.Noisy = 2*noisy > len(b.Rows); differ > 0 && !b.Noisy {
		b.Gain = math.Exp(sum / float64(n))
	}
}

// measure runs the chosen benchmarks in rounds. On a noisy machine it runs up to three times as many rounds.
func (r *runner) measure(chosen []candidate) {
	into := map[rowID]samples{}
	failed := map[int]bool{}
	start := time.Now()
	for n := 0; n < r.count || r.b.Noisy && n < 3*r.count; n++ {
		if n == r.count {
			r.o.Migrate.Progress("the machine is noisy: measuring in up to %d more rounds", 2*r.count)
		}
		for i, c := range chosen {
			done := n%r.count*len(chosen) + i
			r.o.Migrate.Count(done, r.count*len(chosen), float64(done)/float64(r.count*len(chosen)))
			if r.ctx.Err() != nil {
				break
			}
			if failed[i] {
				continue
			}
			if err := r.round(c, n, into); err != nil && r.ctx.Err() == nil {
				r.fail("%s %s: %v", c.suite.pkg, c.name, err)
				failed[i] = true
			}
		}
		if r.ctx.Err() != nil {
			break
		}
		if r.b.Count = n + 1; r.late(start, n+1) {
			break
		}
		if n+1 >= r.count {
			r.compareAll(chosen, failed, into)
		}
	}
	r.o.Migrate.Count(1, 1, 1)
	r.compareAll(chosen, failed, into)
	if r.b.Count >= fewestRounds {
		return
	}
	r.b.Late = true
	for i, c := range chosen {
		if !failed[i] && !slices.ContainsFunc(r.b.Rows, func(row Row) bool { return c.has(rowID{row.Package, row.Name}) }) {
			r.b.Left = append(r.b.Left, c.suite.pkg+" "+c.name)
		}
	}
}

// has reports whether a row is of the candidate.
func (c candidate) has(id rowID) bool {
	top, _, _ := strings.Cut(id.name, "/")
	return c.suite.pkg == id.pkg && c.name == "Benchmark"+top
}

// compareAll computes the rows of the benchmarks that did not fail.
func (r *runner) compareAll(chosen []candidate, failed map[int]bool, into map[rowID]samples) {
	r.b.Rows = []Row{}
	for id, s := range into {
		i := slices.IndexFunc(chosen, func(c candidate) bool { return c.has(id) })
		if i < 0 || failed[i] {
			continue
		}
		if row, ok := compare(id, chosen[i].share, chosen[i].suite.written, s); ok {
			r.b.Rows = append(r.b.Rows, row)
		}
	}
	slices.SortFunc(r.b.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Time.Ratio(), b.Time.Ratio()), strings.Compare(a.Package+a.Name, b.Package+b.Name))
	})
	r.b.judge()
}

// late reports whether another round would end after the time limit.
func (r *runner) late(start time.Time, rounds int) bool {
	each := time.Since(start) / time.Duration(rounds)
	return r.ctx.Err() != nil || !r.deadline.IsZero() && time.Now().Add(each).After(r.deadline)
}

// limited reports whether the time limit has passed.
func (r *runner) limited() bool { return r.ctx.Err() != nil && r.parent.Err() == nil }

func (r *runner) fail(format string, args ...any) {
	r.b.Failed = append(r.b.Failed, fmt.Sprintf(format, args...))
}
