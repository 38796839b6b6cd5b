package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/shirou/gopsutil/v4/process"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// A trial is a row of the table: a fault under load.
type trial struct {
	name   string
	inject func(ctx context.Context, l *load) (repair func() error) // may be nil
	spoil  func(*telemetry.Batch)                                   // may be nil
}

const (
	servedBefore = 2 * time.Second // the time of load on healthy servers, before a fault and after its repair
	brokenFor    = 6 * time.Second
)

// table causes each fault under load and prints a table of the results, with a row for each fault.
func table(ctx context.Context, o options) (err error) {
	s := &arrangement{faults: map[string]int{}}
	if s.dir, err = os.MkdirTemp("", "pulse-soak-"); err != nil {
		return err
	}
	defer func() { s.close(err != nil && ctx.Err() == nil) }()
	if err := s.build(ctx); err != nil {
		return err
	}
	if err := s.share(true); err != nil {
		return err
	}
	// Servers reach the services, and agents reach the servers, through links.
	toDatabase, err := s.insertLink(&s.db)
	if err != nil {
		return err
	}
	toBroker, err := s.insertLink(&s.args[len(s.args)-1])
	if err != nil {
		return err
	}
	s.args = append(s.args, "-no-agent")
	s.servers, s.peaks = make([]*exec.Cmd, 3), make([]int, 3)
	var links []*link
	var urls []string
	for i := range s.servers {
		s.urls = append(s.urls, "http://127.0.0.1:0")
		if err := s.start(i); err != nil {
			return err
		}
		l, err := newLink(strings.TrimPrefix(s.urls[i], "http://"))
		if err != nil {
			return err
		}
		links, urls = append(links, l), append(urls, "http://"+l.address())
	}
	postgres, nats := s.shared.services["PostgreSQL"], s.shared.services["NATS"]
	trials := []trial{
		{name: "kill -9 of a server", inject: func(context.Context, *load) func() error {
			s.kill(1)
			return func() error { return s.start(1) }
		}},
		{name: "kill -9 of all servers", inject: func(context.Context, *load) func() error {
			for i := range s.servers {
				s.kill(i)
			}
			return func() error { return errors.Join(s.start(0), s.start(1), s.start(2)) }
		}},
		{name: "a server frozen", inject: func(context.Context, *load) func() error { return freeze(s.servers[2].Process) }},
		{name: "PostgreSQL killed", inject: func(context.Context, *load) func() error { return s.shared.postgres() }},
		{name: "PostgreSQL frozen", inject: func(context.Context, *load) func() error { return freezeAll(postgres.Pid()) }},
		{name: "NATS killed", inject: func(context.Context, *load) func() error { return s.shared.nats() }},
		{name: "NATS frozen", inject: func(context.Context, *load) func() error { return freezeAll(nats.Pid()) }},
		{name: "the disk of NATS full, without PostgreSQL", inject: func(ctx context.Context, l *load) func() error {
			if nats.Disk == "" {
				return func() error { return errors.New("no disk could be made for NATS: run the table as root") }
			}
			start := s.shared.postgres() // stop PostgreSQL, so that batches stay in NATS
			room, err := nats.Fill(2 << 20)
			stop := l.flood(ctx, 20)
			return func() error {
				stop()
				if err == nil {
					room()
				}
				return errors.Join(err, s.shared.nats()(), start()) // NATS may no longer respond
			}
		}},
		{name: "network to agents slow", inject: func(context.Context, *load) func() error { return disturb(slow, links...) }},
		{name: "network to agents resetting", inject: func(context.Context, *load) func() error { return disturb(resetting, links...) }},
		{name: "network to services slow", inject: func(context.Context, *load) func() error { return disturb(slow, toDatabase, toBroker) }},
		{name: "network to services resetting", inject: func(context.Context, *load) func() error { return disturb(resetting, toDatabase, toBroker) }},
		{name: "network to services cut", inject: func(context.Context, *load) func() error { return disturb(cut, toDatabase, toBroker) }},
		{name: "overload, and a browser that reads nothing", inject: func(ctx context.Context, l *load) func() error {
			stop := l.flood(ctx, 200)
			stalled := s.stall(0)
			return func() error { stop(); return stalled() }
		}},
		{name: "odd names", spoil: func(b *telemetry.Batch) {
			odd := &b.Readings[rand.IntN(len(b.Readings))]
			odd.Disks[0].Mount = []string{"/mnt/donn\xe9es", "/mnt/a\u200db", "a\nb", ""}[rand.IntN(4)]
		}},
		{name: "wrong clocks", spoil: func(b *telemetry.Batch) {
			if rand.IntN(10) > 0 {
				return
			}
			// The last reading is some seconds too far ahead, and the first one an hour late.
			b.Readings[len(b.Readings)-1].At = time.Now().Add(telemetry.MaxAhead + 3*time.Second).UTC().Truncate(time.Millisecond)
			b.Readings[0].At = b.Readings[0].At.Add(-time.Hour)
		}},
	}
	fmt.Println("| fault | readings acknowledged | posts not accepted | single readings refused | lost | doubled | caught up after |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|")
	for i, t := range trials {
		row, broken := s.try(ctx, o, t, i, urls)
		if row != "" {
			fmt.Println(row)
		}
		err = errors.Join(err, broken)
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
	}
	return err
}

