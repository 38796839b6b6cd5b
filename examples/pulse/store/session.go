package store

import (
	"context"
	"database/sql"
	"errors"
	"iter"
)

// A dialect has the SQL and the functions that differ between the two databases.
type dialect struct {
	bind   func(query string) string // turns each ? into the driver's placeholder
	failed func(err error) error     // converts an error of the database to an error of this package, and nil to nil

	elements string // a query that returns the elements of its parameter, a JSON array of strings, in the column host
	slots    string // a query that returns the elements of its parameter, a JSON array of pairs, in the columns host and at

	// Each of these statements locks out some other transactions until its own transaction ends. A
	// statement is "" if the database needs no such lock.
	lockAdmitted string // locks out other transactions of Admit
	lockNames    string // locks out transactions that write readings
	lockWrite    string // locks out transactions that change the names of hosts
	lockSums     string // locks out transactions that change the sums of the same hosts; the parameter has the lock numbers of the hosts

	// insert inserts rows with the values of columns. If the statement ends in RETURNING host, at, it
	// returns the host and time of the inserted rows. into is the start of the statement, such as
	// "INSERT INTO minutes". rest is the text after the values.
	insert func(ctx context.Context, tx session, into string, columns []column, rows [][]any, rest string) ([]slot, error)
}

// A session runs statements in a database, or in one of its transactions. Each ? in a statement is a
// parameter. Its methods convert errors by failed.
type session struct {
	*dialect
	db interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
		PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
	}
}

// exec runs a statement and returns the number of rows that it has changed.
func (s session) exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	result, err := s.db.ExecContext(ctx, s.bind(statement), args...)
	if err == nil {
		changed, err = result.RowsAffected()
	}
	return changed, s.failed(err)
}

// rows runs a query and yields its rows, or an error after which there are no more rows. columns
// returns the pointers to which the columns of a row are scanned.
func rows[T any](ctx context.Context, s session, columns func(*T) []any, query string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		result, err := s.db.QueryContext(ctx, s.bind(query), args...)
		if err != nil {
			yield(*new(T), s.failed(err))
			return
		}
		defer result.Close()
		for result.Next() {
			var row T
			if err := s.failed(result.Scan(columns(&row)...)); !yield(row, err) || err != nil {
				return
			}
		}
		if err := result.Err(); err != nil {
			yield(*new(T), s.failed(err))
		}
	}
}

// list returns all rows.
func list[T any](rows iter.Seq2[T, error]) (all []T, err error) {
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, nil
}

// first returns the first row, or [sql.ErrNoRows].
func first[T any](rows iter.Seq2[T, error]) (row T, err error) {
	for row, err := range rows {
		return row, err
	}
	return row, sql.ErrNoRows
}

// single returns the scan targets of a row with one column.
func single[T any](row *T) []any { return []any{row} }

// transact calls run in a transaction, which begins with the statement lock if it is not "". An error
// of run rolls the transaction back.
func (d *dialect) transact(ctx context.Context, db *sql.DB, lock string, run func(tx session) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return d.failed(err)
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	if lock != "" {
		if _, err := tx.ExecContext(ctx, lock); err != nil {
			return d.failed(err)
		}
	}
	if err := run(session{d, tx}); err != nil {
		return err
	}
	err = tx.Commit()
	if errors.Is(err, sql.ErrTxDone) { // the end of ctx has rolled it back
		err = ctx.Err()
	}
	return d.failed(err)
}
