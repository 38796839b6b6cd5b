package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// throughput measures how many readings a second servers accept and store. Agents post again as
// soon as they get an answer, and browsers follow the live stream.
func throughput(ctx context.Context, each time.Duration, batch int) error {
	fmt.Printf("posts of %d, each run %s\n\n", batch, each)
	fmt.Println("| servers | on | agents | browsers | taken/s | stored/s | half of the answers within | 99 % within | events/s | processor of the servers for each reading |")
	fmt.Println("|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|")
	for servers := range 4 {
		if err := measure(ctx, servers, each, batch); err != nil {
			return err
		}
	}
	return nil
}

// measure measures one arrangement: several servers with PostgreSQL and NATS, or one server with SQLite if
// servers is 0.
func measure(ctx context.Context, servers int, each time.Duration, batch int) (err error) {
	place := "PostgreSQL, NATS"
	if servers == 0 {
		place = "SQLite"
	}
	s, err := arrange(ctx, max(servers, 1), "127.0.0.1:0", servers > 0, false, "-commit-wait", "0") // each agent waits for an answer
	if err != nil {
		return err
	}
	defer func() { s.close(err != nil && ctx.Err() == nil) }()
	run := 0
	for _, agents := range []int{1, 16, 64} {
		for _, browsers := range []int{0, 50} {
			run++
			l := newLoad(s.urls)
			l.tolerant = true // the server disconnects a browser that is too slow, so connect again
			loading, stop := context.WithTimeout(ctx, each)
			var group sync.WaitGroup
			for i := range browsers {
				group.Go(func() { l.browse(loading, s.urls[i%len(s.urls)]) })
			}
			began, used := time.Now(), s.processor()
			for i := range agents {
				next := l.agent(fmt.Sprintf("%s%d-%d", hostPrefix, run, i), began.Add(-2*time.Hour), batch)
				group.Go(func() {
					for loading.Err() == nil {
						l.deliver(loading, i, next())
					}
				})
			}
			group.Wait()
			took := time.Since(began)
			stop()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			l.mu.Lock()
			taken := float64(l.readings)
			l.mu.Unlock()
			if err := s.mark(l, run); err != nil {
				return err
			}
			used = s.processor() - used
			_ = l.postTime.String() // sorts the latencies
			half, most := l.postTime.quantile(0.5), l.postTime.quantile(0.99)
			fmt.Printf("| %d | %s | %d | %d | %.0f | %.0f | %v | %v | %.0f | %.1f µs |\n", len(s.urls), place, agents, browsers,
				taken/took.Seconds(), taken/time.Since(began).Seconds(), half, most, float64(l.events.Load())/took.Seconds(), used*1e6/max(taken, 1))
			if n := l.failures.Load(); n > 0 {
				return fmt.Errorf("%d requests failed, the last: %w", n, l.lastError)
			}
		}
	}
	return nil
}

// processor returns the processor time of the servers in seconds.
func (s *arrangement) processor() (seconds float64) {
	for _, server := range s.servers {
		p, err := process.NewProcess(int32(server.Process.Pid))
		if err != nil {
			continue
		}
		if times, err := p.Times(); err == nil {
			seconds += times.User + times.System
		}
	}
	return seconds
}

// browse sends the requests of an open page: the live stream, and the overview every few seconds.
func (l *load) browse(ctx context.Context, url string) {
	go func() {
		pace(ctx, 0.2, func() {
			if response, err := l.send(ctx, http.MethodGet, url+"/v1/overview", nil); err == nil {
				response.Body.Close()
			}
		})
	}()
	for ctx.Err() == nil {
		l.follow(ctx, url)
	}
}
