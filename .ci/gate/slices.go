package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// sliceTime bounds a slice in a run of all steps.
	sliceTime = 8 * time.Minute
	// staleAfter is the age from which on a slice has to be run before a release.
	staleAfter = 21 * 24 * time.Hour
)

// slicesFile has the day on which each slice last passed, for readers of the repository.
const slicesFile = ".ci/slices.txt"

// A record has the last time at which each check passed, by the name of the check.
type record map[string]time.Time

func (r *repository) passed() (record, error) {
	name, err := r.stateFile("checks")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return record{}, nil
	}
	if err != nil {
		return nil, err
	}
	var passed record
	if err := json.Unmarshal(text, &passed); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return passed, nil
}

func (r *repository) save(passed record) error {
	text, err := json.MarshalIndent(passed, "", "\t")
	if err != nil {
		return err
	}
	return r.writeState("checks", append(text, '\n'))
}

// order puts the checks first that passed longest ago.
func (p record) order(checks []check) {
	slices.SortStableFunc(checks, func(a, b check) int { return p[a.name].Compare(p[b.name]) })
}

// sliceOf returns the number of the slice of the present commit.
func (r *repository) sliceOf(ctx context.Context) (int, error) {
	count, err := r.git(ctx, "rev-list", "--count", "HEAD")
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(count)
	return n % len(sliceNames), err
}

// runSlice runs the checks of a slice, those first that passed longest ago, until the time is over. It records those that
// pass. The error names the checks that failed. Checks that were not reached, or that the end of the time stopped, are
// listed and are not an error; they come first in the next run.
func (r *repository) runSlice(ctx context.Context, out io.Writer, checks []check, limit time.Duration) error {
	passed, err := r.passed()
	if err != nil {
		return err
	}
	passed.order(checks)
	interrupted := ctx.Err
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var (
		mu              sync.Mutex
		wait            sync.WaitGroup
		failed, skipped []string
		next            = make(chan check)
	)
	for range min(runtime.NumCPU(), 4) {
		wait.Go(func() {
			for c := range next {
				began := time.Now()
				text, err := c.run(ctx, r.root)
				mu.Lock()
				switch {
				case err == nil:
					fmt.Fprintf(out, "passed: %s (%ds)\n", c.name, int(time.Since(began).Seconds()))
					passed[c.name] = time.Now().UTC().Truncate(time.Second)
				case ctx.Err() != nil || errors.Is(err, errCannotRun):
					skipped = append(skipped, c.name)
				default:
					fmt.Fprintf(out, "FAILED: %s: %v\n%s\n", c.name, err, text)
					failed = append(failed, c.name)
				}
				mu.Unlock()
			}
		})
	}
	for _, c := range checks {
		if ctx.Err() != nil {
			mu.Lock()
			skipped = append(skipped, c.name)
			mu.Unlock()
			continue
		}
		next <- c
	}
	close(next)
	wait.Wait()
	if len(skipped) > 0 {
		fmt.Fprintf(out, "%d of %d checks were not reached: %s\n", len(skipped), len(checks), strings.ReplaceAll(strings.Join(skipped, ", "), "github.com/hone-go/hone/", ""))
	}
	err = errors.Join(r.save(passed), interrupted())
	if len(failed) > 0 {
		err = errors.Join(err, fmt.Errorf("failed: %s", strings.Join(failed, ", ")))
	}
	return err
}

// run runs the command of a check and returns its output. The end of the context also ends the processes that the command
// has started, such as the workers of the fuzzer.
func (c check) run(ctx context.Context, root string) (string, error) {
	if c.toolchain != "" {
		probe := exec.CommandContext(ctx, "go", "version")
		probe.Env = append(os.Environ(), "GOTOOLCHAIN="+c.toolchain)
		if probe.Run() != nil {
			return "", fmt.Errorf("%w: %s cannot be downloaded", errCannotRun, c.toolchain)
		}
		c.env = append(slices.Clip(c.env), "GOTOOLCHAIN="+c.toolchain)
	}
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir = filepath.Join(root, filepath.FromSlash(c.dir))
	cmd.Env = append(os.Environ(), c.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	text, err := cmd.CombinedOutput()
	// The fuzzer sometimes reports the end of its own time as a failure.
	if err != nil && c.fuzz && ctx.Err() == nil && bytes.Contains(text, []byte("context deadline exceeded")) && !bytes.Contains(text, []byte("Failing input")) {
		err = nil
	}
	return string(text), err
}

var errCannotRun = errors.New("the check cannot run on this machine")

// A sliceState says when a slice last passed.
type sliceState struct {
	last            time.Time // when the last of its checks to be renewed passed; zero if some never did
	checks, passing int       // passing counts those that have passed within staleAfter
}

// state returns the state of a slice by the records of this machine.
func (p record) state(checks []check, now time.Time) (s sliceState) {
	s.checks = len(checks)
	for i, c := range checks {
		at := p[c.name]
		if i == 0 || at.Before(s.last) {
			s.last = at
		}
		if now.Sub(at) <= staleAfter {
			s.passing++
		}
	}
	return s
}

// readSlices returns the days in slicesFile.
func (r *repository) readSlices() ([]time.Time, error) {
	days := make([]time.Time, len(sliceNames))
	text, err := os.ReadFile(filepath.Join(r.root, slicesFile))
	if os.IsNotExist(err) {
		return days, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		n, rest, _ := strings.Cut(line, " ")
		day, _, _ := strings.Cut(rest, " ")
		i, err := strconv.Atoi(n)
		if err != nil || i < 0 || i >= len(days) {
			return nil, fmt.Errorf("%s: %q does not begin with the number of a slice", slicesFile, line)
		}
		if day == "never" {
			continue
		}
		if days[i], err = time.Parse(time.DateOnly, day); err != nil {
			return nil, fmt.Errorf("%s: %w", slicesFile, err)
		}
	}
	return days, nil
}

func (r *repository) writeSlices(days []time.Time) error {
	var b strings.Builder
	for i, day := range days {
		fmt.Fprintf(&b, "%d %s %s\n", i, dayText(day), sliceNames[i])
	}
	return os.WriteFile(filepath.Join(r.root, slicesFile), []byte(b.String()), 0o644)
}

func dayText(day time.Time) string {
	if day.IsZero() {
		return "never"
	}
	return day.UTC().Format(time.DateOnly)
}

// reportSlices prints when each slice last passed, by slicesFile or by the records of this machine, and a warning for each
// that is stale. If update is set, it writes slicesFile. It returns the numbers of the stale slices.
func (r *repository) reportSlices(out io.Writer, checks [][]check, now time.Time, update bool) (stale []int, err error) {
	days, err := r.readSlices()
	if err != nil {
		return nil, err
	}
	passed, err := r.passed()
	if err != nil {
		return nil, err
	}
	for i := range days {
		s := passed.state(checks[i], now)
		if s.last.After(days[i]) {
			days[i] = s.last
		}
		warning := ""
		if now.Sub(days[i]) > staleAfter {
			stale = append(stale, i)
			warning = "; STALE: run .ci/run slice " + strconv.Itoa(i)
		}
		fmt.Fprintf(out, "%2d  %-10s  %s (here %d of %d checks passed in the last 21 days)%s\n", i, dayText(days[i]), sliceNames[i], s.passing, s.checks, warning)
	}
	if update {
		err = r.writeSlices(days)
	}
	return stale, err
}
