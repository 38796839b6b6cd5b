package store

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
)

// TestAlerts: only the holder of the lease changes alerts. Each change is stored once, with a
// delivery to each target. One server at a time claims a delivery, and the deliveries are claimed in
// order.
func TestAlerts(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s, ctx := openNew(t, Options{}), t.Context()
		a, b := Alert{Host: "a", Rule: "high cpu > 80", Level: "high", Since: t0}, Alert{Host: "b", Rule: "high cpu > 80", Level: "high", Since: t0}
		change := func(holder string, began, ended []Alert) {
			t.Helper()
			// Nobody delivers to the target a. That does not delay the deliveries to x.
			if err := s.ChangeAlerts(ctx, holder, began, ended, []string{"a", "x", "y"}); err != nil {
				t.Fatal(err)
			}
		}
		lease := func(holder string, term time.Duration, want error) {
			t.Helper()
			if err := s.LeaseAlerts(ctx, holder, term); !errors.Is(err, want) {
				t.Fatalf("the lease of %s: %v, want %v", holder, err, want)
			}
		}
		if err := s.ChangeAlerts(ctx, "one", []Alert{a}, nil, nil); !errors.Is(err, ErrNotHeld) {
			t.Errorf("without a lease: %v", err)
		}
		lease("one", time.Minute, nil)
		lease("two", time.Minute, ErrNotHeld)
		lease("one", time.Minute, nil)
		change("one", []Alert{a, b}, nil)
		change("one", []Alert{a, b}, nil) // they have begun already
		if err := s.ChangeAlerts(ctx, "two", nil, []Alert{a}, nil); !errors.Is(err, ErrNotHeld) {
			t.Errorf("with the lease of another: %v", err)
		}
		change("one", nil, []Alert{a, a})
		if list, err := s.Alerts(ctx); err != nil || !slices.Equal(list, []Alert{b}) {
			t.Errorf("alerts %+v (%v), want %+v", list, err, b)
		}
		changes, err := s.AlertChanges(ctx, 10)
		if err != nil || len(changes) != 3 || changes[0].Firing || changes[0].Host != "a" || !changes[1].Firing || changes[2].ID >= changes[1].ID {
			t.Fatalf("changes %+v (%v)", changes, err)
		}

		// The end of an alert waits for its beginning.
		later := time.Now().Add(time.Minute)
		claim := func(want ...int64) (list []Delivery) {
			t.Helper()
			list, err := s.ClaimDeliveries(ctx, "x", 2, later)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, d := range list {
				got = append(got, d.ID)
			}
			if !slices.Equal(got, want) {
				t.Errorf("claimed %d, want %d", got, want)
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
		if got := state("x"); got != (TargetState{Name: "x", Waiting: 3}) {
			t.Errorf("before the first attempt: %+v", got)
		}
		first := claim(changes[2].ID, changes[1].ID)
		claim()
		if first[0].Tries != 0 || first[0].Host != "a" || !first[0].Firing {
			t.Errorf("%+v", first[0])
		}
		if err := s.FinishDelivery(ctx, first[0]); err != nil {
			t.Error(err)
		}
		if expired, err := s.RepeatDelivery(ctx, first[1], time.Now().Add(-time.Second)); expired || err != nil {
			t.Error(expired, err)
		}
		if got := state("x"); got.Waiting != 2 || got.Failures != 1 || got.Delivered.IsNone() || got.Failed.IsNone() || time.Since(got.Failed.OrEmpty()) > time.Hour {
			t.Errorf("after a delivery and a failed attempt: %+v", got)
		}
		again := claim(first[1].ID, changes[0].ID)
		if again[0].Tries != 1 || again[1].Tries != 0 {
			t.Errorf("%+v", again)
		}
		first[1].At = time.Now().Add(-deliverFor - time.Minute)
		if expired, err := s.RepeatDelivery(ctx, first[1], time.Now()); !expired || err != nil {
			t.Error(expired, err)
		}
		if got := state("x"); got.Waiting != 1 || got.Failures != 2 {
			t.Errorf("after a delivery was given up: %+v", got)
		}
		if got := state("y"); got != (TargetState{Name: "y", Waiting: 3}) {
			t.Errorf("a target without an attempt: %+v", got)
		}
		if err := s.PruneAlerts(ctx); err != nil {
			t.Error(err)
		}
		if changes, err := s.AlertChanges(ctx, 10); err != nil || len(changes) != 3 {
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

// TestSilencedAlerts: nobody gets a delivery of a silenced alert. When it is silenced no more, its
// beginning is delivered with its own incident and time.
func TestSilencedAlerts(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s, ctx := openNew(t, Options{}), t.Context()
		if err := s.LeaseAlerts(ctx, "one", time.Minute); err != nil {
			t.Fatal(err)
		}
		a := Alert{Incident: "i", Host: "a", Rule: "high disk > 80", Level: "high", Since: t0, Value: mo.Some(81.5), Unit: "%", Part: "/", Silenced: true}
		change := func(began, ended []Alert) []Delivery {
			t.Helper()
			if err := s.ChangeAlerts(ctx, "one", began, ended, []string{"x"}); err != nil {
				t.Fatal(err)
			}
			due, err := s.ClaimDeliveries(ctx, "x", 10, time.Now().Add(time.Minute))
			if err != nil {
				t.Fatal(err)
			}
			return due
		}
		if due := change([]Alert{a}, nil); len(due) != 0 {
			t.Errorf("deliveries %+v of a silenced alert", due)
		}
		if list, err := s.Alerts(ctx); err != nil || !slices.Equal(list, []Alert{a}) {
			t.Errorf("alerts %+v (%v), want %+v", list, err, a)
		}
		open := a
		open.Silenced = false
		due := change([]Alert{open}, nil)
		if len(due) != 1 || due[0].Alert != open || !due[0].Firing {
			t.Errorf("deliveries %+v after the silence, want %+v", due, open)
		}
		if due := change([]Alert{open, a}, nil); len(due) != 0 {
			t.Errorf("deliveries %+v of a known alert", due)
		}
		for _, d := range due {
			if err := s.FinishDelivery(ctx, d); err != nil {
				t.Fatal(err)
			}
		}
		if due := change(nil, []Alert{open}); len(due) != 1 || due[0].Firing || due[0].Incident != "i" {
			t.Errorf("deliveries %+v of the end", due)
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
