package sql

import (
	"cmp"
	"context"
	"database/sql"
	"os"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"
)

// A database is a server and the names of its column types.
type database struct {
	name, driver, source string
	types                map[string]string // the names of kinds of columns
	parameter            string            // the placeholder of a parameter
	temporary            string            // the start of a statement that creates a temporary table
}

func databases() []database {
	return []database{
		{
			name: "SQLite", driver: "sqlite", source: ":memory:", parameter: "?", temporary: "CREATE TEMPORARY TABLE",
			types: map[string]string{
				"int": "INTEGER", "small": "INTEGER", "big": "INTEGER", "float": "REAL", "single": "REAL", "bool": "BOOLEAN", "text": "TEXT", "varchar": "VARCHAR(100)",
				"blob": "BLOB", "timestamp": "TIMESTAMP", "date": "DATE", "numeric": "NUMERIC", "json": "TEXT",
			},
		},
		{
			name: "PostgreSQL", driver: "pgx", source: cmp.Or(os.Getenv("HONE_POSTGRES"), "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"),
			parameter: "$1", temporary: "CREATE TEMPORARY TABLE",
			types: map[string]string{
				"int": "INTEGER", "small": "SMALLINT", "big": "BIGINT", "float": "DOUBLE PRECISION", "single": "REAL", "bool": "BOOLEAN", "text": "TEXT", "varchar": "VARCHAR(100)",
				"blob": "BYTEA", "timestamp": "TIMESTAMPTZ", "date": "DATE", "numeric": "NUMERIC(20,5)", "json": "JSONB",
			},
		},
		{
			name: "MariaDB", driver: "mysql", source: cmp.Or(os.Getenv("HONE_MYSQL"), "root@tcp(127.0.0.1:3306)/test") + "?parseTime=true",
			parameter: "?", temporary: "CREATE TEMPORARY TABLE",
			types: map[string]string{
				"int": "INT", "small": "SMALLINT", "big": "BIGINT", "float": "DOUBLE", "single": "FLOAT", "bool": "BOOLEAN", "text": "TEXT", "varchar": "VARCHAR(100)",
				"blob": "BLOB", "timestamp": "DATETIME(6)", "date": "DATE", "numeric": "DECIMAL(20,5)", "json": "JSON",
			},
		},
	}
}

// onEach runs f on one connection to each database. Temporary tables exist only on this connection, and
// are dropped when it closes.
func onEach(t *testing.T, f func(t *testing.T, d database, c *sql.Conn)) {
	for _, d := range databases() {
		t.Run(d.name, func(t *testing.T) {
			db, err := sql.Open(d.driver, d.source)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if err := db.PingContext(ctx); err != nil {
				if os.Getenv("HONE_REQUIRE_SERVICES") == "1" {
					t.Fatalf("%s is not reachable, and HONE_REQUIRE_SERVICES=1: %v", d.name, err)
				}
				t.Skipf("skipped the columns of %s, which is not reachable: %v", d.name, err)
			}
			c, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			f(t, d, c)
		})
	}
}

func (d database) table(t *testing.T, c *sql.Conn, name, columns string) {
	t.Helper()
	if _, err := c.ExecContext(t.Context(), d.temporary+" "+name+" ("+columns+")"); err != nil {
		t.Fatal(err)
	}
}
