package store

import (
	"context"
	"errors"
	"time"

	"github.com/hone-go/hone/mo"
)

// deliverFor is the time for which a change is reported: after this time, attempts to deliver it
// to a target end.
const deliverFor = 24 * time.Hour

// A Delivery is the task to report a change to a target.
type Delivery struct {
	AlertChange
	Target string
	Tries  int // the number of earlier attempts; the target may have received their reports
}

// ClaimDeliveries claims up to limit due deliveries to a target and returns them. No other server
// can claim them before the time until. A delivery is not due while a delivery of an earlier change
// of its incident, or of its rule and its host, is waiting.
func (b *base) ClaimDeliveries(ctx context.Context, target string, limit int, until time.Time) (claimed []Delivery, err error) {
	columns := func(d *Delivery) []any { return append(d.columns(), &d.Target, &d.Tries) }
	due, err := list(rows(ctx, b.reading(), columns, "SELECT "+changeColumns+`, d.target, d.tries FROM deliveries d JOIN alert_changes c ON c.id = d.change
		WHERE d.target = ? AND d.next <= ? AND NOT EXISTS (SELECT 1 FROM deliveries e JOIN alert_changes f ON f.id = e.change
			WHERE e.target = d.target AND e.change < d.change AND (f.host = c.host AND f.rule = c.rule OR f.incident = c.incident AND c.incident <> ''))
		ORDER BY d.next, d.change LIMIT ?`, target, time.Now().UnixMilli(), limit))
	if err != nil {
		return nil, err
	}
	for _, d := range due {
		err := heldError(b.exec(ctx, "UPDATE deliveries SET tries = tries + 1, next = ? WHERE change = ? AND target = ? AND tries = ?", until.UnixMilli(), d.ID, d.Target, d.Tries))
		if err == nil {
			claimed = append(claimed, d)
		} else if !errors.Is(err, ErrNotHeld) {
			return claimed, err
		}
	}
	return claimed, nil
}

// FinishDelivery deletes a delivery that was made, and notes the time at its target.
func (b *base) FinishDelivery(ctx context.Context, d Delivery) error {
	return b.transact(ctx, b.control, "", func(tx session) error {
		if err := deleteDelivery(ctx, tx, d); err != nil {
			return err
		}
		_, err := tx.exec(ctx, "INSERT INTO targets (name, delivered, failed, failures) VALUES (?, ?, 0, 0) ON CONFLICT (name) DO UPDATE SET delivered = excluded.delivered", d.Target, time.Now().UnixMilli())
		return err
	})
}

func deleteDelivery(ctx context.Context, s session, d Delivery) error {
	_, err := s.exec(ctx, "DELETE FROM deliveries WHERE change = ? AND target = ?", d.ID, d.Target)
	return err
}

// RepeatDelivery notes a failed attempt at its target, and sets the time of the next attempt. If the change is
// older than a day, it deletes the delivery instead and returns true.
func (b *base) RepeatDelivery(ctx context.Context, d Delivery, next time.Time) (expired bool, err error) {
	expired = time.Since(d.At) > deliverFor
	err = b.transact(ctx, b.control, "", func(tx session) (err error) {
		if expired {
			err = deleteDelivery(ctx, tx, d)
		} else {
			_, err = tx.exec(ctx, "UPDATE deliveries SET next = ? WHERE change = ? AND target = ?", next.UnixMilli(), d.ID, d.Target)
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
		SELECT name, delivered, failed, failures, 0 AS waiting FROM targets UNION ALL SELECT target, 0, 0, 0, count(*) FROM deliveries GROUP BY target
		) AS states GROUP BY name ORDER BY name`) {
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
