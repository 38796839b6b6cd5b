package try

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/cmd/hone/internal/migrate"
)

// Options configure Run. Migrate selects the imports, as for hone migrate.
type Options struct {
	Migrate   migrate.Options
	Bench     string        // a pattern of benchmarks to measure, whatever their share; "" chooses by profile
	Count     int           // rounds; 0 means 6
	BenchTime time.Duration // of each run of a benchmark; 0 means 200ms
	Limit     time.Duration // of the whole run; 0 means none
	Command   string        // a package of the module to run as a server, with Load
	Load      string        // a command that loads the server
}

// A Report is the answer.
type Report struct {
	Module   string          `json:"module"`
	Go       string          `json:"go"`
	Platform string          `json:"platform"`
	Change   *migrate.Change `json:"change"`
	Imports  int             `json:"imports"` // that change
	Tests    *migrate.Trial  `json:"tests,omitempty"`
	// Writes has the files that the tests create or change in the module.
	Writes     []string    `json:"writes,omitempty"`
	Benchmarks *Benchmarks `json:"benchmarks,omitempty"`
	Size       *Size       `json:"size,omitempty"`
	Server     *Server     `json:"server,omitempty"`
	Seconds    float64     `json:"seconds"` // that the run took
	// Verdict is gain, mixed, nothing, loss, noisy, unmeasured or differs.
	Verdict string `json:"verdict"`
	Summary string `json:"summary"` // the verdict in one sentence

	hone string // the flag -hone and its value, for the next command
}

// A Size compares a program that the module builds.
type Size struct {
	Program string `json:"program"`
	Before  int64  `json:"before"` // bytes
	After   int64  `json:"after"`
	// LinkBefore and LinkAfter are the seconds that go build takes if only the link is not in its cache.
	LinkBefore float64 `json:"linkBefore"`
	LinkAfter  float64 `json:"linkAfter"`
}

// A runner is a run of Run.
type runner struct {
	parent    context.Context // without the time limit
	ctx       context.Context
	tmp       string
	o         Options
	change    *migrate.Change
	sides     [2]side
	replaced  []string       // the packages whose imports change
	changed   []string       // the packages of the module in which imports change
	pattern   *regexp.Regexp // of the names of benchmarks; nil chooses by profile
	parts     string         // the pattern of their parts, from its first slash on
	count     int
	benchTime time.Duration
	deadline  time.Time // of the measurements
	binaries  int
	b         *Benchmarks
}

// Run tries the change. Temporary files are written below tmp, which the caller creates and removes.
func Run(ctx context.Context, tmp string, o Options) (*Report, error) {
	start := time.Now()
	if o.Migrate.Progress == nil {
		o.Migrate.Progress = func(string, ...any) {}
	}
	if o.Migrate.Count == nil {
		o.Migrate.Count = func(int, int, float64) {}
	}
	r := &runner{parent: ctx, ctx: ctx, tmp: tmp, o: o, count: o.Count, benchTime: o.BenchTime, b: &Benchmarks{Rows: []Row{}}}
	if r.count == 0 {
		r.count = 6
	}
	if r.benchTime == 0 {
		r.benchTime = 200 * time.Millisecond
	}
	if o.Limit > 0 {
		r.deadline = start.Add(o.Limit)
		var cancel func()
		r.ctx, cancel = context.WithTimeoutCause(ctx, o.Limit, fmt.Errorf("the time limit of %s has passed", o.Limit))
		defer cancel()
	}
	if o.Bench != "" {
		var err error
		name, parts, cut := strings.Cut(o.Bench, "/")
		if r.pattern, err = regexp.Compile(name); err != nil {
			return nil, fmt.Errorf("-bench: %w", err)
		}
		if cut {
			r.parts = "/" + parts
		}
		r.b.Pattern = o.Bench
	}
	report, err := r.run()
	if err != nil {
		if cause := context.Cause(r.ctx); cause != nil && ctx.Err() == nil {
			err = cause
		}
		return nil, err
	}
	report.Seconds = time.Since(start).Seconds()
	report.judge()
	return report, nil
}

