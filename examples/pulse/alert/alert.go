// Package alert reports when rules begin and cease to hold for hosts: to web servers, by e-mail and to
// commands. Several servers share the work: the database decides which of them judges the hosts, and
// which of them reports a change.
//
// A change is stored together with the tasks to report it, so a server that dies loses none. If it
// dies between a report and its confirmation, another server reports the change again, and the report
// says that it may be a repeat.
package alert

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/sethvargo/go-retry"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/watch"
	"github.com/hone-go/hone/mo"
)

const (
	judgeEvery   = 5 * time.Second
	deliverEvery = time.Second
	pruneEvery   = time.Hour

	// term is the duration of a lease. After the death of a server another one judges the hosts when
	// the term is over.
	term = 15 * time.Second

	// judgeTimeout is the maximum time for judging all hosts once.
	judgeTimeout = time.Minute

	// sendTimeout is the maximum time of one attempt to send a report. No other server attempts to
	// send the same report for the longer time claimed.
	sendTimeout = 10 * time.Second
	claimed     = 15 * time.Second

	// stopTimeout is the time that open reports get when a server stops.
	stopTimeout = 5 * time.Second

	// atOnce is the number of reports that a server sends at the same time.
	atOnce = 16

	firstWait, lastWait = 2 * time.Second, 10 * time.Minute // the shortest and the longest time between two attempts

	// clockStep is a difference between the time by the clock and the time that has really passed.
	// If the difference is larger, the clock counts as having been set.
	clockStep = 2 * time.Second

	hostsAtOnce   = 1000
	changesAtOnce = 100 // the maximum number of changes that one transaction stores
)

// Options configure [Run].
type Options struct {
	Store   store.Store
	Rules   []watch.Rule
	Targets []Target
	Log     *slog.Logger
}

// A Report tells a target about the beginning or the end of an alert.
type Report struct {
	Key    string    `json:"key"`   // identifies the report: all attempts have the same key, and other reports have other keys
	State  string    `json:"state"` // "firing", or "over" at the end of an alert
	Host   string    `json:"host"`
	Rule   string    `json:"rule"` // such as "high cpu > 80 for 5m"
	Level  string    `json:"level"`
	At     time.Time `json:"at"`
	Repeat bool      `json:"repeat"` // an earlier attempt may have succeeded
}

// A Target receives reports.
type Target interface {
	// Name identifies the target in the database, for all servers. It contains no secret.
	Name() string
	// Send returns nil if the target has accepted the report.
	Send(ctx context.Context, r *Report) error
}

// Run judges hosts and reports changes until ctx is done.
func Run(ctx context.Context, o Options) {
	w := &watcher{Options: o, holder: rand.Text(), targets: map[string]Target{}}
	w.add(o.Targets)
	var running sync.WaitGroup
	running.Go(func() { w.repeat(ctx, judgeEvery, "hosts cannot be judged", w.judge) })
	for _, name := range w.names { // a goroutine for each, so that a target that does not answer does not delay the others
		running.Go(func() {
			w.repeat(ctx, deliverEvery, "reports of alerts cannot be read", func(ctx context.Context) error { return w.deliver(ctx, name) })
		})
	}
	running.Wait()
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
	targets map[string]Target
	names   []string

	watching     mo.Option[time.Time] // since when this server has judged hosts without a break
	wall         time.Time            // when this server last judged, by its clock
	passed       time.Duration        // the time from start to wall, which does not depend on the clock
	next         time.Time            // when hosts are judged again
	nextPruning  time.Time
	errorsLogged map[string]time.Time // guarded by mu
	mu           sync.Mutex
}

// add adds targets. Two targets with one name are one target.
func (w *watcher) add(targets []Target) {
	for _, t := range targets {
		if w.targets[t.Name()] == nil {
			w.names = append(w.names, t.Name())
		}
		w.targets[t.Name()] = t
	}
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
	if w.errorsLogged == nil {
		w.errorsLogged = map[string]time.Time{}
	}
	if time.Since(w.errorsLogged[text]) >= time.Minute {
		w.errorsLogged[text] = time.Now()
		w.Log.Error(text, append(args, "error", err)...)
	}
}

