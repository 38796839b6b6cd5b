//go:build linux

package alert

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/hone-go/hone/examples/pulse/internal/services"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

var (
	postgres      *services.Service
	startPostgres = sync.OnceValue(func() (err error) { postgres, err = services.Postgres(); return err })
)

func TestMain(m *testing.M) {
	code := m.Run()
	if postgres != nil {
		postgres.Close()
	}
	os.Exit(code)
}

// onEach runs a test with each database, by a simulated clock. Each call of open opens the same database.
func onEach(t *testing.T, test func(t *testing.T, open func() store.Store)) {
	run := func(t *testing.T, open func(t *testing.T) (store.Store, error)) {
		synctest.Test(t, func(t *testing.T) {
			test(t, func() store.Store {
				s, err := open(t)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { s.Close() })
				return s
			})
		})
	}
	t.Run("SQLite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "pulse.db")
		run(t, func(t *testing.T) (store.Store, error) { return store.Open(t.Context(), path, store.Options{}) })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		err := startPostgres()
		if errors.Is(err, services.ErrMissing) && os.Getenv("HONE_REQUIRE_SERVICES") == "" {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		c, err := pgx.Connect(t.Context(), postgres.Database("127.0.0.1"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(t.Context())
		name := "test_" + strings.ToLower(rand.Text()[:12])
		if _, err := c.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
			t.Fatal(err)
		}
		url := strings.Replace(postgres.Database("127.0.0.1"), "/postgres?", "/"+name+"?", 1)
		run(t, func(t *testing.T) (store.Store, error) { return store.OpenPostgres(t.Context(), url, store.Options{}) })
	})
}

// run lets some time pass, in steps. In each step hosts post readings, and then the watchers judge and
// deliver at the same time.
func run(t *testing.T, d, step time.Duration, post func(passed time.Duration), watchers ...*watcher) {
	t.Helper()
	for passed := step; passed <= d; passed += step {
		time.Sleep(step)
		if post != nil {
			post(passed)
		}
		var group sync.WaitGroup
		for _, w := range watchers {
			group.Go(func() { w.look(t); w.send(t) })
		}
		group.Wait()
	}
}

// post stores a reading of each host, with the load of now.
func post(t *testing.T, s store.Store, cpu float64, hosts ...string) {
	t.Helper()
	var batch []telemetry.Reading
	for _, host := range hosts {
		batch = append(batch, telemetry.Reading{Host: host, At: time.Now().UTC(), CPU: mo.Some(cpu)})
	}
	if _, err := s.Write(t.Context(), [][]telemetry.Reading{batch}); err != nil {
		t.Fatal(err)
	}
}

// summaries returns the reports since the last call, in order, such as "1 firing 99 of a" or "2 firing 1 of
// b, 1 over".
func (m *memory) summaries() (texts []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.reports {
		text := fmt.Sprintf("%d %s %d of %s", r.Number, r.State, r.Count, r.Host)
		if r.Over > 0 {
			text += fmt.Sprintf(", %d over", r.Over)
		}
		if r.Repeat {
			text += ", again"
		}
		texts = append(texts, text)
	}
	m.reports = nil
	return texts
}

func expectReports(t *testing.T, when string, m *memory, want ...string) {
	t.Helper()
	if got := m.summaries(); !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", when, got, want)
	}
}

// fleet returns the names of 99 hosts.
func fleet() (hosts []string) {
	for i := range 99 {
		hosts = append(hosts, fmt.Sprintf("host-%02d", i))
	}
	return hosts
}

// TestTogether: 99 hosts that fall silent within a minute are one report with a list, also with two servers.
// The incident is over when the last host is back.
func TestTogether(t *testing.T) {
	onEach(t, func(t *testing.T, open func() store.Store) {
		s, m, silent := open(), &memory{}, rules(t, "critical silent for 1m")
		one, two := testWatcher(t, s, "one", silent, m), testWatcher(t, open(), "two", silent, m)
		all := fleet()
		run(t, 2*time.Minute, 5*time.Second, func(time.Duration) { post(t, s, 1, all...) }, one, two)
		run(t, 4*time.Minute, 5*time.Second, func(passed time.Duration) {
			if gone := int(passed.Seconds()) * 2; gone < len(all) { // two a second
				post(t, s, 1, all[gone:]...)
			}
		}, one, two)
		if len(m.reports) != 1 {
			t.Fatalf("%d reports: %q", len(m.reports), m.summaries())
		}
		first := m.reports[0]
		if len(first.Hosts) != maxListed || first.Hosts[0] != first.Host || first.At.Sub(first.Since) > store.JoinFor+judgeEvery ||
			!strings.HasSuffix(first.Machines(), " and 49 more") || !strings.Contains(first.Title(), "and 98 more: critical silent for 1m is firing") || first.Value.IsSome() {
			t.Errorf("%+v", first)
		}
		expectReports(t, "a minute", m, "1 firing 99 of "+first.Host)
		run(t, 2*time.Minute, 5*time.Second, func(time.Duration) { post(t, s, 1, all[1:]...) }, one, two)
		expectReports(t, "98 hosts are back", m)
		if open, err := s.Incidents(t.Context()); err != nil || len(open) != 1 || open[0].Hosts != 1 || "pulse-"+open[0].ID != first.Key {
			t.Errorf("%+v %v", open, err)
		}
		run(t, 2*time.Minute, 5*time.Second, func(time.Duration) { post(t, s, 1, all...) }, one, two)
		if len(m.reports) != 1 || m.reports[0].Key != first.Key {
			t.Errorf("%+v", m.reports)
		}
		expectReports(t, "all hosts are back", m, "2 over 99 of "+first.Host)
		if open, err := s.Incidents(t.Context()); err != nil || len(open) != 0 {
			t.Errorf("%+v %v", open, err)
		}
	})
}

