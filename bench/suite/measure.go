package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/hone-go/hone/bench/suite/cli"
	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants"
	"github.com/hone-go/hone/bench/suite/publication"
	"github.com/hone-go/hone/bench/suite/report"
	"github.com/hone-go/hone/bench/suite/results"
)

// These are the intended times of a run. The run takes somewhat longer, since it builds programs.
const (
	fullTime  = 13 * time.Minute
	shortTime = 35 * time.Second
)

func measure(ctx context.Context, args []string) error {
	root, err := results.Root()
	if err != nil {
		return err
	}
	flags := cli.NewFlags("bench", usage)
	pattern := flags.String("run", "", "only contests whose name matches this regular `expression`, such as ^json/ or encode$")
	peers := flags.String("peers", "", "only Hone and these contestants, a comma-separated `list`")
	short := flags.Bool("short", false, "a rough run of about two minutes: fewer and shorter samples, without the contests of program sizes")
	count := flags.Int("count", 10, "`samples` of each contestant")
	duration := flags.Duration("duration", 0, "length of each sample, at most 200ms by default (default: chosen so that the run takes about 13 minutes)")
	again := flags.Int("again", 2, "repeat contests with wide intervals at the end, at most this number of `times`, each with twice the samples of the one before (with -short: 0)")
	wait := flags.Duration("wait", 0, waitUsage)
	out := flags.String("out", filepath.Join(root, "bench", "report"), "`folder` for index.html, results.json.gz and results.txt")
	listing := flags.Bool("list", false, "print the contests and their contestants, and measure nothing")
	if err := cli.Parse(flags, args); err != nil {
		return err
	}
	if *count < 1 || *duration < 0 || *wait < 0 || *again < 0 {
		return errors.New("-count must be at least 1, and -duration, -wait and -again must not be negative")
	}
	contests, err := choose(contestants.All(), *pattern, *peers)
	if err != nil {
		return err
	}
	if *listing {
		list(os.Stdout, contests)
		return nil
	}

	o, total := contest.Options{Count: *count, Duration: *duration, Again: *again}, fullTime
	if *short {
		if !isSet(flags, "count") {
			o.Count = 5
		}
		if !isSet(flags, "again") {
			o.Again = 0
		}
		contests, total = without(contests, contest.Exact), shortTime
	}
	if o.Duration == 0 {
		o = contest.Fit(contests, o, total)
		if *short {
			o.Duration = min(o.Duration, 50*time.Millisecond)
		}
	}
	sources, err := results.Sources(root)
	if err != nil {
		return err
	}
	watch, err := newWatch(ctx, os.Stderr, *wait)
	if err != nil {
		return err
	}
	r := &results.Results{
		Date: time.Now().UTC().Truncate(time.Second), Machine: results.ThisMachine(), Revision: results.Revision(root), Sources: sources, Modules: results.Modules(),
		Conditions: results.Conditions{Count: o.Count, Duration: o.Duration, Pinning: contest.Pinning(), Short: *short, Run: *pattern, Peers: *peers},
	}
	expected := contest.Expected(contests, o)
	fmt.Fprintf(os.Stderr, "%d contests, %d samples of %s for each contestant, %s: about %s, until %s. Ctrl-C writes the results so far.\n",
		len(contests), o.Count, o.Duration, r.Conditions.Pinning, expected.Round(time.Second), time.Now().Add(expected).Format("15:04"))

	bar := newProgress(os.Stderr)
	o.Progress, o.Done, watch.clear = bar.show, watch.contest, bar.clear
	r.Contests = contest.Run(ctx, contests, o)
	r.Conditions.Took = time.Since(bar.start).Truncate(time.Second)
	r.Conditions.Interrupted = len(r.Contests) < len(contests) // a run that is stopped during the repetitions is whole
	r.Conditions.Others = &watch.others
	bar.clear()
	report.Table(os.Stdout, r)
	watch.judge(r, *out)
	if ctx.Err() != nil {
		fmt.Fprintln(os.Stderr, "interrupted: these are the results so far")
	}
	return write(root, *out, r, sources)
}

// write writes all files of a run to the folder.
func write(root, folder string, r *results.Results, sources map[string]string) error {
	if err := r.Write(folder); err != nil {
		return err
	}
	if err := r.WriteText(folder); err != nil {
		return err
	}
	return publication.WritePage(root, folder, r, sources)
}

func isSet(flags *flag.FlagSet, name string) (set bool) {
	flags.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

func without(contests []contest.Contest, way contest.Way) (rest []contest.Contest) {
	for _, c := range contests {
		if c.Way != way {
			rest = append(rest, c)
		}
	}
	return rest
}

// choose returns the contests that match pattern. If peers is not empty, it returns only contests
// that have one of these peers, and removes all contestants except these and Hone's own. It returns an error if pattern is invalid, a peer
// does not exist, or no contest is selected.
func choose(all []contest.Contest, pattern, peers string) ([]contest.Contest, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("-run: %w", err)
	}
	named := map[string]bool{}
	for _, p := range strings.Split(peers, ",") {
		if p = strings.TrimSpace(p); p != "" {
			named[p] = false
		}
	}
	var chosen []contest.Contest
	for _, c := range all {
		var who []contest.Contestant
		matched := len(named) == 0
		for _, p := range c.Contestants {
			_, wanted := named[p.Name]
			if wanted {
				named[p.Name], matched = true, true
			}
			if wanted || len(named) == 0 || p.Hone() {
				who = append(who, p)
			}
		}
		c.Contestants = who
		if matched && re.MatchString(c.Name) {
			chosen = append(chosen, c)
		}
	}
	for p, found := range named {
		if !found {
			return nil, fmt.Errorf("-peers: there is no contestant called %q; -list prints the contestants", p)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no contest matches -run %s and -peers %s; -list prints the contests", pattern, peers)
	}
	return chosen, nil
}
