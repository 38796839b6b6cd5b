package server

import (
	"context"
	"encoding/binary"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// A recorder keeps the readings that a queue gets.
type recorder struct {
	queue.Queue
	mu  sync.Mutex
	got []telemetry.Reading
}

func (r *recorder) Put(ctx context.Context, readings []telemetry.Reading) (queue.Receipt, error) {
	r.mu.Lock()
	r.got = append(r.got, readings...)
	r.mu.Unlock()
	return r.Queue.Put(ctx, readings)
}

// TestTimeZones posts times with zones, and times that JSON cannot write.
func TestTimeZones(t *testing.T) {
	var all recorder
	s := serveWith(t, queue.Options{}, func(o *Options) {
		o.Keep.Retention = 0
		all.Queue, o.Queue = o.Queue, &all
	})
	post := func(at time.Time) answer {
		t.Helper()
		body, err := wire.Marshal(&telemetry.Batch{Readings: []telemetry.Reading{{Host: "a", At: at}}})
		if err != nil {
			t.Fatal(err)
		}
		return s.do("POST", "/v2/readings", api.MediaTypeWire, "", body)
	}
	for i, zone := range []int{-30 * 3600, 3600, 30 * 3600} {
		if a := post(time.Now().Add(time.Duration(-i) * time.Second).In(time.FixedZone("x", zone))); a.StatusCode != 200 {
			t.Errorf("a zone of %d s: %s %s", zone, a.Status, a.body)
		}
	}
	for _, at := range []time.Time{time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(-1<<60, 0)} {
		if a := post(at); a.StatusCode != 422 || !strings.Contains(string(a.body), "years") {
			t.Errorf("%v: %s %s", at, a.Status, a.body)
		}
	}
	if len(all.got) != 3 {
		t.Fatalf("the queue got %d readings", len(all.got))
	}
	for _, r := range all.got {
		if r.At.Location() != time.UTC {
			t.Errorf("the queue got a time in another zone: %s", r.At)
		}
	}
	for _, path := range []string{"/v1/hosts", "/v1/readings", "/v1/overview"} {
		if a := s.get(path); a.StatusCode != 200 {
			t.Errorf("%s: %s %s", path, a.Status, a.body)
		}
	}
}

// A census counts the agents that are described, by host.
type census struct {
	store.Store
	mu     sync.Mutex
	counts map[string]int
}

func (c *census) Describe(ctx context.Context, agents []store.Agent) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range agents {
		c.counts[a.Host]++
	}
	return nil
}

// TestRefusedHostsAreNotDescribed: if all readings of a host are refused, its agent is stored only
// if the reason is a clock that is ahead.
func TestRefusedHostsAreNotDescribed(t *testing.T) {
	t.Parallel()
	c := &census{counts: map[string]int{}}
	agents := NewAgents(c, slog.New(slog.DiscardHandler))
	s := serveWith(t, queue.Options{}, func(o *Options) {
		o.Agents = agents
	})
	early := reading("ahead", 0)
	early.At = time.Now().Add(time.Hour)
	tooHot := reading("hot", 0)
	tooHot.CPU = mo.Some(101.0)
	for _, readings := range [][]telemetry.Reading{
		{reading("\x00", 0)}, {reading(strings.Repeat("x", 900<<10), 0)}, {tooHot}, {reading("a/b", 0), early},
	} {
		a := s.ask("POST", "/v1/readings", jsonOf(t, telemetry.Batch{Readings: readings}), "Content-Type", "application/json", "Pulse-Agent", "a")
		if want := map[bool]int{false: 422, true: 409}[len(readings) == 2]; a.StatusCode != want {
			t.Errorf("%s %.200s, want %d", a.Status, a.body, want)
		}
	}
	agents.flush(t.Context())
	if len(c.counts) != 1 || c.counts["ahead"] != 1 {
		t.Errorf("%d hosts are described", len(c.counts))
	}
}

// TestOlderAgent: a batch in the binary format of older agents is stored, and the present format is
// posted to another path.
func TestOlderAgent(t *testing.T) {
	s := serveWith(t, queue.Options{}, func(o *Options) { o.Keep.Retention = 0 })
	older, err := os.ReadFile("../telemetry/testdata/layout1.wire")
	if err != nil {
		t.Fatal(err)
	}
	if a := s.do("POST", "/v1/readings", api.MediaTypeWire, "", older); a.StatusCode != 200 || !strings.Contains(string(a.body), `"stored":1`) {
		t.Errorf("%s %s", a.Status, a.body)
	}
	if a := s.do("POST", "/v1/readings", api.MediaTypeWire, "", older[:20]); a.StatusCode != 400 || !strings.Contains(string(a.body), "layout 1") {
		t.Errorf("%s %s", a.Status, a.body)
	}
	if a := s.do("POST", "/v1/readings", api.MediaTypeWire, "", binary.AppendUvarint(nil, telemetry.MaxBatch+1)); a.StatusCode != 422 {
		t.Errorf("%s %s", a.Status, a.body)
	}
	if a := s.do("POST", "/v1/readings", api.MediaTypeWire, "", make([]byte, maxBody+1)); a.StatusCode != 413 {
		t.Errorf("%s %s", a.Status, a.body)
	}
	guarded := serveWith(t, queue.Options{}, func(o *Options) { o.Keep.Retention, o.Access.WriteTokens = 0, []string{"tell"} })
	for body, want := range map[string]int{string(older): 200, string(older[:20]): 400} {
		if a := guarded.ask("POST", "/v1/readings", []byte(body), "Content-Type", api.MediaTypeWire); a.StatusCode != 401 {
			t.Errorf("without a token: %s %s", a.Status, a.body)
		}
		if a := guarded.ask("POST", "/v1/readings", []byte(body), "Content-Type", api.MediaTypeWire, "Authorization", "Bearer tell"); a.StatusCode != want {
			t.Errorf("with a token: %s %s", a.Status, a.body)
		}
	}
	now := telemetry.Reading{Host: "b", At: time.Now(), Disks: []telemetry.Disk{{Mount: "/", Device: "a", Used: mo.Some[uint64](9), Total: mo.Some[uint64](10), Available: mo.Some[uint64](0)}}}
	body, err := wire.Marshal(&telemetry.Batch{Readings: []telemetry.Reading{now}})
	if err != nil {
		t.Fatal(err)
	}
	if a := s.do("POST", "/v2/readings", api.MediaTypeWire, "", body); a.StatusCode != 200 {
		t.Errorf("%s %s", a.Status, a.body)
	}
	var stored telemetry.Reading
	if a := s.get("/v1/hosts/b"); json.Unmarshal(a.body, &stored) != nil || stored.Disks[0].Share() != mo.Some(100.0) {
		t.Errorf("%s", a.body)
	}
}
