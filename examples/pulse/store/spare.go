package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const (
	// spareSize is the maximum size of the database of a Spare in bytes.
	spareSize = 128 << 20

	// spareEvery is the minimum time between two readings of a host that a Spare stores.
	spareEvery = 5 * time.Second

	// spareReadings and spareMinutes are the times for which a Spare keeps readings and minutes. Rules need
	// minutes of an hour, see package watch.
	spareReadings = 5 * time.Minute
	spareMinutes  = 75 * time.Minute
)

// A Spare is a store in memory that stands in for a store whose disk is full. It has the hosts, the last
// minutes, the alerts and the reports of that store.
type Spare struct {
	SQLite

	mu      sync.Mutex
	last    map[string]time.Time // the times of the last readings, by host
	trimmed time.Time
}

// OpenSpare returns a Spare for a store that can be read.
func OpenSpare(ctx context.Context, full *SQLite) (*Spare, error) {
	s := &Spare{SQLite: SQLite{newBase(sqliteDialect, Options{Retention: spareReadings})}, last: map[string]time.Time{}, trimmed: time.Now()}
	err := s.open(ctx, "/pulse-"+rand.Text(), "vfs=memdb", fmt.Sprintf("_pragma=max_page_count(%d)", spareSize/4096))
	if err == nil {
		err = s.transact(ctx, s.write, "", func(tx session) error {
			for _, table := range []string{"hosts", "agents", "renames", "silences", "targets", "alerts", "incidents", "reports", "alert_changes"} {
				if err := copyTable(ctx, tx, full, table, "true"); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err == nil {
		err = s.transact(ctx, s.write, "", func(tx session) error {
			return copyTable(ctx, tx, full, "minutes", "at >= ?", time.Now().Add(-spareMinutes).UnixMilli())
		})
		if errors.Is(err, ErrFull) { // rules with durations begin anew
			err = nil
		}
	}
	if err != nil {
		_ = s.Close() // err is more important than the error of Close
		return nil, err
	}
	return s, nil
}

// Restore stores the alerts and the reports in the store, which has space again.
func (s *Spare) Restore(ctx context.Context, full *SQLite) error {
	return full.transact(ctx, full.write, "", func(tx session) error {
		newest, err := first(rows(ctx, tx, single[int64], "SELECT coalesce(max(id), 0) FROM alert_changes"))
		if err != nil {
			return err
		}
		for _, table := range []string{"targets", "alerts", "incidents", "reports"} {
			if _, err := tx.exec(ctx, "DELETE FROM "+table); err != nil {
				return err
			}
			if err := copyTable(ctx, tx, &s.SQLite, table, "true"); err != nil {
				return err
			}
		}
		return copyTable(ctx, tx, &s.SQLite, "alert_changes", "id > ?", newest)
	})
}

// copyTable copies the rows of a table for which a condition is true.
func copyTable(ctx context.Context, tx session, from *SQLite, table, condition string, args ...any) error {
	source, err := from.read.QueryContext(ctx, "SELECT * FROM "+table+" WHERE "+condition, args...)
	if err != nil {
		return from.failed(err)
	}
	defer source.Close()
	columns, err := source.Columns()
	if err != nil {
		return from.failed(err)
	}
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	insert := "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")"
	for source.Next() {
		if err := source.Scan(targets...); err != nil {
			return from.failed(err)
		}
		if _, err := tx.exec(ctx, insert, values...); err != nil {
			return err
		}
	}
	return from.failed(source.Err())
}

// Write stores the readings that are newer than the last reading of their host by spareEvery. It deletes old
// readings and minutes from time to time.
func (s *Spare) Write(ctx context.Context, batches [][]telemetry.Reading) ([][]telemetry.Reading, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var kept []telemetry.Reading
	for _, batch := range batches {
		for _, r := range batch {
			if r.At.Sub(s.last[r.Host]) >= spareEvery {
				s.last[r.Host] = r.At
				kept = append(kept, r)
			}
		}
	}
	if now := time.Now(); now.Sub(s.trimmed) >= time.Minute {
		s.trimmed = now
		for _, t := range []struct {
			table string
			keep  time.Duration
		}{{"readings", spareReadings}, {"minutes", spareMinutes}, {"hours", spareMinutes}} {
			if _, err := s.exec(ctx, "DELETE FROM "+t.table+" WHERE at < ?", now.Add(-t.keep).UnixMilli()); err != nil {
				return nil, err
			}
		}
	}
	fresh, err := s.SQLite.Write(ctx, [][]telemetry.Reading{kept})
	if errors.Is(err, ErrFull) { // rules with durations begin anew, but no host is silent
		for _, table := range []string{"readings", "minutes", "hours"} {
			if _, err := s.exec(ctx, "DELETE FROM "+table); err != nil {
				return nil, err
			}
		}
		fresh, err = s.SQLite.Write(ctx, [][]telemetry.Reading{kept})
	}
	return fresh, err
}
