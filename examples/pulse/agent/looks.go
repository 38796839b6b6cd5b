package agent

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// askEvery is the time between two questions whether somebody looks at readings, so that a page shows fresh
// values soon after it was opened. While somebody looks, the receipts of posts answer the question.
const askEvery = 5 * time.Second

// looks has the last answer of a server to this question.
type looks struct {
	mu      sync.Mutex
	watched bool
	older   bool      // the server has an older version, and does not know
	next    time.Time // the time of the next question
}

// receipt records what the receipt of a post says.
func (l *looks) receipt(watched bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watched = watched; watched {
		l.next = time.Now().Add(askEvery)
	}
}

// answer records the answer to a question.
func (l *looks) answer(look *telemetry.Look, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next = time.Now().Add(askEvery)
	var problem *api.Problem
	switch {
	case err == nil && look != nil:
		l.watched, l.older = look.Watched, false
	case errors.As(err, &problem) && problem.Status == http.StatusNotFound:
		l.watched, l.older, l.next = false, true, time.Now().Add(olderFor)
	}
}

// pause returns the time until the next question.
func (l *looks) pause() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Until(l.next)
}

// ask asks the current server, until ctx is done.
func (a *Agent) ask(ctx context.Context) {
	if a.options.Watched != nil || a.options.Report <= a.options.Interval {
		return // the answers change nothing
	}
	for {
		select {
		case <-time.After(a.looks.pause()):
		case <-ctx.Done():
			return
		}
		if a.looks.pause() <= 0 {
			a.looks.answer(a.poster.current().watched(ctx, new(struct{})))
		}
	}
}

// hurries reports whether each sample is to be posted at once: if somebody looks, or if the server does
// not know.
func (a *Agent) hurries() bool {
	if a.options.Watched != nil {
		return a.options.Watched()
	}
	a.looks.mu.Lock()
	defer a.looks.mu.Unlock()
	return a.looks.watched || a.looks.older
}
