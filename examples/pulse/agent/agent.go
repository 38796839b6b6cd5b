// Package agent samples the machine that it runs on and posts its readings to a pulse server, or to
// any of several. It keeps a bounded number of readings that no server has accepted yet, and sends
// them later, so a restart of the server loses none.
package agent

import (
	"context"
	"crypto/tls"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	// sampleTimeout is the maximum time for one sample. A sensor that takes longer is None.
	sampleTimeout = 750 * time.Millisecond

	// postSize is the maximum number of readings in one post. A post has more than one only after
	// an interruption.
	postSize = 250

	firstRetry = 250 * time.Millisecond
	lastRetry  = 10 * time.Second

	// farewell is the maximum time for which a stopping agent tries to deliver.
	farewell = 5 * time.Second
)

// Options configure an [Agent].
type Options struct {
	Host     string        // the name that readings carry; required
	Servers  []string      // URLs such as "http://127.0.0.1:8080"; another one takes what one does not; required
	Token    string        // the token that the server asks for in posts; "" if none
	TLS      *tls.Config   // verifies servers; nil means the system's certificates
	Interval time.Duration // between samples; 0 means a second
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
	poster, err := newPoster(options.Servers, options.Token, options.TLS)
	if err != nil {
		return nil, err
	}
	return &Agent{
		options: options,
		sampler: NewSampler(options.Host, options.Log),
		poster:  poster,
		buffer:  newBuffer(options.Buffer),
		log:     options.Log,
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
	// The use of the processor is computed from the difference of two measurements. The first
	// sample waits, so that it does not measure the start of this program.
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
	for {
		sampling, cancel := context.WithTimeout(ctx, sampleTimeout)
		reading := a.sampler.Sample(sampling)
		cancel()
		if ctx.Err() != nil {
			return // interrupted sensors look like missing ones
		}
		a.log.Debug("sampled", "at", reading.At)
		if n := a.buffer.add(reading); n != dropped {
			if dropped == 0 || n%60 == 0 {
				a.log.Warn("buffer full: dropping the oldest readings", "dropped", n, "kept", a.options.Buffer)
			}
			dropped = n
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// send posts the buffer's readings, oldest first, until a server has accepted them. It pauses when
// no server does. It returns when stopping is closed and nothing is left, or when ctx is done.
func (a *Agent) send(ctx context.Context, stopping <-chan struct{}) {
	wait, size := firstRetry, postSize
	refusals := 0
	delivering := a.poster.server()
	for {
		readings, end := a.buffer.oldest(size)
		if len(readings) == 0 {
			select {
			case <-a.buffer.filled:
				continue
			case <-stopping:
				if a.buffer.len() == 0 {
					return
				}
				continue
			}
		}

		err := a.poster.post(ctx, &telemetry.Batch{Readings: readings})
		switch {
		case err == nil:
			if server := a.poster.server(); wait != firstRetry {
				a.log.Info("server answers again", "server", server, "waiting", a.buffer.len()-len(readings))
			} else if server != delivering {
				a.log.Info("another server takes readings", "server", server, "before", delivering)
			}
			delivering = a.poster.server()
			wait, refusals = firstRetry, 0
			size = min(2*size, postSize)
			a.buffer.confirm(end)
			continue
		case permanent(err):
			// The server would always refuse these bytes, and so block all later readings. A single
			// bad reading is enough for that, so the batch is halved until that reading is found
			// and dropped.
			if len(readings) > 1 {
				size = len(readings) / 2
				continue
			}
			if refusals%60 == 0 {
				a.log.Error("server refuses a reading: dropped", "at", readings[0].At, "error", err)
			}
			refusals++
			a.buffer.confirm(end)
			continue
		case ctx.Err() != nil:
			return
		case a.poster.next():
			continue
		case wait == firstRetry:
			a.log.Warn("cannot deliver, will go on trying", "servers", a.options.Servers, "error", err)
		}
		pause := wait/2 + rand.N(wait/2) // random, so that agents do not all return at the same time
		if asked := retryAfter(err); asked > pause {
			pause = min(asked, lastRetry)
		}
		wait = min(wait*2, lastRetry)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}
