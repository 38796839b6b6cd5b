package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

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

// RenameHost gives a host and all its readings another name. Readings that are later written under
// the old name are stored under the new name.
func (b *base) RenameHost(ctx context.Context, from, to, who string) error {
	return b.changeHost(ctx, who, fmt.Sprintf("renamed %q to %q", from, to), func(tx session, exec func(string, ...any) int64) error {
		if _, err := tx.host(ctx, to); !errors.Is(err, sql.ErrNoRows) {
			return errors.Join(err, ErrHostExists)
		}
		h, err := tx.host(ctx, from)
		if err != nil {
			return err
		}
		h.Reading.Host = to
		text, err := json.Marshal(&h.Reading)
		exec("DELETE FROM admitted WHERE host = ?", to)
		exec("DELETE FROM alerts WHERE host = ?", to)
		for _, table := range []string{"readings", "minutes", "hours", "hosts", "agents", "admitted", "alerts", "alert_changes"} {
			exec("UPDATE "+table+" SET host = ? WHERE host = ?", to, from)
		}
		exec("UPDATE hosts SET reading = ? WHERE host = ?", text, to)
		exec("DELETE FROM renames WHERE old = ?", to)
		exec("UPDATE renames SET new = ? WHERE new = ?", to, from)
		exec("INSERT INTO renames (old, new) VALUES (?, ?)", from, to)
		return err
	})
}

// RemoveHost deletes a host and all its readings. If the host reports again, it is added again.
func (b *base) RemoveHost(ctx context.Context, host, who string) error {
	return b.changeHost(ctx, who, fmt.Sprintf("removed %q", host), func(_ session, exec func(string, ...any) int64) error {
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
// with actor and text. An error of change rolls the transaction back; sql.ErrNoRows means that the
// host does not exist. The function exec executes a statement and returns the number of changed rows.
// After an error, further calls of exec do nothing.
func (b *base) changeHost(ctx context.Context, actor, text string, change func(tx session, exec func(statement string, args ...any) int64) error) error {
	return b.transact(ctx, b.control, b.lockNames, func(tx session) (err error) {
		exec := func(statement string, args ...any) (changed int64) {
			if err == nil {
				changed, err = tx.exec(ctx, statement, args...)
			}
			return changed
		}
		refused := change(tx, exec)
		exec("INSERT INTO changes (at, who, change) VALUES (?, ?, ?)", time.Now().UnixMilli(), actor, text)
		if errors.Is(refused, sql.ErrNoRows) && err == nil {
			return ErrUnknownHost
		}
		return errors.Join(refused, err)
	})
}

// Changes returns the last changes, the newest first.
func (b *base) Changes(ctx context.Context, limit int) ([]Change, error) {
	columns := func(c *Change) []any { return []any{millis{&c.At}, &c.Who, &c.Change} }
	return list(rows(ctx, b.reading(), columns, "SELECT at, who, change FROM changes ORDER BY id DESC LIMIT ?", limit))
}
