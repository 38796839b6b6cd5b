//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/internal/services"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// A cluster has three servers, which share a PostgreSQL and a NATS server.
type cluster struct {
	postgres, nats *services.Service
	network        *network // the network of the last server; nil if the machine does not allow network namespaces
	servers        [3]*process
	load           load
}

// A load is a set of agents. Each agent posts batches one at a time, and repeats a batch until a
// server accepts it.
type load struct {
	urls  [3]string
	epoch time.Time

	mu       sync.Mutex
	promised map[string]bool // readings of the batches that were answered with a 2xx
	taken    int             // the number of batches that servers have accepted
	refused  int             // the number of answers with status 503
	slowest  time.Duration   // the longest time until an answer
	wrong    []string        // answers that no test expects

	stop    chan struct{}
	working sync.WaitGroup
}

const (
	loadAgents = 6
	loadBatch  = 5
)

func (l *load) start() {
	l.epoch = time.Now().UTC().Add(-2 * time.Hour).Truncate(time.Second)
	l.promised, l.stop = map[string]bool{}, make(chan struct{})
	for a := range loadAgents {
		l.working.Go(func() {
			host := fmt.Sprint("agent-", a)
			for n := 0; ; n++ {
				var batch []telemetry.Reading
				for i := range loadBatch {
					batch = append(batch, telemetry.Reading{Host: host, At: l.epoch.Add(time.Duration(n*loadBatch+i) * 10 * time.Millisecond), CPU: mo.Some(1.0)})
				}
				for attempt := a + n; !l.post(attempt%3, batch, 10*time.Second); attempt++ { // the next server, if one fails
					select {
					case <-time.After(50 * time.Millisecond):
					case <-l.stop:
						return
					}
				}
				select {
				case <-time.After(20 * time.Millisecond):
				case <-l.stop:
					return
				}
			}
		})
	}
}

// post reports whether a server has accepted a batch.
func (l *load) post(server int, batch []telemetry.Reading, patience time.Duration) bool {
	body, err := json.Marshal(telemetry.Batch{Readings: batch})
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "POST", l.urls[server]+"/v1/readings", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	began := time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false // the server has been killed
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slowest = max(l.slowest, time.Since(began))
	switch {
	case err != nil:
	case response.StatusCode == http.StatusAccepted:
		l.taken++
		for _, r := range batch {
			l.promised[key(r)] = true
		}
		return true
	case response.StatusCode == http.StatusServiceUnavailable && response.Header.Get("Retry-After") != "":
		l.refused++
	default:
		l.wrong = append(l.wrong, fmt.Sprintf("%s, Retry-After %q: %.200s", response.Status, response.Header.Get("Retry-After"), text))
	}
	return false
}

func (l *load) counts() (taken, refused int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.taken, l.refused
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{postgres: newPostgres(t), nats: newNATS(t, 40<<20), network: newNetwork(t)}
	if c.network == nil && os.Getenv("HONE_REQUIRE_SERVICES") != "" {
		t.Error("no network could be made, and HONE_REQUIRE_SERVICES is set")
	}
	if c.nats.Disk == "" && os.Getenv("HONE_REQUIRE_SERVICES") != "" {
		t.Error("no disk could be made, and HONE_REQUIRE_SERVICES is set")
	}
	for i := range c.servers {
		c.serve(t, i, ":0")
	}
	return c
}

// serve starts a server. The last server has its own network.
func (c *cluster) serve(t *testing.T, i int, addr string) {
	t.Helper()
	command, host := []string{os.Args[0]}, "127.0.0.1"
	inside := host
	if i == len(c.servers)-1 && c.network != nil {
		command, host, inside = append([]string{"ip", "netns", "exec", c.network.name}, command...), c.network.outside, c.network.inside
	}
	first := addr == ":0"
	if first {
		addr = inside + addr
	}
	command = append(command, "-addr", addr, "-no-agent", "-db", c.postgres.Database(host), "-nats", c.nats.Broker(host))
	c.servers[i] = started(t, launchBy(t, exec.Command(command[0], command[1:]...)))
	if first {
		c.load.urls[i] = c.servers[i].url
	}
}

// requestPages sends requests of a browser to servers.
func (c *cluster) requestPages(t *testing.T, servers ...int) {
	t.Helper()
	for _, i := range servers {
		url := c.load.urls[i]
		for _, path := range []string{"/", "/v1/hosts", "/v1/overview", "/v1/readings?host=agent-1&limit=10", "/v1/series?host=agent-1&from=" + c.load.epoch.Format(time.RFC3339) + "&to=" + time.Now().UTC().Format(time.RFC3339)} {
			began := time.Now()
			response, err := client.Get(url + path)
			if err != nil {
				t.Errorf("server %d: %v", i, err)
				continue
			}
			text, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if took := time.Since(began); response.StatusCode != http.StatusOK || took > 5*time.Second {
				t.Errorf("server %d: %s: %s after %s: %.200s", i, path, response.Status, took, text)
			}
		}
	}
}

