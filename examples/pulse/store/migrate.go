package store

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// A step of a schema brings a database from one layout to the next.
type step struct {
	sql  string
	then func(context.Context, *sql.Tx) error // may be nil
}

// schema is the layout of a SQLite file, version by version: opening one runs the steps
// that it has not seen. Change it by adding a step, never by editing one that has been
// released.
var schema = []step{
	{sql: `CREATE TABLE readings (
		id   INTEGER PRIMARY KEY,
		host TEXT    NOT NULL,
		at   INTEGER NOT NULL, -- milliseconds since 1970, UTC` + columnDefinitions() + `
	) STRICT;
	-- One reading for a host and moment, and one host's readings in order.
	CREATE UNIQUE INDEX readings_host_at ON readings (host, at);
	-- Every host's readings in order, and the old ones to prune.
	CREATE INDEX readings_at_host ON readings (at, host);`},
	// The metrics that a reading has, so that readings with a metric are found where most have none.
	{sql: `ALTER TABLE readings ADD COLUMN has INTEGER AS (` + hasExpression() + `) VIRTUAL;
	CREATE INDEX readings_has_at ON readings (has, at, host);
	CREATE INDEX readings_host_has_at ON readings (host, has, at);
	-- One row, which is written and read to know that both can be done.
	CREATE TABLE health (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL, room BLOB) STRICT;`},
	// The data that stays when readings are gone, and each host's last reading.
	{sql: `CREATE TABLE minutes (host TEXT NOT NULL, at INTEGER NOT NULL, summary BLOB NOT NULL, PRIMARY KEY (host, at)) STRICT, WITHOUT ROWID;
	CREATE TABLE hours (host TEXT NOT NULL, at INTEGER NOT NULL, summary BLOB NOT NULL, PRIMARY KEY (host, at)) STRICT, WITHOUT ROWID;
	CREATE TABLE hosts (
		host    TEXT PRIMARY KEY,
		oldest  INTEGER NOT NULL, -- times of readings, milliseconds since 1970
		newest  INTEGER NOT NULL,
		heard   INTEGER NOT NULL, -- when a reading was stored last
		reading BLOB NOT NULL     -- which came last, in JSON
	) STRICT, WITHOUT ROWID;`, then: rollUpStored},
}

// migrate brings the database to the newest version of the schema.
func migrate(ctx context.Context, db *sql.DB) error {
	version, err := migrateSteps(ctx, db)
	if err != nil || version == len(schema) {
		return err
	}
	// A file gives room back only if that was asked for before it had tables, or when it is
	// written anew.
	var vacuum int
	if err := db.QueryRowContext(ctx, "PRAGMA auto_vacuum").Scan(&vacuum); err != nil || vacuum == 2 {
		return err
	}
	if _, err := db.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM"); err != nil {
		slog.Warn("the database will not give back room on the disk: it cannot be written anew", "error", err)
	}
	return nil
}

// migrateSteps returns the version that the database had.
func migrateSteps(ctx context.Context, db *sql.DB) (version int, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if version > len(schema) {
		return 0, fmt.Errorf("it was written by a newer pulse (layout %d, this one knows %d)", version, len(schema))
	}
	for _, step := range schema[version:] {
		if _, err := tx.ExecContext(ctx, step.sql); err != nil {
			return 0, err
		}
		if step.then != nil {
			if err := step.then(ctx, tx); err != nil {
				return 0, err
			}
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(schema))); err != nil {
		return 0, err
	}
	return version, tx.Commit()
}

// rollUpStored sums up the readings of a database that has had no sums.
func rollUpStored(ctx context.Context, tx *sql.Tx) error {
	hosts, err := storedHosts(ctx, tx)
	if err != nil {
		return err
	}
	for i, host := range hosts {
		slog.Info("summing up stored readings", "host", host, "hosts", fmt.Sprintf("%d of %d", i+1, len(hosts)))
		if err := rollUpHost(ctx, tx, host); err != nil {
			return err
		}
	}
	return nil
}

// storedHosts hops from one host to the next through the index.
func storedHosts(ctx context.Context, tx *sql.Tx) (hosts []string, err error) {
	for last := ""; ; {
		var next sql.NullString
		if err := tx.QueryRowContext(ctx, "SELECT min(host) FROM readings WHERE host > ?", last).Scan(&next); err != nil || !next.Valid {
			return hosts, err
		}
		last = next.String
		hosts = append(hosts, last)
	}
}

func rollUpHost(ctx context.Context, tx *sql.Tx, host string) error {
	rows, err := tx.QueryContext(ctx, "SELECT "+names("", "")+" FROM readings WHERE host = ? ORDER BY at", host)
	if err != nil {
		return err
	}
	defer rows.Close()
	var first, last telemetry.Reading
	open, starts := map[Tier]*telemetry.Bucket{}, map[Tier]int64{}
	flush := func(tier Tier) error {
		if open[tier] == nil {
			return nil
		}
		data, err := wire.Marshal(open[tier])
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO "+tables[tier]+" (host, at, summary) VALUES (?, ?, ?)", host, starts[tier], data)
		return err
	}
	for rows.Next() {
		last = telemetry.Reading{}
		if err := rows.Scan(fields(&last, "")...); err != nil {
			return err
		}
		if first.Host == "" {
			first = last
		}
		for tier := range tables {
			if start := floor(last.At.UnixMilli(), tier.Step().Milliseconds()); open[tier] == nil || start != starts[tier] {
				if err := flush(tier); err != nil {
					return err
				}
				open[tier], starts[tier] = &telemetry.Bucket{}, start
			}
			open[tier].Add(&last)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for tier := range tables {
		if err := flush(tier); err != nil {
			return err
		}
	}
	text, err := json.Marshal(&last)
	if err != nil {
		return err
	}
	// When it was heard nobody wrote down: its clock is as near as one gets.
	heard := last.At
	if now := time.Now(); heard.After(now) {
		heard = now
	}
	_, err = tx.ExecContext(ctx, hostSQL, host, millis{&first.At}, millis{&last.At}, millis{&heard}, text)
	return err
}
