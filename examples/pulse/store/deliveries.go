package store

import (
	"context"
	"errors"
	"time"
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

// FinishDelivery deletes a delivery that was made or has expired.
func (b *base) FinishDelivery(ctx context.Context, d Delivery) error {
	_, err := b.exec(ctx, "DELETE FROM deliveries WHERE change = ? AND target = ?", d.ID, d.Target)
	return err
}

// RepeatDelivery sets the time of the next attempt. If the change is older than a day, it deletes
// the delivery instead and returns true.
func (b *base) RepeatDelivery(ctx context.Context, d Delivery, next time.Time) (expired bool, err error) {
	if time.Since(d.At) > deliverFor {
		return true, b.FinishDelivery(ctx, d)
	}
	_, err = b.exec(ctx, "UPDATE deliveries SET next = ? WHERE change = ? AND target = ?", next.UnixMilli(), d.ID, d.Target)
	return false, err
}
