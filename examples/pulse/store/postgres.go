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

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// Postgres keeps readings in a PostgreSQL database, which several processes share. There is a
// table of readings for each day, so that deleting a day is as cheap as deleting a reading.
type Postgres struct {
	base
	days sync.Map // the days that have a partition
}

var _ Store = (*Postgres)(nil)

// The maximum numbers of a server's connections. Further queries wait in the server, because
// PostgreSQL has only a hundred connections for all servers together.
const (
	writeConnections  = 4
	readConnections   = 8
	searchConnections = 2
)

// writeTimeout limits the time of a transaction, and thereby the wait for a database that does not
// respond.
const writeTimeout = 20 * time.Second

// OpenPostgres opens the database at a URL and creates its tables. The database must exist. Several
// servers may open it at the same time. The errors do not contain the password.
func OpenPostgres(ctx context.Context, url string, options Options) (*Postgres, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
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
	s := &Postgres{base: newBase(postgresDialect, options)}
	s.read, s.write, s.search = pool(config, readConnections), pool(config, writeConnections), pool(config, searchConnections)
	s.control = s.read
	if err := s.layOut(ctx); err != nil {
		_ = s.Close() // err is more important than the error of Close
		return nil, fmt.Errorf("cannot open the database: %w", err)
	}
	return s, nil
}

var postgresDialect = dialect{
	bind: dollars, failed: failedPostgres, insert: insertTogether,
	elements:     "SELECT jsonb_array_elements_text(CAST(? AS jsonb)) AS host",
	slots:        "SELECT pair ->> 0 AS host, CAST(pair ->> 1 AS bigint) AS at FROM jsonb_array_elements(CAST(? AS jsonb)) AS pair",
	lockAdmitted: fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", int64(lockAdmitted)),
	lockNames:    fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", int64(lockNames)),
	lockWrite:    fmt.Sprintf("SELECT pg_advisory_xact_lock_shared(%d)", int64(lockNames)),
	lockSums:     "SELECT pg_advisory_xact_lock(k) FROM unnest(CAST(? AS bigint[])) k",
}

// insertTogether inserts all rows with one statement. Each parameter of the statement is an array
// with the values of a column.
func insertTogether(ctx context.Context, tx session, into string, columns []column, values [][]any, rest string) ([]slot, error) {
	var names, arrays []string
	var args []any
	for i, c := range columns {
		array := make([]any, len(values))
		for j := range values {
			array[j] = values[j][i]
		}
		names, arrays, args = append(names, c.name), append(arrays, "CAST(? AS "+c.kind+"[])"), append(args, array)
	}
	return list(rows(ctx, tx, slotFields, into+" ("+strings.Join(names, ", ")+") SELECT * FROM unnest("+strings.Join(arrays, ", ")+") "+rest, args...))
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
	return errors.Join(s.write.Close(), s.read.Close(), s.search.Close())
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
// or too busy, to [ErrFull] if its disk is full, to context.DeadlineExceeded if the statement took
// too long, and otherwise to an error of this package without a kind.
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
// the database. Trying again does not help then.
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

// Write is documented at [Store].
func (s *Postgres) Write(ctx context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error) {
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := s.partition(ctx, s.needed(batches)...); err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		fresh, err = s.base.Write(ctx, batches)
		e := (*pgconn.PgError)(nil)
		if again := errors.As(err, &e) && (e.Code == "40P01" || e.Code == "40001"); !again || attempt == 3 {
			break
		}
	}
	if errors.Is(err, context.DeadlineExceeded) && caller.Err() == nil {
		return nil, fmt.Errorf("%w: a batch takes too long: %w", ErrUnavailable, err)
	}
	return fresh, err
}
