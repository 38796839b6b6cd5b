// Package alert reports when a rule begins or ceases to hold for hosts. It sends reports to web servers,
// by e-mail and to commands. Several servers share the work: the database decides which server judges the
// hosts, and which server sends a report.
//
// Alerts of a rule that begin within a minute are one incident, and are reported together. An incident is
// stored together with the tasks to report it, so no report is lost if a server dies. If a server dies
// between a report and the confirmation of the report, another server sends the report again, and the
// report says that it may be a repeat.
package alert

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/watch"
	"github.com/hone-go/hone/mo"
)

const (
	judgeEvery   = 5 * time.Second
	deliverEvery = time.Second
	pruneEvery   = time.Hour

	// term is the duration of a lease. If the server that holds the lease dies, another server judges
	// the hosts when the term is over.
	term = 30 * time.Second

	// judgeTimeout is the maximum time for judging all hosts once.
	judgeTimeout = time.Minute

	// sendTimeout is the maximum time of one attempt to send a report. Before the attempt the server
	// claims the report for the longer time claimFor, so that no other server sends the report too.
	sendTimeout = 10 * time.Second
	claimFor    = 15 * time.Second

	// stopTimeout is the time that open reports get when a server stops.
	stopTimeout = 5 * time.Second

	// atOnce is the number of reports that a server sends at the same time.
	atOnce = 16

	firstWait, lastWait = 2 * time.Second, 10 * time.Minute // the shortest and the longest time between two attempts

	// clockStep is the largest difference by which the wall clock and the monotonic clock may
	// disagree about the time that has passed. If they disagree by more, the wall clock has been set.
	clockStep = 2 * time.Second

	hostsAtOnce   = 1000
	changesAtOnce = 100 // the maximum number of changes that one transaction stores
)

// Options configure [Run].
type Options struct {
	Store   store.Store
	Rules   *watch.Rules
	Targets []Receiver
	// Delivered is called after each attempt to deliver a report to a target, with the error of the
	// attempt; nil means that nobody counts.
	Delivered func(target string, err error)

	Name  string // the host of the alert that the disk of the database is full
	Spare *Spare // for a full disk; nil means that no readings are judged that the store refuses

	Page string // the URL of the page, for links in reports; "" if it is not known
	Log  *slog.Logger
}

// A Receiver is a target, and the times at which it gets reports.
type Receiver struct {
	Target
	After  time.Duration // it gets reports about an incident only if the incident lasts longer than this
	Repeat time.Duration // the time between two reports about an incident that lasts; 0 for one report
}

// DefaultRepeat is the time between two reports about an incident that lasts.
const DefaultRepeat = 24 * time.Hour

// A Target receives reports.
type Target interface {
	// Name identifies the target in the database, for all servers. It contains no secret.
	Name() string
	// Send returns nil if the target has accepted the report.
	Send(ctx context.Context, r *Report) error
}

// Run judges hosts and reports changes until ctx is done.
func Run(ctx context.Context, o Options) {
	w := newWatcher(o, rand.Text())
	var running sync.WaitGroup
	running.Go(func() { w.repeat(ctx, judgeEvery, "hosts cannot be judged", w.judge) })
	for name := range w.targets { // one goroutine for each target, so that a slow target does not delay other targets
		running.Go(func() {
			w.repeat(ctx, deliverEvery, "reports of alerts cannot be read", func(ctx context.Context) error { return w.deliver(ctx, name) })
		})
	}
	running.Wait()
	if err := w.Spare.close(); err != nil {
		o.Log.Warn("the database in memory cannot be closed", "error", err)
	}
	release, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := o.Store.ReleaseAlerts(release, w.holder); err != nil {
		o.Log.Warn("other servers judge hosts only after a while", "error", err)
	}
}

// start is a time from which durations are measured.
var start = time.Now()

type watcher struct {
	Options
	holder  string
	targets map[string]Receiver
	stored  []store.Receiver // the targets as the store knows them

	parts        *watch.Parts
	watching     mo.Option[time.Time] // the time since which this server has judged hosts without a break
	wall         time.Time            // the time at which this server last judged, by its clock
	passed       time.Duration        // the time from start to wall, which does not depend on the clock
	next         time.Time            // the time at which hosts are judged again
	nextPruning  time.Time
	errorsLogged map[string]time.Time // guarded by mu
	sent         map[string]bool      // reports that were sent, by target and id, and whose delivery is not stored; guarded by mu
	mu           sync.Mutex
}

// newWatcher returns a watcher. Two targets with one name are one target.
func newWatcher(o Options, holder string) *watcher {
	w := &watcher{Options: o, parts: watch.NewParts(), holder: holder, targets: map[string]Receiver{}, errorsLogged: map[string]time.Time{}, sent: map[string]bool{}}
	if w.Spare == nil {
		w.Spare = &Spare{}
	}
	for _, t := range o.Targets {
		w.targets[t.Name()] = t
	}
	for name, t := range w.targets {
		w.stored = append(w.stored, store.Receiver{Name: name, After: t.After})
	}
	return w
}

// repeat calls step again and again until ctx is done, with a pause after each call. It logs an
// error of step at most once a minute.
func (w *watcher) repeat(ctx context.Context, pause time.Duration, text string, step func(context.Context) error) {
	for {
		if err := step(ctx); err != nil && ctx.Err() == nil {
			w.logRarely(text, err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

func (w *watcher) logRarely(text string, err error, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Since(w.errorsLogged[text]) >= time.Minute {
		w.errorsLogged[text] = time.Now()
		w.Log.Error(text, append(args, "error", err)...)
	}
}
