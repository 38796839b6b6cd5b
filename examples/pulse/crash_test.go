package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestKilledServerKeepsItsWord kills the server during posts. Each batch that the server answered
// with a 2xx must be stored.
func TestKilledServerKeepsItsWord(t *testing.T) {
	needSignals(t)
	const agents, batchSize = 6, 5
	db := filepath.Join(t.TempDir(), "pulse.db")
	promised := map[string]bool{}
	epoch := time.Now().Add(-time.Hour)

	for round := range 3 {
		p := start(t, "127.0.0.1:0", db, "-no-agent")
		var mu sync.Mutex
		var posting sync.WaitGroup
		accepted := 0
		enough := make(chan struct{})
		for a := range agents {
			posting.Go(func() {
				host := fmt.Sprintf("agent-%d-%d", round, a)
				for n := 0; ; n++ {
					at := epoch.Add(time.Duration(n*batchSize) * time.Second)
					batch := append(readingsFrom(host, at, batchSize), readingsFrom(host, at, 1)...) // the first reading is in the batch twice
					status, err := post(p.url, batch...)
					if err != nil {
						return // the server has been killed
					}
					if status == http.StatusServiceUnavailable {
						continue
					}
					if status != http.StatusOK {
						t.Errorf("status %d", status)
						return
					}
					mu.Lock()
					for _, r := range batch {
						promised[key(r)] = true
					}
					if accepted++; accepted == 100 {
						close(enough)
					}
					mu.Unlock()
				}
			})
		}
		select {
		case <-enough:
		case <-time.After(20 * time.Second):
			t.Error("no 100 batches accepted in 20 seconds")
		}
		if err := p.Process.Kill(); err != nil { // SIGKILL: no clean-up of any kind
			t.Fatal(err)
		}
		if err := p.end(t); err == nil {
			t.Fatal("a killed server exits with code 0")
		}
		posting.Wait()
	}

	p := start(t, "127.0.0.1:0", db, "-no-agent")
	stored := map[string]int{}
	for _, r := range allReadings(t, p.url) {
		stored[key(r)]++
	}
	for k := range promised {
		if stored[k] != 1 {
			t.Errorf("%s was acknowledged, but is stored %d times", k, stored[k])
		}
	}
	for k, n := range stored {
		if n != 1 {
			t.Errorf("%s is stored %d times", k, n)
		}
	}
	t.Logf("%d readings acknowledged, %d found", len(promised), len(stored))
	if err := p.interrupt(t); err != nil {
		t.Errorf("after all: %v\n%s", err, p.log)
	}
}
