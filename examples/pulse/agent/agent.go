// Package agent samples the machine that it runs on and posts its readings to one of several
// pulse servers. It keeps a limited number of readings that no server has accepted yet, and sends
// them later, so a restart of the server loses no readings.
package agent

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"log/slog"
	"sync"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	// sampleTimeout is the maximum time for one sample. The value of a sensor that takes longer is
	// None.
	sampleTimeout = 750 * time.Millisecond

	// Report is the usual longest time between two posts. A machine is silent after three missed posts.
	Report = 15 * time.Second

	// farewell is the maximum time for which a stopping agent tries to deliver its readings.
	farewell = 5 * time.Second
)

// Options configure an [Agent].
type Options struct {
	Host     string        // the name of the host in the readings; required
	Servers  []string      // URLs such as "http://127.0.0.1:8080"; if one fails, the next is tried; required
	Token    string        // the token that the server requires for posts; "" if none
	TLS      *tls.Config   // verifies servers; nil means the system's certificates
	Interval time.Duration // the time between two samples; 0 means a second
	Report   time.Duration // the longest time between two posts; 0 means that each sample is posted at once
	Watched  func() bool   // whether somebody looks at readings, and each is posted at once; nil means that the server is asked
	Tags     []string      // tags of the host that the server shows, such as "role=db"
	Disks    Selection     // see [NewSampler]
	Networks Selection     // see [NewSampler]
	Buffer   int           // readings kept for a server that does not answer; 0 means 3600
	Log      *slog.Logger  // nil means slog.Default()
}

// An Agent samples and posts until its context is done.
type Agent struct {
	options Options
	sampler *Sampler
	poster  *poster
	buffer  *buffer
	looks   looks
	log     *slog.Logger
	reasons map[string]bool // the reasons for refused readings that are already in the log
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
		sampler: NewSampler(options.Host, options.Disks, options.Networks, options.Log),
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
	stopping := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() { a.send(sending, stopping) })
	running.Go(func() { a.ask(ctx) })

	a.sample(ctx)

	close(stopping)
	deadline := time.AfterFunc(farewell, stop)
	running.Wait()
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
			return // the end of ctx has interrupted sensors, whose values are None as if the machine did not have them
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
		if time.Since(reported) >= a.options.Report-a.options.Interval/2 || a.hurries() || a.buffer.isHalfFull() {
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