// TestJoin: one host is reported after 15 seconds. A host that joins the incident later is reported with the
// key of the incident, and a host after a minute is an incident of its own.
func TestJoin(t *testing.T) {
	onEach(t, func(t *testing.T, open func() store.Store) {
		s, m := open(), &memory{}
		w := testWatcher(t, s, "one", rules(t, "high cpu > 80"), m)
		at := func(hosts ...string) func(time.Duration) {
			return func(time.Duration) { post(t, s, 99, hosts...) }
		}
		run(t, 15*time.Second, 5*time.Second, at("a"), w)
		expectReports(t, "10 seconds", m)
		run(t, 5*time.Second, 5*time.Second, at("a"), w)
		key := m.reports[0].Key
		expectReports(t, "15 seconds", m, "1 firing 1 of a")
		run(t, 30*time.Second, 5*time.Second, at("a", "b"), w)
		if len(m.reports) != 1 || m.reports[0].Key != key || m.reports[0].ID() != key+"-firing-2" || !slices.Equal(m.reports[0].Hosts, []string{"a", "b"}) {
			t.Errorf("%+v", m.reports)
		}
		expectReports(t, "a second host", m, "2 firing 2 of a")
		run(t, time.Minute, 5*time.Second, at("a", "b"), w)
		run(t, 20*time.Second, 5*time.Second, at("a", "b", "c"), w)
		if len(m.reports) != 1 || m.reports[0].Key == key {
			t.Errorf("%+v", m.reports)
		}
		expectReports(t, "a third host", m, "1 firing 1 of c")
	})
}

// TestFlap: an alert that is over before its report is due is stored and not reported.
func TestFlap(t *testing.T) {
	onEach(t, func(t *testing.T, open func() store.Store) {
		s, m := open(), &memory{}
		w := testWatcher(t, s, "one", rules(t, "critical silent for 1m"), m)
		up := func(time.Duration) { post(t, s, 1, "a") }
		run(t, 2*time.Minute, 5*time.Second, up, w)
		for range 10 {
			run(t, 80*time.Second, 5*time.Second, nil, w) // 10 seconds more than the rule
			run(t, 30*time.Second, 5*time.Second, up, w)
		}
		expectReports(t, "10 flaps", m)
		changes, err := s.AlertChanges(t.Context(), 100)
		if err != nil || len(changes) != 20 {
			t.Errorf("%d changes (%v), want 20", len(changes), err)
		}
		run(t, 100*time.Second, 5*time.Second, nil, w)
		run(t, 30*time.Second, 5*time.Second, up, w)
		expectReports(t, "longer than the flaps", m, "1 firing 1 of a", "2 over 1 of a")
	})
}

// TestRepeats: a report is repeated while its incident lasts and no silence covers it. The repeat says which
// alerts are over.
func TestRepeats(t *testing.T) {
	onEach(t, func(t *testing.T, open func() store.Store) {
		s, m, once := open(), &memory{}, &other{}
		w := testWatcher(t, s, "one", rules(t, "high cpu > 80"), Receiver{Target: m, Repeat: 4 * time.Hour}, Receiver{Target: once})
		day := func(d time.Duration, hot ...string) {
			run(t, d, 5*time.Minute, func(time.Duration) {
				for _, host := range []string{"a", "b"} {
					post(t, s, map[bool]float64{true: 99, false: 1}[slices.Contains(hot, host)], host)
				}
			}, w)
		}
		day(time.Hour, "a", "b")
		key := m.reports[0].Key
		expectReports(t, "an hour", m, "1 firing 2 of a")
		day(2*time.Hour, "b")
		expectReports(t, "three hours", m)
		day(2*time.Hour, "b")
		if r := m.reports[0]; r.Key != key || r.ID() != key+"-firing-2" || !strings.Contains(r.Text(), "b: high cpu > 80 is still firing") || !strings.Contains(r.Text(), "over on: a\nsince ") {
			t.Errorf("%+v\n%s", r, r.Text())
		}
		expectReports(t, "five hours", m, "2 firing 1 of b, 1 over")
		now := time.Now()
		if err := s.AddSilence(t.Context(), store.Silence{ID: "s", Hosts: "b", Until: now.Add(12 * time.Hour), Reason: "r", Who: "w", Created: now}); err != nil {
			t.Fatal(err)
		}
		day(11*time.Hour, "b")
		expectReports(t, "a silence", m)
		day(2*time.Hour, "b")
		expectReports(t, "after the silence", m, "3 firing 1 of b, 1 over")
		day(time.Hour)
		expectReports(t, "the end", m, "4 over 2 of a")
		expectReports(t, "without repeats", &once.memory, "1 firing 2 of a", "2 over 2 of a")
	})
}

