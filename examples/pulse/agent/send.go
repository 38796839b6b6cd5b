package agent

import (
	"context"
	"time"

	"github.com/sethvargo/go-retry"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	// postSize is the maximum number of readings in one post. A post has more than one reading
	// only after an interruption.
	postSize = 250

	firstRetry = 250 * time.Millisecond
	lastRetry  = 10 * time.Second
)

// newBackoff returns the pauses between attempts. They are random, so that agents do not all return at
// the same time.
func newBackoff() retry.Backoff {
	return retry.WithJitterPercent(30, retry.WithCappedDuration(lastRetry, retry.NewExponential(firstRetry)))
}

// send posts the buffer's readings, oldest first, until a server has accepted them. It pauses when
// no server accepts them. It returns when ctx is done, or when stopping is closed and the buffer has
// no readings except postponed ones.
func (a *Agent) send(ctx context.Context, stopping <-chan struct{}) {
	backoff, failing, size := newBackoff(), false, postSize
	delivering := a.poster.server()
	resumed, stopped := time.Now(), false
	for {
		if time.Since(resumed) >= earlyRetry {
			a.buffer.resume(time.Now(), size)
			resumed = time.Now()
		}
		readings, end := a.buffer.oldest(size)
		if failing && a.buffer.addNewest(readings) { // a server without space judges the machine by it
			end--
		}
		if len(readings) == 0 {
			select {
			case <-a.buffer.filled:
				continue
			case <-stopping:
				if a.buffer.len() == 0 || stopped {
					return
				}
				stopped = true
				a.buffer.resume(time.Now(), a.buffer.len())
				continue
			}
		}

		refused, err := a.poster.post(ctx, readings, a.looks.receipt)
		switch {
		case err == nil:
			if server := a.poster.server(); failing {
				a.log.Info("server answers again", "server", server, "waiting", a.buffer.len()-len(readings))
			} else if server != delivering {
				a.log.Info("another server accepts readings", "server", server, "before", delivering)
			}
			delivering = a.poster.server()
			backoff, failing = newBackoff(), false
			size = min(2*size, postSize)
			a.buffer.confirm(end)
			a.refused(readings, refused)
			continue
		case permanent(err):
			// The server would refuse this batch each time, and later readings would wait for
			// ever. A single bad reading may be the cause, so the batch is halved until that
			// reading is found and dropped.
			if len(readings) > 1 {
				size = len(readings) / 2
				continue
			}
			a.buffer.confirm(end)
			a.refused(readings, []telemetry.Refusal{{Reason: err.Error()}})
			continue
		case ctx.Err() != nil:
			return
		case a.poster.next():
			continue
		case !failing:
			failing = true
			a.log.Warn("cannot deliver, trying again", "servers", a.options.Servers, "error", err)
		}
		pause, _ := backoff.Next()
		if asked := retryAfter(err); asked > pause {
			pause = min(asked, lastRetry)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}
