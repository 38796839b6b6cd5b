package alert

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
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
	// ended has the stored alerts that have ended.
	type key struct{ host, rule, level string }
	ended := map[key]store.Alert{}
	for _, a := range stored {
		ended[key{a.Host, a.Rule, a.Level}] = a
	}
	silences, err := w.Store.Silences(ctx)
	if err != nil {
		return err
	}
	silences = append(silences, w.Rules.Silences(now)...)
	incidents, err := w.Store.Incidents(ctx)
	if err != nil {
		return err
	}
	open := map[string]string{} // the incident that a new alert joins, by the rule
	for _, i := range incidents {
		if now.Sub(i.Since) < store.JoinFor {
			open[i.Rule] = i.ID
		}
	}
	join := func(a store.Alert) store.Alert {
		if a.Silenced {
			return a
		}
		if open[a.Rule] == "" {
			open[a.Rule] = rand.Text()
		}
		a.Incident = open[a.Rule]
		return a
	}
	judge := &watch.Judge{Rules: w.Rules.List(), Alerts: watch.Firing(stored), Parts: w.parts}
	var began, changed []store.Alert // changed has the alerts that a silence covers now, or does not cover any more
	if err := w.states(ctx, judge, now, func(s *watch.State) {
		for _, r := range s.Rules {
			k := key{s.Host.Name, r.String(), r.Level.Word()}
			silenced := slices.ContainsFunc(silences, func(silence store.Silence) bool {
				return silence.Covers(k.host, s.Host.Agent.Tags, k.rule, r.Metric)
			})
			if a, known := ended[k]; known {
				delete(ended, k)
				if a.Silenced == silenced {
					continue
				}
				if a.Silenced = silenced; a.Incident != "" {
					changed = append(changed, a)
				} else { // it is reported now
					a.Value, a.Part = s.Value(r)
					began = append(began, join(a))
				}
			} else if !r.IsSilence() || time.Since(w.watching.OrEmpty()) > s.Host.SilentAfter()+r.For {
				a := store.Alert{Host: k.host, Rule: k.rule, Level: k.level, Since: now, Unit: r.Unit(), Silenced: silenced}
				a.Value, a.Part = s.Value(r)
				began = append(began, join(a))
			}
		}
		for i := range judge.Rules { // the ends that may follow have the value of now
			k := key{s.Host.Name, judge.Rules[i].String(), judge.Rules[i].Level.Word()}
			if a, ends := ended[k]; ends {
				a.Value, a.Part = s.Value(&judge.Rules[i])
				ended[k] = a
			}
		}
	}); err != nil {
		return ignoreNotHeld(err)
	}
	w.parts.EndRound()
	over := slices.Collect(maps.Values(ended))
	for len(began)+len(changed)+len(over) > 0 { // all beginnings before the first end, so that no incident ends too early
		n := min(len(began), changesAtOnce)
		m := min(len(changed), changesAtOnce-n)
		k := min(len(over), changesAtOnce-n-m)
		if err := w.Store.ChangeAlerts(ctx, w.holder, began[:n], changed[:m], over[:k], w.stored); err != nil {
			return ignoreNotHeld(err)
		}
		began, changed, over = began[n:], changed[m:], over[k:]
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
func (w *watcher) states(ctx context.Context, judge *watch.Judge, now time.Time, yield func(*watch.State)) error {
	for cursor, more := mo.None[string](), true; more; more = cursor.IsSome() {
		hosts, next, err := w.Store.Hosts(ctx, store.HostQuery{Cursor: cursor, Limit: hostsAtOnce})
		if err != nil {
			return err
		}
		states, err := judge.Judge(ctx, w.Store, hosts, now)
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
