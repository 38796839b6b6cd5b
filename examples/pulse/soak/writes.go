package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/shirou/gopsutil/v4/process"

	"github.com/hone-go/hone/examples/pulse/agent"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// writes measures what a server with SQLite writes to its disk, for several numbers of hosts that take a
// sample each second, and prints a table.
func writes(ctx context.Context, each time.Duration) error {
	fmt.Printf("each run %s\n\n", each)
	fmt.Println("| hosts | a post every | -commit-wait | readings | transactions of readings | processor, % of a core | written KB/s | written a day | bytes stored for a reading |")
	fmt.Println("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, run := range []struct {
		hosts int // 0 means that the server measures its own machine
		every time.Duration
		wait  string
	}{{0, time.Second, "0"}, {0, agent.Report, "100ms"}, {0, time.Minute, "100ms"}, {200, time.Second, "0"}, {200, time.Second, "100ms"}, {200, agent.Report, "100ms"}} {
		if err := writesOf(ctx, each, run.hosts, run.every, run.wait); err != nil {
			return err
		}
	}
	return nil
}

func writesOf(ctx context.Context, each time.Duration, hosts int, every time.Duration, wait string) (err error) {
	s, err := arrange(ctx, 1, "127.0.0.1:0", false, hosts == 0, "-commit-wait", wait, "-report", every.String())
	if err != nil {
		return err
	}
	defer func() { s.close(err != nil && ctx.Err() == nil) }()
	l := newLoad(s.urls)
	l.header = http.Header{"Pulse-Every": {strconv.Itoa(int(every))}}
	l.client.Transport.(*http.Transport).MaxIdleConnsPerHost = 2 * hosts
	loading, stop := context.WithCancel(ctx)
	defer stop()
	var group sync.WaitGroup
	for i := range hosts {
		if every > time.Second { // between posts an agent asks whether somebody looks
			group.Go(func() { pace(loading, 0.2, func() { l.look(loading) }) })
		}
		group.Go(func() {
			first := time.NewTimer(rand.N(every)) // hosts do not post in step
			select {
			case <-first.C:
				pace(loading, 1/every.Seconds(), func() { l.deliver(ctx, 0, samples(fmt.Sprint(l.prefix, i), every)) })
			case <-loading.Done():
			}
		})
	}
	// Every host has rows of its own after its second post.
	if err := pauseFor(ctx, 2*every+2*time.Second); err != nil {
		return err
	}
	before, err := s.usage(ctx, l)
	if err != nil {
		return err
	}
	if err := pauseFor(ctx, each); err != nil {
		return err
	}
	after, err := s.usage(ctx, l)
	if err != nil {
		return err
	}
	stop()
	group.Wait()
	stored := "-"
	if hosts > 0 {
		if stored, err = s.stored(ctx, l); err != nil {
			return err
		}
	}
	took := after.at.Sub(before.at).Seconds()
	written := float64(after.written-before.written) / took
	fmt.Printf("| %d | %s | %s | %.0f | %.0f | %.1f | %.1f | %.2f GB | %s |\n", max(hosts, 1), every, wait, after.readings-before.readings, after.transactions-before.transactions,
		100*(after.processor-before.processor)/took, written/1e3, written*24*3600/1e9, stored)
	return nil
}

// look asks whether somebody looks at readings.
func (l *load) look(ctx context.Context) {
	response, err := l.send(ctx, http.MethodGet, l.urls[0]+"/v1/watched", nil)
	if err != nil {
		l.fail(ctx, err)
		return
	}
	response.Body.Close()
}

func pauseFor(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// samples returns a batch with a sample for each second of a time that ends now.
func samples(host string, d time.Duration) *telemetry.Batch {
	batch, now := &telemetry.Batch{}, time.Now()
	for ago := d - time.Second; ago >= 0; ago -= time.Second {
		batch.Readings = append(batch.Readings, reading(host, now.Add(-ago)))
	}
	return batch
}

// A usage has the counts of the first server since its start.
type usage struct {
	at                                time.Time
	written                           uint64 // bytes, to all files
	processor, transactions, readings float64
}

func (s *arrangement) usage(ctx context.Context, l *load) (u usage, err error) {
	p, err := process.NewProcess(int32(s.servers[0].Process.Pid))
	if err != nil {
		return u, err
	}
	files, err := p.IOCountersWithContext(ctx)
	if err != nil {
		return u, fmt.Errorf("the bytes that a process writes are not known: %w", err)
	}
	response, err := l.send(ctx, http.MethodGet, s.urls[0]+"/metrics", nil)
	if err != nil {
		return u, err
	}
	defer response.Body.Close()
	u = usage{at: time.Now(), written: files.DiskWriteBytes, processor: s.processor()}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		n, _ := strconv.ParseFloat(value, 64)
		switch name {
		case `pulse_write_seconds_count{result="ok"}`:
			u.transactions = n
		case `pulse_readings_total{result="stored"}`:
			u.readings = n
		}
	}
	return u, nil
}

// stored kills the server and checks that each acknowledged reading is stored once. It returns the size of
// the database for each reading.
func (s *arrangement) stored(ctx context.Context, l *load) (string, error) {
	s.kill(0)
	a, err := s.verify(ctx, l)
	if err != nil {
		return "", err
	}
	if a.lost > 0 || a.doubled > 0 || a.tiers[0] != a.tiers[1] || a.tiers[0] != a.tiers[2] {
		return "", fmt.Errorf("%d readings are lost, %d doubled, and the tiers have %v", a.lost, a.doubled, a.tiers)
	}
	if n := l.failures.Load(); n > 0 {
		return "", fmt.Errorf("%d requests failed, the last: %w", n, l.lastError)
	}
	info, err := os.Stat(s.db)
	if err == nil && a.stored == 0 {
		err = errors.New("nothing is stored")
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprint(info.Size() / int64(a.stored)), nil
}
