package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestPlan compares a plan with results that are computed by hand.
func TestPlan(t *testing.T) {
	p := plan{
		agents: 1000, interval: time.Second, batch: 2, lasting: 10 * time.Second,
		servers: 1, cores: 2, brokers: 1, databases: 2, writers: 1, group: 100,
		post: 100 * time.Microsecond, reading: 50 * time.Microsecond, put: 100 * time.Microsecond, commit: time.Millisecond, write: 90 * time.Microsecond,
	}
	stages := p.run()
	for i, want := range []stage{
		{use: 0.1, needed: 1, half: 200e-6}, // 1,000 posts of 200 µs, on two cores
		{use: 0.1, needed: 1, half: 300e-6},
		{use: 0.1, needed: 1, half: 1480e-6}, // the writers: a transaction has one batch if no other batch waits
	} {
		if got := stages[i]; math.Abs(got.use-want.use) > 1e-6 || got.needed != want.needed || got.half < want.half-1e-6 || got.half > 3*want.half || got.end < got.half {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	var text strings.Builder
	if err := p.print(&text); err != nil || strings.Contains(text.String(), "fall behind") {
		t.Errorf("%v\n%s", err, &text)
	}
	p.put = 2 * time.Millisecond
	text.Reset()
	if err := p.print(&text); err != nil || !strings.Contains(text.String(), "brokers fall behind") {
		t.Errorf("%v\n%s", err, &text)
	}
	if stages := p.run(); stages[1].end < 5 {
		t.Errorf("half of what came in ten seconds waits, and 99 %% are through after %v s", stages[1].end)
	}
}