func (r *runner) run() (*Report, error) {
	var err error
	if r.change, err = migrate.Prepare(r.ctx, r.tmp, r.o.Migrate); err != nil {
		return nil, err
	}
	c := r.change
	report := &Report{Module: c.Module(), Go: c.Release(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Change: c}
	if r.o.Migrate.Hone != "" {
		report.hone = " -hone " + r.o.Migrate.Hone
	}
	for m, n := range c.Moves() {
		report.Imports += n
		if !slices.Contains(r.replaced, m.From) {
			r.replaced = append(r.replaced, m.From)
		}
	}
	slices.Sort(r.replaced)
	r.changed = c.ChangedPackages()
	if report.Imports == 0 {
		return report, nil
	}
	r.o.Migrate.Progress("copying the module twice")
	before, after, err := c.Copies()
	if err != nil {
		return nil, err
	}
	r.sides = [2]side{{before, filepath.Join(r.tmp, "bin", "a")}, {after, filepath.Join(r.tmp, "bin", "b")}}
	for _, x := range r.sides {
		if err := os.MkdirAll(x.bin, 0o755); err != nil {
			return nil, err
		}
	}
	files, err := snapshot(before)
	if err != nil {
		return nil, err
	}
	if report.Tests, err = c.Try(r.ctx, r.o.Migrate.Progress); err != nil {
		return nil, err
	}
	if report.Writes, err = written(before, files); err != nil {
		return nil, err
	}
	if err := c.RaiseGoLine(); err != nil {
		return nil, err
	}
	all, err := list(c, before)
	if err != nil {
		return nil, err
	}
	if report.Size, err = r.size(all); err != nil {
		return nil, err
	}
	if r.o.Command != "" {
		if report.Server, err = r.serve(); err != nil {
			return nil, err
		}
		return report, nil
	}
	report.Benchmarks = r.b
	err = r.benchmarks(all)
	switch {
	case r.parent.Err() != nil:
		return nil, r.parent.Err()
	case err != nil && r.limited():
		r.b.Late = true // the rest of the report holds
		err = nil
	}
	return report, err
}

// benchmarks chooses and measures the benchmarks.
func (r *runner) benchmarks(all []listed) error {
	suites, apart := suites(all, r.sides[0].dir, r.changed)
	r.b.Apart = apart
	var own []candidate
	reached := map[string]bool{}
	r.o.Migrate.Progress("building the benchmarks of %s in both copies", count(len(suites), "package"))
	for i := range suites {
		s := &suites[i]
		r.o.Migrate.Count(i, len(suites), float64(i)/float64(len(suites)))
		err := r.build(s)
		if err == nil {
			err = r.listBenchmarks(s)
		}
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if err != nil {
			r.fail("%s: %s", s.pkg, firstLine(err.Error()))
		}
		r.b.Found += len(s.names)
	}
	r.o.Migrate.Progress("profiling %s", count(r.b.Found, "benchmark"))
	done := 0
	for i := range suites {
		for _, name := range suites[i].names {
			r.o.Migrate.Count(done, r.b.Found, float64(done)/float64(r.b.Found))
			done++
			if !r.deadline.IsZero() && time.Until(r.deadline) < r.o.Limit/3 {
				r.b.Left = append(r.b.Left, suites[i].pkg+" "+name)
				continue
			}
			c, err := r.profile(&suites[i], name)
			switch {
			case r.ctx.Err() != nil:
				return r.ctx.Err()
			case err != nil:
				r.fail("%s %s: %v", suites[i].pkg, name, err)
			case r.pattern == nil && c.share.Replaced < least:
				r.b.Outside++
			default:
				own = append(own, c)
				maps.Copy(reached, c.share.callers)
			}
		}
	}
	for i := range own {
		r.b.Share = r.b.Share.plus(own[i].share)
	}
	chosen := own
	if r.pattern == nil {
		made, err := r.write(reached)
		if err != nil {
			return err
		}
		r.b.Written = len(made)
		if len(own) == 0 {
			for i := range made {
				r.b.Share = r.b.Share.plus(made[i].share)
			}
		}
		chosen = append(chosen, made...)
	}
	r.b.AtMost = r.b.Share.AtMost()
	chosen = r.within(chosen)
	if len(chosen) > 0 {
		r.o.Migrate.Progress("measuring %s in %d rounds, each in the old copy, the new copy and the old copy again, about %s", count(len(chosen), "benchmark"), r.count, r.estimate(chosen).Round(time.Second))
		r.measure(chosen)
	}
	return nil
}

// plus adds two shares, weighted by their time.
func (s Share) plus(t Share) Share {
	all := s.Seconds + t.Seconds
	if all == 0 {
		return s
	}
	return Share{
		Replaced: (s.Replaced*s.Seconds + t.Replaced*t.Seconds) / all,
		Others:   (s.Others*s.Seconds + t.Others*t.Seconds) / all,
		Seconds:  all,
	}
}

// estimate returns the time for measuring benchmarks.
func (r *runner) estimate(list []candidate) time.Duration {
	var all time.Duration
	for _, c := range list {
		all += time.Duration(float64(c.took) * float64(r.benchTime) / float64(profileTime) * 3 * float64(r.count))
	}
	return all
}

// within returns the benchmarks for which there is time, those with the largest shares first.
func (r *runner) within(list []candidate) []candidate {
	if r.deadline.IsZero() {
		return list
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		switch {
		case a.share.Replaced > b.share.Replaced:
			return -1
		case a.share.Replaced < b.share.Replaced:
			return 1
		}
		return 0
	})
	left := time.Until(r.deadline) * 9 / 10
	n := 0
	for n < len(list) && (n == 0 || r.estimate(list[:n+1]) <= left) {
		n++
	}
	for _, c := range list[n:] {
		r.b.Left = append(r.b.Left, c.suite.pkg+" "+c.name)
	}
	return list[:n]
}

