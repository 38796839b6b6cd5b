package server

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// TestAgentsInTheOverview posts with the header fields of an agent. The overview has the host's time
// of silence, its clock and its tags, even if the clock is so far ahead that the host's readings are
// refused.
func TestAgentsInTheOverview(t *testing.T) {
	t.Parallel()
	s := serve(t, queue.Options{})
	post := func(want int, every string, ahead time.Duration, r telemetry.Reading) {
		t.Helper()
		a := s.ask("POST", "/v1/readings", jsonOf(t, telemetry.Batch{Readings: []telemetry.Reading{r}}), "Content-Type", "application/json",
			"Pulse-Agent", "abc", "Pulse-Every", every, "Pulse-Clock", time.Now().Add(ahead).Format(time.RFC3339Nano), "Pulse-Tag", "role=db")
		if a.StatusCode != want {
			t.Fatalf("%s %s, want %d", a.Status, a.body, want)
		}
	}
	rows := func() map[string]hostNow {
		var o overviewOutput
		if err := json.Unmarshal(s.get("/v1/overview").body, &o); err != nil {
			t.Fatal(err)
		}
		all := map[string]hostNow{}
		for _, h := range o.Hosts {
			all[h.Host] = h
		}
		return all
	}
	until := func(what string, holds func(map[string]hostNow) bool) {
		t.Helper()
		for deadline := time.Now().Add(10 * time.Second); !holds(rows()); time.Sleep(100 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: %+v", what, rows())
			}
		}
	}
	s.post(reading("plain", 0))
	post(200, "60s", 0, reading("slow", 0))
	until("the time of a host that reports each minute", func(all map[string]hostNow) bool {
		h := all["slow"]
		return h.SilentAfter == 180 && h.Agents == 1 && len(h.Tags) == 1 && h.Tags[0] == "role=db" && h.Ahead < 1 && h.Ahead > -1
	})
	if h := rows()["plain"]; h.SilentAfter != 10 || h.Agents != 0 {
		t.Errorf("a host that says nothing: %+v", h)
	}
	ahead := reading("slow", 0)
	ahead.At = time.Now().Add(6 * time.Minute)
	post(409, "60s", 6*time.Minute, ahead)
	until("the clock of the host", func(all map[string]hostNow) bool { return all["slow"].Ahead > 350 && all["slow"].Ahead < 370 })
	post(200, "15000000000", 0, reading("slow", 0)) // in nanoseconds, as the API document says
	post(400, "now", 0, reading("slow", 0))
	post(422, "-1s", 0, reading("slow", 0))
}

// TestClockOfTheServer: the clock of the server is two days ahead of all readings. The server refuses
// no reading as too old, because it measures the age of a reading relative to the newest stored
// reading. A reading that was refused because its time is in the future is stored once when it is
// sent again later.
func TestClockOfTheServer(t *testing.T) {
	s := serve(t, queue.Options{})
	if a := s.post(reading("a", 48*time.Hour)); a.StatusCode != 422 {
		t.Errorf("into an empty database: %s %s", a.Status, a.body)
	}
	past := []telemetry.Reading{reading("a", 48*time.Hour), reading("a", 60*time.Hour), reading("b", 48*time.Hour-time.Second)}
	if _, err := s.options.Store.Write(t.Context(), [][]telemetry.Reading{past[:1]}); err != nil { // when the clock was right
		t.Fatal(err)
	}
	if a := s.post(past[1:]...); a.StatusCode != 200 {
		t.Errorf("with a clock ahead: %s %s", a.Status, a.body)
	}
	if a := s.post(reading("a", 73*time.Hour)); a.StatusCode != 422 {
		t.Errorf("older than the retention: %s %s", a.Status, a.body)
	}
	if n := len(s.get("/v1/readings").body); n < 300 {
		t.Errorf("the readings are not stored: %s", s.get("/v1/readings").body)
	}

	early := reading("a", -telemetry.MaxAhead-500*time.Millisecond)
	if a := s.post(early); a.StatusCode != 409 {
		t.Errorf("a reading from the future: %s %s", a.Status, a.body)
	}
	time.Sleep(600 * time.Millisecond)
	for _, want := range []telemetry.Receipt{{Stored: 1}, {Repeated: 1}} {
		var got telemetry.Receipt
		if a := s.post(early); a.StatusCode != 200 || json.Unmarshal(a.body, &got) != nil || got.Stored != want.Stored || got.Repeated != want.Repeated {
			t.Errorf("later: %s %s, want %+v", a.Status, a.body, want)
		}
	}
}