// waitAccepted waits until a number of further batches have been accepted.
func (c *cluster) waitAccepted(t *testing.T, batches int) {
	t.Helper()
	before, _ := c.load.counts()
	waitFor(t, func() bool { taken, _ := c.load.counts(); return taken >= before+batches })
}

// waitRefused waits until a number of batches have been refused.
func (c *cluster) waitRefused(t *testing.T, batches int) {
	t.Helper()
	_, before := c.load.counts()
	waitFor(t, func() bool { _, refused := c.load.counts(); return refused >= before+batches })
}

// waitStored waits until all readings that were answered with a 2xx before the call are stored.
func (c *cluster) waitStored(t *testing.T) {
	t.Helper()
	db, err := store.OpenPostgres(t.Context(), c.postgres.Database("127.0.0.1"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c.load.mu.Lock()
	promised := make(map[string]bool, len(c.load.promised))
	for k := range c.load.promised {
		promised[k] = true
	}
	c.load.mu.Unlock()
	began := time.Now()
	for {
		counts := map[string]int{}
		if err := db.Buckets(t.Context(), store.Seconds, store.HostRange{}, c.load.epoch.Add(-time.Hour), time.Now(), func(host string, at time.Time, _ *telemetry.Bucket) error {
			counts[key(telemetry.Reading{Host: host, At: at})]++
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		lost := 0
		for k := range promised {
			if counts[k] == 0 {
				lost++
			}
		}
		for k, n := range counts {
			if n != 1 {
				t.Errorf("%s is stored %d times", k, n)
			}
		}
		if lost == 0 {
			t.Logf("%d readings promised, all stored %s later", len(promised), time.Since(began).Round(time.Millisecond))
			return
		}
		if time.Since(began) > 30*time.Second {
			t.Fatalf("%d of %d promised readings are not stored after 30 seconds", lost, len(promised))
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// checkSums compares the stored sums with the stored readings.
func (c *cluster) checkSums(t *testing.T) {
	t.Helper()
	db, err := store.OpenPostgres(t.Context(), c.postgres.Database("127.0.0.1"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var counts [3]int
	for tier := range counts {
		from := c.load.epoch.Add(-time.Hour).Truncate(store.Tier(tier).Step())
		if err := db.Buckets(t.Context(), store.Tier(tier), store.HostRange{}, from, time.Now(), func(_ string, _ time.Time, b *telemetry.Bucket) error {
			counts[tier] += int(b.Lines[0].Count)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if counts[1] != counts[0] || counts[2] != counts[0] {
		t.Errorf("%d readings are stored; %d are counted by minutes and %d by hours", counts[0], counts[1], counts[2])
	}
	t.Logf("%d readings are stored", counts[0])
}

// TestClusterKeepsItsWord breaks each service of three servers in turn, while agents post. If the
// answer to a batch was a 2xx, the batch is stored once. While a service is broken, clients get a
// 503.
func TestClusterKeepsItsWord(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	c := newCluster(t)
	live := follow(t, c.load.urls[1]+"/v1/live?host=agent-1")
	// A browser that reads nothing is connected all the time.
	stuck, err := net.Dial("tcp", strings.TrimPrefix(c.load.urls[1], "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Close()
	if _, err := fmt.Fprintf(stuck, "GET /v1/live HTTP/1.1\r\nHost: %s\r\n\r\n", strings.TrimPrefix(c.load.urls[1], "http://")); err != nil {
		t.Fatal(err)
	}
	c.load.start()
	stopped := sync.OnceFunc(func() { close(c.load.stop); c.load.working.Wait() })
	defer stopped()
	seconds := time.Now()
	defer func() {
		if t.Failed() {
			for i, s := range c.servers {
				t.Logf("server %d:\n%.4000s", i, s.log)
			}
		}
	}()
	phase := func(name string, run func(t *testing.T)) { // not subtests, since the servers must outlive them
		t.Log(name)
		run(t)
		taken, refused := c.load.counts()
		t.Logf("%s: %s; %d batches taken, %d refused", name, time.Since(seconds).Round(time.Second), taken, refused)
		if t.Failed() {
			t.FailNow()
		}
	}

	phase("all is well", func(t *testing.T) {
		c.waitAccepted(t, 200)
		c.waitStored(t)
		c.requestPages(t, 0, 1, 2)
		servers := 0
		for range c.servers { // each server also announces readings that other servers have stored
			select {
			case <-live:
				servers++
			case <-time.After(5 * time.Second):
			}
		}
		if servers == 0 {
			t.Error("no live readings")
		}
		agent := launch(t, "-agent-only", "-server", c.load.urls[1], "-host", "real", "-interval", "100ms")
		waitFor(t, func() bool { return get(t, c.load.urls[0]+"/v1/hosts/real", nil) == http.StatusOK })
		if err := agent.interrupt(t); err != nil || strings.Contains(agent.log.String(), "lost") {
			t.Errorf("agent: %v\n%s", err, agent.log)
		}
	})

	phase("a server is killed", func(t *testing.T) {
		_ = c.servers[0].Process.Kill()
		_ = c.servers[0].end(t)
		c.waitAccepted(t, 200)
		c.requestPages(t, 1, 2)
		c.serve(t, 0, strings.TrimPrefix(c.load.urls[0], "http://"))
		c.waitAccepted(t, 100)
		c.waitStored(t)
	})

	phase("NATS stops and starts", func(t *testing.T) {
		c.nats.Stop(syscall.SIGKILL)
		c.waitRefused(t, 30)
		c.requestPages(t, 0, 1, 2)
		if status := get(t, c.load.urls[1]+"/healthz", nil); status != http.StatusServiceUnavailable {
			t.Errorf("healthz without NATS: %d", status)
		}
		restart(t, c.nats)
		c.waitAccepted(t, 200)
		c.waitStored(t)
	})

	phase("PostgreSQL stops and starts", func(t *testing.T) {
		c.postgres.Stop(syscall.SIGQUIT)
		c.waitAccepted(t, 200) // NATS accepts them
		response, err := client.Get(c.load.urls[1] + "/v1/hosts")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
			t.Errorf("queries without PostgreSQL: %s", response.Status)
		}
		restart(t, c.postgres)
		c.waitStored(t)
		c.requestPages(t, 0, 1, 2)
	})

	phase("the network is cut", func(t *testing.T) {
		cut := func(cut bool) { c.network.cut(t, cut) }
		if c.network == nil { // freeze the server instead: its connections stay open, but carry nothing
			cut = func(cut bool) {
				_ = c.servers[2].Process.Signal(map[bool]syscall.Signal{true: syscall.SIGSTOP, false: syscall.SIGCONT}[cut])
			}
		}
		cut(true)
		c.waitAccepted(t, 200)
		c.requestPages(t, 0, 1)
		if c.network != nil {
			c.waitRefused(t, 10)
		}
		c.waitStored(t) // the batches that the lost server was writing are included
		cut(false)
		waitFor(t, func() bool {
			r, err := client.Get(c.load.urls[2] + "/healthz")
			if err != nil {
				return false
			}
			r.Body.Close()
			return r.StatusCode == http.StatusOK
		})
		c.waitAccepted(t, 100)
		c.requestPages(t, 2)
	})

	// Without PostgreSQL batches stay at the broker, until it is full.
	number := 1
	stuff := func(t *testing.T, refusals int) {
		_, before := c.load.counts()
		large := make([]telemetry.Reading, telemetry.MaxBatch)
		waitFor(t, func() bool {
			for i := range large {
				large[i] = telemetry.Reading{Host: "large", At: c.load.epoch.Add(-time.Duration(number) * time.Millisecond), CPU: mo.Some(1.0), Networks: []telemetry.Network{{Name: strings.Repeat("x", 250)}}}
				number++
			}
			for server := 0; !c.load.post(server%3, large, 10*time.Second); server++ {
				if _, refused := c.load.counts(); refused >= before+refusals {
					return true
				}
			}
			return false
		})
	}
	phase("the broker has reached its limit", func(t *testing.T) {
		c.postgres.Stop(syscall.SIGQUIT)
		stuff(t, 20)
		restart(t, c.postgres)
		c.waitAccepted(t, 200)
		c.waitStored(t)
		c.requestPages(t, 0, 1, 2)
	})

	phase("the broker's disk is full", func(t *testing.T) {
		if c.nats.Disk == "" {
			return
		}
		c.postgres.Stop(syscall.SIGQUIT)
		room, err := c.nats.Fill(2 << 20)
		if err != nil {
			t.Fatal(err)
		}
		stuff(t, 6)
		room()
		c.nats.Stop(syscall.SIGKILL) // with a full disk, NATS may no longer respond
		restart(t, c.nats)
		restart(t, c.postgres)
		c.waitAccepted(t, 200)
		c.waitStored(t)
		c.requestPages(t, 0, 1, 2)
	})

	stopped()
	phase("all is stored once", func(t *testing.T) {
		c.waitStored(t)
		c.checkSums(t)
		for i, s := range c.servers {
			if m, err := services.Memory(s.Process.Pid); err != nil || m > 400<<20 {
				t.Errorf("server %d has had %d MiB: %v", i, m>>20, err)
			} else {
				t.Logf("server %d has had %d MiB", i, m>>20)
			}
		}
		c.load.mu.Lock()
		defer c.load.mu.Unlock()
		for _, text := range c.load.wrong[:min(len(c.load.wrong), 5)] {
			t.Errorf("one of %d odd answers: %s", len(c.load.wrong), text)
		}
		t.Logf("the slowest answer took %s", c.load.slowest.Round(time.Millisecond))
		for i, s := range c.servers {
			if err := s.interrupt(t); err != nil {
				t.Errorf("server %d: %v\n%.4000s", i, err, s.log)
			}
		}
	})
}
