package watch

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

func TestRead(t *testing.T) {
	set, err := Read(strings.NewReader("# comment\n\n high cpu > 80 for 5m on web-*\ncritical temperature < -5.5\ncritical silent for 90s\n"))
	want := []Rule{
		{Level: High, Metric: "cpu", Value: 80, Clear: 77.5, For: 5 * time.Minute, Hosts: "web-*", text: "high cpu > 80 for 5m on web-*"},
		{Level: Critical, Metric: "temperature", Below: true, Value: -5.5, Clear: -5.328125, Hosts: "*", text: "critical temperature < -5.5"},
		{Level: Critical, Metric: "silent", For: 90 * time.Second, Hosts: "*", text: "critical silent for 90s"},
	}
	if err != nil || !slices.Equal(set.Rules, want) {
		t.Errorf("got %+v (%v)\nwant %+v", set.Rules, err, want)
	}
	if len(Defaults) != 9 {
		t.Errorf("%d rules by default, want 9", len(Defaults))
	}
	for text, want := range map[string]string{
		"warm cpu > 1": "must have a form such as", "high humour > 1": "unknown metric", "high cpu = 1": "must have a form", "high cpu > much": "a number", "high cpu > NaN": "a number", "high cpu < -inf": "a number", "high cpu > 1 clear < nan": "a number within", "high cpu < 1 clear > Inf": "a number within", "high cpu for 5m": "a number", "critical silent > 3": "has no number",
		"high cpu > 1 for 90s": "whole number of minutes", "high cpu > 1 for 2h": "at most 60", "high cpu > 1 for ever": "whole number of minutes", "high cpu > 1 on [": "pattern", "high cpu > 1 on": "must have a form", "high cpu > 1 always": "must have a form", "high": "must have a form",
	} {
		if _, err := Read(strings.NewReader("\n" + text)); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// fill stores a reading every ten seconds for some time before now.
func fill(t *testing.T, s store.Store, host string, now time.Time, before time.Duration, reading func(age time.Duration) telemetry.Reading) {
	t.Helper()
	var readings []telemetry.Reading
	for age := before; age >= 0; age -= 10 * time.Second {
		r := reading(age)
		r.Host, r.At = host, now.Add(-age).Truncate(time.Millisecond)
		readings = append(readings, r)
	}
	if _, err := s.Write(t.Context(), [][]telemetry.Reading{readings}); err != nil {
		t.Fatal(err)
	}
}

func judge(t *testing.T, s store.Store, rules []Rule, now time.Time) (holding map[string]string, silent int) {
	t.Helper()
	hosts, _, err := s.Hosts(t.Context(), store.HostQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	states, err := (&Judge{Rules: rules}).Judge(t.Context(), s, hosts, now)
	if err != nil {
		t.Fatal(err)
	}
	holding = map[string]string{}
	for _, state := range states {
		var texts []string
		for _, r := range state.Rules {
			texts = append(texts, r.String())
		}
		if isSilent(state.Host, now, 0) {
			silent++
		}
		holding[state.Host.Name] = strings.Join(texts, "; ")
	}
	return holding, silent
}

func open(t *testing.T) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pulse.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestDurations: a rule with a duration holds only for values that last.
func TestDurations(t *testing.T) {
	s, now := open(t), time.Now()
	cpu := func(v float64) telemetry.Reading {
		return telemetry.Reading{CPU: mo.Some(v), MemoryUsed: mo.Some(uint64(v)), MemoryTotal: mo.Some[uint64](100), Cores: []float64{0, 0}, Load1: mo.Some(v / 50)}
	}
	for host, value := range map[string]func(age time.Duration) float64{
		"always": func(time.Duration) float64 { return 99 },
		"since 3 minutes": func(age time.Duration) float64 {
			if age > 3*time.Minute {
				return 10
			}
			return 99
		},
		"until 3 minutes ago": func(age time.Duration) float64 {
			if age < 3*time.Minute {
				return 0
			}
			return 99
		},
		"last reading": func(age time.Duration) float64 {
			if age == 0 {
				return 91
			}
			return 10
		},
	} {
		fill(t, s, host, now, 20*time.Minute, func(age time.Duration) telemetry.Reading { return cpu(value(age)) })
	}
	fill(t, s, "a wrong clock", now.Add(-30*time.Minute), 20*time.Minute, func(time.Duration) telemetry.Reading { return cpu(99) })
	fill(t, s, "slow clock", now.Add(-3*time.Minute), 70*time.Minute, func(time.Duration) telemetry.Reading { return cpu(99) })
	fill(t, s, "new", now, 2*time.Minute, func(time.Duration) telemetry.Reading { return cpu(99) })
	set, err := Read(strings.NewReader("high cpu > 90 for 5m\ncritical cpu > 90\nhigh load > 0.98 for 5m\nhigh memory < 50 for 1m on until*\nhigh cpu > 90 for 60m on slow*"))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := judge(t, s, set.Rules, now)
	for host, want := range map[string]string{
		"always": "high cpu > 90 for 5m; critical cpu > 90; high load > 0.98 for 5m", "a wrong clock": "high cpu > 90 for 5m; critical cpu > 90; high load > 0.98 for 5m",
		"since 3 minutes": "critical cpu > 90", "until 3 minutes ago": "high memory < 50 for 1m on until*", "last reading": "critical cpu > 90", "new": "critical cpu > 90",
		"slow clock": "high cpu > 90 for 5m; critical cpu > 90; high load > 0.98 for 5m; high cpu > 90 for 60m on slow*",
	} {
		if got[host] != want {
			t.Errorf("%s: %q, want %q", host, got[host], want)
		}
	}
}

// TestCalmFleet: of 200 hosts whose CPU is a random number each second, fewer than five are marked.
func TestCalmFleet(t *testing.T) {
	s, now := open(t), time.Now()
	random := rand.New(rand.NewPCG(5, 6))
	for host := range 200 {
		fill(t, s, fmt.Sprintf("host-%03d", host), now, 16*time.Minute, func(time.Duration) telemetry.Reading {
			return telemetry.Reading{CPU: mo.Some(100 * random.Float64())}
		})
	}
	for look := range 5 {
		got, silent := judge(t, s, Defaults, now.Add(-time.Duration(look)*time.Second))
		marked := 0
		for _, rules := range got {
			if rules != "" {
				marked++
			}
		}
		if marked >= 5 || silent > 0 || len(got) != 200 {
			t.Errorf("%d of %d hosts are marked, %d silent", marked, len(got), silent)
		}
	}
}

// TestSilence: a host is silent after three missed reports, and a rule about silence may require a
// longer time.
func TestSilence(t *testing.T) {
	s, now := open(t), time.Now()
	fill(t, s, "a", now, 0, func(time.Duration) telemetry.Reading { return telemetry.Reading{} })
	fill(t, s, "slow", now, 0, func(time.Duration) telemetry.Reading { return telemetry.Reading{} })
	if err := s.Describe(t.Context(), []store.Agent{{Host: "slow", ID: "x", Every: time.Minute, Since: now, Seen: now}}); err != nil {
		t.Fatal(err)
	}
	rules := []Rule{{Level: Critical, Metric: "silent", For: time.Minute, Hosts: "*", text: "x"}}
	for _, test := range []struct {
		after  time.Duration
		silent int
		a      string
		slow   string
	}{
		{9 * time.Second, 0, "", ""}, {15 * time.Second, 1, "", ""}, {75 * time.Second, 1, "x", ""}, {185 * time.Second, 2, "x", ""}, {245 * time.Second, 2, "x", "x"},
		{-30 * time.Second, 0, "", ""}, {-2 * time.Hour, 2, "x", "x"}, // the clock of the server was ahead
	} {
		got, silent := judge(t, s, rules, now.Add(test.after))
		if silent != test.silent || got["a"] != test.a || got["slow"] != test.slow {
			t.Errorf("after %s: %d silent, %q; want %+v", test.after, silent, got, test)
		}
	}
}
