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

// judgeBy judges all hosts of a store if this server has the lease. It stores a change for each rule that
// has begun or ceased to hold for a host since the last call. If full is set, one of the alerts is that the
// disk of the database is full.
func (w *watcher) judgeBy(ctx context.Context, s store.Store, full bool) error {
	if err := s.LeaseAlerts(ctx, w.holder, term); err != nil {
		if !errors.Is(err, store.ErrFull) {
			w.watching = mo.None[time.Time]()
		}
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
	stored, err := s.Alerts(ctx)
	if err != nil {
		return err
	}
	// ended has the stored alerts that have ended.
	type key struct{ host, rule, level string }
	ended := map[key]store.Alert{}
	for _, a := range stored {
		ended[key{a.Host, a.Rule, a.Level}] = a
	}
	silences, err := s.Silences(ctx)
	if err != nil {
		return err
	}
	silences = append(silences, w.Rules.Silences(now)...)
	incidents, err := s.Incidents(ctx)
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
	isSilenced := func(host string, tags []string, rule, metric string) bool {
		return slices.ContainsFunc(silences, func(silence store.Silence) bool { return silence.Covers(host, tags, rule, metric) })
	}
	var c changes
	if err := w.states(ctx, s, judge, now, func(s *watch.State) {
		for _, r := range s.Rules {
			k := key{s.Host.Name, r.String(), r.Level.Word()}
			silenced := isSilenced(k.host, s.Host.Agent.Tags, k.rule, r.Metric)
			if a, known := ended[k]; known {
				delete(ended, k)
				if a.Silenced == silenced {
					continue
				}
				if a.Silenced = silenced; a.Incident != "" {
					c.silenced = append(c.silenced, a)
				} else { // it is reported now
					a.Value, a.Part = s.Value(r)
					c.began = append(c.began, join(a))
				}
			} else if !r.IsSilence() || time.Since(w.watching.OrEmpty()) > s.Host.SilentAfter()+r.For {
				a := store.Alert{Host: k.host, Rule: k.rule, Level: k.level, Since: now, Unit: r.Unit(), Silenced: silenced}
				a.Value, a.Part = s.Value(r)
				c.began = append(c.began, join(a))
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
	if full {
		k := key{w.Name, fullRule, watch.Critical.Word()}
		if _, known := ended[k]; !known {
			c.began = append(c.began, join(store.Alert{Host: k.host, Rule: k.rule, Level: k.level, Since: now, Silenced: isSilenced(k.host, nil, k.rule, "")}))
		}
		delete(ended, k)
	}
	c.over = slices.Collect(maps.Values(ended))
	if err := w.change(ctx, s, c); err != nil {
		return ignoreNotHeld(err)
	}
	if now.Before(w.nextPruning) {
		return nil
	}
	w.nextPruning = now.Add(pruneEvery)
	return s.PruneAlerts(ctx)
}

// changes are the alerts that begin, those that a silence covers now or does not cover any more, and those
// that are over.
type changes struct{ began, silenced, over []store.Alert }

// change stores changes, all beginnings before the first end, so that no incident ends too early.
func (w *watcher) change(ctx context.Context, s store.Store, c changes) error {
	for len(c.began)+len(c.silenced)+len(c.over) > 0 {
		n := min(len(c.began), changesAtOnce)
		m := min(len(c.silenced), changesAtOnce-n)
		k := min(len(c.over), changesAtOnce-n-m)
		if err := s.ChangeAlerts(ctx, w.holder, c.began[:n], c.silenced[:m], c.over[:k], w.stored); err != nil {
			return err
		}
		c.began, c.silenced, c.over = c.began[n:], c.silenced[m:], c.over[k:]
	}
	return nil
}

// ignoreNotHeld returns nil if another server has the lease, because one server is enough.
func ignoreNotHeld(err error) error {
	if errors.Is(err, store.ErrNotHeld) {
		return nil
	}
	return err
}

// states calls yield with the state of each host of a store.
func (w *watcher) states(ctx context.Context, s store.Store, judge *watch.Judge, now time.Time, yield func(*watch.State)) error {
	for cursor, more := mo.None[string](), true; more; more = cursor.IsSome() {
		hosts, next, err := s.Hosts(ctx, store.HostQuery{Cursor: cursor, Limit: hostsAtOnce})
		if err != nil {
			return err
		}
		states, err := judge.Judge(ctx, s, hosts, now)
		if err != nil {
			return err
		}
		for i := range states {
			yield(&states[i])
		}
		if cursor = next; cursor.IsSome() {
			if err := s.LeaseAlerts(ctx, w.holder, term); err != nil {
				return err
			}
		}
	}
	return nil
}
