package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hone-go/hone/bench/suite/cli"
	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants"
	"github.com/hone-go/hone/bench/suite/report"
	"github.com/hone-go/hone/bench/suite/results"
)

const againUsage = `Repeats the contests of a run that have wide intervals, and rewrites the files of the run.
The code, the machine and the Go release must be the same as in the run.

`

// measureAgain continues a finished run.
func measureAgain(ctx context.Context, args []string) error {
	root, err := results.Root()
	if err != nil {
		return err
	}
	flags := cli.NewFlags("again", againUsage)
	folder := flags.String("from", filepath.Join(root, "bench", "report"), "`folder` that holds results.json.gz")
	times := flags.Int("again", 2, "the maximum number of `repetitions`, each with twice the samples of the one before")
	wait := flags.Duration("wait", 0, waitUsage)
	if err := cli.Parse(flags, args); err != nil {
		return err
	}
	if *times < 1 || *wait < 0 {
		return errors.New("-again must be at least 1, and -wait must not be negative")
	}
	r, err := results.Read(*folder)
	if err != nil {
		return err
	}
	sources, err := results.Sources(root)
	if err != nil {
		return err
	}
	contests, chosen, err := sameContests(r, sources)
	if err != nil {
		return fmt.Errorf("cannot continue the run in %s: %w: start another run", *folder, err)
	}
	wide := 0
	for _, o := range r.Contests {
		wide += min(o.Wide(), 1)
	}
	if wide == 0 {
		fmt.Fprintf(os.Stderr, "No contest has an interval wider than ±%.0f %%, so none is repeated.\n", 100*contest.WideFrom)
		return nil
	}
	watch, err := newWatch(ctx, os.Stderr, *wait)
	if err != nil {
		return err
	}
	c := &r.Conditions
	c.Interrupted = len(contests) < chosen
	fmt.Fprintf(os.Stderr, "%d contests have wide intervals and are repeated. Ctrl-C writes the results so far.\n", wide)
	bar := newProgress(os.Stderr)
	watch.clear = bar.clear
	r.Contests = contest.Again(ctx, contests, r.Contests, contest.Options{
		Count: c.Count, Duration: c.Duration, Again: *times, Progress: bar.show, Done: watch.contest,
	})
	took := time.Since(bar.start).Truncate(time.Second)
	c.Others = c.Others.Add(&watch.others, c.Took, took)
	c.Took += took
	bar.clear()
	report.Table(os.Stdout, r)
	watch.judge(r, *folder)
	return write(root, *folder, r, sources)
}

// sameContests returns the contests of a run, in its order, and the number of contests that a whole
// run has. It returns an error if the code, the Go release, the machine or the peers have changed since
// the run.
func sameContests(r *results.Results, sources map[string]string) ([]contest.Contest, int, error) {
	for room, hash := range sources {
		if r.Sources[room] != hash {
			return nil, 0, fmt.Errorf("the code of %s has changed since the run", room)
		}
	}
	switch now := results.ThisMachine(); {
	case r.Machine.Go != now.Go:
		return nil, 0, fmt.Errorf("the run used %s, and this suite was built with %s", r.Machine.Go, now.Go)
	case r.Machine != now:
		return nil, 0, errors.New("the run was on another machine")
	}
	if !maps.Equal(r.Modules, results.Modules()) {
		return nil, 0, errors.New("the versions of the peers have changed since the run")
	}
	all, err := choose(contestants.All(), r.Conditions.Run, r.Conditions.Peers)
	if err != nil {
		return nil, 0, err
	}
	if r.Conditions.Short {
		all = without(all, contest.Exact)
	}
	contests := make([]contest.Contest, len(r.Contests))
	for i, o := range r.Contests {
		at := slices.IndexFunc(all, func(c contest.Contest) bool {
			return c.Name == o.Name && slices.EqualFunc(c.Contestants, o.Results, func(w contest.Contestant, r contest.Result) bool { return w.Name == r.Contestant })
		})
		if at < 0 {
			return nil, 0, fmt.Errorf("the contest %s or its contestants have changed since the run", o.Name)
		}
		contests[i] = all[at]
	}
	return contests, len(all), nil
}