// judge judges all hosts if this server has the lease, and stores each rule that has begun or ceased
// to hold for a host since the last time.
func (w *watcher) judge(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, judgeTimeout)
	defer cancel()
	if err := w.Store.LeaseAlerts(ctx, w.holder, term); err != nil {
		w.watching = mo.None[time.Time]()
		return ignoreNotHeld(err)
	}
	now := time.Now()
	wall, passed := now.Round(0), time.Since(start)
	if step := wall.Sub(w.wall) - (passed - w.passed); step.Abs() > clockStep {
		w.watching = mo.None[time.Time]() // all hosts look silent if the clock jumps ahead
	}
	w.wall, w.passed = wall, passed
	if w.watching.IsNone() {
		w.watching = mo.Some(now)
	}
	if now.Before(w.next) {
		return nil
	}
	defer func() { w.next = time.Now().Add(4 * time.Since(now)) }() // judging takes at most a fifth of the time, so that many hosts do not keep the database busy
	stored, err := w.Store.Alerts(ctx)
	if err != nil {
		return err
	}
	ended := map[store.Alert]time.Time{} // the stored alerts whose rules no longer hold, without a time, and when they began
	for _, a := range stored {
		ended[store.Alert{Host: a.Host, Rule: a.Rule, Level: a.Level}] = a.Since
	}
	var began []store.Alert
	if err := w.states(ctx, now, func(s *watch.State) {
		for _, r := range s.Rules {
			a := store.Alert{Host: s.Host.Name, Rule: r.String(), Level: r.Level.Word()}
			if _, known := ended[a]; known {
				delete(ended, a)
			} else if !r.IsSilence() || time.Since(w.watching.OrEmpty()) > s.Host.SilentAfter()+r.For {
				a.Since = now
				began = append(began, a)
			}
		}
	}); err != nil {
		return ignoreNotHeld(err)
	}
	over := make([]store.Alert, 0, len(ended))
	for a, since := range ended {
		a.Since = since
		over = append(over, a)
	}
	for len(began)+len(over) > 0 {
		first, last := min(len(began), changesAtOnce), min(len(over), changesAtOnce)
		if err := w.Store.ChangeAlerts(ctx, w.holder, began[:first], over[:last], w.names); err != nil {
			return ignoreNotHeld(err)
		}
		began, over = began[first:], over[last:]
	}
	if now.Before(w.nextPruning) {
		return nil
	}
	w.nextPruning = now.Add(pruneEvery)
	return w.Store.PruneAlerts(ctx)
}

// ignoreNotHeld returns nil if another server has the lease, because one server is enough.
func ignoreNotHeld(err error) error {
	if errors.Is(err, store.ErrNotHeld) {
		return nil
	}
	return err
}

// states calls yield with the state of each host.
func (w *watcher) states(ctx context.Context, now time.Time, yield func(*watch.State)) error {
	for cursor, more := mo.None[string](), true; more; more = cursor.IsSome() {
		hosts, next, err := w.Store.Hosts(ctx, store.HostQuery{Cursor: cursor, Limit: hostsAtOnce})
		if err != nil {
			return err
		}
		states, err := watch.Judge(ctx, w.Store, w.Rules, hosts, now)
		if err != nil {
			return err
		}
		for i := range states {
			yield(&states[i])
		}
		if cursor = next; cursor.IsSome() {
			if err := w.Store.LeaseAlerts(ctx, w.holder, term); err != nil {
				return err
			}
		}
	}
	return nil
}

// deliver sends all reports to a target that are due.
func (w *watcher) deliver(ctx context.Context, target string) error {
	for ctx.Err() == nil {
		due, err := w.Store.ClaimDeliveries(ctx, target, atOnce, time.Now().Add(claimed))
		// Even if ctx ends, the reports that were claimed are sent and confirmed, so that a restart
		// does not repeat them.
		var sending sync.WaitGroup
		for _, d := range due {
			sending.Go(func() { w.attempt(ctx, d) })
		}
		sending.Wait()
		if err != nil || len(due) == 0 {
			return err
		}
	}
	return nil
}

// attempt sends one report, and stores the result.
func (w *watcher) attempt(ctx context.Context, d store.Delivery) {
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTimeout)
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(stopTimeout, cancel) })()
	err := w.targets[d.Target].Send(sending, reportOf(&d))
	storing, cancelStoring := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancelStoring()
	if err == nil {
		err = w.Store.FinishDelivery(storing, d)
		if err != nil {
			w.logRarely("a report of an alert will be repeated", err)
		}
		return
	}
	w.logRarely("a report of an alert was not accepted, and will be repeated", err, "target", d.Target, "host", d.Host, "rule", d.Rule)
	expired, err := w.Store.RepeatDelivery(storing, d, time.Now().Add(waitAfter(d.Tries)))
	switch {
	case err != nil:
		w.logRarely("a report of an alert will be repeated later", err)
	case expired:
		w.Log.Error("a report of an alert was not accepted for a day, and is given up", "target", d.Target, "host", d.Host, "rule", d.Rule)
	}
}

// waitAfter returns the time from a failed attempt until the next one. tries is the number of the
// attempts before it. The time doubles with each attempt, up to lastWait.
func waitAfter(tries int) time.Duration {
	backoff := retry.WithCappedDuration(lastWait, retry.NewExponential(firstWait))
	for range min(tries, 16) {
		_, _ = backoff.Next()
	}
	wait, _ := backoff.Next()
	return wait
}

func reportOf(d *store.Delivery) *Report {
	r := &Report{
		Key: fmt.Sprintf("pulse-%d-%d", d.ID, d.At.UnixMilli()), State: "over",
		Host: d.Host, Rule: d.Rule, Level: d.Level, At: d.At, Repeat: d.Tries > 0,
	}
	if d.Firing {
		r.State = "firing"
	}
	return r
}
