package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
)

// TestAlerts: only the holder of the lease changes alerts. Each change is stored once. The alerts of an
// incident are one report to each target, and one server at a time claims a report.
func TestAlerts(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s, ctx := openNew(t, Options{}), t.Context()
		const rule = "high cpu > 80"
		a, b := Alert{Incident: "i", Host: "a", Rule: rule, Level: "high", Since: t0}, Alert{Incident: "i", Host: "b", Rule: rule, Level: "high", Since: t0}
		change := func(holder string, began, ended []Alert) {
			t.Helper()
			// Nobody delivers to the target a. That does not delay the reports to x.
			if err := s.ChangeAlerts(ctx, holder, began, nil, ended, []Receiver{{Name: "a"}, {Name: "x"}, {Name: "y"}, {Name: "later", After: time.Hour}}); err != nil {
				t.Fatal(err)
			}
		}
		lease := func(holder string, term time.Duration, want error) {
			t.Helper()
			if err := s.LeaseAlerts(ctx, holder, term); !errors.Is(err, want) {
				t.Fatalf("the lease of %s: %v, want %v", holder, err, want)
			}
		}
		if err := s.ChangeAlerts(ctx, "one", []Alert{a}, nil, nil, nil); !errors.Is(err, ErrNotHeld) {
			t.Errorf("without a lease: %v", err)
		}
		lease("one", time.Minute, nil)
		lease("two", time.Minute, ErrNotHeld)
		lease("one", time.Minute, nil)
		change("one", []Alert{a, b}, nil)
		change("one", []Alert{a, b}, nil) // they have begun already
		if err := s.ChangeAlerts(ctx, "two", nil, nil, []Alert{a}, nil); !errors.Is(err, ErrNotHeld) {
			t.Errorf("with the lease of another: %v", err)
		}
		claim := func(limit, want int) []Delivery {
			t.Helper()
			list, err := s.ClaimDeliveries(ctx, "x", limit, time.Now().Add(time.Minute))
			if err != nil || len(list) != want {
				t.Fatalf("claimed %+v (%v), want %d", list, err, want)
			}
			return list
		}
		state := func(name string) (state TargetState) {
			t.Helper()
			states, err := s.Targets(ctx)
			if err != nil || !slices.IsSortedFunc(states, func(a, b TargetState) int { return strings.Compare(a.Name, b.Name) }) {
				t.Fatalf("%+v (%v)", states, err)
			}
			for _, one := range states {
				if one.Name == name {
					state = one
				}
			}
			return state
		}
		if got := state("x"); got != (TargetState{Name: "x", Waiting: 1}) || state("later").Waiting != 0 {
			t.Errorf("before the first attempt: %+v", got)
		}
		claim(2, 0) // more alerts may begin
		passTime(t, s)
		first := claim(2, 1)[0]
		claim(2, 0)
		if first.Tries != 0 || first.Number != 0 || !first.Firing || len(first.Alerts) != 2 || first.Alerts[1].Host != "b" {
			t.Errorf("%+v", first)
		}
		if expired, err := s.RepeatDelivery(ctx, first, time.Now().Add(-time.Second), 0); expired || err != nil {
			t.Error(expired, err)
		}
		change("one", nil, []Alert{a, a})
		if list, err := s.Alerts(ctx); err != nil || !slices.Equal(list, []Alert{b}) {
			t.Errorf("alerts %+v (%v), want %+v", list, err, b)
		}
		changes, err := s.AlertChanges(ctx, 10)
		if err != nil || len(changes) != 3 || changes[0].Firing || changes[0].Host != "a" || !changes[1].Firing || changes[2].ID >= changes[1].ID {
			t.Fatalf("changes %+v (%v)", changes, err)
		}
		again := claim(2, 1)[0]
		if again.Tries != 1 || len(again.Alerts) != 2 || len(again.Recovered) != 0 || !again.At.Equal(first.At) {
			t.Errorf("the second attempt has another report: %+v", again)
		}
		if err := s.FinishDelivery(ctx, again, 0); err != nil {
			t.Error(err)
		}
		if got := state("x"); got.Waiting != 0 || got.Failures != 1 || got.Delivered.IsNone() || got.Failed.IsNone() || time.Since(got.Failed.OrEmpty()) > time.Hour {
			t.Errorf("after a delivery and a failed attempt: %+v", got)
		}
		if got := state("y"); got != (TargetState{Name: "y", Waiting: 1}) {
			t.Errorf("a target without an attempt: %+v", got)
		}

		// The end waits until the beginning has been delivered or given up. A report about the next incident
		// of the host waits for the end.
		c := b
		c.Incident = "j"
		change("one", nil, []Alert{b})
		change("one", []Alert{c}, nil)
		passTime(t, s)
		last := claim(2, 1)[0]
		if last.Firing || last.ID != "i" || len(last.Alerts) != 2 || last.Number != 1 || last.Ended.IsZero() {
			t.Errorf("%+v", last)
		}
		last.At = time.Now().Add(-deliverFor - time.Minute)
		if expired, err := s.RepeatDelivery(ctx, last, time.Now(), 0); !expired || err != nil {
			t.Error(expired, err)
		}
		if next := claim(2, 1)[0]; next.ID != "j" || next.Alerts[0].Host != "b" {
			t.Errorf("%+v", next)
		}
		if got := state("x"); got.Waiting != 1 || got.Failures != 2 {
			t.Errorf("after a report was given up: %+v", got)
		}
		if open, err := s.Incidents(ctx); err != nil || len(open) != 1 || open[0].ID != "j" || open[0].Hosts != 1 || open[0].Rule != rule {
			t.Errorf("%+v (%v)", open, err)
		}
		if err := s.PruneAlerts(ctx); err != nil {
			t.Error(err)
		}
		if changes, err := s.AlertChanges(ctx, 10); err != nil || len(changes) != 5 {
			t.Errorf("after pruning: %+v (%v)", changes, err)
		}

		// A lease ends by itself, or is released. A lease that ends far in the future, because of a
		// wrong clock, is ignored.
		if err := s.ReleaseAlerts(ctx, "two"); err != nil {
			t.Error(err)
		}
		lease("two", time.Minute, ErrNotHeld)
		if err := s.ReleaseAlerts(ctx, "one"); err != nil {
			t.Error(err)
		}
		lease("two", -time.Second, nil)
		lease("three", 24*time.Hour, nil)
		lease("four", time.Minute, nil)
	})
}

