package pgx_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	honepgx "github.com/hone-go/hone/integrations/pgx"
	"github.com/hone-go/hone/mo"
)

func TestPool(t *testing.T) {
	connect(t) // skips the test without a server
	config, err := pgxpool.ParseConfig(source())
	if err != nil {
		t.Fatal(err)
	}
	config.AfterConnect = func(_ context.Context, c *pgx.Conn) error {
		honepgx.Register(c.TypeMap())
		return nil
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	home, back := mo.Some(address{Street: "Main"}), mo.None[address]()
	if err := pool.QueryRow(t.Context(), "SELECT $1::jsonb", home).Scan(&back); err != nil || back != home {
		t.Errorf("%v, %v", back, err)
	}
}
