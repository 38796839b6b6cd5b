package watch

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// A simulation has a machine that measures every second, and a server that judges it every five
// seconds. Both have simulated clocks.
type simulation struct {
	judge   Judge
	host    store.Host
	recent  minutes
	firing  map[string]bool
	changes []string // such as "+high cpu > 80 for 5m" for a beginning, with - for an end
}

var began = time.Date(2026, 3, 2, 0, 0, 17, 0, time.UTC) // not the beginning of a minute

func simulate(rules ...Rule) *simulation {
	s := &simulation{recent: minutes{}, firing: map[string]bool{}}
	s.judge = Judge{Rules: rules, Alerts: map[string]map[string]bool{"a": s.firing}, Parts: NewParts()}
	s.host = store.Host{Name: "a", First: began, Heard: began, Agent: store.Agent{Every: time.Second, Tags: []string{"role=db"}}}
	return s
}

// run lets some time pass. The machine is silent if measure is nil.
func (s *simulation) run(d time.Duration, measure func(second int) telemetry.Reading) {
	now := s.host.Heard
	for second := range int(d / time.Second) {
		now = now.Add(time.Second)
		if measure != nil {
			r := measure(second)
			r.Host, r.At = "a", now
			s.host.Reading, s.host.Heard = r, now
			minute := now.Truncate(time.Minute).UnixMilli()
			if s.recent[minute] == nil {
				s.recent[minute] = &telemetry.Bucket{}
			}
			s.recent[minute].Add(&r)
		}
		if second%5 != 0 || s.host.Reading.At.IsZero() {
			continue
		}
		maps.DeleteFunc(s.recent, func(at int64, _ *telemetry.Bucket) bool { return at < now.Add(-history).UnixMilli() })
		var state State
		s.judge.judge(&state, &s.host, s.recent, now)
		s.judge.Parts.EndRound()
		holding := map[string]bool{}
		for _, r := range state.Rules {
			holding[r.String()] = true
			if !s.firing[r.String()] {
				s.changes = append(s.changes, "+"+r.String())
			}
		}
		for rule := range s.firing {
			if !holding[rule] {
				s.changes = append(s.changes, "-"+rule)
				delete(s.firing, rule)
			}
		}
		for rule := range holding {
			s.firing[rule] = true
		}
	}
	if measure == nil {
		s.host.Heard = now // the next reading arrives after the silence
	}
}

