package store

import (
	"context"
	"errors"
	"time"

	"github.com/hone-go/hone/mo"
)

// ErrNotHeld means that another server holds a lease.
var ErrNotHeld = errors.New("store: another server has the lease")

// An Alert says that the condition of a rule has been true for a host since a time.
type Alert struct {
	Incident string             `json:"incident"` // an id of this alert, the same at its beginning and its end, also if the host is renamed
	Host     string             `json:"host"`
	Rule     string             `json:"rule"`
	Level    string             `json:"level"`
	Since    time.Time          `json:"since"`
	Value    mo.Option[float64] `json:"value"`    // the value of the metric at the beginning; in a change, at its time
	Unit     string             `json:"unit"`     // of the value, such as "%"
	Part     string             `json:"part"`     // the disk, the interface or the sensor with the value, or ""
	Silenced bool               `json:"silenced"` // a silence covers the alert: it is not reported
}

// An AlertChange is the beginning or the end of an alert.
type AlertChange struct {
	ID int64     `json:"id"` // never used twice
	At time.Time `json:"at"`
	Alert
	Firing bool `json:"firing"` // false at the end of an alert
}

const alertColumns = "incident, host, rule, level, since, value, unit, part, silenced"

// columns returns the pointers to which alertColumns are scanned.
func (a *Alert) columns() []any {
	return []any{&a.Incident, &a.Host, &a.Rule, &a.Level, millis{&a.Since}, &a.Value, &a.Unit, &a.Part, bit{&a.Silenced}}
}

const (
	// alertLease is the lease of the server that changes alerts.
	alertLease = "alerts"

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
	return list(rows(ctx, b.reading(), (*Alert).columns, "SELECT "+alertColumns+" FROM alerts ORDER BY host, rule"))
}

// ChangeAlerts stores the beginnings and ends of alerts in one transaction. In the same transaction
// it stores, for each beginning and each end that is not silenced, a delivery to each target. If holder does not have the
// lease, ChangeAlerts returns ErrNotHeld and changes nothing. It ignores the beginning of an alert
// that is stored already, except the beginning of a silenced alert that is silenced no more, and the end of an alert that is not stored.
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
			id, err := first(rows(ctx, tx, single[int64], "INSERT INTO alert_changes ("+alertColumns+", at, firing) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
				append(a.columns(), now, map[bool]int{true: 1}[firing])...))
			for _, target := range targets {
				if err == nil && !a.Silenced {
					_, err = tx.exec(ctx, "INSERT INTO deliveries (change, target, tries, next) VALUES (?, ?, 0, ?)", id, target, now)
				}
			}
			return err
		}
		for _, a := range began {
			if err := change(a, true, "INSERT INTO alerts ("+alertColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (host, rule) DO UPDATE SET silenced = 0 WHERE alerts.silenced = 1 AND excluded.silenced = 0", a.columns()...); err != nil {
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

const changeColumns = "c.id, c.at, c.firing, c.incident, c.host, c.rule, c.level, c.since, c.value, c.unit, c.part, c.silenced"

// columns returns the pointers to which changeColumns are scanned.
func (c *AlertChange) columns() []any {
	return append([]any{&c.ID, millis{&c.At}, &c.Firing}, c.Alert.columns()...)
}

// AlertChanges returns at most limit changes of alerts, the newest first.
func (b *base) AlertChanges(ctx context.Context, limit int) ([]AlertChange, error) {
	return list(rows(ctx, b.reading(), (*AlertChange).columns, "SELECT "+changeColumns+" FROM alert_changes c ORDER BY c.id DESC LIMIT ?", limit))
}

// PruneAlerts deletes ended silences and changes after 31 days and deliveries after two days. A delivery becomes that
// old only if no server has its target any more.
func (b *base) PruneAlerts(ctx context.Context) error {
	now := time.Now()
	if _, err := b.exec(ctx, "DELETE FROM silences WHERE until < ?", now.Add(-keepChanges).UnixMilli()); err != nil {
		return err
	}
	_, err := b.exec(ctx, "DELETE FROM deliveries WHERE change IN (SELECT id FROM alert_changes WHERE at < ?)", now.Add(-2*deliverFor).UnixMilli())
	if err == nil {
		_, err = b.exec(ctx, "DELETE FROM alert_changes WHERE at < ?", now.Add(-keepChanges).UnixMilli())
	}
	return err
}