// TestLeaseIsRarelyWritten: a lease is written again when half of it is over.
func TestLeaseIsRarelyWritten(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s, ctx := openNew(t, Options{}), t.Context()
		lease := func(holder string, want error) (until time.Time) {
			t.Helper()
			if err := s.LeaseAlerts(ctx, holder, time.Hour); !errors.Is(err, want) {
				t.Fatalf("the lease of %s: %v, want %v", holder, err, want)
			}
			until, err := first(rows(ctx, baseOf(s).reading(), func(u *time.Time) []any { return []any{millis{u}} }, "SELECT until FROM leases"))
			if err != nil {
				t.Fatal(err)
			}
			return until
		}
		set := func(left time.Duration) {
			t.Helper()
			if _, err := baseOf(s).exec(ctx, "UPDATE leases SET until = ?", time.Now().Add(left).UnixMilli()); err != nil {
				t.Fatal(err)
			}
		}
		lease("one", nil)
		for _, test := range []struct {
			left    time.Duration
			written bool
		}{{50 * time.Minute, false}, {40 * time.Minute, false}, {20 * time.Minute, true}, {-time.Minute, true}, {5 * time.Hour, true}} {
			set(test.left)
			if left := time.Until(lease("one", nil)); (left > 55*time.Minute && left <= time.Hour) != test.written {
				t.Errorf("after a lease for %s: %s are left", test.left, left)
			}
		}
		set(40 * time.Minute)
		lease("two", ErrNotHeld)
	})
}

// passTime makes the reports of beginnings due.
func passTime(t *testing.T, s Store) {
	t.Helper()
	if _, err := baseOf(s).exec(t.Context(), "UPDATE incidents SET due = 0"); err != nil {
		t.Fatal(err)
	}
}

// TestSilencedAlerts: an alert that a silence covers from its beginning is in no incident, and not reported.
// When it is silenced no more, its beginning is reported with its own time.
func TestSilencedAlerts(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s, ctx := openNew(t, Options{}), t.Context()
		if err := s.LeaseAlerts(ctx, "one", time.Minute); err != nil {
			t.Fatal(err)
		}
		a := Alert{Host: "a", Rule: "high disk > 80", Level: "high", Since: t0, Value: mo.Some(81.5), Unit: "%", Part: "/", Silenced: true}
		change := func(began, silenced, ended []Alert) []Delivery {
			t.Helper()
			if err := s.ChangeAlerts(ctx, "one", began, silenced, ended, []Receiver{{Name: "x"}}); err != nil {
				t.Fatal(err)
			}
			passTime(t, s)
			due, err := s.ClaimDeliveries(ctx, "x", 10, time.Now().Add(time.Minute))
			if err != nil {
				t.Fatal(err)
			}
			return due
		}
		if due := change([]Alert{a}, nil, nil); len(due) != 0 {
			t.Errorf("reports %+v of a silenced alert", due)
		}
		if list, err := s.Alerts(ctx); err != nil || !slices.Equal(list, []Alert{a}) {
			t.Errorf("alerts %+v (%v), want %+v", list, err, a)
		}
		open := a
		open.Silenced, open.Incident = false, "i"
		due := change([]Alert{open}, nil, nil)
		if len(due) != 1 || len(due[0].Alerts) != 1 || due[0].Alerts[0] != open || !due[0].Firing {
			t.Errorf("reports %+v after the silence, want %+v", due, open)
		}
		if due := change([]Alert{open, a}, nil, nil); len(due) != 0 {
			t.Errorf("reports %+v of a known alert", due)
		}
		for _, d := range due {
			if err := s.FinishDelivery(ctx, d, 0); err != nil {
				t.Fatal(err)
			}
		}
		if due := change(nil, nil, []Alert{open}); len(due) != 1 || due[0].Firing || due[0].ID != "i" {
			t.Errorf("reports %+v of the end", due)
		}

		now := time.Now().UTC().Truncate(time.Millisecond)
		silence := Silence{ID: "s", Hosts: "*", Until: now.Add(time.Hour), Reason: "r", Who: "w", Created: now}
		past := Silence{ID: "p", Hosts: "*", Until: now.Add(-time.Hour), Reason: "r", Who: "w", Created: now}
		for _, one := range []Silence{silence, past} {
			if err := s.AddSilence(ctx, one); err != nil {
				t.Fatal(err)
			}
		}
		if list, err := s.Silences(ctx); err != nil || !slices.Equal(list, []Silence{silence}) {
			t.Errorf("silences %+v (%v), want %+v", list, err, silence)
		}
		if err := s.EndSilence(ctx, "p"); !errors.Is(err, ErrUnknownSilence) {
			t.Errorf("an ended silence: %v", err)
		}
	})
}

