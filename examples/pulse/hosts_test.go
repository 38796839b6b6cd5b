//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/internal/services"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// TestInventedHosts posts readings of 42,000 invented hosts to servers with the default limits, and
// then requests forty overviews at once. The servers keep 1,000 hosts, still accept readings of these
// hosts, and need little memory.
func TestInventedHosts(t *testing.T) {
	testkit.SkipInVariant(t)
	needSignals(t)
	t.Run("SQLite", func(t *testing.T) {
		inventHosts(t, start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent"))
	})
	t.Run("PostgreSQL and NATS", func(t *testing.T) {
		args := []string{"-no-agent", "-nats", newNATS(t, 64<<20).Broker("127.0.0.1")}
		db := newPostgres(t).Database("127.0.0.1")
		inventHosts(t, start(t, "127.0.0.1:0", db, args...), start(t, "127.0.0.1:0", db, args...))
	})
}

func inventHosts(t *testing.T, servers ...*process) {
	const invented, batchSize, clients, limit = 42000, 250, 4, 1000
	if status, err := post(servers[0].url, telemetry.Reading{Host: "known", At: time.Now()}); status/100 != 2 || err != nil {
		t.Fatal(status, err)
	}
	waitFor(t, func() bool { return get(t, servers[0].url+"/v1/hosts/known", nil) == 200 })

	var accepted, refused, batches atomic.Int64
	var group sync.WaitGroup
	began := time.Now()
	for range clients {
		group.Go(func() {
			for {
				n := int(batches.Add(1) - 1)
				if n*batchSize >= invented {
					return
				}
				batch := make([]telemetry.Reading, batchSize)
				for i := range batch {
					batch[i] = telemetry.Reading{Host: fmt.Sprintf("invented-%06d", n*batchSize+i), At: time.Now(), CPU: mo.Some(1.0)}
				}
				batch[0].Host = "known" // is stored in any case
				status, problem := postBatch(t, servers[n%len(servers)].url, batch)
				switch {
				case status/100 == 2:
					accepted.Add(batchSize - 1)
				case status == http.StatusForbidden:
					var gone, all int
					_, after, _ := strings.Cut(problem.Detail, "Readings refused: ")
					if _, err := fmt.Sscanf(after, "%d of %d", &gone, &all); err != nil || all != batchSize || len(problem.Errors) != min(gone, 100) {
						t.Errorf("%+v", problem)
					}
					if !strings.Contains(problem.Detail, "1000 hosts for each token") || !strings.Contains(problem.Detail, "-max-hosts-per-token") {
						t.Errorf("the refusal does not explain the limit: %s", problem.Detail)
					}
					accepted.Add(int64(batchSize - 1 - gone))
					refused.Add(int64(gone))
				default:
					t.Errorf("status %d: %+v", status, problem)
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d readings of invented hosts took %s: %d accepted, %d refused", invented, time.Since(began).Round(time.Millisecond), accepted.Load(), refused.Load())
	if accepted.Load() != limit-1 {
		t.Errorf("readings of %d invented hosts were accepted, want %d", accepted.Load(), limit-1)
	}
	var list struct {
		Hosts []struct {
			Host string
			Last time.Time
		}
		Next mo.Option[string]
	}
	waitFor(t, func() bool { return get(t, servers[0].url+"/v1/hosts", &list) == 200 && len(list.Hosts) == limit })
	if list.Next.IsPresent() {
		t.Error("a thousand hosts are not on one page")
	}
	// Every server stores a reading of a known host, and refuses a reading of a new host.
	for _, p := range servers {
		if status, err := post(p.url, telemetry.Reading{Host: list.Hosts[7].Host, At: time.Now()}); status/100 != 2 || err != nil {
			t.Error(status, err)
		}
		if status, err := post(p.url, telemetry.Reading{Host: "new", At: time.Now()}); status != http.StatusForbidden || err != nil {
			t.Error(status, err)
		}
	}

	for _, path := range []string{"/v1/overview", "/v1/hosts"} {
		var bytes atomic.Int64
		began := time.Now()
		for range 40 {
			group.Go(func() {
				response, err := client.Get(servers[0].url + path)
				if err != nil {
					t.Error(err)
					return
				}
				defer response.Body.Close()
				n, err := io.Copy(io.Discard, response.Body)
				if err != nil || response.StatusCode != 200 {
					t.Error(response.Status, err)
				}
				bytes.Add(n)
			})
		}
		group.Wait()
		t.Logf("forty answers of %s: %d bytes each, in %s", path, bytes.Load()/40, time.Since(began).Round(time.Millisecond))
	}
	for i, p := range servers {
		memory, err := services.Memory(p.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("server %d: peak memory %d MB", i, memory>>20)
		if memory > 400<<20 {
			t.Errorf("server %d took %d MB", i, memory>>20)
		}
	}
}

// TestAgentBeyondTheLimit: a server refuses the host of an agent. The agent keeps its readings,
// logs the reason, and delivers the readings when the limit is raised.
func TestAgentBeyondTheLimit(t *testing.T) {
	testkit.SkipInVariant(t)
	needSignals(t)
	db := filepath.Join(t.TempDir(), "pulse.db")
	p := start(t, "127.0.0.1:0", db, "-no-agent", "-max-hosts", "1")
	if status, err := post(p.url, telemetry.Reading{Host: "first", At: time.Now()}); status/100 != 2 || err != nil {
		t.Fatal(status, err)
	}
	agent := launch(t, "-agent-only", "-server", p.url, "-host", "second", "-interval", "100ms")
	waitFor(t, func() bool {
		log := agent.log.String()
		return strings.Contains(log, "cannot deliver") && strings.Contains(log, "a larger -max-hosts to raise it")
	})
	if err := p.interrupt(t); err != nil {
		t.Fatal(err, p.log)
	}
	p = start(t, strings.TrimPrefix(p.url, "http://"), db, "-no-agent", "-max-hosts", "2")
	waitFor(t, func() bool { return get(t, p.url+"/v1/hosts/second", nil) == http.StatusOK })
	if err := agent.interrupt(t); err != nil || strings.Contains(agent.log.String(), "lost") {
		t.Errorf("%v\n%s", err, agent.log)
	}
}

// TestPageOfManyHosts opens the page with more hosts than one answer of the API has.
func TestPageOfManyHosts(t *testing.T) {
	testkit.SkipInVariant(t)
	needSignals(t)
	tab, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent", "-max-hosts-per-token", "0")
	for first := range 3 {
		var batch []telemetry.Reading
		for i := range 400 {
			batch = append(batch, telemetry.Reading{Host: fmt.Sprintf("host-%04d", first*400+i), At: time.Now(), CPU: mo.Some(1.0)})
		}
		if status, err := post(p.url, batch...); status/100 != 2 || err != nil {
			t.Fatal(status, err)
		}
	}
	open(t, tab, p.url, 1280)
	waitUntil(t, tab, live+` && document.querySelectorAll("#hosts tbody tr").length === 1200`)
	if got := text(t, tab, "#summary"); !strings.HasPrefix(got, "1200 machines") {
		t.Errorf("summary %q", got)
	}
	checkComplaints(t, complaints)
}

// postBatch returns the status of the answer, and the problem if it is one.
func postBatch(t *testing.T, url string, batch []telemetry.Reading) (status int, problem api.Problem) {
	t.Helper()
	body, err := json.Marshal(telemetry.Batch{Readings: batch})
	if err != nil {
		t.Error(err)
		return 0, problem
	}
	response, err := client.Post(url+"/v1/readings", "application/json", strings.NewReader(string(body)))
	if err != nil {
		t.Error(err)
		return 0, problem
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode/100 != 2 {
		err = json.Unmarshal(text, &problem)
	}
	if err != nil {
		t.Errorf("%v: %s", err, text)
	}
	return response.StatusCode, problem
}
