// Package agent samples the machine that it runs on and posts its readings to one of several
// pulse servers. It keeps a limited number of readings that no server has accepted yet, and sends
// them later, so a restart of the server loses no readings.
package agent

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"log/slog"
	"strings"
	"time"

	"github.com/sethvargo/go-retry"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	// sampleTimeout is the maximum time for one sample. A sensor that takes longer is None.
	sampleTimeout = 750 * time.Millisecond

	// postSize is the maximum number of readings in one post. A post has more than one reading
	// only after an interruption.
	postSize = 250

	firstRetry = 250 * time.Millisecond
	lastRetry  = 10 * time.Second

	// earlyRetry is the time between two attempts to deliver readings from the future.
	earlyRetry = 10 * time.Second

	// maxReasons is the number of different reasons for refusals that are logged.
	maxReasons = 100

	// farewell is the maximum time for which a stopping agent tries to deliver.
	farewell = 5 * time.Second
)

// Options configure an [Agent].
type Options struct {
	Host     string        // the name that readings carry; required
	Servers  []string      // URLs such as "http://127.0.0.1:8080"; if one fails, the next is tried; required
	Token    string        // the token that the server requires for posts; "" if none
	TLS      *tls.Config   // verifies servers; nil means the system's certificates
	Interval time.Duration // the time between two samples; 0 means a second
	Report   time.Duration // the time between two posts; 0 means that each sample is posted at once
	Tags     []string      // such as "role=db", which the server shows
	Buffer   int           // readings kept for a server that does not answer; 0 means 3600
	Log      *slog.Logger  // nil means slog.Default()
}

// An Agent samples and posts until its context is done.
type Agent struct {
	options Options
	sampler *Sampler
	poster  *poster
	buffer  *buffer
	log     *slog.Logger
	reasons map[string]bool // the logged reasons for which a server has refused readings
}

// New returns an Agent, or an error if one of options.Servers is not a usable URL.
func New(options Options) (*Agent, error) {
	if options.Interval == 0 {
		options.Interval = time.Second
	}
	if options.Buffer == 0 {
		options.Buffer = 3600
	}
	if options.Log == nil {
		options.Log = slog.Default()
	}
	poster, err := newPoster(options.Servers, options.Token, options.TLS, telemetry.Post{
		Agent: rand.Text(), Every: max(options.Interval, options.Report), Tags: options.Tags,
	})
	if err != nil {
		return nil, err
	}
	return &Agent{
		options: options,
		sampler: NewSampler(options.Host, options.Log),
		poster:  poster,
		buffer:  newBuffer(options.Buffer),
		log:     options.Log,
		reasons: map[string]bool{},
	}, nil
}

// Run samples until ctx is done. Then it delivers the remaining readings, for up to five seconds,
// and returns the number of readings that it could not deliver.
func (a *Agent) Run(ctx context.Context) (undelivered int) {
	defer a.poster.close()
	// The sender outlives ctx: it must still deliver the last readings.
	sending, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	stopping := make(chan struct{})
	go func() {
		defer close(done)
		a.send(sending, stopping)
	}()

	a.sample(ctx)

	close(stopping)
	deadline := time.AfterFunc(farewell, stop)
	<-done
	deadline.Stop()
	stop()
	return a.buffer.len()
}

// sample fills the buffer at each interval.
func (a *Agent) sample(ctx context.Context) {
	// The processor usage is the difference of two measurements. The first sample waits, so that
	// it does not include the start of this program.
	first := time.NewTimer(min(a.options.Interval, 500*time.Millisecond))
	defer first.Stop()
	select {
	case <-first.C:
	case <-ctx.Done():
		return
	}
	ticker := time.NewTicker(a.options.Interval)
	defer ticker.Stop()
	var dropped uint64
	var reported time.Time
	for {
		sampling, cancel := context.WithTimeout(ctx, sampleTimeout)
		reading := a.sampler.Sample(sampling)
		cancel()
		if ctx.Err() != nil {
			return // ctx has interrupted sensors, which now look as if the machine did not have them
		}
		a.log.Debug("sampled", "at", reading.At)
		if n := a.buffer.add(reading); n != dropped {
			if dropped == 0 || n%60 == 0 {
				a.log.Warn("buffer full: dropping the oldest readings", "dropped", n, "kept", a.options.Buffer)
			}
			dropped = n
		}
		// report makes the sender post all readings of the buffer. A report may come half an
		// interval early, since a ticker is not exact.
		if time.Since(reported) >= a.options.Report-a.options.Interval/2 {
			reported = time.Now()
			a.buffer.report()
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

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

		refused, err := a.poster.post(ctx, readings)
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

// refused handles the readings of a batch that the server has refused. It postpones the readings
// that the server accepts later. For the other readings it logs the reason, each reason once.
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
		// Reasons that differ only in numbers, such as a time or the place of a disk, are the same.
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
