package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// Postgres keeps readings in a PostgreSQL database, which several processes share. There is a
// table of readings for each day, so that deleting a day is as cheap as deleting a reading.
type Postgres struct {
	base
	write *pgxpool.Pool

	mu   sync.Mutex
	days map[int64]bool // days whose partition exists
}

var _ Store = (*Postgres)(nil)

// The numbers of connections of one server. If there are a thousand queries at once, they wait
// here and not in PostgreSQL, which has a hundred connections for all servers.
const (
	writeConnections  = 4
	readConnections   = 8
	searchConnections = 2
)

// writeTimeout limits the time of a transaction, and so the wait for a database that does not
// respond.
const writeTimeout = 20 * time.Second

// The numbers of PostgreSQL's advisory locks that the servers use.
const (
	lockSpace = 0x70756c7365 << 20 // "pulse"

	lockLayout = lockSpace + 1 + iota
	lockPrune
	lockAdmitted
	lockNames                     // shared by transactions that write readings
	lockHosts = lockSpace + 1<<10 // and the numbers after it, see hostLocks
)

// OpenPostgres opens the database at a URL and creates its tables. The database must exist.
// Several servers may do so at once. The errors do not contain the password.
func OpenPostgres(ctx context.Context, url string, options Options) (*Postgres, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	config.MaxConns = writeConnections
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	for name, value := range map[string]string{
		"application_name":  "pulse",
		"statement_timeout": "15s",
		"lock_timeout":      "10s",
		// A server that loses its connection must not keep its locks.
		"idle_in_transaction_session_timeout": "10s", "tcp_keepalives_idle": "10", "tcp_keepalives_interval": "3", "tcp_keepalives_count": "3", "tcp_user_timeout": "20s",
	} {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	// The rows of a batch are copied into this table first.
	config.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, "CREATE TEMPORARY TABLE staging (number bigint, LIKE readings) ON COMMIT DELETE ROWS")
		return err
	}
	s := &Postgres{base: base{
		options: options, bind: dollars, failed: failedPostgres,
		lockAdmitted: fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", int64(lockAdmitted)),
		lockNames:    fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", int64(lockNames)),
		elements:     "SELECT jsonb_array_elements_text(CAST(? AS jsonb)) AS host",
	}, days: map[int64]bool{}}
	s.read = pool(config, readConnections)
	s.control = s.read
	s.search = pool(config, searchConnections)
	if s.write, err = pgxpool.NewWithConfig(ctx, config); err == nil {
		err = s.layOut(ctx)
	}
	if err != nil {
		_ = s.Close() // err is more important than the error of Close
		return nil, fmt.Errorf("cannot open the database: %w", err)
	}
	return s, nil
}

func pool(config *pgxpool.Config, size int) *sql.DB {
	db := stdlib.OpenDB(*config.ConnConfig.Copy())
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	db.SetConnMaxIdleTime(time.Minute)
	return db
}

// Close closes all connections.
func (s *Postgres) Close() error {
	if s.write != nil {
		s.write.Close()
	}
	return errors.Join(s.read.Close(), s.search.Close())
}

// dollars replaces each ? by $1, $2 and so on.
func dollars(query string) string {
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(query, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		query = after
	}
}

// failedPostgres converts an error of the driver: to [ErrUnavailable] if the database is unreachable
// or too busy, to [ErrFull] if its disk is full, and otherwise to an error of this package without a
// kind.
func failedPostgres(err error) error {
	if err == nil {
		return nil
	}
	kind := error(nil)
	var refused *pgconn.PgError
	var connecting *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
	case errors.As(err, &connecting):
		kind = ErrUnavailable
	case errors.As(err, &refused):
		kind = kindPostgres(refused.Code)
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, driver.ErrBadConn),
		errors.Is(err, net.ErrClosed), pgconn.SafeToRetry(err):
		kind = ErrUnavailable
	}
	if kind != nil {
		return fmt.Errorf("%w: %w", kind, err)
	}
	return fmt.Errorf("store: %w", err)
}

// Refused reports whether err means that a PostgreSQL server has refused this user, or does not have
// the database. Waiting does not help then.
func Refused(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (strings.HasPrefix(refused.Code, "28") || refused.Code == "3D000")
}

// kindPostgres returns the kind of an error with a code of PostgreSQL, or nil if it has none. The
// codes are in appendix A of PostgreSQL's manual.
func kindPostgres(code string) error {
	switch code {
	case "53100": // disk full
		return ErrFull
	case "57014": // statement timeout
		return context.DeadlineExceeded
	case "25006", "25P03", "40001", "40P01", "55P03", "58030": // read only, idle for too long, serialization, deadlock, lock, input/output
		return ErrUnavailable
	}
	switch code[:2] {
	case "08", "53", "57": // connection, resources, operator
		return ErrUnavailable
	}
	return nil
}

// Check writes the one row of the table health, which is as large as a batch, and reads it.
func (s *Postgres) Check(ctx context.Context) error {
	now := time.Now().UnixNano()
	const write = "INSERT INTO health (id, at, room) VALUES (1, $1, $2) ON CONFLICT (id) DO UPDATE SET at = excluded.at, room = excluded.room"
	if _, err := s.write.Exec(ctx, write, now, make([]byte, 1<<16)); err != nil {
		return fmt.Errorf("writing: %w", s.failed(err))
	}
	var at int64
	err := s.read.QueryRowContext(ctx, "SELECT at FROM health").Scan(&at)
	return judge(at, now, s.failed(err))
}

// layOut changes the database to the newest layout, while other servers wait, and creates the
// partitions of today and tomorrow.
func (s *Postgres) layOut(ctx context.Context) error {
	l, err := postgresLayout()
	if err == nil {
		_, err = l.migrate(ctx, s.read)
	}
	if err != nil {
		return s.failed(err)
	}
	today := day(time.Now().UnixMilli())
	if err := s.partition(ctx, today, today+1); err != nil {
		return err
	}
	return s.loadNewest(ctx)
}

// plain returns the values of a reading's fields as types that the driver accepts, in the order of
// names.
func plain(r *telemetry.Reading) ([]any, error) {
	values := fields(r, "")
	for i, v := range values {
		switch v := v.(type) {
		case *string:
			values[i] = *v
		case driver.Valuer:
			value, err := v.Value()
			if err != nil {
				return nil, err
			}
			values[i] = value
		}
	}
	return values, nil
}
