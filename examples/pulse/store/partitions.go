package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

const dayMillis = int64(24 * time.Hour / time.Millisecond)

// maxDays is the number of days, up to today, that have their own partitions. Tomorrow has one too.
// Readings of other days are in the partition readings_other, because invented times must not
// create tables.
const maxDays = 366

// day returns the number of the day of a time.
func day(ms int64) int64 { return floor(ms, dayMillis) / dayMillis }

// partitionOf returns the name of a day's partition.
func partitionOf(day int64) string {
	return "readings_" + time.UnixMilli(day*dayMillis).UTC().Format("20060102")
}

// needed returns the days of the readings for which a partition may be created: the last maxDays
// days, and tomorrow.
func (s *Postgres) needed(batches [][]telemetry.Reading) (days []int64) {
	today := day(time.Now().UnixMilli())
	for _, readings := range batches {
		for i := range readings {
			if d := day(readings[i].At.UnixMilli()); d <= today+1 && d > today-maxDays && (len(days) == 0 || days[len(days)-1] != d) {
				days = append(days, d)
			}
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// partition creates partitions for days. It blocks other transactions, so it must not be called
// in a transaction. [Postgres.Prune] creates the partitions of today and tomorrow in advance.
func (s *Postgres) partition(ctx context.Context, days ...int64) error {
	for _, d := range days {
		s.mu.Lock()
		known := s.days[d]
		s.mu.Unlock()
		if known {
			continue
		}
		err := pgx.BeginFunc(ctx, s.write, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lockLayout)); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s PARTITION OF readings FOR VALUES FROM (%d) TO (%d)", partitionOf(d), d*dayMillis, (d+1)*dayMillis))
			return err
		})
		if e := (*pgconn.PgError)(nil); errors.As(err, &e) && e.Code == "23514" {
			slog.Warn("the readings of this day are already in the table readings_other, and stay there", "day", partitionOf(d))
		} else if err != nil {
			return s.failed(err)
		}
		s.mu.Lock()
		s.days[d] = true
		s.mu.Unlock()
	}
	return nil
}

// Prune drops the partitions of days that are entirely older than the retention, and deletes some of
// the old sums. A reading is kept until its whole day is too old. If another server is pruning, it
// does nothing.
func (s *Postgres) Prune(ctx context.Context) (more bool, err error) {
	today := day(time.Now().UnixMilli())
	if err := s.partition(ctx, today, today+1); err != nil {
		return false, err
	}
	if err := s.loadNewest(ctx); err != nil {
		return false, err
	}
	conn, err := s.write.Acquire(ctx)
	if err != nil {
		return false, s.failed(err)
	}
	defer conn.Release()
	var mine bool
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(lockPrune)).Scan(&mine); err != nil || !mine {
		return false, s.failed(err)
	}
	defer func() {
		// If this fails, the lock may still be held. It is released when the connection is
		// closed.
		if _, e := conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", int64(lockPrune)); e != nil {
			_ = conn.Conn().Close(context.WithoutCancel(ctx))
		}
	}()
	more, err = s.prune(ctx, conn.Conn())
	return more, s.failed(err)
}

func (s *Postgres) prune(ctx context.Context, conn *pgx.Conn) (more bool, err error) {
	now := s.Now()
	remove := func(tier Tier, text string) {
		keep := s.options.Keep(tier)
		if keep == 0 || err != nil {
			return
		}
		var tag pgconn.CommandTag
		if tag, err = conn.Exec(ctx, text, now.Add(-keep).UnixMilli(), pruneSize); err == nil {
			more = more || tag.RowsAffected() == pruneSize
		}
	}
	if keep := s.options.Keep(Seconds); keep > 0 {
		if err := dropDays(ctx, conn, day(now.Add(-keep).UnixMilli())); err != nil {
			return false, err
		}
	}
	remove(Seconds, "DELETE FROM readings_other WHERE (host, at) IN (SELECT host, at FROM readings_other WHERE at < $1 ORDER BY at LIMIT $2)")
	for tier, table := range tables {
		remove(tier, "DELETE FROM "+table+" WHERE (host, at) IN (SELECT t.host, t.at FROM hosts CROSS JOIN LATERAL (SELECT host, at FROM "+table+" WHERE host = hosts.host AND at < $1 LIMIT $2) t LIMIT $2)")
	}
	remove(Hours, "DELETE FROM hosts WHERE host IN (SELECT host FROM hosts WHERE heard < $1 AND NOT EXISTS (SELECT 1 FROM hours WHERE hours.host = hosts.host) LIMIT $2)")
	if err == nil {
		_, err = conn.Exec(ctx, dollars(abandonedSQL), time.Now().Add(-abandonedAfter).UnixMilli())
	}
	return more, err
}

// dropDays drops the tables of days before first, one at a time: a drop waits for all current
// readers, and new readers wait for the drop.
func dropDays(ctx context.Context, conn *pgx.Conn, first int64) error {
	rows, err := conn.Query(ctx, `SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = 'readings'::regclass AND c.relname ~ '^readings_[0-9]{8}$' AND c.relname < $1 ORDER BY 1`, partitionOf(first))
	if err != nil {
		return err
	}
	old, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, table := range old {
		if _, err := conn.Exec(ctx, "DROP TABLE "+table); err != nil {
			return err
		}
	}
	return nil
}
