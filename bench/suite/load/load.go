// Package load measures how much of the machine's processors other processes use, so that a run can
// report that other processes disturbed it:
//
//	before, err := load.Read()
//	…
//	after, err := load.Read()
//	cores := after.Others(before)
//
// Only Linux reports this use, in /proc/stat. On other systems [Read] returns an error that wraps
// [errors.ErrUnsupported].
package load

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
)

// A Reading is the work of the processors up to a moment.
type Reading struct {
	At    time.Time
	Total time.Duration // processor time of all programs since the machine started
	Own   time.Duration // the work of this process and of its children that have ended
}

// Others returns the number of cores that other processes used between the earlier reading and
// r. Children of this process count as others until they have ended and have been waited for.
func (r Reading) Others(earlier Reading) float64 {
	wall := r.At.Sub(earlier.At)
	if wall <= 0 {
		return 0
	}
	return max(0, float64((r.Total-earlier.Total)-(r.Own-earlier.Own))/float64(wall))
}

// Limit returns the number of cores that others may use on a quiet machine: a twentieth of all
// cores.
func Limit() float64 { return float64(runtime.NumCPU()) / 20 }

// Window is the duration over which Others measures.
const Window = 2 * time.Second

// Others returns the number of cores that other processes use during the next d.
func Others(ctx context.Context, d time.Duration) (float64, error) {
	before, err := Read()
	if err != nil {
		return 0, err
	}
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(d):
	}
	after, err := Read()
	if err != nil {
		return 0, err
	}
	return after.Others(before), nil
}

// A BusyError reports that the machine was not quiet in time.
type BusyError struct {
	Others float64 // cores that others used in the last window
	Limit  float64
	Waited time.Duration
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("the machine was not quiet within %s: other processes use %.2f cores, and %.2f is the limit", e.Waited, e.Others, e.Limit)
}

// Wait waits until other processes use at most limit cores during a window, and returns the number
// of cores that they use. If that takes longer than within, it returns a [*BusyError]. After each
// window with a higher use it calls the function tell with the number of cores and the remaining
// time.
func Wait(ctx context.Context, limit float64, within, window time.Duration, tell func(others float64, left time.Duration)) (float64, error) {
	deadline := time.Now().Add(within)
	for {
		others, err := Others(ctx, window)
		if err != nil {
			return 0, err
		}
		if others <= limit {
			return others, nil
		}
		left := max(0, time.Until(deadline))
		tell(others, left)
		if left == 0 {
			return others, &BusyError{Others: others, Limit: limit, Waited: within}
		}
	}
}

// Unknown reports whether an error means that the system does not have this information.
func Unknown(err error) bool { return errors.Is(err, errors.ErrUnsupported) }
