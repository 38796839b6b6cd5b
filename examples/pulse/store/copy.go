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

// Write copies batches into a table of the connection, and from there the new ones among the
// readings.
func (s *Postgres) Write(ctx context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error) {
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := s.partition(ctx, s.needed(batches)...); err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		err = pgx.BeginFunc(ctx, s.write, func(tx pgx.Tx) (err error) {
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
	return fresh, nil
}

// insertNew returns of each batch the readings that were not stored.
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
	// In the order of the unique index: two servers with the same batch wait for each other in
	// one direction.
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
				delete(isNew, key) // of duplicates in a batch, the first was stored
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

// rollUpNew counts new readings in the minutes and hours that they belong to.
func rollUpNew(ctx context.Context, tx pgx.Tx, fresh [][]telemetry.Reading, o Options) error {
	hosts := newest(fresh)
	if len(hosts) == 0 {
		return nil
	}
	// Sums are read, added to and written: no other server may do so with the same meanwhile.
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
			heard = greatest(hosts.heard, excluded.heard), reading = CASE WHEN $6 AND excluded.heard <= hosts.heard THEN hosts.reading ELSE excluded.reading END`,
		names, oldest, last, heard, texts, o.History)
	return err
}

// hostLocks returns the numbers of the locks of hosts in order, so that servers wait for each
// other in one direction. Several hosts share a lock: PostgreSQL has room for some thousands.
func hostLocks(hosts map[string]*Host) (locks []int64) {
	for name := range hosts {
		h := fnv.New32a()
		h.Write([]byte(name))
		locks = append(locks, lockHosts+int64(h.Sum32()%512))
	}
	slices.Sort(locks)
	return slices.Compact(locks)
}

// countNew adds sums to what their slots hold.
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
