package pgx_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	honepgx "github.com/hone-go/hone/integrations/pgx"
	"github.com/hone-go/hone/mo"
)

type address struct {
	Street string            `json:"street"`
	Zip    mo.Option[string] `json:"zip"`
}

type mood string

// source returns the connection string of PostgreSQL, from the environment variable
// HONE_POSTGRES.
func source() string {
	return cmp.Or(os.Getenv("HONE_POSTGRES"), "postgres://postgres@127.0.0.1:5432/test?sslmode=disable")
}

func connect(t *testing.T, o ...honepgx.Options) *pgx.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, source())
	if err != nil {
		if os.Getenv("HONE_REQUIRE_SERVICES") != "" {
			t.Fatalf("PostgreSQL is not reachable, and HONE_REQUIRE_SERVICES is set: %v", err)
		}
		t.Skipf("PostgreSQL is not reachable: %v", err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	honepgx.Register(c.TypeMap(), o...)
	return c
}

var modes = []pgx.QueryExecMode{
	pgx.QueryExecModeCacheStatement, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol,
}

// roundTrip sends values as parameters of a type and reads them back, in every mode of pgx.
func roundTrip[T any](column string, values ...T) func(t *testing.T, c *pgx.Conn) {
	return func(t *testing.T, c *pgx.Conn) {
		for _, mode := range modes {
			query := "SELECT $1::" + column
			ask := func(parameter, target any) error {
				return c.QueryRow(t.Context(), query, mode, parameter).Scan(target)
			}
			for _, v := range values {
				var plain T
				if ask(v, &plain) != nil {
					continue // in this mode pgx does not support T
				}
				stale := mo.Some(values[len(values)-1])
				some, null, ok := stale, mo.Null[T](), mo.Err[T](errors.New("stale"))
				for _, err := range []error{ask(mo.Some(v), &some), ask(mo.Value(v), &null), ask(mo.Ok(v), &ok)} {
					if err != nil {
						t.Fatalf("%v: %v", mode, err)
					}
				}
				for i, got := range []mo.Option[T]{some, null.ToOption(), mo.ResultToOption(ok)} {
					if g, is := got.Get(); !is || !reflect.DeepEqual(g, v) && fmt.Sprintf("%#v", g) != fmt.Sprintf("%#v", v) {
						t.Errorf("%v: %d: %#v; want %#v", mode, i, got, v)
					}
				}
				// A pointer to an Option is a parameter too, and *Option as a target may be nil.
				pointed := mo.Some(v)
				target := &stale
				if err := ask(&pointed, &target); err != nil || target == nil || target.IsNone() {
					t.Errorf("%v: pointers: %v, %v", mode, target, err)
				}
			}
			for _, parameter := range []any{mo.None[T](), mo.Null[T](), mo.Absent[T](), (*mo.Option[T])(nil), (*mo.Result[T])(nil), nil} {
				some, value := mo.Some(values[0]), mo.Value(values[0])
				if err := errors.Join(ask(parameter, &some), ask(parameter, &value)); err != nil {
					t.Fatalf("%v: %T: %v", mode, parameter, err)
				}
				if some.IsSome() || !value.IsNull() {
					t.Errorf("%v: %#v became %v and %v; want NULL", mode, parameter, some, value)
				}
			}
		}
	}
}

func TestColumns(t *testing.T) {
	c := connect(t)
	if _, err := c.Exec(t.Context(), "CREATE TYPE pg_temp.mood AS ENUM ('happy', 'sad')"); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(*testing.T, *pgx.Conn){
		"int":       roundTrip("int4", 0, 1, math.MaxInt32),
		"int8":      roundTrip[int8]("int2", math.MinInt8, 3),
		"int64":     roundTrip[int64]("int8", math.MinInt64, math.MaxInt64),
		"uint32":    roundTrip[uint32]("int8", math.MaxUint32),
		"numeric":   roundTrip[int64]("numeric", math.MaxInt64),
		"float":     roundTrip("float8", 0.1, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat64),
		"float32":   roundTrip[float32]("float4", 0.5, float32(math.NaN())),
		"bool":      roundTrip("bool", true, false),
		"text":      roundTrip("text", "a", "", "NULL", "null", "'; DROP TABLE x; --", "ü\n"),
		"varchar":   roundTrip("varchar(10)", "a", ""),
		"bytea":     roundTrip("bytea", []byte{0, 1, 255}, []byte{}),
		"uuid":      roundTrip("uuid", [16]byte{1, 2, 3}),
		"inet":      roundTrip("inet", netip.MustParsePrefix("10.0.0.1/8"), netip.MustParsePrefix("2001:db8::/32")),
		"address":   roundTrip("inet", netip.MustParseAddr("10.0.0.1")),
		"interval":  roundTrip("interval", time.Hour+time.Microsecond),
		"range":     roundTrip("int4range", pgtype.Range[pgtype.Int4]{Lower: pgtype.Int4{Int32: 1, Valid: true}, Upper: pgtype.Int4{Int32: 9, Valid: true}, LowerType: 'i', UpperType: 'e', Valid: true}),
		"json":      roundTrip("json", address{"Main", mo.Some("1")}, address{"Side", mo.None[string]()}),
		"jsonb":     roundTrip("jsonb", map[string]string{"a": "b"}, map[string]string{}),
		"text[]":    roundTrip("text[]", []string{"a", "", "NULL", `"`}, []string{}),
		"int4[]":    roundTrip("int4[]", []int32{1, -1}),
		"enum":      roundTrip[mood]("pg_temp.mood", "happy", "sad"),
		"enumtext":  roundTrip[mood]("text", "happy"),
		"timestamp": roundTrip("timestamptz", time.Date(2026, 11, 22, 10, 0, 0, 1000, time.Local)),
	} {
		t.Run(name, func(t *testing.T) { f(t, c) })
	}
}

// TestArrays sends arrays of Options as parameters, and scans them into equal arrays.
func TestArrays(t *testing.T) {
	c := connect(t)
	for _, mode := range modes {
		plainJSON := c.QueryRow(t.Context(), "SELECT $1::jsonb[]", mode, []address{}).Scan(new([]address)) == nil
		want := []mo.Option[int32]{mo.Some[int32](1), mo.None[int32](), mo.Some[int32](-3)}
		var got []mo.Option[int32]
		if err := c.QueryRow(t.Context(), "SELECT $1::int4[]", mode, want).Scan(&got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %v, %v", mode, got, err)
		}
		in := []mo.Option[address]{mo.Some(address{Street: "Main"}), mo.None[address]()}
		var back []mo.Option[address]
		if err := c.QueryRow(t.Context(), "SELECT $1::jsonb[]", mode, in).Scan(&back); plainJSON && (err != nil || !reflect.DeepEqual(back, in)) {
			t.Errorf("%v: %v, %v", mode, back, err)
		}
		var plain []int32
		if err := c.QueryRow(t.Context(), "SELECT $1::int4[]", mode, want).Scan(&plain); err == nil {
			t.Errorf("%v: no error for scanning NULL into an int: %v", mode, plain)
		}
	}
}

func TestResult(t *testing.T) {
	c := connect(t)
	fault := errors.New("the price is not known")
	for _, mode := range modes {
		var n int
		err := c.QueryRow(t.Context(), "SELECT $1::int4", mode, mo.Err[int](fault)).Scan(&n)
		if !errors.Is(err, fault) {
			t.Errorf("%v: the statement with a failed Result was executed: %d, %v", mode, n, err)
		}
		var null, large mo.Result[int16]
		var fine mo.Option[string]
		err = c.QueryRow(t.Context(), "SELECT NULL::int4, 70000::int4, 'fine'::text", mode).Scan(&null, &large, &fine)
		if err != nil || null.IsOk() || large.IsOk() || fine != mo.Some("fine") {
			t.Errorf("%v: %v, %v, %v, %v", mode, null, large, fine, err)
		}
		// If T can represent NULL, scanning NULL into a Result succeeds.
		var pointer mo.Result[any]
		if err := c.QueryRow(t.Context(), "SELECT NULL::int4", mode).Scan(&pointer); err != nil || pointer.IsError() {
			t.Errorf("%v: %v, %v", mode, pointer, err)
		}
	}
	if err := c.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestMismatches checks that scanning a value of another type returns an error and leaves the target
// unchanged.
func TestMismatches(t *testing.T) {
	c := connect(t)
	for _, mode := range modes {
		small, text := mo.Some[int8](7), mo.Value(true)
		if err := c.QueryRow(t.Context(), "SELECT 1000::int4", mode).Scan(&small); err == nil || small != mo.Some[int8](7) {
			t.Errorf("%v: 1000 was scanned as %v, %v", mode, small, err)
		}
		if err := c.QueryRow(t.Context(), "SELECT 'maybe'::text", mode).Scan(&text); err == nil || text != mo.Value(true) {
			t.Errorf("%v: 'maybe' was scanned as %v, %v", mode, text, err)
		}
		var nan mo.Option[int]
		if err := c.QueryRow(t.Context(), "SELECT 'NaN'::numeric", mode).Scan(&nan); err == nil {
			t.Errorf("%v: NaN was scanned as %v", mode, nan)
		}
		if _, err := c.Exec(t.Context(), "SELECT $1::int2", mode, mo.Some(70000)); err == nil {
			t.Errorf("%v: no error for storing 70000 in a smallint", mode)
		}
	}
}

func TestJSON(t *testing.T) {
	c := connect(t)
	for _, column := range []string{"json", "jsonb"} {
		for _, mode := range modes {
			query := func(text string, target any) error {
				return c.QueryRow(t.Context(), "SELECT '"+text+"'::"+column, mode).Scan(target)
			}
			// For an Option of a struct the JSON null is like NULL. As raw text it is a value.
			o, n, raw := mo.Some(address{}), mo.Value(address{}), mo.None[string]()
			if err := errors.Join(query(" null ", &o), query("null", &n)); err != nil || o.IsSome() || !n.IsNull() {
				t.Errorf("%s, %v: null: %v, %v, %v", column, mode, o, n, err)
			}
			if err := query(`"null"`, &raw); err != nil || raw != mo.Some(`"null"`) {
				t.Errorf(`%s, %v: the raw text "null" was scanned as %v, %v`, column, mode, raw, err)
			}
			// A struct is decoded by package json, and fields that the document lacks are set to zero.
			a := address{"stale", mo.Some("stale")}
			if err := query(`{"street":"Main"}`, &a); err != nil || a != (address{Street: "Main"}) {
				t.Errorf("%s, %v: %+v, %v", column, mode, a, err)
			}
			var typeErr *json.UnmarshalTypeError
			if err := query(`{"street":7}`, &o); !errors.As(err, &typeErr) {
				t.Errorf("%s, %v: no error for a number in a string field: %v, %v", column, mode, o, err)
			}
			if _, err := c.Exec(t.Context(), "SELECT $1::"+column, mode, mo.Some[any](math.NaN())); err == nil {
				t.Errorf("%s, %v: no error for storing NaN as JSON", column, mode)
			}
		}
	}
}

// TestCollect tests structs, batches and CopyFrom.
func TestCollect(t *testing.T) {
	type row struct {
		ID   int
		Name mo.Option[string]
		Home mo.Nullable[address]
		Tags mo.Option[[]string]
	}
	c := connect(t)
	if _, err := c.Exec(t.Context(), "CREATE TEMPORARY TABLE people (id int, name text, home jsonb, tags text[])"); err != nil {
		t.Fatal(err)
	}
	want := []row{
		{1, mo.Some("Ada"), mo.Value(address{Street: "Main"}), mo.Some([]string{"a", "b"})},
		{2, mo.None[string](), mo.Null[address](), mo.None[[]string]()},
	}
	for _, r := range want {
		copied, err := c.CopyFrom(t.Context(), pgx.Identifier{"people"}, []string{"id", "name", "home", "tags"}, pgx.CopyFromRows([][]any{{r.ID, r.Name, r.Home, r.Tags}}))
		if err != nil || copied != 1 {
			t.Fatal(err)
		}
	}
	rows, err := c.Query(t.Context(), "SELECT * FROM people ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	var batch pgx.Batch
	for _, r := range want {
		batch.Queue("UPDATE people SET name = $2 WHERE id = $1", r.ID, mo.Some(fmt.Sprint("no. ", r.ID)))
	}
	if err := c.SendBatch(t.Context(), &batch).Close(); err != nil {
		t.Fatal(err)
	}
	var name mo.Option[string]
	if err := c.QueryRow(t.Context(), "SELECT name FROM people WHERE id = 2").Scan(&name); err != nil || name != mo.Some("no. 2") {
		t.Errorf("%v, %v", name, err)
	}
	// A cancelled scan does not change the target.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := c.QueryRow(ctx, "SELECT 'late'::text FROM pg_sleep(1)").Scan(&name); err == nil || name != mo.Some("no. 2") {
		t.Errorf("%v, %v", name, err)
	}
}

// TestLoaded tests types that are defined in the database and passed in Options.Loaded.
func TestLoaded(t *testing.T) {
	c := connect(t)
	if _, err := c.Exec(t.Context(), "CREATE TYPE pg_temp.mood AS ENUM ('happy', 'sad')"); err != nil {
		t.Fatal(err)
	}
	loaded, err := c.LoadTypes(t.Context(), []string{"mood"})
	if err != nil {
		t.Fatal(err)
	}
	honepgx.Register(c.TypeMap(), honepgx.Options{Loaded: loaded})
	in := []mo.Option[mood]{mo.Some[mood]("sad"), mo.None[mood]()}
	var one mo.Option[mood]
	if err := c.QueryRow(t.Context(), "SELECT $1::pg_temp.mood", in[0]).Scan(&one); err != nil || one != in[0] {
		t.Errorf("%v, %v", one, err)
	}
	var invalid mo.Option[mood]
	if err := c.QueryRow(t.Context(), "SELECT $1::pg_temp.mood", mo.Some[mood]("bored")).Scan(&invalid); err == nil {
		t.Error("no error for a value that the enumeration does not have")
	}
}

// BenchmarkScan compares scanning into an Option with scanning into a pointer.
func BenchmarkScan(b *testing.B) {
	m := pgtype.NewMap()
	honepgx.Register(m)
	src := []byte{0, 0, 0, 7}
	b.Run("option", func(b *testing.B) {
		b.ReportAllocs()
		var o mo.Option[int32]
		plan := m.PlanScan(pgtype.Int4OID, pgtype.BinaryFormatCode, &o)
		for b.Loop() {
			if err := plan.Scan(src, &o); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("option without Register", func(b *testing.B) {
		b.ReportAllocs()
		var o mo.Option[int32]
		plan := pgtype.NewMap().PlanScan(pgtype.Int4OID, pgtype.BinaryFormatCode, &o)
		for b.Loop() {
			if err := plan.Scan(src, &o); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("option by reflection", func(b *testing.B) {
		b.ReportAllocs()
		var o mo.Option[count]
		plan := m.PlanScan(pgtype.Int4OID, pgtype.BinaryFormatCode, &o)
		for b.Loop() {
			if err := plan.Scan(src, &o); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("pointer", func(b *testing.B) {
		b.ReportAllocs()
		var p *int32
		plan := m.PlanScan(pgtype.Int4OID, pgtype.BinaryFormatCode, &p)
		for b.Loop() {
			if err := plan.Scan(src, &p); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("register", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			honepgx.Register(pgtype.NewMap())
		}
	})
}

// TestCopyText copies an array of two dimensions with CopyFrom, as text and as a pgtype.Array. It is stored
// with both dimensions.
func TestCopyText(t *testing.T) {
	c := connect(t)
	if _, err := c.Exec(t.Context(), "CREATE TEMPORARY TABLE matrix (m int[])"); err != nil {
		t.Fatal(err)
	}
	for _, m := range []any{
		"{{1,2},{3,4}}",
		pgtype.Array[int32]{Elements: []int32{1, 2, 3, 4}, Dims: []pgtype.ArrayDimension{{Length: 2, LowerBound: 1}, {Length: 2, LowerBound: 1}}, Valid: true},
		mo.Some([][]int32{{1, 2}, {3, 4}}),
	} {
		if _, err := c.CopyFrom(t.Context(), pgx.Identifier{"matrix"}, []string{"m"}, pgx.CopyFromRows([][]any{{m}})); err != nil {
			t.Fatal(err)
		}
	}
	rows, _ := c.Query(t.Context(), "SELECT m::text FROM matrix")
	got, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if want := "{{1,2},{3,4}}"; err != nil || !slices.Equal(got, []string{want, want, want}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := c.CopyFrom(t.Context(), pgx.Identifier{"matrix"}, []string{"m"}, pgx.CopyFromRows([][]any{{"{1,x}"}})); err == nil {
		t.Error("no error for an invalid text of an array")
	}
}
