package load

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"
)

// busyFlag starts the test binary as a program that keeps every core busy for the given number
// of milliseconds.
const busyFlag = "-be-busy"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == busyFlag {
		ms, err := strconv.Atoi(os.Args[2])
		if err != nil {
			panic(err)
		}
		end := time.Now().Add(time.Duration(ms) * time.Millisecond)
		var all sync.WaitGroup
		for range runtime.NumCPU() {
			all.Go(func() {
				for time.Now().Before(end) {
				}
			})
		}
		all.Wait()
		return
	}
	os.Exit(m.Run())
}

// busy starts a process that keeps every core busy for a time.
func busy(t *testing.T, d time.Duration) *exec.Cmd {
	t.Helper()
	if _, err := Read(); Unknown(err) {
		t.Skip(err)
	}
	cmd := exec.Command(os.Args[0], busyFlag, strconv.Itoa(int(d.Milliseconds())))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd
}

// TestOthers checks that the time of a running child process counts as the time of other processes.
// Once the child has ended and has been waited for, its time counts as the own time of this
// process.
func TestOthers(t *testing.T) {
	before, err := Read()
	cmd := busy(t, 400*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	others, err := Others(t.Context(), 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	// This test itself uses almost no time, so all cores belong to others.
	if all := float64(runtime.NumCPU()); others < 0.7*all {
		t.Errorf("others use %.2f cores of %v that are all busy", others, all)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	after, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	child := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if own := after.Own - before.Own; own < child {
		t.Errorf("%s are this process's own, and a child that has ended took %s", own, child)
	}
	if average := Average(); average == "" {
		t.Error("there is no load average")
	}
}

func TestWait(t *testing.T) {
	const window = 200 * time.Millisecond
	told := 0
	tell := func(float64, time.Duration) { told++ }

	busy(t, 10*time.Second)
	_, err := Wait(t.Context(), Limit(), 3*window, window, tell)
	if e := (*BusyError)(nil); !errors.As(err, &e) || e.Others <= e.Limit || told == 0 {
		t.Errorf("on a busy machine: %v, told %d times", err, told)
	}
	if _, err := Wait(t.Context(), float64(runtime.NumCPU())*2, 3*window, window, tell); err != nil {
		t.Errorf("with a limit above all cores: %v", err)
	}
}

// TestWaitGoesOn checks that the wait ends when the machine is quiet again.
func TestWaitGoesOn(t *testing.T) {
	const window = 200 * time.Millisecond
	limit := float64(runtime.NumCPU()) * 0.85
	if others, err := Others(t.Context(), window); err == nil && others > limit {
		t.Skipf("the machine is busy with something else: %.2f cores", others)
	}
	start := time.Now()
	busy(t, time.Second)
	if _, err := Wait(t.Context(), limit, 30*time.Second, window, func(float64, time.Duration) {}); err != nil {
		// The busy process ended before the window.
		if others, errNow := Others(t.Context(), window); errNow == nil && others > limit {
			t.Skipf("the machine is busy with something else: %.2f cores", others)
		}
		t.Fatal(err)
	}
	if took := time.Since(start); took < 700*time.Millisecond {
		t.Errorf("it waited %s for a process that is busy for a second", took)
	}
}

func TestReading(t *testing.T) {
	at := time.Now()
	before := Reading{At: at, Total: 10 * time.Second, Own: time.Second}
	for _, c := range []struct {
		after Reading
		want  float64
	}{
		{after: Reading{At: at.Add(2 * time.Second), Total: 13 * time.Second, Own: 2 * time.Second}, want: 1},
		{after: Reading{At: at.Add(2 * time.Second), Total: 11 * time.Second, Own: 3 * time.Second}, want: 0}, // the clocks have different resolutions
		{after: before, want: 0},
	} {
		if got := c.after.Others(before); got != c.want {
			t.Errorf("%+v: %v, want %v", c.after, got, c.want)
		}
	}
}
