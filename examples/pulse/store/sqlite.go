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
	"time"

	"modernc.org/sqlite" // registers the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// SQLite keeps readings in one file. It is meant for one process: a second process would wait for
// the first at each write.
type SQLite struct {
	base
	write *sql.DB // one connection, for which writers wait
	set   statements
}

// statements are the prepared statements for writing batches.
type statements struct {
	insert, host *sql.Stmt
	load, store  map[Tier]*sql.Stmt
}

// in returns the statements for use in a transaction. The end of the transaction closes them.
func (s *statements) in(ctx context.Context, tx *sql.Tx) *statements {
	within := func(all map[Tier]*sql.Stmt) map[Tier]*sql.Stmt {
		own := map[Tier]*sql.Stmt{}
		for tier, statement := range all {
			own[tier] = tx.StmtContext(ctx, statement)
		}
		return own
	}
	return &statements{tx.StmtContext(ctx, s.insert), tx.StmtContext(ctx, s.host), within(s.load), within(s.store)}
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

// Open opens the database at path, or creates it.
func Open(ctx context.Context, path string, options Options) (*SQLite, error) {
	// SQLite's own message for a missing directory is "out of memory".
	if dir := filepath.Dir(path); !isDir(dir) {
		return nil, fmt.Errorf("cannot open the database: there is no directory %s", dir)
	}
	s := &SQLite{base: base{
		options: options, bind: func(query string) string { return query }, failed: failedSQLite,
		elements: "SELECT value AS host FROM json_each(?)", // a transaction for writing excludes all others
	}}
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

func (s *SQLite) open(ctx context.Context, path string) (err error) {
	// synchronous=FULL syncs the write-ahead log at each commit. With NORMAL an accepted batch
	// would survive a killed process, but not a power failure. Batches share transactions, so the
	// sync does not cost much.
	if s.write, err = sql.Open("sqlite", dsn(path, "_txlock=immediate", "_journal_mode=WAL", "_synchronous=FULL",
		"_pragma=journal_size_limit(67108864)")); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	s.control = s.write
	if s.read, err = sql.Open("sqlite", dsn(path, "_query_only=1")); err != nil {
		return err
	}
	s.read.SetMaxOpenConns(4)
	s.read.SetMaxIdleConns(4)
	if s.search, err = sql.Open("sqlite", dsn(path, "_query_only=1")); err != nil {
		return err
	}
	s.search.SetMaxOpenConns(2)
	s.search.SetMaxIdleConns(2)

	if err = migrateSQLite(ctx, s.write); err != nil {
		return err
	}
	if err = s.prepare(ctx); err != nil {
		return err
	}
	return s.loadNewest(ctx)
}

func (s *SQLite) prepare(ctx context.Context) error {
	var errs []error
	prepare := func(text string) *sql.Stmt {
		stmt, err := s.write.PrepareContext(ctx, text)
		errs = append(errs, err)
		return stmt
	}
	s.set = statements{insert: prepare(insertSQL), host: prepare(map[bool]string{false: hostSQL, true: hostHistorySQL}[s.options.History]), load: map[Tier]*sql.Stmt{}, store: map[Tier]*sql.Stmt{}}
	for tier, table := range tables {
		s.set.load[tier] = prepare("SELECT summary FROM " + table + " WHERE host = ? AND at = ?")
		s.set.store[tier] = prepare("INSERT INTO " + table + " (host, at, summary) VALUES (?, ?, ?) ON CONFLICT (host, at) DO UPDATE SET summary = excluded.summary")
	}
	return errors.Join(errs...)
}

const (
	hostSQL = `INSERT INTO hosts (host, oldest, newest, heard, reading) VALUES (?, ?, ?, ?, ?) ON CONFLICT (host) DO UPDATE
	SET oldest = min(oldest, excluded.oldest), newest = max(newest, excluded.newest), heard = excluded.heard, reading = excluded.reading`
	// See [Options.History]. The right side of each = has the old value.
	hostHistorySQL = `INSERT INTO hosts (host, oldest, newest, heard, reading) VALUES (?, ?, ?, ?, ?) ON CONFLICT (host) DO UPDATE
	SET oldest = min(oldest, excluded.oldest), newest = max(newest, excluded.newest), heard = max(heard, excluded.heard),
		reading = iif(excluded.heard > heard, excluded.reading, reading)`
)

func dsn(path string, parameters ...string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/pulse.db
	}
	parameters = append(parameters, "_busy_timeout=5000")
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + strings.Join(parameters, "&")
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

// Write stores batches. Only one Write runs at a time; the others wait.
func (s *SQLite) Write(ctx context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, s.failed(err)
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	if err := renameIn(ctx, tx, batches); err != nil {
		return nil, s.failed(err)
	}
	fresh = make([][]telemetry.Reading, len(batches))
	set := s.set.in(ctx, tx)
	for i, readings := range batches {
		for j := range readings {
			result, err := set.insert.ExecContext(ctx, fields(&readings[j], "")...)
			if err != nil {
				return nil, s.failed(err)
			}
			if n, err := result.RowsAffected(); err == nil && n > 0 {
				fresh[i] = append(fresh[i], readings[j])
			}
		}
	}
	if err := set.rollUp(ctx, fresh, s.options); err != nil {
		return nil, s.failed(err)
	}
	if err := tx.Commit(); err != nil {
		return fresh, s.failed(err)
	}
	s.raiseNewest(fresh)
	return fresh, nil
}

func renameIn(ctx context.Context, tx *sql.Tx, batches [][]telemetry.Reading) error {
	rows, err := tx.QueryContext(ctx, selectRenames)
	if err != nil {
		return err
	}
	defer rows.Close()
	names := map[string]string{}
	for rows.Next() {
		var from, to string
		if err := rows.Scan(&from, &to); err != nil {
			return err
		}
		names[from] = to
	}
	rename(batches, names)
	return rows.Err()
}

// rollUp adds new readings to the sums of their minutes and hours.
func (s *statements) rollUp(ctx context.Context, fresh [][]telemetry.Reading, o Options) error {
	for tier := range tables {
		for at, sum := range summed(fresh, tier) {
			if err := s.count(ctx, tier, at, sum); err != nil {
				return err
			}
		}
	}
	for _, h := range newest(fresh) {
		text, err := json.Marshal(&h.Reading)
		if err != nil {
			return err
		}
		if _, err := s.host.ExecContext(ctx, h.Name, millis{&h.First}, millis{&h.Last}, o.heard(h), text); err != nil {
			return err
		}
	}
	return nil
}

// count adds a sum to the sum in a slot.
func (s *statements) count(ctx context.Context, tier Tier, at slot, sum *telemetry.Bucket) error {
	var before telemetry.Bucket
	err := s.load[tier].QueryRowContext(ctx, at.host, at.at).Scan(encoded{&before})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	before.Merge(sum)
	data, err := wire.Marshal(&before)
	if err != nil {
		return err
	}
	_, err = s.store[tier].ExecContext(ctx, at.host, at.at, data)
	return err
}

// Check tests that the database can be written. It overwrites the only row of the table health. The
// row is as large as a batch: on a disk that is nearly full, a small row might be stored although a
// batch could not be.
func (s *SQLite) Check(ctx context.Context) error {
	now := time.Now().UnixNano()
	const write = "INSERT INTO health (id, at, room) VALUES (1, ?, zeroblob(65536)) ON CONFLICT (id) DO UPDATE SET at = excluded.at, room = excluded.room"
	if _, err := s.write.ExecContext(ctx, write, now); err != nil {
		return fmt.Errorf("writing: %w", s.failed(err))
	}
	var at int64
	err := s.read.QueryRowContext(ctx, "SELECT at FROM health").Scan(&at)
	return judge(at, now, s.failed(err))
}

// pruneSize is the maximum number of rows that Prune deletes with one statement, so that batches do
// not wait while it deletes a week of old readings.
const pruneSize = 500

// Prune deletes some of the old readings, and shrinks the file.
func (s *SQLite) Prune(ctx context.Context) (more bool, err error) {
	if err := s.loadNewest(ctx); err != nil {
		return false, err
	}
	now := s.Now()
	prune := func(tier Tier, text string) {
		keep := s.options.Keep(tier)
		if keep == 0 || err != nil {
			return
		}
		var result sql.Result
		if result, err = s.write.ExecContext(ctx, text, now.Add(-keep).UnixMilli(), pruneSize); err == nil {
			n, _ := result.RowsAffected()
			more = more || n == pruneSize
		}
	}
	prune(Seconds, "DELETE FROM readings WHERE id IN (SELECT id FROM readings WHERE at < ? ORDER BY at LIMIT ?)")
	for tier, table := range tables {
		prune(tier, "DELETE FROM "+table+" WHERE (host, at) IN (SELECT t.host, t.at FROM hosts CROSS JOIN "+table+" t WHERE t.host = hosts.host AND t.at < ? LIMIT ?)")
	}
	prune(Hours, "DELETE FROM hosts WHERE host IN (SELECT host FROM hosts WHERE heard < ? AND NOT EXISTS (SELECT 1 FROM hours WHERE hours.host = hosts.host) LIMIT ?)")
	if err == nil {
		_, err = s.write.ExecContext(ctx, abandonedSQL, time.Now().Add(-abandonedAfter).UnixMilli())
	}
	if err == nil {
		_, err = s.write.ExecContext(ctx, "PRAGMA incremental_vacuum(1000)") // pages of 4 KiB
	}
	return more, s.failed(err)
}
