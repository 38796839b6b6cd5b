// Command gate tells .ci/run which packages a change concerns, and runs the slow checks in slices.
//
//	gate base              print the commit that the tree is compared with, and the reason on stderr; print
//	                       nothing if there is no such commit: then every package counts as changed
//	gate packages changed  print the packages whose code differs from the base
//	gate packages tests    print the packages of which only the tests or the test data differ
//	gate packages reached  print the packages that use a changed package, or a package whose test data differ, in
//	                       their code or in their tests, and the packages whose tests differ
//	gate green             record that all checks have passed for the present commit
//	gate slice             run the slice of the slow checks that the number of commits chooses, for at most
//	                       eight minutes
//	gate slice N|all       run slice N or all slices without a bound, and write .ci/slices.txt
//	gate slices            print when each slice last passed
//	gate slices check      do the same, and fail if a slice last passed more than 21 days ago
//
// The base is the merge base of the present commit and of the commit in HONE_BASE, or of origin/main. If
// the present commit is itself part of that branch, the base is the newest older commit that "gate green"
// has recorded. The records are in the folder HONE_CI_STATE, by default hone-ci in the user's cache. With
// HONE_BASE=none there is no base.
//
// Uncommitted changes count as changes.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: gate base | packages changed|tests|reached | green | slice [N|all] | slices [check]")

func run(ctx context.Context, args []string) error {
	root, err := output(ctx, "", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	r := &repository{root: strings.TrimSpace(root), base: os.Getenv("HONE_BASE"), state: os.Getenv("HONE_CI_STATE")}
	switch strings.Join(args, " ") {
	case "base":
		base, reason, err := r.baseCommit(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, reason)
		if base != "" {
			fmt.Println(base)
		}
		return nil
	case "packages changed", "packages tests", "packages reached":
		all, err := r.packages(ctx)
		if err != nil {
			return err
		}
		for _, path := range all.choose(args[1]) {
			fmt.Println(path)
		}
		return nil
	case "green":
		return r.recordGreen(ctx)
	case "slice":
		n, err := r.sliceOf(ctx)
		if err != nil {
			return err
		}
		return r.slice(ctx, []int{n}, sliceTime, false)
	case "slices", "slices check":
		checks, err := r.slowChecks(ctx)
		if err != nil {
			return err
		}
		stale, err := r.reportSlices(os.Stdout, checks, time.Now(), false)
		if err == nil && len(args) == 2 && len(stale) > 0 {
			err = fmt.Errorf("these slices have not passed for 21 days: %v", stale)
		}
		return err
	}
	if len(args) == 2 && args[0] == "slice" {
		var chosen []int
		for n := range sliceNames {
			if args[1] == "all" || args[1] == strconv.Itoa(n) {
				chosen = append(chosen, n)
			}
		}
		if len(chosen) > 0 {
			return r.slice(ctx, chosen, 24*time.Hour, true)
		}
	}
	return errUsage
}

// slice runs slices, each for the given time, and then prints when each slice last passed.
func (r *repository) slice(ctx context.Context, chosen []int, limit time.Duration, update bool) error {
	checks, err := r.slowChecks(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, n := range chosen {
		fmt.Printf("slice %d of %d: %s\n", n, len(checks), sliceNames[n])
		errs = append(errs, r.runSlice(ctx, os.Stdout, checks[n], limit))
	}
	_, err = r.reportSlices(os.Stdout, checks, time.Now(), update)
	return errors.Join(append(errs, err)...)
}

// output runs a command in a folder and returns its standard output. The error has the standard error.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
		}
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(out), nil
}
