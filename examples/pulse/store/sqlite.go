package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite" // registers the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// SQLite keeps readings in one file. It is meant for one process: a second process would wait for
// the first at each write.
type SQLite struct {
	base
}

var _ Store = (*SQLite)(nil)

// failedSQLite converts an error of the driver: to [ErrFull] if the disk is full, and otherwise to
// an error of this package without a kind.
func failedSQLite(err error) error {
	if err == nil {
		return nil
	}
	if e := (*sqlite.Error)(nil); errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_FULL {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return fmt.Errorf("store: %w", err)
}

// sqliteDialect has no locks, since a transaction for writing excludes all others.
var sqliteDialect = dialect{
	bind: func(query string) string { return query }, failed: failedSQLite, insert: insertEach,
	elements: "SELECT value AS host FROM json_each(?)",
	slots:    "SELECT value ->> 0 AS host, value ->> 1 AS at FROM json_each(?)",
}

// insertEach inserts each row with a statement of its own.
func insertEach(ctx context.Context, tx session, into string, columns []column, rows [][]any, rest string) (returned []slot, err error) {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	statement, err := tx.db.PrepareContext(ctx, into+" ("+strings.Join(names, ", ")+") VALUES (?"+strings.Repeat(", ?", len(names)-1)+") "+rest)
	if err != nil {
		return nil, tx.failed(err)
	}
	defer statement.Close()
	for _, row := range rows {
		var key slot
		switch err := statement.QueryRowContext(ctx, row...).Scan(&key.host, &key.at); {
		case err == nil:
			returned = append(returned, key)
		case !errors.Is(err, sql.ErrNoRows):
			return nil, tx.failed(err)
		}
	}
	return returned, nil
}

// Open opens the database at path, or creates it.
func Open(ctx context.Context, path string, options Options) (*SQLite, error) {
	// SQLite's own message for a missing directory is "out of memory".
	if dir := filepath.Dir(path); !isDir(dir) {
		return nil, fmt.Errorf("cannot open the database: there is no directory %s", dir)
	}
	s := &SQLite{newBase(sqliteDialect, options)}
	if err := s.open(ctx, path); err != nil {
		_ = s.Close() // err is more important than the error of Close
		return nil, fmt.Errorf("cannot open the database %s: %w", path, err)
	}
	return s, nil
}

// isDir reports whether path is a directory. It is true if that cannot be determined.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || !errors.Is(err, fs.ErrNotExist)
}

// open opens the file at path, or creates it. Each connection gets the parameters.
func (s *SQLite) open(ctx context.Context, path string, parameters ...string) (err error) {
	// synchronous=FULL syncs the write-ahead log at each commit. With NORMAL an accepted batch
	// would survive a killed process, but not a power failure. Batches share transactions, so the
	// sync does not cost much.
	if s.write, err = openFile(path, 1, append(parameters, "_txlock=immediate", "_journal_mode=WAL", "_synchronous=FULL", "_pragma=journal_size_limit(67108864)")...); err != nil {
		return err
	}
	s.control = s.write
	if s.read, err = openFile(path, 4, append(parameters, "_query_only=1")...); err != nil {
		return err
	}
	if s.search, err = openFile(path, 2, append(parameters, "_query_only=1")...); err != nil {
		return err
	}
	if err = migrateSQLite(ctx, s.write); err != nil {
		return err
	}
	return s.loadNewest(ctx)
}

// openFile returns a pool of connections. If all are in use, further queries wait.
func openFile(path string, connections int, parameters ...string) (*sql.DB, error) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/pulse.db
	}
	parameters = append(parameters, "_busy_timeout=5000")
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+strings.Join(parameters, "&"))
	if err == nil {
		db.SetMaxOpenConns(connections)
		db.SetMaxIdleConns(connections)
	}
	return db, err
}

// Close closes the writer last: closing it merges the write-ahead log into the database, so that
// only one file remains.
func (s *SQLite) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.search, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Prune deletes some of the old readings, and shrinks the file.
func (s *SQLite) Prune(ctx context.Context) (more bool, err error) {
	if err := s.loadNewest(ctx); err != nil {
		return false, err
	}
	more, err = s.prune(ctx, session{&s.dialect, s.write},
		"DELETE FROM %[1]s WHERE id IN (SELECT id FROM %[1]s WHERE at < ? ORDER BY at LIMIT %[2]d)",
		"DELETE FROM %[1]s WHERE (host, at) IN (SELECT t.host, t.at FROM hosts CROSS JOIN %[1]s t WHERE t.host = hosts.host AND t.at < ? LIMIT %[2]d)")
	if err == nil {
		_, err = s.exec(ctx, "PRAGMA incremental_vacuum(1000)") // pages of 4 KiB
	}
	return more, err
}
