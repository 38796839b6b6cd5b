package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// migrations has a folder of SQL files for each database. A layout is changed by adding a file, never
// by editing one that has been released.
//
//go:embed migrations
var migrations embed.FS

const versionTable = "goose_db_version"

// takenOver is the version that pulse's own table of versions gets when goose takes over. Programs
// without goose then refuse the database as a newer one.
const takenOver = 1000

// A layout is the layout of one of the databases, and the way to find the version of a database
// that a program without goose has created.
type layout struct {
	dialect goose.Dialect
	folder  string
	options []goose.ProviderOption
	lock    string // a statement that makes other servers wait
	version string // a query of the version before goose; 0 or no row if there is none
	retire  string // a statement that sets that version to takenOver
}

func sqliteLayout() (l layout, err error) {
	sums, err := migrations.ReadFile("migrations/sqlite-go/003_sums.sql")
	sum := goose.NewGoMigration(3, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, string(sums)); err != nil {
			return err
		}
		return rollUpStored(ctx, tx)
	}}, nil)
	return layout{
		goose.DialectSQLite3, "migrations/sqlite", []goose.ProviderOption{goose.WithGoMigrations(sum), goose.WithDisableGlobalRegistry(true)},
		"", "PRAGMA user_version", fmt.Sprintf("PRAGMA user_version = %d", takenOver),
	}, err
}

func postgresLayout() (l layout, err error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockID(lockLayout))
	return layout{
		goose.DialectPostgres, "migrations/postgres", []goose.ProviderOption{goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true)},
		"LOCK TABLE layout", "SELECT coalesce(max(version), 0) FROM layout", fmt.Sprintf("INSERT INTO layout (version) VALUES (%d)", takenOver),
	}, err
}

// migrate changes a database to the newest layout. changed is false if it had that layout.
func (l *layout) migrate(ctx context.Context, db *sql.DB) (changed bool, err error) {
	if err := l.takeOver(ctx, db); err != nil {
		return false, err
	}
	files, err := fs.Sub(migrations, l.folder)
	if err != nil {
		return false, err
	}
	provider, err := goose.NewProvider(l.dialect, db, files, l.options...)
	if err != nil {
		return false, err
	}
	current, target, err := provider.GetVersions(ctx)
	if err == nil && current > target {
		return false, fmt.Errorf("a newer pulse has written it (layout %d, this pulse supports %d)", current, target)
	}
	if err != nil || current == target {
		return false, err
	}
	_, err = provider.Up(ctx)
	return true, err
}

// takeOver prepares a database that a program without goose has created: it writes the version of
// the database to the table of goose. It changes no other database.
func (l *layout) takeOver(ctx context.Context, db *sql.DB) error {
	versions, err := database.NewStore(l.dialect, versionTable)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	var version int64
	_, err = tx.ExecContext(ctx, l.lock)
	if err == nil {
		err = tx.QueryRowContext(ctx, l.version).Scan(&version)
	}
	if err != nil || version == 0 || version == takenOver {
		// The table of versions does not exist in a new database. Any other error occurs again
		// when goose uses the database.
		return nil
	}
	if err := versions.CreateVersionTable(ctx, tx); err != nil {
		return err
	}
	for v := range version + 1 {
		if err := versions.Insert(ctx, tx, database.InsertRequest{Version: v}); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, l.retire); err != nil {
		return err
	}
	return tx.Commit()
}

// migrateSQLite changes a file to the newest layout.
func migrateSQLite(ctx context.Context, db *sql.DB) error {
	l, err := sqliteLayout()
	if err != nil {
		return err
	}
	changed, err := l.migrate(ctx, db)
	if err != nil || !changed {
		return err
	}
	// A file only shrinks if this was configured before it had tables, or if it is written again
	// as a whole.
	var vacuum int
	if err := db.QueryRowContext(ctx, "PRAGMA auto_vacuum").Scan(&vacuum); err != nil || vacuum == 2 {
		return err
	}
	if _, err := db.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM"); err != nil {
		slog.Warn("the database file will not shrink, because it cannot be rewritten", "error", err)
	}
	return nil
}

// rollUpStored computes the sums of a database that has none.
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

// storedHosts returns the hosts that have readings. It finds each host through the index.
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

// rollUpHost computes the sums of a host, and its row in the table of hosts.
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
	// The time at which the reading arrived was not stored, so the reading's own time is used.
	heard := last.At
	if now := time.Now(); heard.After(now) {
		heard = now
	}
	_, err = tx.ExecContext(ctx, hostSQL, host, millis{&first.At}, millis{&last.At}, millis{&heard}, text)
	return err
}
