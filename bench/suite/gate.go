package main

import (
	"cmp"
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

	"github.com/hone-go/hone/bench/suite/cli"
	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants"
	"github.com/hone-go/hone/bench/suite/gate"
	"github.com/hone-go/hone/bench/suite/results"
)

// gateTime is the approximate time for all samples of the gate.
const gateTime = 3 * time.Minute

// runGate compares Hone in the working tree with Hone at another revision.
func runGate(ctx context.Context, args []string) error {
	flags := cli.NewFlags("gate", `Compares Hone in the working tree with another revision, on this machine. It fails if the geometric mean
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
	if err := cli.Parse(flags, args); err != nil {
		return err
	}
	if *base == "" {
		return errors.New("gate: use -base to name the revision to compare with")
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
	builds, err := buildBoth(ctx, root, *base, temp)
	if err != nil {
		return err
	}
	watch, err := newWatch(ctx, os.Stderr, *wait)
	if err != nil {
		return err
	}
	pairs, err := compareBuilds(ctx, builds, contests, contest.Options{Count: *samples, Duration: *duration})
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

// gated returns the contests that the gate measures: loops on one core. Hone is their only
// contestant.
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
func compareBuilds(ctx context.Context, builds pairOfBuilds, contests []contest.Contest, o contest.Options) ([]gate.Pair, error) {
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
			entrants = append(entrants, contest.Entrant{Program: builds.base, Contest: c, Who: who.Name}, contest.Entrant{Program: builds.now, Contest: c, Who: who.Name})
		}
		samples, errs := contest.Interleave(ctx, entrants, o)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for j := range errs {
			errs[j] = cmp.Or(errs[j], failedDocuments(samples[j]))
		}
		for j := 0; j < len(entrants); j += 2 {
			name := c.Name + " (" + entrants[j].Who + ")"
			switch {
			case builds.former && errs[j] != nil && errs[j+1] != nil:
				bar.clear()
				fmt.Fprintf(os.Stderr, "not compared: %s: the contests of the other revision lack it\n", name)
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

// failedDocuments returns an error if samples lack documents, because their means are then over other documents.
func failedDocuments(samples []contest.Sample) error {
	if len(samples) == 0 || samples[0].Failed == nil {
		return nil
	}
	return fmt.Errorf("documents fail: %v", samples[0].Failed)
}

// A pairOfBuilds is the suite with Hone at a revision, and in the working tree.
type pairOfBuilds struct {
	base, now string // programs
	former    bool   // the contests are from the revision, and may lack new ones
}

// buildBoth builds the suite with Hone at a revision and in the working tree. Both builds have the
// same contests, since the memory of other contests changes how often garbage is collected: the
// time of a loop that allocates can differ by a factor of several between two suites. The contests
// come from the working tree, or from the revision if the present ones do not compile there.
func buildBoth(ctx context.Context, root, revision, temp string) (pairOfBuilds, error) {
	tree := filepath.Join(temp, "tree")
	if err := run(ctx, root, "git", "worktree", "add", "--detach", "--quiet", tree, revision); err != nil {
		return pairOfBuilds{}, err
	}
	defer func() {
		// If this fails, the files are removed with temp, and Git forgets the worktree later.
		_ = run(context.WithoutCancel(ctx), root, "git", "worktree", "remove", "--force", tree)
	}()
	fmt.Fprintf(os.Stderr, "building Hone at %s\n", revision)
	builds := pairOfBuilds{base: filepath.Join(temp, "base.exe")}
	present := buildSuite(ctx, filepath.Join(root, "bench", "suite"), tree, temp, builds.base)
	if present == nil {
		self, err := os.Executable()
		builds.now = self
		return builds, err
	}
	fmt.Fprintf(os.Stderr, "the present contests do not build at %s, so both builds have the contests of that revision\n", revision)
	former := filepath.Join(tree, "bench", "suite")
	builds.now, builds.former = filepath.Join(temp, "now.exe"), true
	if err := buildSuite(ctx, former, tree, temp, builds.base); err != nil {
		return pairOfBuilds{}, errors.Join(present, err)
	}
	if err := buildSuite(ctx, former, root, temp, builds.now); err != nil {
		return pairOfBuilds{}, fmt.Errorf("the contests of the working tree do not build with Hone at %s, and the contests of %[1]s do not build with Hone in the working tree: %[2]w", revision, errors.Join(present, err))
	}
	return builds, nil
}

// buildSuite builds a copy of the suite in a folder, with Hone's modules from the given tree.
func buildSuite(ctx context.Context, suite, tree, temp, program string) error {
	dir, err := os.MkdirTemp(temp, "suite-")
	if err != nil {
		return err
	}
	if err := copyFiles(dir, suite); err != nil {
		return err
	}
	edit := []string{"mod", "edit"}
	for _, module := range []string{"", "/integrations/compress"} {
		edit = append(edit, "-replace=github.com/hone-go/hone"+module+"="+filepath.Join(tree, filepath.FromSlash(module)))
	}
	if err := run(ctx, dir, "go", edit...); err != nil {
		return err
	}
	return run(ctx, dir, "go", "build", "-mod=mod", "-o", program, ".")
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
