package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// TestAgents stores the agents of several hosts. One host's agent was restarted: the host still has
// one agent. Two machines report under the name of another host: this host has two agents.
func TestAgents(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		write(t, s, reading("one", 0), reading("restarted", 0), reading("two", 0), reading("silent", 0))
		describe := func(host, id string, from, to int, every time.Duration) {
			t.Helper()
			for second := from; second <= to; second += int(SeenEvery / time.Second) {
				a := Agent{Host: host, ID: id, Every: every, Ahead: -3 * time.Second, Tags: []string{"role=db", "b"}, Since: t0.Add(time.Duration(second) * time.Second)}
				a.Seen = a.Since
				if err := s.Describe(t.Context(), []Agent{a, {Host: "unknown", ID: id}}); err != nil {
					t.Fatal(err)
				}
			}
		}
		describe("one", "a", 0, 120, 15*time.Second)
		describe("restarted", "a", 0, 120, time.Second)
		describe("restarted", "b", 125, 240, 5*time.Second)
		describe("two", "a", 0, 270, time.Minute)
		describe("two", "b", 100, 280, time.Minute)
		for i := range 2 * maxAgents { // restarted often
			describe("silent", string(rune('a'+i)), i, i, 0)
		}
		hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 10})
		if err != nil || len(hosts) != 4 {
			t.Fatal(hosts, err)
		}
		for i, want := range []struct {
			host   string
			id     string
			agents int
			silent time.Duration
		}{{"one", "a", 1, 45 * time.Second}, {"restarted", "b", 1, 15 * time.Second}, {"silent", "p", 1, 10 * time.Second}, {"two", "b", 2, 3 * time.Minute}} {
			h := &hosts[i]
			if h.Name != want.host || h.Agent.ID != want.id || h.Agents != want.agents || h.SilentAfter() != want.silent || h.Agent.Ahead != -3*time.Second || !slices.Equal(h.Agent.Tags, []string{"role=db", "b"}) {
				t.Errorf("%s: %+v, %d agents, silent after %s; want %+v", h.Name, h.Agent, h.Agents, h.SilentAfter(), want)
			}
		}
		if since := hosts[0].Agent.Since; !since.Equal(t0) {
			t.Errorf("an agent is known since %s, want %s", since, t0)
		}
	})
}

// TestDescribeOneBadAgent: PostgreSQL refuses NUL in a text. An agent whose host has a NUL in its
// name is not stored, and the other agents are.
func TestDescribeOneBadAgent(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		write(t, s, reading("a", 0), reading("b", 0))
		_ = s.Describe(t.Context(), []Agent{ // returns an error with PostgreSQL, and nil with SQLite
			{Host: "a", ID: "good", Since: t0, Seen: t0}, {Host: "a\x00", ID: "bad", Since: t0, Seen: t0}, {Host: "b", ID: "good", Since: t0, Seen: t0},
		})
		hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 10})
		if err != nil || len(hosts) != 2 {
			t.Fatal(hosts, err)
		}
		for _, h := range hosts {
			if h.Agent.ID != "good" || h.Agents != 1 {
				t.Errorf("%s has the agent %+v", h.Name, h.Agent)
			}
		}
	})
}

// TestDescribeLetsOthersWrite stores readings while 2,000 agents are described. Several readings are stored before all
// agents are.
func TestDescribeLetsOthersWrite(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		var agents []Agent
		var readings []telemetry.Reading
		for i := range 2000 {
			host := fmt.Sprint("host", i)
			readings = append(readings, reading(host, 0))
			agents = append(agents, Agent{Host: host, ID: "a", Since: t0, Seen: t0})
		}
		write(t, s, readings...)
		described := make(chan error, 1)
		go func() { described <- s.Describe(t.Context(), agents) }()
		writes := 0
		for second := 1; ; second++ {
			select {
			case err := <-described:
				if err != nil || writes < 3 {
					t.Errorf("%d writes while agents were described (%v)", writes, err)
				}
				return
			default:
				write(t, s, reading("other", second))
				writes++
			}
		}
	})
}
