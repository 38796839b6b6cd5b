package store

import (
	"context"
	"errors"
	"time"

	"github.com/hone-go/hone/mo"
)

// deliverFor is the time for which a report is sent again if a target does not accept it.
const deliverFor = 24 * time.Hour

// never is the time of a repeat that is not sent, in milliseconds since 1970.
const never = 1 << 60

// A Delivery is the task to send a report about an incident to a target. Its report is the same in all
// attempts.
type Delivery struct {
	Incident
	Target    string
	Number    int       // the number of earlier reports about the incident to the target
	Tries     int       // the number of earlier attempts; the target may have received their reports
	At        time.Time // the time of the report
	Ended     time.Time // the end of the incident; the time 1970 while it lasts
	Firing    bool      // false for the last report about the incident
	Alerts    []Alert   // the alerts that hold, or all alerts in the last report, one for each host
	Recovered []string  // the hosts whose alert is over, if other alerts hold

	seen int64 // the last change of the incident that the report includes
}

// ClaimDeliveries claims up to limit due reports to a target and returns them. No other server can claim
// them before the time until.
//
// The beginnings of alerts are reported after [gatherFor]. An incident that lasts is reported again when
// its repeat is due, unless silences cover all of its alerts. A report about an incident waits for
// reports about earlier incidents of its rule and its hosts.
func (b *base) ClaimDeliveries(ctx context.Context, target string, limit int, until time.Time) (claimed []Delivery, err error) {
	columns := func(d *Delivery) []any {
		return []any{&d.ID, &d.Rule, &d.Level, millis{&d.Since}, millis{&d.Ended}, &d.Target, &d.Number, &d.Tries, &d.seen, millis{&d.At}}
	}
	now := time.Now()
	ms := now.UnixMilli()
	due, err := list(rows(ctx, b.reading(), columns, `SELECT i.id, i.rule, i.level, i.began, i.ended, r.target, r.number, r.tries,
		CASE WHEN r.tries > 0 THEN r.seen ELSE coalesce((SELECT max(c.id) FROM alert_changes c WHERE c.incident = i.id), 0) END, r.at FROM reports r JOIN incidents i ON i.id = r.incident
		WHERE r.target = ? AND (r.tries > 0 AND r.next <= ? OR r.tries = 0 AND (i.ended > 0 OR i.due <= ? AND (r.next <= ? OR r.number > 0 AND i.newest > r.seen)
			AND EXISTS (SELECT 1 FROM alerts a WHERE a.incident = i.id AND a.silenced = 0)))
		AND NOT EXISTS (SELECT 1 FROM reports o JOIN incidents p ON p.id = o.incident WHERE o.target = r.target AND p.rule = i.rule AND p.ended > 0 AND p.began < i.began
			AND EXISTS (SELECT 1 FROM alert_changes x WHERE x.incident = p.id AND x.host IN (SELECT y.host FROM alert_changes y WHERE y.incident = i.id)))
		ORDER BY r.next, i.began, i.id LIMIT ?`, target, ms, ms, ms, limit))
	if err != nil {
		return nil, err
	}
	for _, d := range due {
		if d.Tries == 0 {
			d.At = now.UTC().Truncate(time.Millisecond)
		}
		err := heldError(b.exec(ctx, "UPDATE reports SET tries = tries + 1, next = ?, seen = ?, at = ? WHERE incident = ? AND target = ? AND number = ? AND tries = ?",
			until.UnixMilli(), d.seen, millis{&d.At}, d.ID, d.Target, d.Number, d.Tries))
		if errors.Is(err, ErrNotHeld) {
			continue
		}
		if err == nil {
			err = b.addAlerts(ctx, &d)
		}
		if err != nil {
			return claimed, err
		}
		claimed = append(claimed, d)
	}
	return claimed, nil
}

// addAlerts adds the alerts of the incident, as they were after the last change that the report includes.
func (b *base) addAlerts(ctx context.Context, d *Delivery) error {
	last, hosts := map[string]AlertChange{}, []string{}
	for c, err := range rows(ctx, b.reading(), (*AlertChange).columns, "SELECT "+changeColumns+" FROM alert_changes c WHERE c.incident = ? AND c.id <= ? ORDER BY c.id", d.ID, d.seen) {
		if err != nil {
			return err
		}
		if _, known := last[c.Host]; !known {
			hosts = append(hosts, c.Host)
		}
		last[c.Host] = c
		d.Firing = d.Firing || c.Firing && d.Number == 0
	}
	all := []Alert{}
	for _, host := range hosts {
		c := last[host]
		if all = append(all, c.Alert); c.Firing {
			d.Alerts = append(d.Alerts, c.Alert)
		} else {
			d.Recovered = append(d.Recovered, host)
		}
	}
	if d.Firing = d.Firing || len(d.Alerts) > 0; len(d.Alerts) == 0 {
		d.Alerts, d.Recovered = all, nil
	}
	return nil
}

