package alert

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// fullRule is the text of the alert that says that the disk of the database is full. It is not a rule.
const fullRule = "the disk of the database is full"

const (
	// refusedFor is the time for which refused readings mean that the disk is still full.
	refusedFor = 15 * time.Second

	// maxSent is the maximum number of reports in watcher.sent.
	maxSent = 10_000
)

// A Spare lets a server judge and report while the disk of its database is full: then it has a store in
// memory, and passes the refused readings to it. The zero value is ready for use.
type Spare struct {
	mu      sync.Mutex
	store   *store.Spare // nil unless the disk is full
	refused time.Time    // the last time at which readings were refused
	log     func(text string, err error, args ...any)
}

// A Writer stores batches of readings, see store.Store.
type Writer interface {
	Write(ctx context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error)
}

// Writer returns a Writer that calls w. Readings that w refuses because the disk is full are judged
// nevertheless.
func (s *Spare) Writer(w Writer) Writer { return &spareWriter{w, s} }

type spareWriter struct {
	Writer
	spare *Spare
}

func (w *spareWriter) Write(ctx context.Context, batches [][]telemetry.Reading) ([][]telemetry.Reading, error) {
	fresh, err := w.Writer.Write(ctx, batches)
	w.spare.mu.Lock()
	defer w.spare.mu.Unlock()
	if errors.Is(err, store.ErrFull) {
		w.spare.refused = time.Now()
	}
	if w.spare.store != nil {
		if _, failed := w.spare.store.Write(ctx, batches); failed != nil {
			w.spare.log("readings cannot be judged", failed)
		}
	}
	return fresh, err
}

// current returns the store in memory while the disk is full, and otherwise the store itself.
func (w *watcher) current() (s store.Store, full bool) {
	w.Spare.mu.Lock()
	defer w.Spare.mu.Unlock()
	if w.Spare.store != nil {
		return w.Spare.store, true
	}
	return w.Store, false
}

// refuses reports whether readings were refused a short time ago.
func (s *Spare) refuses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.refused) < refusedFor
}

// close closes the store in memory.
func (s *Spare) close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store != nil {
		err = s.store.Close()
		s.store = nil
	}
	return err
}

// judge judges all hosts, by the store or by the spare. Only SQLite has a spare: several servers of a
// PostgreSQL database whose disk is full would send reports twice.
func (w *watcher) judge(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, judgeTimeout)
	defer cancel()
	s, full := w.current()
	database, alone := w.Store.(*store.SQLite)
	if full && !w.Spare.refuses() && w.Store.Check(ctx) == nil {
		w.Spare.mu.Lock()
		err := w.Spare.store.Restore(ctx, database)
		if err == nil {
			err = w.Spare.store.Close()
			w.Spare.store, s, full = nil, w.Store, false
			w.Log.Info("the disk of the database has free space again")
		}
		w.Spare.mu.Unlock()
		if err != nil {
			w.logRarely("the alerts in memory cannot be stored", err)
		}
	}
	err := w.judgeBy(ctx, s, full)
	if full || !alone || !errors.Is(err, store.ErrFull) && !w.Spare.refuses() {
		return err
	}
	spare, failed := store.OpenSpare(ctx, database)
	if failed != nil {
		return errors.Join(err, failed)
	}
	w.Log.Error("the disk of the database is full: hosts are judged in memory", "error", err)
	w.Spare.mu.Lock()
	w.Spare.store, w.Spare.log = spare, w.logRarely
	w.Spare.mu.Unlock()
	w.next = time.Time{}
	return w.judgeBy(ctx, spare, true)
}

// isSent reports whether a report was sent whose delivery could not be stored.
func (w *watcher) isSent(target string, r *Report) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent[target+"\n"+r.ID()]
}

// noteSent remembers a report whose delivery is not stored.
func (w *watcher) noteSent(target string, r *Report) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.sent) >= maxSent {
		clear(w.sent)
	}
	w.sent[target+"\n"+r.ID()] = true
}
