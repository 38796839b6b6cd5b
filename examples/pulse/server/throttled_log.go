package server

import (
	"log/slog"
	"sync"
	"time"
)

// A throttledLog logs an error at once, and then counts further errors and logs their number once in a while.
type throttledLog struct {
	log   *slog.Logger
	every time.Duration

	mu    sync.Mutex
	timer *time.Timer // nil if no error has occurred for a while
	count int         // the number of errors that are not logged yet
	last  error
}

func (r *throttledLog) error(text string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timer != nil {
		r.count, r.last = r.count+1, err
		return
	}
	r.log.Error(text, "error", err)
	r.timer = time.AfterFunc(r.every, func() { r.report(text) })
}

func (r *throttledLog) report(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == 0 {
		r.timer = nil
		return
	}
	r.log.Error(text, "times", r.count, "last error", r.last)
	r.count = 0
	r.timer.Reset(r.every)
}