// try runs a trial and returns its row. It returns "" and an error if the trial could not be finished. It returns a
// row and an error if the servers did not keep their promises.
func (s *arrangement) try(ctx context.Context, o options, t trial, number int, urls []string) (row string, err error) {
	l := newLoad(urls)
	l.tolerant, l.spoil, l.prefix = true, t.spoil, fmt.Sprintf("%s%d-", hostPrefix, number)
	loading, stopLoading := context.WithCancel(ctx)
	defer stopLoading()
	done := make(chan struct{})
	go func() { defer close(done); l.run(loading, o.posts, o.queries) }()
	pause := func(d time.Duration) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
	pause(servedBefore)
	repair := func() error { return nil }
	if t.inject != nil {
		repair = t.inject(ctx, l)
	}
	pause(brokenFor)
	if err := repair(); err != nil {
		return "", fmt.Errorf("%s: repairing: %w", t.name, err)
	}
	repaired := time.Now()
	if err := s.mark(newLoad(urls), 1000+number); err != nil {
		return "", fmt.Errorf("after %s: %w", t.name, err)
	}
	caughtUp := time.Since(repaired)
	pause(servedBefore)
	l.ending.Store(true)
	stopLoading()
	<-done
	a, err := s.verify(ctx, l)
	if err != nil {
		return "", err
	}
	promised, refused := 0, 0
	for _, times := range l.acknowledged {
		promised += len(times)
	}
	for n := range maps.Values(l.refused) {
		refused += n
	}
	row = fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %s |", t.name, promised, refused, l.partial, a.lost, a.doubled, caughtUp.Round(10*time.Millisecond))
	switch {
	case a.lost > 0 || a.doubled > 0 || a.stored != a.tiers[1] || a.stored != a.tiers[2]:
		err = fmt.Errorf("%s: %d readings lost, %d stored twice; %d stored, counts in the tiers: %v", t.name, a.lost, a.doubled, a.stored, a.tiers)
	case l.failures.Load() > 0:
		err = fmt.Errorf("%s: %d unexpected answers, the last: %w", t.name, l.failures.Load(), l.lastError)
	case promised == 0:
		err = fmt.Errorf("%s: nothing was accepted", t.name)
	case t.spoil != nil && l.partial == 0:
		err = fmt.Errorf("%s: the servers refused no single readings, although this fault spoils some", t.name)
	}
	return row, err
}

// flood adds agents that post large batches without a pause, until the returned function is called.
func (l *load) flood(ctx context.Context, n int) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var agents sync.WaitGroup
	for i := range n {
		next := l.agent(fmt.Sprint(l.prefix, "flood-", i), time.Now(), 50)
		agents.Go(func() {
			for batch := next(); ctx.Err() == nil; {
				// This does not use ctx: its end must not interrupt a post that waits for an answer.
				if taken, _ := l.post(context.WithoutCancel(ctx), l.urls[i%len(l.urls)], batch); taken {
					batch = next()
				}
			}
		})
	}
	return func() { cancel(); agents.Wait() }
}

// insertLink puts a link in front of the service at a URL, and changes the URL.
func (s *arrangement) insertLink(address *string) (*link, error) {
	u, err := url.Parse(*address)
	if err != nil {
		return nil, err
	}
	l, err := newLink(u.Host)
	if err != nil {
		return nil, err
	}
	u.Host = l.address()
	*address = u.String()
	return l, nil
}

// freezeAll stops a process and its children (SIGSTOP).
func freezeAll(pid int) (repair func() error) {
	all := []int{pid}
	if p, err := process.NewProcess(int32(pid)); err == nil {
		children, _ := p.Children() // the error for a process without children is ignored
		for _, child := range children {
			all = append(all, int(child.Pid))
		}
	}
	for _, p := range all {
		_ = syscall.Kill(p, syscall.SIGSTOP) // a child may have ended
	}
	return func() error {
		for _, p := range slices.Backward(all) {
			_ = syscall.Kill(p, syscall.SIGCONT)
		}
		return nil
	}
}
