package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// latencies keeps the latencies of requests.
type latencies struct {
	mu   sync.Mutex
	list []time.Duration
}

func (l *latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, d)
}

func (l *latencies) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) == 0 {
		return "none"
	}
	slices.Sort(l.list)
	return fmt.Sprintf("half within %v, 99%% within %v, all within %v", l.quantile(0.5), l.quantile(0.99), l.quantile(1))
}

// quantile returns the time within which the given share of the requests was answered. The list must be
// sorted.
func (l *latencies) quantile(share float64) time.Duration {
	return l.list[int(share*float64(len(l.list)-1))].Round(10 * time.Microsecond)
}

// An account compares the readings in the database at the end with the readings that the servers
// have acknowledged.
type account struct {
	stored, lost, doubled int
	extra                 int // stored readings of posts whose answers were lost
	tiers                 [3]int
	caughtUp              time.Duration
}

// verify waits until all acknowledged readings are stored, but at most a minute, and counts the
// readings.
func (s *arrangement) verify(ctx context.Context, l *load) (a account, err error) {
	db, err := s.open(ctx)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	began := time.Now()
	for {
		if a, err = s.count(ctx, db, l); err != nil {
			return a, err
		}
		if a.caughtUp = time.Since(began); a.lost == 0 || a.caughtUp > time.Minute {
			return a, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (s *arrangement) count(ctx context.Context, db store.Store, l *load) (a account, err error) {
	from, to := time.Now().Add(-24*time.Hour).Truncate(time.Hour), time.Now().Add(time.Hour)
	found := map[string]map[int64]int{}
	for tier := range a.tiers {
		if err := db.Buckets(ctx, store.Tier(tier), store.HostRange{}, from, to, func(host string, at time.Time, b *telemetry.Bucket) error {
			if !strings.HasPrefix(host, hostPrefix) {
				return nil // a reading of the server's own agent
			}
			a.tiers[tier] += int(b.Lines[0].Count)
			if store.Tier(tier) == store.Seconds {
				if found[host] == nil {
					found[host] = map[int64]int{}
				}
				found[host][at.UnixMilli()]++
			}
			return nil
		}); err != nil {
			return a, err
		}
	}
	for host, times := range found {
		for at, n := range times {
			a.stored++
			a.doubled += n - 1
			if !l.acknowledged[host][at] {
				a.extra++
			}
		}
	}
	for host, times := range l.acknowledged {
		for at := range times {
			if found[host][at] == 0 {
				a.lost++
			}
		}
	}
	return a, nil
}

// report prints the results. It returns an error if readings were lost, stored twice or counted
// wrongly, or if a request failed.
func (l *load) report(o options, s *arrangement, a account) error {
	place := "a SQLite file"
	if s.shared != nil {
		place = "PostgreSQL and NATS"
	}
	promised := 0
	for _, times := range l.acknowledged {
		promised += len(times)
	}
	fmt.Printf("\nran:       %s, servers: %d, on %s; %d batches a second of %d readings, %d queries a second\n", o.duration, len(s.urls), place, o.posts, batchSize, o.queries)
	for _, name := range slices.Sorted(maps.Keys(s.faults)) {
		fmt.Printf("fault:     %d × %s\n", s.faults[name], name)
	}
	fmt.Printf("promised:  %d batches, %d readings (answered with a 2xx)\n", l.batches, promised)
	for _, status := range slices.Sorted(maps.Keys(l.refused)) {
		fmt.Printf("not taken: %d times %s\n", l.refused[status], cmp.Or(http.StatusText(status), "without an answer"))
	}
	fmt.Printf("stored:    %d readings, of them %d whose answer was lost\n", a.stored, a.extra)
	fmt.Printf("lost:      %d\n", a.lost)
	fmt.Printf("doubled:   %d\n", a.doubled)
	fmt.Printf("summed up: %d by minutes, %d by hours\n", a.tiers[store.Minutes], a.tiers[store.Hours])
	fmt.Printf("caught up: %s after the end", a.caughtUp.Round(time.Millisecond))
	if len(s.faults) > 0 {
		fmt.Printf(", and at most %s after a fault", s.slowest.Round(time.Millisecond))
	}
	fmt.Printf("\nposts:     %s\n", &l.postTime)
	fmt.Printf("queries:   %d, %s\n", l.queries.Load(), &l.queryTime)
	fmt.Printf("live:      %d events\n", l.events.Load())
	for i, bytes := range s.peaks {
		fmt.Printf("memory:    %.0f MiB at most in server %d\n", mib(uint64(bytes)), i)
	}

	var errs []error
	if a.lost > 0 {
		errs = append(errs, fmt.Errorf("%d acknowledged readings are lost", a.lost))
	}
	if a.doubled > 0 {
		errs = append(errs, fmt.Errorf("%d readings are stored more than once", a.doubled))
	}
	if a.tiers[store.Minutes] != a.tiers[store.Seconds] || a.tiers[store.Hours] != a.tiers[store.Seconds] {
		errs = append(errs, fmt.Errorf("%d readings are stored, but the sums count %d by minutes and %d by hours", a.tiers[store.Seconds], a.tiers[store.Minutes], a.tiers[store.Hours]))
	}
	if n := l.failures.Load(); n > 0 {
		errs = append(errs, fmt.Errorf("%d requests failed, the last: %w", n, l.lastError))
	}
	return errors.Join(errs...)
}

// checkFlat returns an error if the memory at the end is more than 25 % larger than after a fifth of the
// run, when the caches have filled.
func checkFlat(memory []sample) error {
	if len(memory) == 0 {
		return errors.New("the server's memory could not be measured")
	}
	end := memory[len(memory)-1].at
	window := min(time.Minute, end/5)
	early, late := median(memory, end/5, end/5+window), median(memory, end-window, end)
	fmt.Printf("memory:   %.1f MiB after %v, %.1f MiB after %v\n", mib(early), (end / 5).Round(time.Second), mib(late), end.Round(time.Second))
	if growth := float64(late)/float64(early) - 1; growth > 0.25 {
		return fmt.Errorf("memory grew by %.0f %%", growth*100)
	}
	return nil
}

// median returns the median of the measurements between two times, or 0 if there are none.
func median(memory []sample, from, to time.Duration) uint64 {
	var list []uint64
	for _, s := range memory {
		if s.at >= from && s.at <= to {
			list = append(list, s.rss)
		}
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

func mib(bytes uint64) float64 { return float64(bytes) / (1 << 20) }
