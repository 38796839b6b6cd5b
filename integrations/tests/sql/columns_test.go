package sql

import (
	"bytes"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
)

var tables atomic.Int32 // the number of tables created so far, for their names

// column returns a test that stores a value and NULL in a column of a kind, and reads them back. The
// parameters and targets are Options and Nullables.
func column[T any](kind string, value T) func(*testing.T, database, *sql.Conn) {
	return func(t *testing.T, d database, c *sql.Conn) {
		table := fmt.Sprintf("hone_%d", tables.Add(1))
		d.table(t, c, table, "v "+d.types[kind])
		insert, query := "INSERT INTO "+table+" (v) VALUES ("+d.parameter+")", "SELECT v FROM "+table
		ctx := t.Context()
		for _, want := range []mo.Option[T]{mo.Some(value), mo.None[T]()} {
			nullable := mo.Null[T]()
			if v, ok := want.Get(); ok {
				nullable = mo.Value(v)
			}
			for _, parameter := range []any{want, &want, nullable} {
				if _, err := c.ExecContext(ctx, insert, parameter); err != nil {
					t.Fatalf("insert %T: %v", parameter, err)
				}
				// The target has a value before the scan, which NULL must clear.
				got := mo.Some(value)
				if err := c.QueryRowContext(ctx, query).Scan(&got); err != nil || !got.Equal(want) {
					t.Errorf("Option: %v, %v; want %v", got, err, want)
				}
				back := mo.Value(value)
				if err := c.QueryRowContext(ctx, query).Scan(&back); err != nil || !back.ToOption().Equal(want) || back.IsAbsent() {
					t.Errorf("Nullable: %v, %v; want %v", back, err, nullable)
				}
				if _, err := c.ExecContext(ctx, "DELETE FROM "+table); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := c.ExecContext(ctx, insert, mo.Absent[T]()); err != nil {
			t.Fatal(err)
		}
		back := mo.Value(value)
		if err := c.QueryRowContext(ctx, query).Scan(&back); err != nil || !back.IsNull() {
			t.Errorf("an absent Nullable was stored as %v, %v; want NULL", back, err)
		}
	}
}

type (
	level int8
	name  string

	// A numeral is a number as text. Databases may add zeros to it.
	numeral string

	// A document is JSON text. Databases may change its white space and the order of its members.
	document string
)

func (n numeral) Equal(other numeral) bool {
	a, err1 := strconv.ParseFloat(string(n), 64)
	b, err2 := strconv.ParseFloat(string(other), 64)
	return err1 == nil && err2 == nil && a == b
}

// Scan is needed because SQLite returns a float, and database/sql converts a float to the type
// string alone.
func (n *numeral) Scan(src any) error {
	var column sql.Null[string]
	err := column.Scan(src)
	*n = numeral(column.V)
	return err
}

func (d document) Equal(other document) bool {
	var a, b any
	err := errors.Join(json.Unmarshal([]byte(d), &a), json.Unmarshal([]byte(other), &b))
	return err == nil && reflect.DeepEqual(a, b)
}

// A point is stored as JSON: point is a Valuer and *point is a Scanner.
type point struct{ X, Y int }

func (p point) Value() (driver.Value, error) {
	data, err := json.Marshal(p)
	return string(data), err
}

func (p *point) Scan(src any) error {
	switch src := src.(type) {
	case string:
		return json.Unmarshal([]byte(src), p)
	case []byte:
		return json.Unmarshal(src, p)
	}
	return fmt.Errorf("cannot scan a %T into a point", src)
}

// A secret is stored with its text reversed: *secret is a Valuer, and secret is not.
type secret struct{ text string }

func (s *secret) Value() (driver.Value, error) { return reversed(s.text), nil }

func (s *secret) Scan(src any) error {
	var column sql.Null[string]
	err := column.Scan(src)
	s.text = reversed(column.V)
	return err
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

func TestColumns(t *testing.T) {
	noon := time.Date(2024, 2, 29, 12, 30, 15, 123456000, time.UTC)
	onEach(t, func(t *testing.T, d database, c *sql.Conn) {
		for title, test := range map[string]func(*testing.T, database, *sql.Conn){
			"int":            column("int", -123456),
			"int8":           column("small", int8(-128)),
			"int16":          column("small", int16(-32768)),
			"int32":          column("int", int32(1<<31-1)),
			"int64":          column("big", int64(-1<<63)),
			"uint":           column("big", uint(7)),
			"uint8":          column("small", uint8(255)),
			"uint32":         column("big", uint32(1<<32-1)),
			"uint64":         column("big", uint64(1<<63-1)),
			"named int":      column("small", level(5)),
			"float64":        column("float", 3.141592653589793),
			"float32":        column("single", float32(0.5)),
			"bool":           column("bool", true),
			"false":          column("bool", false),
			"text":           column("text", "héllo, \"wörld\"\n"),
			"empty text":     column("varchar", ""),
			"named string":   column("varchar", name("ada")),
			"blob":           column("blob", []byte{0, 1, 0xff, 0}),
			"text as bytes":  column("text", []byte("some bytes")),
			"numeric string": column("numeric", numeral("12345.50000")),
			"numeric float":  column("numeric", 0.25),
			"json":           column("json", document(`{"a": [1, 2]}`)),
			"json raw":       column("json", point{3, 4}),
			"pointer valuer": column("varchar", secret{"hush"}),
			"timestamp":      column("timestamp", noon),
			"date":           column("date", noon.Truncate(24*time.Hour)),
		} {
			t.Run(title, func(t *testing.T) { test(t, d, c) })
		}
	})
}

// TestPointerValuer reads the column as text, and checks that the pointer's Value method was called for
// a secret.
func TestPointerValuer(t *testing.T) {
	onEach(t, func(t *testing.T, d database, c *sql.Conn) {
		d.table(t, c, "hone_secret", "v "+d.types["varchar"])
		if _, err := c.ExecContext(t.Context(), "INSERT INTO hone_secret (v) VALUES ("+d.parameter+")", mo.Some(secret{"hush"})); err != nil {
			t.Fatal(err)
		}
		var got string
		if err := c.QueryRowContext(t.Context(), "SELECT v FROM hone_secret").Scan(&got); err != nil || got != "hsuh" {
			t.Errorf("%q, %v; want the reversed text", got, err)
		}
	})
}

// TestBytesAreCopied retains the values of each row while the driver reads further rows into the same buffer. The
// retained values do not change.
func TestBytesAreCopied(t *testing.T) {
	onEach(t, func(t *testing.T, d database, c *sql.Conn) {
		const rows = 200
		d.table(t, c, "hone_bytes", "id "+d.types["int"]+", v "+d.types["blob"]+", s "+d.types["text"])
		want := func(i int) []byte { return bytes.Repeat([]byte{byte('a' + i%26)}, 50) }
		for i := range rows {
			insert := fmt.Sprintf("INSERT INTO hone_bytes (id, v, s) VALUES (%d, %s, '%s')", i, d.parameter, want(i))
			if _, err := c.ExecContext(t.Context(), insert, mo.Some(want(i))); err != nil {
				t.Fatal(err)
			}
		}
		r, err := c.QueryContext(t.Context(), "SELECT v, s, v FROM hone_bytes ORDER BY id")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		type row struct {
			bytes    mo.Option[[]byte]
			text     mo.Option[[]byte]
			nullable mo.Nullable[[]byte]
		}
		var held []row
		for r.Next() {
			var one row
			if err := r.Scan(&one.bytes, &one.text, &one.nullable); err != nil {
				t.Fatal(err)
			}
			held = append(held, one)
		}
		if err := r.Err(); err != nil || len(held) != rows {
			t.Fatalf("%d rows, %v", len(held), err)
		}
		for i, one := range held {
			if w := want(i); !bytes.Equal(one.bytes.OrEmpty(), w) || !bytes.Equal(one.text.OrEmpty(), w) || !bytes.Equal(one.nullable.OrElse(nil), w) {
				t.Fatalf("row %d is %s, %s, %v; want %s", i, one.bytes.OrEmpty(), one.text.OrEmpty(), one.nullable, w)
			}
		}
	})
}

// TestFailedConversions checks that a scan that fails returns the cause, and leaves the target
// unchanged.
func TestFailedConversions(t *testing.T) {
	onEach(t, func(t *testing.T, d database, c *sql.Conn) {
		d.table(t, c, "hone_wrong", "s "+d.types["text"]+", n "+d.types["big"])
		if _, err := c.ExecContext(t.Context(), "INSERT INTO hone_wrong VALUES ('twelve', 300)"); err != nil {
			t.Fatal(err)
		}
		number, small, where := mo.Some(9), mo.Some(int8(9)), mo.Some(point{9, 9})
		nullable := mo.Value(9)
		for column, target := range map[string][]any{"s": {&number, &where, &nullable}, "n": {&small}} {
			for _, target := range target {
				err := c.QueryRowContext(t.Context(), "SELECT "+column+" FROM hone_wrong").Scan(target)
				var scan *mo.ScanError
				if !errors.As(err, &scan) || scan.Err == nil || scan.Source == nil || scan.Target == nil {
					t.Errorf("%T from %s: %v", target, column, err)
				}
			}
		}
		err := c.QueryRowContext(t.Context(), "SELECT n FROM hone_wrong").Scan(&small)
		if cause := (*strconv.NumError)(nil); !errors.As(err, &cause) && !strings.Contains(err.Error(), "out of range") {
			t.Errorf("the error does not contain the cause: %v", err)
		}
		var syntax *json.SyntaxError
		if err := c.QueryRowContext(t.Context(), "SELECT s FROM hone_wrong").Scan(&where); !errors.As(err, &syntax) {
			t.Errorf("the error does not wrap the error of the scanner: %v", err)
		}
		if number != mo.Some(9) || small != mo.Some(int8(9)) || where != mo.Some(point{9, 9}) || nullable != mo.Value(9) {
			t.Errorf("a failed scan changed a target: %v, %v, %v, %v", number, small, where, nullable)
		}
	})
}
