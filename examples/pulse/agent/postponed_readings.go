package agent

import (
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	// earlyRetry is the time between two attempts to deliver readings from the future.
	earlyRetry = 10 * time.Second

	// maxReasons is the number of different reasons for refusals that are logged.
	maxReasons = 100
)

// postpone keeps readings for [buffer.resume].
func (b *buffer) postpone(readings []telemetry.Reading) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.early = append(b.early, readings...)
}

// resume moves up to n postponed readings back to the front of the buffer, if their times are not
// after now. Only the sender's goroutine may call resume, and only while no post is being sent.
func (b *buffer) resume(now time.Time, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var due []telemetry.Reading
	b.early = slices.DeleteFunc(b.early, func(r telemetry.Reading) bool {
		if len(due) == n || r.At.After(now) {
			return false
		}
		due = append(due, r)
		return true
	})
	b.readings = slices.Insert(b.readings, 0, due...)
	b.first -= uint64(len(due))
}

// refused handles the readings of a batch that the server has refused. It postpones the readings
// that the server accepts later, and drops the others. It logs each reason once, and at most maxReasons
// reasons.
func (a *Agent) refused(readings []telemetry.Reading, refused []telemetry.Refusal) {
	var early []telemetry.Reading
	for _, r := range refused {
		if r.Index < 0 || r.Index >= len(readings) {
			continue
		}
		reading := readings[r.Index]
		text := "server refuses readings: dropped"
		if r.Later {
			early = append(early, reading)
			text = "the clock of this machine is ahead of the server's clock, or the server's clock is behind: readings wait"
		}
		// Two reasons count as one if they differ only in numbers, such as a time or the index of a
		// disk.
		reason := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return -1
			}
			return r
		}, r.Field+r.Reason)
		if !a.reasons[reason] && len(a.reasons) < maxReasons {
			a.reasons[reason] = true
			a.log.Error(text, "at", reading.At, "field", r.Field, "reason", r.Reason)
		}
	}
	a.buffer.postpone(early)
}
