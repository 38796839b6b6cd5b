package store

import (
	"context"
	"errors"
	"time"
)

// ErrNotHeld means that another server holds a lease.
var ErrNotHeld = errors.New("store: another server has the lease")

// An Alert says that a rule has held for a host since a time.
type Alert struct {
	Host  string    `json:"host"`
	Rule  string    `json:"rule"`
	Level string    `json:"level"`
	Since time.Time `json:"since"`
}

// An AlertChange is the beginning or the end of an alert.
type AlertChange struct {
	ID     int64     `json:"id"` // never used twice
	At     time.Time `json:"at"`
	Host   string    `json:"host"`
	Rule   string    `json:"rule"`
	Level  string    `json:"level"`
	Firing bool      `json:"firing"` // false at the end of an alert
}

// A Delivery is the task to report a change to a target.
type Delivery struct {
	AlertChange
	Target string
	Tries  int // the number of earlier attempts; the target may have received their reports
}

const (
	// alertLease is the lease of the server that changes alerts.
	alertLease = "alerts"

	// deliverFor is the time for which a change is reported: after this time, attempts to deliver it
	// to a target end.
	deliverFor = 24 * time.Hour

	// keepChanges is the time for which changes of alerts are kept.
	keepChanges = 31 * 24 * time.Hour
)

// LeaseAlerts makes holder the only server that can change alerts, from now until term has passed.
// The error is ErrNotHeld if another server has the lease.
func (b *base) LeaseAlerts(ctx context.Context, holder string, term time.Duration) error {
	now := time.Now()
	// A lease that ends far in the future is ignored: a server with a wrong clock has stored it.
	return heldError(b.exec(ctx, `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE leases.holder = excluded.holder OR leases.until < ? OR leases.until > ?`,
		alertLease, holder, now.Add(term).UnixMilli(), now.UnixMilli(), now.Add(2*term).UnixMilli()))
}

// ReleaseAlerts ends the lease of holder, if it has one.
func (b *base) ReleaseAlerts(ctx context.Context, holder string) error {
	_, err := b.exec(ctx, "DELETE FROM leases WHERE name = ? AND holder = ?", alertLease, holder)
	return err
}

// heldError returns ErrNotHeld if a statement has changed no row, or the error of the statement.
func heldError(changed int64, err error) error {
	if err == nil && changed == 0 {
		return ErrNotHeld
	}
	return err
}

// Alerts returns the alerts that hold now, sorted by host and rule.
func (b *base) Alerts(ctx context.Context) ([]Alert, error) {
	columns := func(a *Alert) []any { return []any{&a.Host, &a.Rule, &a.Level, millis{&a.Since}} }
	return list(rows(ctx, b.reading(), columns, "SELECT host, rule, level, since FROM alerts ORDER BY host, rule"))
}

// ChangeAlerts stores the beginnings and ends of alerts in one transaction. In the same transaction
// it stores, for each beginning and each end, a delivery to each target. If holder does not have the
// lease, ChangeAlerts returns ErrNotHeld and changes nothing. It ignores the beginning of an alert
// that is stored already, and the end of an alert that is not stored.
func (b *base) ChangeAlerts(ctx context.Context, holder string, began, ended []Alert, targets []string) error {
	now := time.Now().UnixMilli()
	return b.transact(ctx, b.control, "", func(tx session) error {
		if err := heldError(tx.exec(ctx, "UPDATE leases SET until = until WHERE name = ? AND holder = ? AND until >= ?", alertLease, holder, now)); err != nil {
			return err
		}
		change := func(a Alert, firing bool, statement string, args ...any) error {
			if changed, err := tx.exec(ctx, statement, args...); err != nil || changed == 0 {
				return err
			}
			id, err := first(rows(ctx, tx, single[int64], "INSERT INTO alert_changes (at, host, rule, level, firing) VALUES (?, ?, ?, ?, ?) RETURNING id",
				now, a.Host, a.Rule, a.Level, map[bool]int{true: 1}[firing]))
			for _, target := range targets {
				if err == nil {
					_, err = tx.exec(ctx, "INSERT INTO deliveries (change, target, tries, next) VALUES (?, ?, 0, ?)", id, target, now)
				}
			}
			return err
		}
		for _, a := range began {
			if err := change(a, true, "INSERT INTO alerts (host, rule, level, since) VALUES (?, ?, ?, ?) ON CONFLICT (host, rule) DO NOTHING", a.Host, a.Rule, a.Level, a.Since.UnixMilli()); err != nil {
				return err
			}
		}
		for _, a := range ended {
			if err := change(a, false, "DELETE FROM alerts WHERE host = ? AND rule = ?", a.Host, a.Rule); err != nil {
				return err
			}
		}
		return nil
	})
}

const changeColumns = "c.id, c.at, c.host, c.rule, c.level, c.firing"

// columns returns the pointers to which changeColumns are scanned.
func (c *AlertChange) columns() []any {
	return []any{&c.ID, millis{&c.At}, &c.Host, &c.Rule, &c.Level, &c.Firing}
}

// AlertChanges returns at most limit changes of alerts, the newest first.
func (b *base) AlertChanges(ctx context.Context, limit int) ([]AlertChange, error) {
	return list(rows(ctx, b.reading(), (*AlertChange).columns, "SELECT "+changeColumns+" FROM alert_changes c ORDER BY c.id DESC LIMIT ?", limit))
}

// ClaimDeliveries claims up to limit due deliveries to a target and returns them. No other server
// can claim them before the time until. A delivery is not due while a delivery of an earlier change
// of its rule and its host is waiting.
func (b *base) ClaimDeliveries(ctx context.Context, target string, limit int, until time.Time) (claimed []Delivery, err error) {
	columns := func(d *Delivery) []any { return append(d.columns(), &d.Target, &d.Tries) }
	due, err := list(rows(ctx, b.reading(), columns, "SELECT "+changeColumns+`, d.target, d.tries FROM deliveries d JOIN alert_changes c ON c.id = d.change
		WHERE d.target = ? AND d.next <= ? AND NOT EXISTS (SELECT 1 FROM deliveries e JOIN alert_changes f ON f.id = e.change
			WHERE e.target = d.target AND e.change < d.change AND f.host = c.host AND f.rule = c.rule)
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

// PruneAlerts deletes changes after 31 days and deliveries after two days. A delivery becomes that
// old only if no server has its target any more.
func (b *base) PruneAlerts(ctx context.Context) error {
	now := time.Now()
	_, err := b.exec(ctx, "DELETE FROM deliveries WHERE change IN (SELECT id FROM alert_changes WHERE at < ?)", now.Add(-2*deliverFor).UnixMilli())
	if err == nil {
		_, err = b.exec(ctx, "DELETE FROM alert_changes WHERE at < ?", now.Add(-keepChanges).UnixMilli())
	}
	return err
}
