package store

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// groupSize is about how many readings one transaction may hold. It bounds how
// long the first batch of a group waits for the last.
const groupSize = 4000

// A submission is one batch on its way to the disk.
type submission struct {
	readings []telemetry.Reading
	done     chan outcome // has room for one
}

type outcome struct {
	stored int
	err    error
}

// Append stores readings and returns how many of them were new. When it
// returns nil they are on disk.
//
// If the queue is full it fails at once with [ErrBusy]. If ctx is done first
// the readings may be stored or not.
func (s *Store) Append(ctx context.Context, readings []telemetry.Reading) (stored int, err error) {
	batch := &submission{readings, make(chan outcome, 1)}
	if err := s.enqueue(batch); err != nil {
		return 0, err
	}
	select {
	case o := <-batch.done:
		return o.stored, o.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (s *Store) enqueue(batch *submission) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return ErrClosed
	}
	select {
	case s.queue <- batch:
		return nil
	default:
		return ErrBusy
	}
}

// run is the one writer. It leaves when the queue is closed and empty.
func (s *Store) run() {
	defer close(s.done)
	prune := time.NewTimer(0)
	defer prune.Stop()
	for {
		select {
		case batch, open := <-s.queue:
			if !open {
				return
			}
			s.writeGroup(s.gather(batch))
		case <-prune.C:
			prune.Reset(s.pruneSome())
		}
	}
}

// gather adds to first the batches that have queued up behind it.
func (s *Store) gather(first *submission) []*submission {
	group, readings := []*submission{first}, len(first.readings)
	for readings < groupSize {
		select {
		case batch, open := <-s.queue:
			if !open {
				return group
			}
			group = append(group, batch)
			readings += len(batch.readings)
		default:
			return group
		}
	}
	return group
}

// writeGroup stores a group in one transaction and tells each batch's sender.
// Validation is behind us, so an error here is the disk's or the database's and
// concerns them all.
func (s *Store) writeGroup(group []*submission) {
	outcomes := make([]outcome, len(group))
	stored, err := s.transact(group, outcomes)
	if err == nil && len(stored) > 0 {
		s.options.Stored(stored)
	}
	for i, batch := range group {
		if err != nil {
			outcomes[i] = outcome{err: err}
		}
		batch.done <- outcomes[i]
	}
}

func (s *Store) transact(group []*submission, outcomes []outcome) (stored []telemetry.Reading, err error) {
	// Not the context of a request: a sender that gives up must not undo the
	// batches of the others.
	ctx := context.Background()
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	insert := tx.StmtContext(ctx, s.insert)
	defer insert.Close()
	for i, batch := range group {
		for j := range batch.readings {
			result, err := insert.ExecContext(ctx, fields(&batch.readings[j], "")...)
			if err != nil {
				return nil, fmt.Errorf("store: %w", err)
			}
			if n, err := result.RowsAffected(); err == nil && n > 0 {
				outcomes[i].stored++
				stored = append(stored, batch.readings[j])
			}
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return stored, nil
}

// Pruning deletes a little at a time, between two groups, so that a week's
// worth of old readings never keeps a batch waiting. The space is used again:
// the file stops growing when it holds as much as the retention lets it.
const (
	pruneSize  = 500
	pruneEvery = time.Minute
	pruneAgain = 100 * time.Millisecond // while there is more to delete

	pruneSQL = "DELETE FROM readings WHERE id IN (SELECT id FROM readings WHERE at < ? ORDER BY at LIMIT ?)"
)

// pruneSome deletes some readings that are too old and returns when to go on.
func (s *Store) pruneSome() time.Duration {
	if s.options.Retention <= 0 {
		return pruneEvery
	}
	result, err := s.prune.Exec(time.Now().Add(-s.options.Retention).UnixMilli(), pruneSize)
	if err != nil {
		slog.Error("cannot delete old readings", "error", err)
		return pruneEvery
	}
	if n, err := result.RowsAffected(); err == nil && n == pruneSize {
		return pruneAgain
	}
	return pruneEvery
}
