package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
)

// ErrHostExists means that a host cannot be renamed, since another host has the new name.
var ErrHostExists = errors.New("store: a host with that name exists")

// A Change is a record of an administrator's change.
type Change struct {
	At     time.Time
	Who    string
	Change string // such as `renamed "a" to "b"`
}

// RenameHost gives a host and all its readings another name. Readings that are written under the old
// name later get the new one.
func (b *base) RenameHost(ctx context.Context, from, to, who string) error {
	return b.changeHost(ctx, who, fmt.Sprintf("renamed %q to %q", from, to), func(tx *sql.Tx, exec func(string, ...any) int64) error {
		var last telemetry.Reading
		lastOf := func(host string) error {
			return tx.QueryRowContext(ctx, b.bind("SELECT reading FROM hosts WHERE host = ?"), host).Scan(asJSON[telemetry.Reading]{&last})
		}
		if err := lastOf(to); !errors.Is(err, sql.ErrNoRows) {
			return errors.Join(err, ErrHostExists)
		}
		if err := lastOf(from); err != nil {
			return err
		}
		last.Host = to
		text, err := json.Marshal(&last)
		exec("DELETE FROM admitted WHERE host = ?", to)
		exec("DELETE FROM alerts WHERE host = ?", to)
		for _, table := range []string{"readings", "minutes", "hours", "hosts", "agents", "admitted", "alerts"} {
			exec("UPDATE "+table+" SET host = ? WHERE host = ?", to, from)
		}
		exec("UPDATE hosts SET reading = ? WHERE host = ?", text, to)
		exec("DELETE FROM renames WHERE old = ?", to)
		exec("UPDATE renames SET new = ? WHERE new = ?", to, from)
		exec("INSERT INTO renames (old, new) VALUES (?, ?)", from, to)
		return err
	})
}

// RemoveHost deletes a host and all its readings. The host returns when it reports again.
func (b *base) RemoveHost(ctx context.Context, host, who string) error {
	return b.changeHost(ctx, who, fmt.Sprintf("removed %q", host), func(_ *sql.Tx, exec func(string, ...any) int64) error {
		for _, table := range []string{"readings", "minutes", "hours"} {
			exec("DELETE FROM "+table+" WHERE host = ?", host)
		}
		if exec("DELETE FROM hosts WHERE host = ?", host) == 0 {
			return sql.ErrNoRows
		}
		return nil
	})
}

// changeHost runs a change in a transaction that no transaction of Write overlaps, and records it
// with who and text. The error of change ends the transaction without a change; sql.ErrNoRows means
// that the host does not exist. The function exec executes a statement and returns the number of
// changed rows. After its first error it does nothing more.
func (b *base) changeHost(ctx context.Context, who, text string, change func(tx *sql.Tx, exec func(query string, args ...any) int64) error) error {
	tx, err := b.control.BeginTx(ctx, nil)
	if err != nil {
		return b.failed(err)
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	exec := func(query string, args ...any) (n int64) {
		var result sql.Result
		if err == nil {
			result, err = tx.ExecContext(ctx, b.bind(query), args...)
		}
		if err == nil {
			n, err = result.RowsAffected()
		}
		return n
	}
	if b.lockNames != "" {
		exec(b.lockNames)
	}
	refused := change(tx, exec)
	exec("INSERT INTO changes (at, who, change) VALUES (?, ?, ?)", time.Now().UnixMilli(), who, text)
	switch {
	case errors.Is(refused, sql.ErrNoRows) && err == nil:
		return ErrUnknownHost
	case refused != nil:
		return errors.Join(refused, b.failed(err))
	case err != nil:
		return b.failed(err)
	}
	return b.failed(tx.Commit())
}

// Changes returns the last changes, the newest first.
func (b *base) Changes(ctx context.Context, limit int) (list []Change, err error) {
	err = b.rows(ctx, "SELECT at, who, change FROM changes ORDER BY id DESC LIMIT ?", []any{limit}, func(scan func(...any) error) error {
		var c Change
		err := scan(millis{&c.At}, &c.Who, &c.Change)
		list = append(list, c)
		return err
	})
	return list, err
}

const selectRenames = "SELECT old, new FROM renames"

// rename changes the hosts of readings from the old names to the new names.
func rename(batches [][]telemetry.Reading, names map[string]string) {
	if len(names) == 0 {
		return
	}
	for _, readings := range batches {
		for i := range readings {
			if name, renamed := names[readings[i].Host]; renamed {
				readings[i].Host = name
			}
		}
	}
}