// other is a second target.
type other struct{ memory }

func (*other) Name() string { return "other" }

// TestEscalation: a second receiver gets the incidents that last longer than a time, and their ends. A
// silence that covers an incident then stops it.
func TestEscalation(t *testing.T) {
	onEach(t, func(t *testing.T, open func() store.Store) {
		s, m, second := open(), &memory{}, &other{}
		w := testWatcher(t, s, "one", rules(t, "high cpu > 80"), m, Receiver{Target: second, After: 30 * time.Minute})
		hot := func(d time.Duration, cpu float64) {
			run(t, d, time.Minute, func(time.Duration) { post(t, s, cpu, "a") }, w)
		}
		hot(20*time.Minute, 99)
		hot(20*time.Minute, 1)
		expectReports(t, "20 minutes", m, "1 firing 1 of a", "2 over 1 of a")
		expectReports(t, "20 minutes", &second.memory)
		hot(30*time.Minute, 99)
		expectReports(t, "30 minutes", &second.memory)
		if targets, err := s.Targets(t.Context()); err != nil || len(targets) != 1 {
			t.Errorf("the second receiver has reports that wait: %+v %v", targets, err)
		}
		hot(10*time.Minute, 99)
		expectReports(t, "40 minutes", &second.memory, "1 firing 1 of a")
		hot(20*time.Minute, 1)
		expectReports(t, "the end", &second.memory, "2 over 1 of a")
		expectReports(t, "the first receiver", m, "1 firing 1 of a", "2 over 1 of a")
		hot(10*time.Minute, 99)
		now := time.Now()
		if err := s.AddSilence(t.Context(), store.Silence{ID: "s", Hosts: "a", Until: now.Add(time.Hour), Reason: "r", Who: "w", Created: now}); err != nil {
			t.Fatal(err)
		}
		hot(40*time.Minute, 99)
		hot(20*time.Minute, 1)
		expectReports(t, "silenced", &second.memory)
		expectReports(t, "silenced, the first receiver", m, "1 firing 1 of a", "2 over 1 of a")
	})
}

// TestRestart: a server that starts again sends the reports that wait, and none twice. A report whose server
// has died is sent again, is the same, and says that it may be a repeat.
func TestRestart(t *testing.T) {
	onEach(t, func(t *testing.T, open func() store.Store) {
		s, m := open(), &memory{}
		start := func(holder string) *watcher {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open()
			return testWatcher(t, s, holder, rules(t, "high cpu > 80"), m)
		}
		hot := func(time.Duration) { post(t, s, 99, "a", "b") }
		w := start("one")
		run(t, 10*time.Second, 5*time.Second, hot, w)
		time.Sleep(term)
		w = start("two")
		run(t, time.Minute, 5*time.Second, hot, w)
		expectReports(t, "a restart before the report", m, "1 firing 2 of a")
		time.Sleep(term)
		w = start("three")
		run(t, time.Minute, 5*time.Second, hot, w)
		expectReports(t, "a restart after the report", m)
		post(t, s, 1, "a", "b")
		run(t, 10*time.Minute, time.Minute, func(time.Duration) { post(t, s, 1, "a", "b"); w.look(t) })
		dead, err := s.ClaimDeliveries(t.Context(), "memory", 10, time.Now().Add(claimFor))
		if err != nil || len(dead) != 1 || dead[0].Firing {
			t.Fatalf("%+v %v", dead, err)
		}
		lost := w.report(&dead[0])
		w = start("four")
		run(t, time.Minute, 5*time.Second, func(time.Duration) { post(t, s, 1, "a", "b") }, w)
		if len(m.reports) != 1 || m.reports[0].ID() != lost.ID() || m.reports[0].At != lost.At || !m.reports[0].Repeat {
			t.Errorf("%+v, want %+v", m.reports, lost)
		}
		if err := s.FinishDelivery(t.Context(), dead[0], 0); err != nil { // the first server was only slow
			t.Error(err)
		}
		expectReports(t, "a server has died", m, "2 over 2 of a, again")
	})
}
