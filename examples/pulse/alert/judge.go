package alert

import (
	"context"
	"errors"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/watch"
	"github.com/hone-go/hone/mo"
)

// judge judges all hosts if this server has the lease. It stores a change for each rule that has
// begun or ceased to hold for a host since the last call.
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
	// The next judgement starts after a pause of four times the duration of this one, so that many
	// hosts do not keep the database busy.
	defer func() { w.next = time.Now().Add(4 * time.Since(now)) }()
	stored, err := w.Store.Alerts(ctx)
	if err != nil {
		return err
	}
	// ended has the stored alerts that have ended, each with the time at which it began. Since is not set
	// in the keys.
	ended := map[store.Alert]time.Time{}
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
