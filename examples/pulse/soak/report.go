package main

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// latencies keeps how long requests took.
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
	at := func(share float64) time.Duration {
		return l.list[int(share*float64(len(l.list)-1))].Round(10 * time.Microsecond)
	}
	return fmt.Sprintf("half within %v, 99%% within %v, all within %v", at(0.5), at(0.99), at(1))
}

// report prints what happened. Its error says which promise was broken.
func (l *load) report(memory []sample, missing int) error {
	acknowledged := 0
	for _, list := range l.acknowledged {
		acknowledged += len(list)
	}
	fmt.Printf("\nrequests: %s, %d turned away for a while\n", l.counts(), l.busy.Load())
	fmt.Printf("posts:    %s\n", &l.postTime)
	fmt.Printf("queries:  %s\n", &l.queryTime)
	fmt.Printf("killed and started again: %d readings were acknowledged, %d of them are missing\n", acknowledged, missing)

	var errs []error
	if missing > 0 {
		errs = append(errs, fmt.Errorf("%d acknowledged readings are missing", missing))
	}
	if n := l.failures.Load(); n > 0 {
		errs = append(errs, fmt.Errorf("%d requests failed, the last: %w", n, l.lastError))
	}
	if err := flat(memory); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// flat compares the memory early on, when caches have filled, with the end.
func flat(memory []sample) error {
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

// median is the middle of what was measured in a span of time.
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
