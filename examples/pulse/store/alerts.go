package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/hone-go/hone/mo"
)

// ErrNotHeld means that another server holds a lease.
var ErrNotHeld = errors.New("store: another server has the lease")

// An Alert says that the condition of a rule has been true for a host since a time.
type Alert struct {
	Incident string             `json:"incident"` // the incident that the alert is part of, also if the host is renamed; "" if a silence has covered the alert since its beginning
	Host     string             `json:"host"`
	Rule     string             `json:"rule"`
	Level    string             `json:"level"`
	Since    time.Time          `json:"since"`
	Value    mo.Option[float64] `json:"value"`    // the value of the metric at the beginning; in a change, at its time
	Unit     string             `json:"unit"`     // of the value, such as "%"
	Part     string             `json:"part"`     // the disk, the interface or the sensor with the value, or ""
	Silenced bool               `json:"silenced"` // a silence covers the alert; for a change, whether it is not reported for this reason
}

// An AlertChange is the beginning or the end of an alert.
type AlertChange struct {
	ID int64     `json:"id"` // never used twice
	At time.Time `json:"at"`
	Alert
	Firing bool `json:"firing"` // false at the end of an alert
}

// An Incident has the alerts of a rule that began within [JoinFor]. It ends with the last of them.
type Incident struct {
	ID    string    `json:"incident"`
	Rule  string    `json:"rule"`
	Level string    `json:"level"`
	Since time.Time `json:"since"` // the beginning of the first alert
	Hosts int       `json:"hosts"` // the number of hosts whose alert holds now
}

// A Receiver is a target of reports.
type Receiver struct {
	Name  string
	After time.Duration // it gets reports about an incident only if the incident lasts longer than this
}

const (
	// JoinFor is the time from the beginning of an incident in which further alerts of its rule join it.
	JoinFor = time.Minute

	// gatherFor is the time for which the report of a beginning waits for further beginnings. It does not
	// wait longer than JoinFor.
	gatherFor = 15 * time.Second
)

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

