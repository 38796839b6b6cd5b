package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/load"
	"github.com/hone-go/hone/bench/suite/results"
)

const (
	glance    = time.Second      // the duration of the check before a run
	quietTime = 3 * time.Second  // how long the machine must be quiet for -wait
	sayEvery  = 30 * time.Second // the interval of messages about a wait without a terminal
	mostLines = 5                // maximum number of warnings about contests
)

const waitUsage = "wait at most this `long`, such as 10m, until the machine is quiet, and fail if it stays busy"

// A watch measures how many cores other processes use before and during a run, and how wide the
// intervals are. It prints warnings.
type watch struct {
	w           io.Writer
	clear       func() // clears the line of the progress
	first, last load.Reading
	others      results.Others
	lines       int
}

// newWatch measures the machine before a run, and waits until the machine is quiet, for the timeout
// at most. Without a timeout it only prints a warning if the machine is busy, or if the system does
// not report how many cores other processes use. With a timeout it returns an error in these two
// cases.
func newWatch(ctx context.Context, w *os.File, timeout time.Duration) (*watch, error) {
	watch := &watch{w: w, clear: func() {}, others: results.Others{Limit: load.Limit()}}
	others, err := load.Others(ctx, glance)
	if load.Unknown(err) && timeout == 0 {
		watch.others = results.Others{Unknown: err.Error()}
		fmt.Fprintf(w, "%v: make sure that the machine is quiet\n", err)
		return watch, nil
	}
	if err == nil && others > load.Limit() {
		said := fmt.Sprintf("other processes use %.2f of %d cores", others, runtime.NumCPU())
		if average := load.Average(); average != "" {
			said += ", load average " + average
		}
		if timeout == 0 {
			fmt.Fprintf(w, "warning: the machine is busy (%s): the results will be unreliable, and cannot be published. -wait 10m waits until it is quiet.\n", said)
		} else {
			fmt.Fprintf(w, "the machine is busy (%s): waiting up to %s until it is quiet\n", said, timeout)
			others, err = waitQuiet(ctx, w, timeout)
		}
	}
	if err != nil {
		return nil, err
	}
	watch.others.Before = others
	return watch, watch.start()
}

func waitQuiet(ctx context.Context, w *os.File, wait time.Duration) (float64, error) {
	bar := newProgress(w)
	defer bar.clear()
	next := time.Now().Add(sayEvery)
	return load.Wait(ctx, load.Limit(), wait, min(quietTime, wait), func(others float64, left time.Duration) {
		bar.wait(others, left)
		if bar.w == nil && time.Now().After(next) {
			next = time.Now().Add(sayEvery)
			fmt.Fprintf(w, "still busy: other processes use %.2f of %d cores; %s left\n", others, runtime.NumCPU(), left.Round(time.Second))
		}
	})
}

func (w *watch) start() (err error) {
	w.first, err = load.Read()
	w.last = w.first
	return err
}

// contest records how many cores other processes used during a contest, and warns if the widest
// interval of the contest is too wide. It is called after all processes of the contest have ended.
func (w *watch) contest(o contest.Outcome) {
	w.disturbed(o.Name)
	widest, who := 0.0, ""
	for _, r := range o.Results {
		if spread := o.Spread(r); spread > widest {
			widest, who = spread, r.Contestant
		}
	}
	if widest > contest.WideFrom {
		w.warn("%s: the interval of %s is ±%.0f %%", o.Name, who, 100*widest)
	}
}

// disturbed records the number of cores that other processes have used since its last call.
func (w *watch) disturbed(contest string) {
	if w.others.Unknown != "" {
		return
	}
	now, err := load.Read()
	if err != nil {
		w.others = results.Others{Unknown: err.Error()}
		return
	}
	w.others.During = now.Others(w.first)
	if now.At.Sub(w.last.At) < glance {
		return // too short for the resolution of the system's clocks: the next call includes this time
	}
	others := now.Others(w.last)
	w.last = now
	if others > w.others.Most {
		w.others.Most, w.others.MostIn = others, contest
	}
	if others > w.others.Limit {
		w.others.Disturbed++
		w.warn("%s: other processes used %.2f of %d cores meanwhile", contest, others, runtime.NumCPU())
	}
}

func (w *watch) warn(format string, args ...any) {
	switch w.lines++; {
	case w.lines < mostLines:
		w.clear()
		fmt.Fprintf(w.w, "warning: "+format+"\n", args...)
	case w.lines == mostLines:
		w.clear()
		fmt.Fprintln(w.w, "warning: there are more warnings, which are omitted")
	}
}

// judge prints at the end of a run whether the figures in the folder are reliable.
func (w *watch) judge(r *results.Results, folder string) {
	if signs := r.Busy(); signs != nil {
		fmt.Fprintf(w.w, "warning: this was measured on a busy machine, and the report notes it: %s.\n`go run ./bench again -from %s` repeats the contests with wide intervals. If that is not enough, start another run with -wait 10m.\n", strings.Join(signs, "; "), folder)
	}
}
