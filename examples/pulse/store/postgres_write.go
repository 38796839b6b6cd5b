package store

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// Write copies the batches into a temporary table, and from there the new readings into the table
// of readings.
func (s *Postgres) Write(ctx context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error) {
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := s.partition(ctx, s.needed(batches)...); err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		err = pgx.BeginFunc(ctx, s.write, func(tx pgx.Tx) (err error) {
			if err := renameNew(ctx, tx, batches); err != nil {
				return err
			}
			if fresh, err = insertNew(ctx, tx, batches); err != nil {
				return err
			}
			return rollUpNew(ctx, tx, fresh, s.options)
		})
		e := (*pgconn.PgError)(nil)
		if again := errors.As(err, &e) && (e.Code == "40P01" || e.Code == "40001"); !again || attempt == 3 {
			break
		}
	}
	if errors.Is(err, context.DeadlineExceeded) && caller.Err() == nil {
		return nil, fmt.Errorf("%w: a batch takes too long: %w", ErrUnavailable, err)
	}
	if err != nil {
		return nil, s.failed(err)
	}
	s.raiseNewest(fresh)
	return fresh, nil
}

// renameNew changes the readings of renamed hosts to the new names. Other servers cannot rename a
// host until the transaction ends.
func renameNew(ctx context.Context, tx pgx.Tx, batches [][]telemetry.Reading) error {
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock_shared($1)", int64(lockNames)); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, selectRenames)
	if err != nil {
		return err
	}
	names := map[string]string{}
	var from, to string
	_, err = pgx.ForEachRow(rows, []any{&from, &to}, func() error { names[from] = to; return nil })
	rename(batches, names)
	return err
}

// insertNew stores the readings that are not stored yet, and returns them for each batch.
func insertNew(ctx context.Context, tx pgx.Tx, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error) {
	var all []*telemetry.Reading
	for _, readings := range batches {
		for i := range readings {
			all = append(all, &readings[i])
		}
	}
	fresh = make([][]telemetry.Reading, len(batches))
	if len(all) == 0 {
		return fresh, nil
	}
	names := append([]string{"number", "host", "at"}, columnNames()...)
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"staging"}, names, pgx.CopyFromSlice(len(all), func(i int) ([]any, error) {
		values, err := plain(all[i])
		return append([]any{int64(i)}, values...), err
	}))
	if err != nil {
		return nil, err
	}
	// The rows are in the order of the unique index, so that two servers with the same batch
	// cannot deadlock.
	rows, err := tx.Query(ctx, insertNewSQL)
	if err != nil {
		return nil, err
	}
	isNew := map[slot]bool{}
	var key slot
	if _, err := pgx.ForEachRow(rows, []any{&key.host, &key.at}, func() error { isNew[key] = true; return nil }); err != nil {
		return nil, err
	}
	for i, readings := range batches {
		for _, r := range readings {
			if key := (slot{r.Host, r.At.UnixMilli()}); isNew[key] {
				fresh[i] = append(fresh[i], r)
				delete(isNew, key) // the first of several duplicates in a batch was stored
			}
		}
	}
	return fresh, nil
}

var insertNewSQL = "INSERT INTO readings (" + names("", "") + ") SELECT " + names("", "") +
	" FROM staging ORDER BY host COLLATE \"C\", at, number ON CONFLICT (host, at) DO NOTHING RETURNING host, at"

func columnNames() (names []string) {
	for _, c := range columns {
		names = append(names, c.name)
	}
	return names
}

// rollUpNew adds new readings to the sums of their minutes and hours.
func rollUpNew(ctx context.Context, tx pgx.Tx, fresh [][]telemetry.Reading, o Options) error {
	hosts := newest(fresh)
	if len(hosts) == 0 {
		return nil
	}
	// Sums are read, changed and written. The locks keep other servers from changing the same
	// sums meanwhile.
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(k) FROM unnest($1::bigint[]) k", hostLocks(hosts)); err != nil {
		return err
	}
	for tier := range tables {
		if err := countNew(ctx, tx, tier, summed(fresh, tier)); err != nil {
			return err
		}
	}
	var names []string
	var oldest, last, heard []int64
	var texts [][]byte
	for name, h := range hosts {
		text, err := json.Marshal(&h.Reading)
		if err != nil {
			return err
		}
		names, texts = append(names, name), append(texts, text)
		oldest, last, heard = append(oldest, h.First.UnixMilli()), append(last, h.Last.UnixMilli()), append(heard, o.heard(h))
	}
	_, err := tx.Exec(ctx, `INSERT INTO hosts (host, oldest, newest, heard, reading)
		SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])
		ON CONFLICT (host) DO UPDATE SET oldest = least(hosts.oldest, excluded.oldest), newest = greatest(hosts.newest, excluded.newest),
			heard = CASE WHEN $6 THEN greatest(hosts.heard, excluded.heard) ELSE excluded.heard END, reading = CASE WHEN $6 AND excluded.heard <= hosts.heard THEN hosts.reading ELSE excluded.reading END`,
		names, oldest, last, heard, texts, o.History)
	return err
}

// hostLocks returns the sorted numbers of the locks of hosts. Sorted locks cannot deadlock. Several
// hosts share a lock, because PostgreSQL has only a few thousand locks.
func hostLocks(hosts map[string]*Host) (locks []int64) {
	for name := range hosts {
		h := fnv.New32a()
		h.Write([]byte(name))
		locks = append(locks, lockHosts+int64(h.Sum32()%512))
	}
	slices.Sort(locks)
	return slices.Compact(locks)
}

// countNew adds sums to the stored sums of their slots.
func countNew(ctx context.Context, tx pgx.Tx, tier Tier, sums map[slot]*telemetry.Bucket) error {
	var hosts []string
	var times []int64
	for at := range sums {
		hosts, times = append(hosts, at.host), append(times, at.at)
	}
	rows, err := tx.Query(ctx, "SELECT t.host, t.at, t.summary FROM unnest($1::text[], $2::bigint[]) AS u (h, a) JOIN "+tables[tier]+" t ON t.host = u.h AND t.at = u.a", hosts, times)
	if err != nil {
		return err
	}
	var at slot
	var data []byte
	if _, err := pgx.ForEachRow(rows, []any{&at.host, &at.at, &data}, func() error {
		var before telemetry.Bucket
		if err := wire.Unmarshal(data, &before); err != nil {
			return err
		}
		sums[at].Merge(&before)
		return nil
	}); err != nil {
		return err
	}
	var encoded [][]byte
	for i := range hosts {
		data, err := wire.Marshal(sums[slot{hosts[i], times[i]}])
		if err != nil {
			return err
		}
		encoded = append(encoded, data)
	}
	_, err = tx.Exec(ctx, "INSERT INTO "+tables[tier]+" (host, at, summary) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[]) ON CONFLICT (host, at) DO UPDATE SET summary = excluded.summary", hosts, times, encoded)
	return err
}