// changes reports whether the imports of a package change.
func (r *runner) changes(pkg string) bool {
	return slices.Contains(r.changed, strings.TrimSuffix(pkg, "_test"))
}

// size builds a program of the module in both copies. Without a program it builds nothing.
func (r *runner) size(all []listed) (*Size, error) {
	i := slices.IndexFunc(all, func(p listed) bool {
		return p.Name == "main" && !strings.HasSuffix(p.ImportPath, ".test") && p.ForTest == "" &&
			(slices.Contains(r.changed, p.ImportPath) || slices.ContainsFunc(p.Deps, func(d string) bool { return slices.Contains(r.changed, d) }))
	})
	if i < 0 {
		return nil, nil
	}
	s := &Size{Program: all[i].ImportPath}
	r.o.Migrate.Progress("building %s in both copies", s.Program)
	for k, x := range r.sides {
		name := filepath.Join(x.bin, "program.exe")
		// The second build links again, because its flags differ, and takes the rest from the cache.
		if _, err := r.change.Go(x.dir, "build", "-o", name, s.Program); err != nil {
			if r.ctx.Err() != nil {
				return nil, r.ctx.Err()
			}
			return nil, nil // the packages that do not build are in the results of the tests
		}
		start := time.Now()
		if _, err := r.change.Go(x.dir, "build", "-ldflags=-X main.honeTry=again", "-o", name, s.Program); err != nil {
			return nil, err
		}
		took := time.Since(start).Seconds()
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if k == 0 {
			s.Before, s.LinkBefore = info.Size(), took
		} else {
			s.After, s.LinkAfter = info.Size(), took
		}
	}
	return s, nil
}

// A stamp identifies the content of a file.
type stamp struct {
	size int64
	time time.Time
}

// snapshot returns the stamps of all files in a folder, except go.mod and go.sum, which the go command may write.
func snapshot(dir string) (map[string]stamp, error) {
	files := map[string]stamp{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == filepath.Join(dir, "go.mod") || path == filepath.Join(dir, "go.sum") {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files[path] = stamp{info.Size(), info.ModTime()}
		}
		return err
	})
	return files, err
}

// written returns the files of a folder that were created or changed since the snapshot.
func written(dir string, before map[string]stamp) ([]string, error) {
	after, err := snapshot(dir)
	if err != nil {
		return nil, err
	}
	var list []string
	for path, s := range after {
		if rel, err := filepath.Rel(dir, path); err == nil && before[path] != s {
			list = append(list, filepath.ToSlash(rel))
		}
	}
	slices.Sort(list)
	return list, nil
}

// firstLine returns the first line of a text. It leaves out the go command's headings, which name a package.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "go test: # ") {
			return line
		}
	}
	return strings.TrimSpace(text)
}