// TestAgentsAtTheEnd: Run stores the agents that are pending when its context ends, and none later.
func TestAgentsAtTheEnd(t *testing.T) {
	t.Parallel()
	c := &census{counts: map[string]int{}}
	d := NewAgents(c, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); d.Run(ctx) }()
	post := func(host string) {
		d.note([]telemetry.Reading{{Host: host}}, &telemetry.Post{Agent: "a"})
	}
	post("before")
	stop()
	<-ended
	post("late") // of a request that outlives the server
	time.Sleep(describeAfter + 200*time.Millisecond)
	if c.counts["before"] != 1 || c.counts["late"] != 0 {
		t.Errorf("stored: %v", c.counts)
	}
}

// TestNewAgents: a client that always changes its id is stored a few times for each host. Another
// agent of a host waits, and is stored too.
func TestNewAgents(t *testing.T) {
	t.Parallel()
	c := &census{counts: map[string]int{}}
	d := NewAgents(c, slog.New(slog.DiscardHandler))
	var readings []telemetry.Reading
	for i := range telemetry.MaxBatch {
		readings = append(readings, telemetry.Reading{Host: fmt.Sprint("host", i)})
	}
	for i := range 100 {
		d.note(readings, &telemetry.Post{Agent: fmt.Sprint("id", i)})
	}
	d.mu.Lock()
	n := len(d.pending)
	d.mu.Unlock()
	if n != len(readings) {
		t.Errorf("%d agents are pending, want one for each of %d hosts", n, len(readings))
	}
	d.flush(t.Context())
	d.note(readings[:1], &telemetry.Post{Agent: "id1"})
	d.flush(t.Context())
	if n := c.counts["host0"]; n != 2 {
		t.Errorf("agents of a host are stored %d times, want 2", n)
	}
	for i := range 100 {
		d.note(readings[:1], &telemetry.Post{Agent: fmt.Sprint("other", i)})
		d.mu.Lock()
		clear(d.pending) // as if flush had stored the agents
		d.mu.Unlock()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := d.counts["host0"]; n != maxDescribed {
		t.Errorf("agents of a host became pending %d times in a minute, want %d", n, maxDescribed)
	}
}

// TestAgentsMemory: the lists of agents are bounded.
func TestAgentsMemory(t *testing.T) {
	c := &census{counts: map[string]int{}}
	d := NewAgents(c, slog.New(slog.DiscardHandler))
	post := &telemetry.Post{Agent: "a"}
	for range telemetry.MaxTags {
		post.Tags = append(post.Tags, strings.Repeat("x", 64))
	}
	for i := range 20000 {
		d.note([]telemetry.Reading{{Host: fmt.Sprintf("%05d%s", i, strings.Repeat("x", 250))}}, post)
	}
	d.flush(t.Context())
	for i := range 20000 {
		d.note([]telemetry.Reading{{Host: fmt.Sprintf("%05d%s", i, strings.Repeat("y", 250))}}, post)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, agents := range map[string]int{"stored": len(d.stored), "pending": len(d.pending)} {
		if bytes := agents * (255 + 64*telemetry.MaxTags); bytes == 0 || bytes > maxAgentsList+1<<16 {
			t.Errorf("%s has %d agents of %d bytes", name, agents, bytes)
		}
	}
}