// FinishDelivery stores that a report was delivered. If the incident lasts, the next report is sent after
// the time repeat, or never if it is 0.
func (b *base) FinishDelivery(ctx context.Context, d Delivery, repeat time.Duration) error {
	return b.transact(ctx, b.control, "", func(tx session) error {
		if err := finishReport(ctx, tx, d, repeat); err != nil {
			return err
		}
		_, err := tx.exec(ctx, "INSERT INTO targets (name, delivered, failed, failures) VALUES (?, ?, 0, 0) ON CONFLICT (name) DO UPDATE SET delivered = excluded.delivered", d.Target, time.Now().UnixMilli())
		return err
	})
}

func finishReport(ctx context.Context, s session, d Delivery, repeat time.Duration) error {
	if !d.Firing {
		_, err := s.exec(ctx, "DELETE FROM reports WHERE incident = ? AND target = ?", d.ID, d.Target)
		return err
	}
	next := int64(never)
	if repeat > 0 {
		next = time.Now().Add(repeat).UnixMilli()
	}
	_, err := s.exec(ctx, "UPDATE reports SET number = number + 1, tries = 0, next = ? WHERE incident = ? AND target = ? AND number = ?", next, d.ID, d.Target, d.Number)
	return err
}

// RepeatDelivery notes a failed attempt at its target, and sets the time of the next attempt. If the
// report is older than a day, it is given up instead: RepeatDelivery then does the same as
// FinishDelivery, and returns true.
func (b *base) RepeatDelivery(ctx context.Context, d Delivery, next time.Time, repeat time.Duration) (expired bool, err error) {
	expired = time.Since(d.At) > deliverFor
	err = b.transact(ctx, b.control, "", func(tx session) (err error) {
		if expired {
			err = finishReport(ctx, tx, d, repeat)
		} else {
			_, err = tx.exec(ctx, "UPDATE reports SET next = ? WHERE incident = ? AND target = ? AND number = ? AND tries = ?", next.UnixMilli(), d.ID, d.Target, d.Number, d.Tries+1)
		}
		if err != nil {
			return err
		}
		_, err = tx.exec(ctx, "INSERT INTO targets (name, delivered, failed, failures) VALUES (?, 0, ?, 1) ON CONFLICT (name) DO UPDATE SET failed = excluded.failed, failures = targets.failures + 1", d.Target, time.Now().UnixMilli())
		return err
	})
	return expired && err == nil, err
}

// A TargetState counts the deliveries of all servers to a target.
type TargetState struct {
	Name      string               `json:"name"`
	Delivered mo.Option[time.Time] `json:"delivered"` // the time of the last delivery
	Failed    mo.Option[time.Time] `json:"failed"`    // the time of the last failed attempt
	Failures  int64                `json:"failures"`  // the number of failed attempts
	Waiting   int64                `json:"waiting"`   // the number of reports that the target has not accepted yet
}

// Targets returns the states of the targets to which servers have delivered or have to deliver, sorted by name.
func (b *base) Targets(ctx context.Context) (states []TargetState, err error) {
	type row struct {
		TargetState
		delivered, failed int64
	}
	columns := func(r *row) []any { return []any{&r.Name, &r.delivered, &r.failed, &r.Failures, &r.Waiting} }
	for r, err := range rows(ctx, b.reading(), columns, `SELECT name, max(delivered), max(failed), max(failures), max(waiting) FROM (
		SELECT name, delivered, failed, failures, 0 AS waiting FROM targets UNION ALL SELECT r.target, 0, 0, 0, count(*) FROM reports r JOIN incidents i ON i.id = r.incident
			WHERE r.tries > 0 OR i.ended > 0 OR r.number = 0 AND r.next <= ? GROUP BY r.target
		) AS states GROUP BY name ORDER BY name`, time.Now().UnixMilli()) {
		if err != nil {
			return nil, err
		}
		r.Delivered, r.Failed = timeOf(r.delivered), timeOf(r.failed)
		states = append(states, r.TargetState)
	}
	return states, nil
}

// timeOf returns the time of a number of milliseconds since 1970, or None for 0.
func timeOf(ms int64) mo.Option[time.Time] {
	if ms == 0 {
		return mo.None[time.Time]()
	}
	return mo.Some(time.UnixMilli(ms).UTC())
}