// LeaseAlerts makes holder the only server that can change alerts, from now until term has passed, or
// at least half of it: a lease that lasts for so long is not written again, because this is called all the
// time. The error is ErrNotHeld if another server has the lease.
func (b *base) LeaseAlerts(ctx context.Context, holder string, term time.Duration) error {
	now := time.Now()
	until, err := first(rows(ctx, b.reading(), single[int64], "SELECT until FROM leases WHERE name = ? AND holder = ?", alertLease, holder))
	if err == nil && until >= now.Add(term/2).UnixMilli() && until <= now.Add(term).UnixMilli() {
		return nil
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
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

// Incidents returns the incidents that last, sorted by their beginnings.
func (b *base) Incidents(ctx context.Context) ([]Incident, error) {
	columns := func(i *Incident) []any { return []any{&i.ID, &i.Rule, &i.Level, millis{&i.Since}, &i.Hosts} }
	return list(rows(ctx, b.reading(), columns, "SELECT i.id, i.rule, i.level, i.began, count(a.host) FROM incidents i LEFT JOIN alerts a ON a.incident = i.id WHERE i.ended = 0 GROUP BY i.id, i.rule, i.level, i.began ORDER BY i.began, i.id"))
}

// ChangeAlerts stores beginnings and ends of alerts in one transaction. In the same transaction it
// stores the incidents of these alerts, and the reports about the incidents to receivers. If holder does
// not have the lease, ChangeAlerts returns ErrNotHeld and changes nothing. It ignores the beginning of an
// alert that is stored already, except the beginning of an alert without incident that has one now, and
// the end of an alert that is not stored. silenced has stored alerts whose Silenced has changed.
func (b *base) ChangeAlerts(ctx context.Context, holder string, began, silenced, ended []Alert, receivers []Receiver) error {
	now := time.Now()
	return b.transact(ctx, b.control, "", func(tx session) error {
		if err := heldError(tx.exec(ctx, "UPDATE leases SET until = until WHERE name = ? AND holder = ? AND until >= ?", alertLease, holder, now.UnixMilli())); err != nil {
			return err
		}
		for _, a := range began {
			id, err := change(ctx, tx, a, now, true, "INSERT INTO alerts ("+alertColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
				ON CONFLICT (host, rule) DO UPDATE SET silenced = 0, incident = excluded.incident WHERE alerts.incident = '' AND excluded.incident <> ''`, a.columns()...)
			if err == nil && id > 0 && a.Incident != "" {
				err = joinIncident(ctx, tx, a, id, now, receivers)
			}
			if err != nil {
				return err
			}
		}
		for _, a := range silenced {
			if _, err := tx.exec(ctx, "UPDATE alerts SET silenced = ? WHERE host = ? AND rule = ?", bit{&a.Silenced}, a.Host, a.Rule); err != nil {
				return err
			}
		}
		quiet := map[string]bool{} // whether silences cover the last alerts of an incident
		for _, a := range ended {
			if _, err := change(ctx, tx, a, now, false, "DELETE FROM alerts WHERE host = ? AND rule = ?", a.Host, a.Rule); err != nil {
				return err
			}
			before, known := quiet[a.Incident]
			quiet[a.Incident] = a.Silenced && (before || !known)
		}
		return endIncidents(ctx, tx, now, quiet, receivers)
	})
}

// change runs a statement that stores or deletes an alert. If it has changed a row, change stores the
// change and returns its id.
func change(ctx context.Context, tx session, a Alert, now time.Time, firing bool, statement string, args ...any) (id int64, err error) {
	if changed, err := tx.exec(ctx, statement, args...); err != nil || changed == 0 {
		return 0, err
	}
	a.Silenced = a.Incident == ""
	return first(rows(ctx, tx, single[int64], "INSERT INTO alert_changes ("+alertColumns+", at, firing) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
		append(a.columns(), now.UnixMilli(), map[bool]int{true: 1}[firing])...))
}

// joinIncident adds an alert that begins to its incident, which it creates if necessary.
func joinIncident(ctx context.Context, tx session, a Alert, change int64, now time.Time, receivers []Receiver) error {
	_, err := tx.exec(ctx, `INSERT INTO incidents (id, rule, level, began, due, newest, ended) VALUES (?, ?, ?, ?, ?, ?, 0)
		ON CONFLICT (id) DO UPDATE SET due = CASE WHEN excluded.due < incidents.began + ? THEN excluded.due ELSE incidents.began + ? END, newest = excluded.newest`,
		a.Incident, a.Rule, a.Level, now.UnixMilli(), now.Add(gatherFor).UnixMilli(), change, JoinFor.Milliseconds(), JoinFor.Milliseconds())
	for _, r := range receivers {
		if err == nil {
			_, err = tx.exec(ctx, "INSERT INTO reports (incident, target, number, tries, next, seen, at) VALUES (?, ?, 0, 0, ?, 0, 0) ON CONFLICT (incident, target) DO NOTHING",
				a.Incident, r.Name, now.Add(r.After).UnixMilli())
		}
	}
	return err
}

// endIncidents ends incidents without alerts. Their reports that are not due yet will not be sent, nor
// those that a silence has held back.
func endIncidents(ctx context.Context, tx session, now time.Time, quiet map[string]bool, receivers []Receiver) error {
	ended, err := list(rows(ctx, tx, single[string], "UPDATE incidents SET ended = ? WHERE ended = 0 AND NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.incident = incidents.id) RETURNING id", now.UnixMilli()))
	for _, id := range ended {
		for _, r := range receivers {
			if err == nil && r.After == 0 { // a receiver that is newer than the incident gets its end
				_, err = tx.exec(ctx, "INSERT INTO reports (incident, target, number, tries, next, seen, at) VALUES (?, ?, 1, 0, 0, 0, 0) ON CONFLICT (incident, target) DO NOTHING", id, r.Name)
			}
		}
		if err == nil {
			_, err = tx.exec(ctx, "DELETE FROM reports WHERE incident = ? AND number = 0 AND tries = 0 AND (? = 1 OR next > ? OR ? < (SELECT due FROM incidents WHERE id = reports.incident))",
				id, map[bool]int{true: 1}[quiet[id]], now.UnixMilli(), now.UnixMilli())
		}
	}
	return err
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

// PruneAlerts deletes silences, incidents and their changes 31 days after their ends, and reports two
// days after the end of their incident. A report becomes that old only if no server has its target any
// more.
func (b *base) PruneAlerts(ctx context.Context) error {
	now := time.Now()
	old, undelivered := now.Add(-keepChanges).UnixMilli(), now.Add(-2*deliverFor).UnixMilli()
	for _, s := range []struct {
		text  string
		until int64
	}{
		{"DELETE FROM silences WHERE until < ?", old},
		{"DELETE FROM reports WHERE incident IN (SELECT id FROM incidents WHERE ended > 0 AND ended < ?)", undelivered},
		{"DELETE FROM incidents WHERE ended > 0 AND ended < ?", old},
		{"DELETE FROM alert_changes WHERE at < ? AND incident NOT IN (SELECT id FROM incidents WHERE ended = 0)", old},
	} {
		if _, err := b.exec(ctx, s.text, s.until); err != nil {
			return err
		}
	}
	return nil
}