func parse(t *testing.T, texts ...string) []Rule {
	t.Helper()
	set, err := Read(strings.NewReader(strings.Join(texts, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return set.Rules
}

func cpu(percent float64) func(int) telemetry.Reading {
	return func(int) telemetry.Reading { return telemetry.Reading{CPU: mo.Some(percent)} }
}

// expect compares the changes since the last call.
func (s *simulation) expect(t *testing.T, what string, want ...string) {
	t.Helper()
	if !slices.Equal(s.changes, want) {
		t.Errorf("%s: %q, want %q", what, s.changes, want)
	}
	s.changes = nil
}

// TestWholeMinutes: a rule with a duration needs data of all of its minutes.
func TestWholeMinutes(t *testing.T) {
	const rule = "high cpu > 80 for 5m"
	s := simulate(parse(t, rule)...)
	s.host.Heard = began.Truncate(time.Minute).Add(58 * time.Second)
	s.run(4*time.Second, cpu(99))
	s.expect(t, "4 seconds across the end of a minute")
	s.run(4*time.Minute+50*time.Second, cpu(99))
	s.expect(t, "less than five minutes")
	s.run(time.Minute, cpu(99))
	s.expect(t, "more than five minutes", "+"+rule)

	s = simulate(parse(t, rule)...)
	s.run(20*time.Minute, cpu(10))
	s.run(4*time.Minute+30*time.Second, cpu(99))
	s.expect(t, "not five minutes after rest")
	s.run(90*time.Second, cpu(99))
	s.expect(t, "six minutes after rest", "+"+rule)
	s.run(30*time.Minute, nil)
	s.run(3*time.Minute, cpu(99))
	s.expect(t, "a gap does not end an alert")
	s.run(20*time.Minute, cpu(10))
	s.expect(t, "calm", "-"+rule)

	s.run(10*time.Minute, nil)
	s.run(4*time.Minute, cpu(99))
	s.expect(t, "four minutes after a gap")

	s = simulate(parse(t, rule)...)
	s.host.Agent.Every = 2 * time.Minute
	every := func(second int) func(int) telemetry.Reading { return cpu(99) }
	for range 6 { // one reading in two minutes
		s.run(time.Second, every(0))
		s.run(119*time.Second, nil)
	}
	s.expect(t, "a host that posts every two minutes", "+"+rule)
}

// TestDeadMachine: the alert of a machine that is gone is not over when its data is too old to be read.
func TestDeadMachine(t *testing.T) {
	for _, rule := range []string{"high cpu > 80", "high cpu > 80 for 5m", "high cpu > 80 over 5m"} {
		s := simulate(parse(t, rule)...)
		s.run(10*time.Minute, cpu(99))
		s.expect(t, rule, "+"+rule)
		s.run(50*time.Second, cpu(10))
		s.run(2*time.Hour, nil)
		s.expect(t, rule+", silent")
		s.run(12*time.Minute, cpu(10))
		s.expect(t, rule+", calm", "-"+rule)
	}
}

// TestDips: a short dip in each minute neither ends an alert nor begins one again.
func TestDips(t *testing.T) {
	const rule = "high cpu > 80 for 1m"
	s := simulate(parse(t, rule)...)
	s.run(12*time.Minute, func(second int) telemetry.Reading {
		if second%60 < 3 {
			return cpu(5)(0)
		}
		return cpu(99)(0)
	})
	s.expect(t, "12 minutes with dips", "+"+rule)
}

// TestHysteresis: values around a threshold are one alert.
func TestHysteresis(t *testing.T) {
	around := func(middle float64) func(int) telemetry.Reading {
		return func(second int) telemetry.Reading { return cpu(middle + float64(second/7%2)*4 - 2)(0) }
	}
	for rule, ends := range map[string]float64{
		"critical cpu > 90": 80, "critical cpu > 90 clear < 60": 58 - 1, "high cpu > 90 over 2m": 80, "high cpu > 90 for 1m clear 70": 67,
	} {
		s := simulate(parse(t, rule)...)
		s.run(5*time.Minute, cpu(95))
		s.expect(t, rule, "+"+rule)
		s.run(time.Hour, around(90))
		s.expect(t, rule+", around the threshold")
		s.run(time.Hour, around(ends))
		s.expect(t, rule+", calm", "-"+rule)
	}
	rule := "high cpu < 10 for 1m"
	s := simulate(parse(t, rule)...)
	s.run(5*time.Minute, cpu(9))
	s.run(time.Hour, around(10))
	s.expect(t, rule, "+"+rule)
	s.run(time.Hour, cpu(11))
	s.expect(t, rule, "-"+rule)
}

// TestParts has rules about one disk, some interfaces and a sensor, and rules for tags.
func TestParts(t *testing.T) {
	some := mo.Some[uint64]
	measure := func(root, srv uint64, eth float64, celsius float64) func(int) telemetry.Reading {
		return func(int) telemetry.Reading {
			return telemetry.Reading{
				Disks: []telemetry.Disk{
					{Mount: "/", Device: "a", Used: some(root), Total: some(110), Available: some(100 - root), InodesUsed: some(root), InodesTotal: some(100)},
					{Mount: "/srv", Device: "b", Used: some(srv), Total: some(110), Available: some(100 - srv)},
				},
				Networks:     []telemetry.Network{{Name: "eth0", Received: mo.Some(eth), Sent: mo.Some(eth)}, {Name: "wg0", Apart: true, Received: mo.Some(1e9), Sent: mo.Some(1e9)}},
				Temperatures: []telemetry.Temperature{{Sensor: "nvme", Celsius: celsius}, {Sensor: "cpu", Celsius: 99}},
			}
		}
	}
	s := simulate(parse(t, "high disk:/srv > 80 for 2m", "high net:eth* > 1000", "high temperature:nvme > 70", "critical inodes > 90", "high disk:/srv > 10 tag role=web*", "high disk:/nothing > 1")...)
	s.run(10*time.Minute, measure(95, 50, 10, 50))
	s.expect(t, "another disk is full", "+critical inodes > 90")
	s.run(110*time.Second, measure(95, 85, 10, 50))
	s.expect(t, "not two minutes")
	s.run(20*time.Second, measure(95, 85, 10, 50))
	s.expect(t, "two minutes", "+high disk:/srv > 80 for 2m")
	s.run(10*time.Second, measure(95, 85, 600, 75))
	slices.Sort(s.changes)
	s.expect(t, "an interface and a sensor", "+high net:eth* > 1000", "+high temperature:nvme > 70")
	state := State{Host: &s.host}
	if value, part := state.Value(&s.judge.Rules[1]); value != mo.Some(1200.0) || part != "eth0" {
		t.Errorf("%v of %q", value, part)
	}
	if value, part := state.Value(&parse(t, "high disk > 80")[0]); value != mo.Some(95.0) || part != "/" {
		t.Errorf("%v of %q", value, part)
	}
	total := State{Host: &store.Host{Reading: telemetry.Reading{Networks: []telemetry.Network{{Name: "a", Received: mo.Some(1.0)}, {Name: "b", Received: mo.Some(2.0)}}}}}
	if value, part := total.Value(&parse(t, "high received > 1")[0]); value != mo.Some(3.0) || part != "" {
		t.Errorf("%v of %q", value, part)
	}
	s.run(10*time.Minute, measure(50, 50, 10, 50))
	slices.Sort(s.changes)
	s.expect(t, "calm", "-critical inodes > 90", "-high disk:/srv > 80 for 2m", "-high net:eth* > 1000", "-high temperature:nvme > 70")
	s.run(10*time.Minute, measure(50, 85, 10, 50))
	s.run(10*time.Minute, cpu(1)) // the disk is gone
	s.expect(t, "a disk goes away", "+high disk:/srv > 80 for 2m", "-high disk:/srv > 80 for 2m")
	s.host.Agent.Tags = []string{"x", "role=web-1"}
	s.run(time.Minute, measure(50, 50, 10, 50))
	s.expect(t, "a tag", "+high disk:/srv > 10 tag role=web*")
}

// TestSlowRounds: an alert about a part begins and ends if rounds are more than a minute apart, and if
// a round fails. A gap among the readings does not count as time beyond the threshold.
func TestSlowRounds(t *testing.T) {
	const rule = "high disk:/srv > 80 for 5m"
	for _, every := range []time.Duration{5 * time.Second, 65 * time.Second, 2 * time.Minute} {
		s := simulate(parse(t, rule)...)
		rounds := 0
		round := func(after time.Duration, used uint64) bool {
			s.host.Reading.At = s.host.Reading.At.Add(after)
			s.host.Reading.Disks = []telemetry.Disk{{Mount: "/srv", Device: "a", Used: mo.Some(used), Total: mo.Some[uint64](100), Available: mo.Some(100 - used)}}
			var state State
			s.judge.judge(&state, &s.host, s.recent, s.host.Reading.At)
			s.firing[rule] = len(state.Rules) > 0
			if rounds++; rounds%3 != 0 { // each third round fails before its end
				s.judge.Parts.EndRound()
			}
			return s.firing[rule]
		}
		s.host.Reading.At = began
		round(0, 10)
		round(every, 10)
		for passed := time.Duration(0); passed < 5*time.Minute; passed += every {
			if round(every, 90) {
				t.Errorf("every %s: the alert begins after %s", every, passed)
			}
		}
		if !round(every, 90) {
			t.Errorf("every %s: the alert does not begin", every)
		}
		for passed := time.Duration(0); passed < 5*time.Minute; passed += every {
			if !round(every, 10) {
				t.Errorf("every %s: the alert ends after %s", every, passed)
			}
		}
		if round(every, 10) {
			t.Errorf("every %s: the alert does not end", every)
		}
		if round(every, 90); round(time.Hour, 90) {
			t.Errorf("every %s: the alert begins after a gap", every)
		}
		s.judge.Parts.EndRound()
		if s.judge.Parts.EndRound(); len(s.judge.Parts.states) > 0 {
			t.Error("a host that is gone is not forgotten")
		}
	}
}

func TestParseParts(t *testing.T) {
	for text, want := range map[string]string{
		"high cpu:0 > 1": "has no parts", "high net > 1": "needs a part", "high disk:/a > 1 over 5m": "use 'for'", "high disk:[ > 1": "patterns", "high cpu > 1 tag [": "patterns",
		"high cpu > 80 clear < 90": "within the threshold", "high cpu > 80 clear > 70": "within the threshold", "high cpu < 80 clear < 70": "within the threshold", "critical silent clear < 1": "within the threshold",
		"high cpu > 80 over 0s": "needs a duration", "critical silent over 1m": "needs a duration",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if r, err := Parse("high received:eth0 > 1e6 for 2m clear < 5e5 on web-* tag role=db"); err != nil || r.Part != "eth0" || r.Clear != 5e5 || r.Tag != "role=db" || r.Hosts != "web-*" || r.Unit() != "B/s" {
		t.Errorf("%+v %v", r, err)
	}
}

// TestReload: rules with a mistake replace nothing.
func TestReload(t *testing.T) {
	text := "high cpu > 80"
	rules, err := NewRules(func() (Set, error) { return Read(strings.NewReader(text)) })
	if err != nil {
		t.Fatal(err)
	}
	text = "critical cpu > 90\nhigh cpu >"
	if err := rules.Reload(); err == nil || len(rules.List()) != 1 || rules.List()[0].String() != "high cpu > 80" {
		t.Errorf("%v %v", err, rules.List())
	}
	text = "critical cpu > 90"
	if err := rules.Reload(); err != nil || rules.List()[0].String() != text {
		t.Errorf("%v %v", err, rules.List())
	}
}

// ordinary returns the readings of a machine in ordinary use. CPU and memory change from second to
// second, jobs take the whole processor for some seconds of each minute and for four minutes of each
// night, and the disk is nearly at a threshold.
func ordinary() func(int) telemetry.Reading {
	random := rand.New(rand.NewPCG(1, 2))
	return func(second int) telemetry.Reading {
		percent := min(100, max(0, 35+12*random.NormFloat64()))
		if second%60 < 8 || second%86400 > 3*3600 && second%86400 < 3*3600+240 {
			percent = 100
		}
		used := uint64(60+20*random.Float64()) << 20
		full := uint64(77+second/3600%3) << 30
		return telemetry.Reading{
			CPU: mo.Some(percent), Cores: make([]float64, 4), Load1: mo.Some(percent / 100 * 4.2),
			MemoryUsed: mo.Some(used), MemoryTotal: mo.Some[uint64](100 << 20),
			Disks: []telemetry.Disk{{Mount: "/", Device: "a", Used: mo.Some(full), Total: mo.Some[uint64](110 << 30), Available: mo.Some(100<<30 - full)}},
		}
	}
}

// TestCalmWeek: a machine in ordinary use gives no alert in a week. It restarts every day.
func TestCalmWeek(t *testing.T) {
	s := simulate(Defaults...)
	measure := ordinary()
	for range 7 {
		s.run(24*time.Hour-40*time.Second, measure)
		s.run(40*time.Second, nil)
	}
	s.expect(t, "a week")
}

// TestTenIncidents: ten incidents are ten alerts, and each of them is over.
func TestTenIncidents(t *testing.T) {
	measure := ordinary()
	changed := func(change func(second int, r *telemetry.Reading)) func(int) telemetry.Reading {
		return func(second int) telemetry.Reading {
			r := measure(second)
			change(second, &r)
			return r
		}
	}
	busy := func(percent func(second int) float64) func(int) telemetry.Reading {
		return changed(func(second int, r *telemetry.Reading) { r.CPU = mo.Some(percent(second)) })
	}
	disk := func(percent uint64) func(int) telemetry.Reading {
		return changed(func(_ int, r *telemetry.Reading) {
			r.Disks[0].Used, r.Disks[0].Available = mo.Some(percent), mo.Some(100-percent)
			r.Disks[0].Total = mo.Some[uint64](120)
		})
	}
	for i, incident := range []struct {
		rule string
		run  func(s *simulation)
	}{
		{"high cpu > 80 for 5m", func(s *simulation) { s.run(20*time.Minute, busy(func(int) float64 { return 90 })) }},
		{"high cpu > 80 for 5m", func(s *simulation) { // around the threshold for an hour
			s.run(10*time.Minute, busy(func(int) float64 { return 85 }))
			s.run(time.Hour, busy(func(second int) float64 { return 78 + float64(second/45%2)*5 }))
		}},
		{"high cpu > 80 for 5m", func(s *simulation) { // a dip in each minute
			s.run(30*time.Minute, busy(func(second int) float64 { return 95 - float64(60-min(60, second%60*20)) }))
		}},
		{"high cpu > 80 for 5m", func(s *simulation) { // the machine restarts meanwhile
			s.run(15*time.Minute, busy(func(int) float64 { return 90 }))
			s.run(45*time.Second, nil)
			s.run(15*time.Minute, busy(func(int) float64 { return 90 }))
		}},
		{"high memory > 85 for 5m", func(s *simulation) {
			s.run(15*time.Minute, changed(func(_ int, r *telemetry.Reading) { r.MemoryUsed = mo.Some[uint64](90 << 20) }))
		}},
		{"high disk > 80 for 1m", func(s *simulation) { s.run(time.Hour, disk(85)) }},
		{"high disk > 80 for 1m", func(s *simulation) { // it becomes full, and is cleaned a little at a time
			for percent := uint64(76); percent < 90; percent++ {
				s.run(3*time.Minute, disk(percent))
			}
			for percent := uint64(89); percent > 70; percent-- {
				s.run(3*time.Minute, disk(percent))
			}
		}},
		{"high load > 1 for 15m", func(s *simulation) {
			s.run(30*time.Minute, changed(func(_ int, r *telemetry.Reading) { r.Load1 = mo.Some(6.0) }))
		}},
		{"critical silent for 1m", func(s *simulation) { s.run(10*time.Minute, nil) }},
		{"critical silent for 1m", func(s *simulation) { s.run(24*time.Hour, nil) }},
	} {
		s := simulate(Defaults...)
		s.run(2*time.Hour, measure)
		incident.run(s)
		s.run(2*time.Hour, measure)
		s.expect(t, fmt.Sprintf("incident %d", i+1), "+"+incident.rule, "-"+incident.rule)
	}
}
