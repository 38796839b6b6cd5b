package store

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestTransactionOutOfTime: the context ends after the last statement and before the commit. Nothing
// is stored, and the error says that the transaction may be tried again.
func TestTransactionOutOfTime(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		b := baseOf(s)
		ctx, cancel := context.WithCancel(t.Context())
		err := b.transact(ctx, b.control, "", func(tx session) error {
			_, err := tx.exec(ctx, "INSERT INTO renames (old, new) VALUES (?, ?)", "a", "b")
			cancel()
			time.Sleep(100 * time.Millisecond) // package sql rolls back in a goroutine
			return err
		})
		if !errors.Is(err, context.Canceled) || !Temporary(err) {
			t.Errorf("the error is %v", err)
		}
		n, err := first(rows(t.Context(), b.reading(), single[int], "SELECT count(*) FROM renames"))
		if n != 0 || err != nil {
			t.Errorf("%d rows, %v", n, err)
		}
	})
}

func baseOf(s Store) *base {
	switch s := s.(type) {
	case *SQLite:
		return &s.base
	case *Postgres:
		return &s.base
	}
	return nil
}