// TestUpgradeDeliveries opens a database whose deliveries an older pulse has stored. The reports that wait are
// sent, and the end of an alert that was reported.
func TestUpgradeDeliveries(t *testing.T) {
	upgrade := func(t *testing.T, s Store, db *base, version int, again func() Store) {
		ctx := t.Context()
		for _, text := range []string{
			"DROP TABLE incidents", "DROP TABLE reports", "DROP INDEX alerts_incident", "DROP INDEX alert_changes_incident",
			"CREATE TABLE deliveries (change bigint NOT NULL, target text NOT NULL, tries bigint NOT NULL, next bigint NOT NULL, PRIMARY KEY (change, target))",
			fmt.Sprint("DELETE FROM goose_db_version WHERE version_id = ", version),
			"INSERT INTO alerts (host, rule, level, since, incident, silenced) VALUES ('a', 'high cpu > 80', 'high', 5, 'x', 0), ('b', 'high cpu > 80', 'high', 5, 'y', 1), ('c', 'high cpu > 80', 'high', 5, '', 0)",
			"INSERT INTO alert_changes (at, host, rule, level, firing, incident, since, silenced) VALUES (5, 'a', 'high cpu > 80', 'high', 1, 'x', 5, 0), (5, 'b', 'high cpu > 80', 'high', 1, 'y', 5, 1), (5, 'c', 'high cpu > 80', 'high', 1, '', 5, 0), (5, 'd', 'high cpu > 80', 'high', 1, 'z', 5, 0), (6, 'd', 'high cpu > 80', 'high', 0, 'z', 5, 0)",
			"INSERT INTO deliveries (change, target, tries, next) SELECT id, 't', 1, 7 FROM alert_changes WHERE host = 'a' OR host = 'd'",
		} {
			if _, err := db.exec(ctx, text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = again()
		got := func() (texts []string) {
			t.Helper()
			for range 2 { // an end is reported after its beginning
				due, err := s.ClaimDeliveries(ctx, "t", 10, time.Now().Add(time.Minute))
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range due {
					texts = append(texts, fmt.Sprintf("%s %s %t after %d attempts", d.ID, d.Alerts[0].Host, d.Firing, d.Tries))
					if err := s.FinishDelivery(ctx, d, 0); err != nil {
						t.Fatal(err)
					}
				}
			}
			slices.Sort(texts)
			return texts
		}
		if texts := got(); !slices.Equal(texts, []string{"x a true after 1 attempts", "z d false after 0 attempts", "z d true after 1 attempts"}) {
			t.Errorf("reports after the upgrade: %q", texts)
		}
		alerts, err := s.Alerts(ctx)
		if err != nil || len(alerts) != 3 || alerts[1].Incident != "" || !strings.HasPrefix(alerts[2].Incident, "old-") {
			t.Fatalf("%+v (%v)", alerts, err)
		}
		if err := s.LeaseAlerts(ctx, "one", time.Minute); err != nil {
			t.Fatal(err)
		}
		if err := s.ChangeAlerts(ctx, "one", nil, nil, alerts, []Receiver{{Name: "t"}}); err != nil {
			t.Fatal(err)
		}
		if texts := got(); !slices.Equal(texts, []string{alerts[2].Incident + " c false after 0 attempts", "x a false after 0 attempts"}) {
			t.Errorf("reports of the ends: %q", texts)
		}
	}
	t.Run("SQLite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "pulse.db")
		s := open(t, path, Options{})
		upgrade(t, s, &s.base, 12, func() Store { return open(t, path, Options{}) })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		url := newDatabase(t)
		s := openPostgres(t, url, Options{})
		upgrade(t, s, &s.base, 10, func() Store { return openPostgres(t, url, Options{}) })
	})
}
