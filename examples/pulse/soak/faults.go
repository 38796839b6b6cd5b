package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// A fault breaks something, and returns a function that repairs it.
type fault struct {
	name   string
	inject func(number int) (repair func() error)
}

// breakThings injects faults until ctx is done. It repairs each fault before it injects the next.
func (s *arrangement) breakThings(ctx context.Context, every time.Duration, l *load) error {
	if every == 0 {
		<-ctx.Done()
		return nil
	}
	faults := []fault{
		{"kill -9 of a server", func(number int) func() error {
			i := number % len(s.urls)
			s.kill(i)
			return func() error { return s.start(i) }
		}},
		{"follower that reads nothing", func(number int) func() error { return s.stall(number % len(s.urls)) }},
	}
	if s.shared != nil {
		faults = append(faults,
			fault{"stop of NATS", func(int) func() error { return s.shared.nats() }},
			fault{"stop of PostgreSQL", func(int) func() error { return s.shared.postgres() }},
			fault{"server frozen", func(number int) func() error { return freeze(s.servers[number%len(s.urls)].Process) }})
	}
	lasting := min(every/3, 8*time.Second)
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		f := faults[n%len(faults)]
		before := l.counts()
		repair := f.inject(n / len(faults))
		select {
		case <-time.After(lasting):
		case <-ctx.Done():
		}
		if err := repair(); err != nil {
			return fmt.Errorf("repairing after %s: %w", f.name, err)
		}
		s.faults[f.name]++
		repaired := time.Now()
		if err := s.mark(l, n); err != nil {
			return fmt.Errorf("after %s: %w", f.name, err)
		}
		took := time.Since(repaired)
		s.slowest = max(s.slowest, took)
		fmt.Printf("%s for %s, caught up %s later\n  before: %s\n  now:    %s\n", f.name, lasting, took.Round(time.Millisecond), before, l.counts())
	}
}

// mark posts a reading and returns nil when a query returns the reading. Nearly all batches that were
// accepted earlier have been stored by then, since the queue is first in, first out. If no query
// returns the reading within a minute, mark returns an error.
func (s *arrangement) mark(l *load, number int) error {
	host := fmt.Sprint(hostPrefix, "mark-", number)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if !l.deliver(ctx, number, &telemetry.Batch{Readings: []telemetry.Reading{reading(host, time.Now())}}) {
		return fmt.Errorf("no server accepted a batch within a minute")
	}
	for {
		response, err := l.send(ctx, http.MethodGet, s.urls[number%len(s.urls)]+"/v1/hosts/"+host, nil)
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("an accepted batch is not stored after a minute")
		}
	}
}

// stall opens a live stream and does not read from it.
func (s *arrangement) stall(i int) (repair func() error) {
	addr := strings.TrimPrefix(s.urls[i], "http://")
	c, err := net.Dial("tcp", addr)
	if err == nil {
		_, err = fmt.Fprintf(c, "GET /v1/live HTTP/1.1\r\nHost: %s\r\n\r\n", addr)
	}
	return func() error {
		if err != nil {
			return err
		}
		c.Close()
		return nil
	}
}
