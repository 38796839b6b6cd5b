package server

import (
	"context"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	// watchedFor is the time after a look for which readings are watched. The page looks every three
	// seconds.
	watchedFor = 10 * time.Second

	// tellEvery limits how often the other servers are told, and is the interval at which an open
	// stream counts as a look.
	tellEvery = 2 * time.Second
)

// Look records that somebody looks at readings now, and tells the other servers.
func (l *Live) Look() {
	l.LookedElsewhere()
	l.mu.Lock()
	now := time.Now()
	tell := l.Tell != nil && now.Sub(l.told) >= tellEvery
	if tell {
		l.told = now
	}
	l.mu.Unlock()
	if tell {
		l.Tell()
	}
}

// LookedElsewhere records that somebody looks at readings now, at any server.
func (l *Live) LookedElsewhere() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.looked = time.Now()
}

// Watched reports whether somebody looks at readings. Agents then post each reading at once.
func (l *Live) Watched() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.looked.IsZero() && time.Since(l.looked) < watchedFor
}

// watched handles GET /v1/watched.
func (l *Live) watched(context.Context, *struct{}) (*telemetry.Look, error) {
	return &telemetry.Look{Watched: l.Watched()}, nil
}
