package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants"
	"github.com/hone-go/hone/bench/suite/gate"
	"github.com/hone-go/hone/bench/suite/results"
)

// gateTime is the approximate time for all samples of the gate.
const gateTime = 3 * time.Minute

// runGate compares Hone in the working tree with Hone at another revision.
func runGate(ctx context.Context, args []string) error {
	flags := newFlags("gate", `Compares Hone in the working tree with another revision, on this machine. It fails if the geometric mean
is slower by more than -loss, if a benchmark is slower by more than -each, or if a benchmark allocates more.
It lists each benchmark that is significantly slower.

`)
	base := flags.String("base", "", "the `revision` to compare with, such as origin/main or HEAD~1")
	pattern := flags.String("run", "", "only contests whose name matches this regular `expression`")
	loss := flags.Float64("loss", 5, "the `percent` by which the geometric mean may be slower")
	each := flags.Float64("each", 0, "the `percent` by which each benchmark may be significantly slower (default: no bound)")
	samples := flags.Int("samples", 10, "`number` of samples of each benchmark in each build, at least 6")
	wait := flags.Duration("wait", 0, waitUsage)
	duration := flags.Duration("duration", 0, "length of each sample, at most 200ms by default (default: chosen so that all samples take about 3 minutes)")
	if err := parse(flags, args); err != nil {
		return err
	}
	if *base == "" {
		return errors.New("gate: -base is required: the revision to compare with")
	}
	if *samples < 6 {
		return errors.New("gate: -samples must be at least 6, since fewer samples cannot show a difference")
	}
	if !(*loss >= 0 && *each >= 0) {
		return errors.New("gate: -loss and -each must not be negative")
	}
	if *wait < 0 {
		return errors.New("gate: -wait must not be negative")
	}
	root, err := results.Root()
	if err != nil {
		return err
	}
	contests, err := choose(contestants.All(), *pattern, "")
	if err != nil {
		return err
	}
	contests = gated(contests)
	if len(contests) == 0 {
		return fmt.Errorf("gate: -run %s matches no contest that the gate measures: loops on one core with a contestant of Hone", *pattern)
	}

	temp, err := os.MkdirTemp("", "hone-gate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	old, err := buildAt(ctx, root, *base, temp)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	watch, err := newWatch(ctx, os.Stderr, *wait)
	if err != nil {
		return err
	}
	pairs, err := compareBuilds(ctx, old, self, contests, contest.Options{Count: *samples, Duration: *duration})
	if err != nil {
		return err
	}
	if watch.disturbed("the gate"); watch.others.During > watch.others.Limit {
		fmt.Fprintln(os.Stderr, "warning: the machine was busy, so the verdict is unreliable: run the gate again with -wait 10m")
	}
	verdict := gate.Judge(pairs, gate.Bounds{Mean: *loss, Each: *each})
	if verdict.Pairs == 0 {
		return errors.New("gate: the two revisions have no benchmark in common")
	}
	verdict.Print(os.Stdout)
	if !verdict.Passed {
		return errors.New("gate: the working tree is slower than the bounds allow")
	}
	return nil
}

// gated are the contests that the gate measures, with Hone as their only
// contestant: loops on one core.
func gated(contests []contest.Contest) (list []contest.Contest) {
	for _, c := range contests {
		if c.Way != contest.Looped {
			continue
		}
		var hone []contest.Contestant
		for _, who := range c.Contestants {
			if who.Hone() {
				hone = append(hone, who)
			}
		}
		if c.Contestants = hone; hone != nil {
			list = append(list, c)
		}
	}
	return list
}

// compareBuilds takes samples of each benchmark from both builds in turn.
func compareBuilds(ctx context.Context, old, now string, contests []contest.Contest, o contest.Options) ([]gate.Pair, error) {
	doubled := append(contests, contests...)
	if o.Duration == 0 {
		o = contest.Fit(doubled, o, gateTime)
	}
	expected := contest.Expected(doubled, o)
	fmt.Fprintf(os.Stderr, "%d contests in two builds, %d samples of %s, %s: about %s\n", len(contests), o.Count, o.Duration, contest.Pinning(), expected.Round(time.Second))
	bar := newProgress(os.Stderr)
	defer bar.clear()
	var pairs []gate.Pair
	for i, c := range contests {
		bar.show(c.Name, expected*time.Duration(i)/time.Duration(len(contests)), expected*time.Duration(len(contests)-i)/time.Duration(len(contests)))
		var entrants []contest.Entrant
		for _, who := range c.Contestants {
			entrants = append(entrants, contest.Entrant{Program: old, Contest: c, Who: who.Name}, contest.Entrant{Program: now, Contest: c, Who: who.Name})
		}
		samples, errs := contest.Interleave(ctx, entrants, o)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for j := 0; j < len(entrants); j += 2 {
			name := c.Name + " (" + entrants[j].Who + ")"
			switch {
			case errs[j+1] != nil:
				return nil, fmt.Errorf("%s: %w", name, errs[j+1])
			case errs[j] != nil:
				bar.clear()
				fmt.Fprintf(os.Stderr, "not compared: %s: in the other revision: %v\n", name, errs[j])
			default:
				pairs = append(pairs, gate.Pair{Name: name, Base: samples[j], New: samples[j+1]})
			}
		}
	}
	return pairs, nil
}

// buildAt builds the suite with Hone at a revision, and returns the program. Both builds have
// the contests of the working tree, so that they do the same work. If these do not compile at
// the revision, the build has the contests of the revision.
func buildAt(ctx context.Context, root, revision, temp string) (program string, err error) {
	tree := filepath.Join(temp, "tree")
	if err := run(ctx, root, "git", "worktree", "add", "--detach", "--quiet", tree, revision); err != nil {
		return "", err
	}
	defer func() {
		err = errors.Join(err, run(context.WithoutCancel(ctx), root, "git", "worktree", "remove", "--force", tree))
	}()
	program = filepath.Join(temp, "base.exe")
	own := filepath.Join(temp, "own-suite")
	if err := os.Rename(filepath.Join(tree, "bench", "suite"), own); err != nil {
		return "", fmt.Errorf("the revision %s has no bench/suite: %w", revision, err)
	}
	if err := copyFiles(filepath.Join(tree, "bench", "suite"), filepath.Join(root, "bench", "suite")); err != nil {
		return "", err
	}
	fmt.Fprintf(os.Stderr, "building Hone at %s\n", revision)
	build := func() error {
		return run(ctx, filepath.Join(tree, "bench", "suite"), "go", "build", "-o", program, ".")
	}
	mixed := build()
	if mixed == nil {
		return program, nil
	}
	if err := os.RemoveAll(filepath.Join(tree, "bench", "suite")); err != nil {
		return "", err
	}
	if err := os.Rename(own, filepath.Join(tree, "bench", "suite")); err != nil {
		return "", err
	}
	if err := build(); err != nil {
		return "", errors.Join(mixed, err)
	}
	fmt.Fprintf(os.Stderr, "warning: the contests of the working tree do not build at %s, so that build has its own suite with its own peers. This alone can make loops that allocate several times slower or faster. To compare, remove the new contests from the working tree\n", revision)
	return program, nil
}

func run(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// copyFiles copies a folder with all its contents.
func copyFiles(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := os.Create(target)
		if err != nil {
			return err
		}
		if _, err := io.Copy(out, in); err != nil {
			out.Close()
			return err
		}
		return out.Close()
	})
}
