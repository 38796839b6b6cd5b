// Package store keeps readings in a SQLite database.
//
// One goroutine writes; any number read, and neither waits for the other
// (SQLite's write-ahead log). Batches that arrive while a transaction is being
// written to the disk share the next one, so that a hundred agents cost a few
// synced writes a second and not a hundred.
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
	"sync"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

var (
	// ErrBusy means that the queue is full: nothing was stored, try again soon.
	ErrBusy = errors.New("store: too many batches waiting")
	// ErrClosed means that the store is closing: nothing was stored.
	ErrClosed = errors.New("store: closed")
	// ErrUnknownHost means that no reading of that host is stored.
	ErrUnknownHost = errors.New("store: unknown host")
)

// Options configure a [Store]. The zero value is usable.
type Options struct {
	Queue     int           // batches that may wait for the writer; 0 means 256
	Retention time.Duration // readings older than this are deleted; 0 means never

	// Stored is called with the readings of each transaction after it is on
	// disk, repeats left out. It runs in the writer: it must not block, and must
	// not keep the slice.
	Stored func([]telemetry.Reading)
}

// A Store is an open database. It may be used by several goroutines.
type Store struct {
	options Options
	write   *sql.DB // one connection
	read    *sql.DB
	insert  *sql.Stmt
	prune   *sql.Stmt

	queue  chan *submission
	done   chan struct{} // closed when the writer has left
	closed bool
	mu     sync.RWMutex // guards closed, and sending to queue against closing it
}

// Open opens the database in the file path, and makes it if there is none.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	if options.Queue == 0 {
		options.Queue = 256
	}
	if options.Stored == nil {
		options.Stored = func([]telemetry.Reading) {}
	}
	// SQLite's own message for a missing directory is "out of memory".
	if dir := filepath.Dir(path); !isDir(dir) {
		return nil, fmt.Errorf("cannot open the database: there is no directory %s", dir)
	}
	s := &Store{options: options, queue: make(chan *submission, options.Queue), done: make(chan struct{})}
	if err := s.open(ctx, path); err != nil {
		_ = s.closeConnections() // err is the one that matters
		return nil, fmt.Errorf("cannot open the database %s: %w", path, err)
	}
	go s.run()
	return s, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || !errors.Is(err, fs.ErrNotExist)
}

func (s *Store) open(ctx context.Context, path string) (err error) {
	// synchronous=FULL syncs the write-ahead log at each commit. NORMAL would
	// survive a killed process just as well, but an accepted batch could be lost
	// with the power; sharing transactions makes the difference affordable.
	if s.write, err = sql.Open("sqlite", dsn(path, "_txlock=immediate", "_journal_mode=WAL", "_synchronous=FULL",
		"_pragma=journal_size_limit(67108864)")); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	if s.read, err = sql.Open("sqlite", dsn(path, "_query_only=1")); err != nil {
		return err
	}
	s.read.SetMaxOpenConns(4)
	s.read.SetMaxIdleConns(4)

	if err = migrate(ctx, s.write); err != nil {
		return err
	}
	if s.insert, err = s.write.PrepareContext(ctx, insertSQL); err != nil {
		return err
	}
	s.prune, err = s.write.PrepareContext(ctx, pruneSQL)
	return err
}

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

// migrate brings the database to the newest version of the schema.
func migrate(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version > len(schema) {
		return fmt.Errorf("it was written by a newer pulse (layout %d, this one knows %d)", version, len(schema))
	}
	for _, step := range schema[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(schema))); err != nil {
		return err
	}
	return tx.Commit()
}

// Close stores what is queued, then closes the database. Append fails with
// [ErrClosed] from then on.
func (s *Store) Close() error {
	s.mu.Lock()
	already := s.closed
	s.closed = true
	if !already {
		close(s.queue)
	}
	s.mu.Unlock()
	<-s.done
	if already {
		return nil
	}
	return s.closeConnections()
}

// closeConnections closes the writer last: it folds the write-ahead log into
// the database, so that one file is all that stays.
func (s *Store) closeConnections() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}
