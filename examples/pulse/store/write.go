package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// A slot identifies a stored reading or a stored bucket.
type slot struct {
	host string
	at   int64 // the time of a reading or the start of a bucket, in milliseconds since 1970
}

func slotFields(s *slot) []any { return []any{&s.host, &s.at} }

// Write is documented at [Store].
func (b *base) Write(ctx context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error) {
	err = b.transact(ctx, b.write, b.lockWrite, func(tx session) error {
		if err := rename(ctx, tx, batches); err != nil {
			return err
		}
		if fresh, err = insertNew(ctx, tx, batches); err != nil {
			return err
		}
		return rollUp(ctx, tx, fresh, b.options)
	})
	if err != nil {
		return nil, err
	}
	b.raiseNewest(fresh)
	return fresh, nil
}

// rename changes the readings of renamed hosts to the new names.
func rename(ctx context.Context, tx session, batches [][]telemetry.Reading) error {
	names := map[string]string{}
	for pair, err := range rows(ctx, tx, func(p *[2]string) []any { return []any{&p[0], &p[1]} }, "SELECT old, new FROM renames") {
		if err != nil {
			return err
		}
		names[pair[0]] = pair[1]
	}
	if len(names) == 0 {
		return nil
	}
	for _, readings := range batches {
		for i := range readings {
			if name, renamed := names[readings[i].Host]; renamed {
				readings[i].Host = name
			}
		}
	}
	return nil
}

// insertNew stores the readings that are not stored yet, and returns them for each batch.
func insertNew(ctx context.Context, tx session, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error) {
	var all []*telemetry.Reading
	for _, readings := range batches {
		for i := range readings {
			all = append(all, &readings[i])
		}
	}
	// The rows are in the order of the unique index, so that two servers with the same batch cannot
	// deadlock. The first of several duplicates is stored.
	slices.SortStableFunc(all, func(x, y *telemetry.Reading) int { return cmp.Or(cmp.Compare(x.Host, y.Host), x.At.Compare(y.At)) })
	values := make([][]any, len(all))
	for i, r := range all {
		values[i] = allFields(r)
	}
	inserted, err := insert(ctx, tx, "INSERT INTO readings", readingColumns, values, "ON CONFLICT (host, at) DO NOTHING RETURNING host, at")
	if err != nil {
		return nil, err
	}
	isNew := map[slot]bool{}
	for _, key := range inserted {
		isNew[key] = true
	}
	fresh = make([][]telemetry.Reading, len(batches))
	for i, readings := range batches {
		for _, r := range readings {
			if key := (slot{r.Host, r.At.UnixMilli()}); isNew[key] {
				fresh[i] = append(fresh[i], r)
				delete(isNew, key)
			}
		}
	}
	return fresh, nil
}

// insert converts the values of rows to types of the driver, and inserts the rows as the dialect does.
func insert(ctx context.Context, tx session, into string, columns []column, rows [][]any, rest string) ([]slot, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	for _, row := range rows {
		for i := range row {
			value, err := driver.DefaultParameterConverter.ConvertValue(row[i])
			if err != nil {
				return nil, err
			}
			row[i] = value
		}
	}
	return tx.insert(ctx, tx, into, columns, rows, rest)
}
