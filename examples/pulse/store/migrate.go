package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"

	"github.com/hone-go/hone/examples/pulse/telemetry"
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

// A layout has the migrations of one kind of database. It also has the statements that find the
// version of a database that a program without goose has created.
type layout struct {
	dialect goose.Dialect
	folder  string
	options []goose.ProviderOption
	lock    string // a statement that makes other servers wait
	version string // a query of the version that a program without goose has stored; 0 or no row if there is none
	retire  string // a statement that sets this version to takenOver
}

func sqliteLayout() (l layout, err error) {
	sums, err := migrations.ReadFile("migrations/sqlite-go/003_sums.sql")
	sum := goose.NewGoMigration(3, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, string(sums)); err != nil {
			return err
		}
		return rollUpStored(ctx, session{&sqliteDialect, tx})
	}}, nil)
	return layout{
		goose.DialectSQLite3, "migrations/sqlite", []goose.ProviderOption{goose.WithGoMigrations(sum), goose.WithDisableGlobalRegistry(true)},
		"", "PRAGMA user_version", fmt.Sprintf("PRAGMA user_version = %d", takenOver),
	}, err
}

func postgresLayout() (l layout, err error) {
	// A server that waits for another to migrate asks again each second, for at most five minutes.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockID(lockLayout), lock.WithLockTimeout(1, 300))
	return layout{
		goose.DialectPostgres, "migrations/postgres", []goose.ProviderOption{goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true)},
		"LOCK TABLE layout", "SELECT coalesce(max(version), 0) FROM layout", fmt.Sprintf("INSERT INTO layout (version) VALUES (%d)", takenOver),
	}, err
}

// migrate changes a database to the newest layout. changed is false if the database already had this
// layout.
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
	if older, err := isOlder(ctx, provider); err != nil || !older {
		return false, err
	}
	if _, err := provider.Up(ctx); err != nil {
		return true, err
	}
	// A newer pulse may have migrated the database while this one waited for its lock.
	_, err = isOlder(ctx, provider)
	return true, err
}

// isOlder reports whether the database has an older layout than the newest one of this program. It returns an error
// if the database has a newer one.
func isOlder(ctx context.Context, provider *goose.Provider) (bool, error) {
	current, target, err := provider.GetVersions(ctx)
	if err == nil && current > target {
		err = fmt.Errorf("a newer pulse has written it (layout %d, this pulse supports %d)", current, target)
	}
	return current < target, err
}

// takeOver prepares a database that a program without goose has created: it writes the version of the
// database to the table of goose. It does not change other databases.
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
	// SQLite shrinks a file only if this was configured before the file had tables, or after the
	// whole file has been rewritten.
	var vacuum int
	if err := db.QueryRowContext(ctx, "PRAGMA auto_vacuum").Scan(&vacuum); err != nil || vacuum == 2 {
		return err
	}
	if _, err := db.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM"); err != nil {
		slog.Warn("the database file will not shrink, because it cannot be rewritten", "error", err)
	}
	return nil
}

// rollUpStored computes the sums and the rows of hosts, for a database without them. The database
// does not have the times at which readings arrived, so the readings' own times are used.
func rollUpStored(ctx context.Context, tx session) error {
	const page = 1000
	n := 0
	for last := (telemetry.Reading{}); ; {
		readings, err := list(rows(ctx, tx, allFields, "SELECT "+names("", "")+" FROM readings WHERE (host, at) > (?, ?) ORDER BY host, at LIMIT ?", last.Host, millis{&last.At}, page))
		if err != nil || len(readings) == 0 {
			return err
		}
		if err := rollUp(ctx, tx, [][]telemetry.Reading{readings}, Options{History: true}); err != nil {
			return err
		}
		last = readings[len(readings)-1]
		if n += len(readings); n%(100*page) == 0 {
			slog.Info("summing up stored readings", "readings", n, "host", last.Host)
		}
	}
}
