package pgx_test

import (
	"errors"
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	honepgx "github.com/hone-go/hone/integrations/pgx"
	"github.com/hone-go/hone/mo"
)

type (
	count  int
	labels []string
	person struct {
		Name mo.Option[string]
		Age  int32
		Tags mo.Nullable[[]string]
	}
)

func int4(n int32) pgtype.Int4 { return pgtype.Int4{Int32: n, Valid: true} }

// everyType has a round trip of many types that no list names. A row whose plain type works in no mode
// fails the test.
var everyType = map[string]func(*testing.T, *pgx.Conn){
	"[]string":          needed("text[]", []string{"a", "", "NULL", `"`}, []string{}),
	"[]int":             needed("int4[]", []int{1, -1}, []int{}),
	"[]int32":           needed("int4[]", []int32{1, -1}),
	"[]bool":            needed("bool[]", []bool{true}),
	"[]float64":         needed("float8[]", []float64{1.5}),
	"[][]byte":          needed("bytea[]", [][]byte{{0, 255}, {}}),
	"[]time":            needed("timestamptz[]", []time.Time{time.Date(2026, 11, 22, 10, 0, 0, 1000, time.Local)}),
	"[]prefix":          needed("inet[]", []netip.Prefix{netip.MustParsePrefix("10.0.0.1/8")}),
	"[]uuid":            needed("uuid[]", [][16]byte{{1, 2}}),
	"[][]int32":         needed("int4[]", [][]int32{{1, 2}, {3, 4}}),
	"[2]int32":          needed("int4[]", [2]int32{1, 2}),
	"[]*string":         needed("text[]", []*string{new(string), nil}),
	"[]Int4":            needed("int4[]", []pgtype.Int4{int4(1), {}}),
	"[]Option":          needed("int4[]", []mo.Option[int32]{mo.Some[int32](1), mo.None[int32]()}),
	"[]Nullable":        needed("int4[]", []mo.Nullable[count]{mo.Value[count](1), mo.Null[count]()}),
	"[]named":           needed("text[]", []mood{"happy"}),
	"named slice":       needed("text[]", labels{"a"}),
	"named int":         needed[count]("int8", 7, 0),
	"*int":              needed("int4", new(int)),
	"Text":              needed("text", pgtype.Text{String: "a", Valid: true}),
	"Numeric":           needed("numeric", pgtype.Numeric{Int: big.NewInt(1234), Exp: -2, Valid: true}),
	"Date":              needed("date", pgtype.Date{Time: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), Valid: true}),
	"Interval":          needed("interval", pgtype.Interval{Months: 1, Days: 2, Microseconds: 3, Valid: true}),
	"Point":             needed("point", pgtype.Point{P: pgtype.Vec2{X: 1, Y: 2}, Valid: true}),
	"Bits":              needed("bit(8)", pgtype.Bits{Bytes: []byte{0xa0}, Len: 8, Valid: true}),
	"Array":             needed("int4[]", pgtype.Array[int32]{Elements: []int32{1}, Dims: []pgtype.ArrayDimension{{Length: 1, LowerBound: 1}}, Valid: true}),
	"FlatArray":         needed("int4[]", pgtype.FlatArray[int32]{1, 2}),
	"Range":             needed("int4range", pgtype.Range[pgtype.Int4]{Lower: int4(1), Upper: int4(9), LowerType: 'i', UpperType: 'e', Valid: true}),
	"Range of int32":    needed("int4range", pgtype.Range[int32]{Lower: 1, Upper: 9, LowerType: 'i', UpperType: 'e', Valid: true}),
	"Multirange":        needed("int4multirange", pgtype.Multirange[pgtype.Range[pgtype.Int4]]{{Lower: int4(1), Upper: int4(9), LowerType: 'i', UpperType: 'e', Valid: true}}),
	"[]Range":           needed("int4range[]", []pgtype.Range[int32]{{Lower: 1, Upper: 9, LowerType: 'i', UpperType: 'e', Valid: true}}),
	"struct in json":    needed("json", address{"Main", mo.Some("1")}),
	"slice in jsonb":    needed("jsonb", []address{{"Main", mo.Some("1")}}, []address{}),
	"map in jsonb":      needed("jsonb", map[string]int{"a": 1}),
	"Option in jsonb":   needed("jsonb", map[string]mo.Option[int]{"a": mo.Some(1)}),
	"jsonb[]":           needed("jsonb[]", []map[string]int{{"a": 1}}),
	"loaded composite":  needed("pg_temp.person", person{mo.Some("Ada"), 36, mo.Value([]string{"a"})}, person{mo.None[string](), 0, mo.Null[[]string]()}),
	"loaded composites": needed("pg_temp.person[]", []person{{mo.Some("Ada"), 36, mo.Null[[]string]()}}),
	"loaded enum":       needed[mood]("pg_temp.mood", "happy", "sad"),
	"loaded enums":      needed("pg_temp.mood[]", []mood{"happy"}, []mood{}),
	"loaded range":      needed("pg_temp.span", pgtype.Range[float64]{Lower: 1, Upper: 2, LowerType: 'i', UpperType: 'e', Valid: true}),
}

// needed is roundTrip for a T that pgx supports in at least one mode.
func needed[T any](column string, values ...T) func(t *testing.T, c *pgx.Conn) {
	return func(t *testing.T, c *pgx.Conn) {
		var errs []error
		for _, mode := range modes {
			var plain T
			if err := c.QueryRow(t.Context(), "SELECT $1::"+column, mode, values[0]).Scan(&plain); err != nil {
				errs = append(errs, err)
			}
		}
		if len(errs) == len(modes) {
			t.Fatalf("pgx does not support %T: %v", values[0], errors.Join(errs...))
		}
		roundTrip(column, values...)(t, c)
	}
}

// TestEveryType checks that a T that pgx encodes and scans can be in an Option, a Nullable and a Result, in
// each mode in which pgx supports T. Each T has its own connection, because pgx 5.13 cannot encode a [][]T
// after it has encoded a slice of structs for the same type of array.
func TestEveryType(t *testing.T) {
	for name, f := range everyType {
		t.Run(name, func(t *testing.T) {
			c := connect(t)
			for _, statement := range []string{
				"CREATE TYPE pg_temp.mood AS ENUM ('happy', 'sad')",
				"CREATE TYPE pg_temp.person AS (name text, age int4, tags text[])",
				"CREATE TYPE pg_temp.span AS RANGE (subtype = float8)",
			} {
				if _, err := c.Exec(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			loaded, err := c.LoadTypes(t.Context(), []string{"mood", "_mood", "person", "_person", "span"})
			if err != nil || len(loaded) < 5 {
				t.Fatalf("%d types were loaded, %v", len(loaded), err)
			}
			honepgx.Register(c.TypeMap(), honepgx.Options{Loaded: loaded})
			f(t, c)
		})
	}
}

// TestNilAndEmpty checks that NULL, an empty array and an array with NULL are different, and that a
// Some(nil) is NULL like the nil slice.
func TestNilAndEmpty(t *testing.T) {
	c := connect(t)
	for _, mode := range modes {
		for _, test := range []struct {
			in   any
			null bool
			size int
		}{
			{mo.None[[]string](), true, 0},
			{mo.Some[[]string](nil), true, 0},
			{mo.Some([]string{}), false, 0},
			{mo.Some([]string{""}), false, 1},
			{mo.Some([]mo.Option[string]{mo.None[string]()}), false, 1},
			{mo.Absent[[]string](), true, 0},
			{mo.Null[[]string](), true, 0},
			{mo.Value([]string{}), false, 0},
			{[]mo.Option[string](nil), true, 0},
			{[]mo.Option[string]{mo.Some("a")}, false, 1},
			{[]mo.Option[string]{}, false, 0},
		} {
			o, n := mo.Some([]mo.Option[mood]{mo.Some[mood]("stale")}), mo.Value([]mo.Option[string]{mo.Some("stale")})
			query := "SELECT $1::text[], $1::text[]"
			if err := c.QueryRow(t.Context(), query, mode, test.in).Scan(&o, &n); err != nil {
				t.Errorf("%v: %#v: %v", mode, test.in, err)
				continue
			}
			list, _ := n.Get()
			if o.IsNone() != test.null || n.IsNull() != test.null || len(o.OrEmpty()) != test.size || len(list) != test.size || n.IsAbsent() {
				t.Errorf("%v: %#v was scanned as %#v and %#v", mode, test.in, o, n)
			}
			if !test.null && (o.OrEmpty() == nil || list == nil) {
				t.Errorf("%v: %#v was scanned as a nil slice", mode, test.in)
			}
		}
	}
}

// TestUnsupported checks that the error for a T that pgx does not support names T and PostgreSQL's type, and
// that the target is unchanged.
func TestUnsupported(t *testing.T) {
	c := connect(t)
	type odd struct{ C chan int }
	for _, mode := range modes {
		in := mo.Some(odd{make(chan int)})
		_, err := c.Exec(t.Context(), "SELECT $1::int4", mode, in)
		if err == nil {
			t.Errorf("%v: no error for a struct as an int4", mode)
		}
		target, failed := in, mo.Ok(odd{})
		for _, to := range []any{&target, &failed} {
			if err := c.QueryRow(t.Context(), "SELECT 1::int4", mode).Scan(to); err == nil && failed.IsOk() {
				t.Errorf("%v: %T: no error for an int4 as a struct", mode, to)
			}
		}
		if target != in {
			t.Errorf("%v: the target changed", mode)
		}
		if fault := errors.New("unknown"); mode != pgx.QueryExecModeCacheStatement {
			if _, err := c.Exec(t.Context(), "SELECT $1::text[]", mode, mo.Err[[]string](fault)); !errors.Is(err, fault) {
				t.Errorf("%v: a failed Result was a parameter: %v", mode, err)
			}
			if _, err := c.Exec(t.Context(), "SELECT $1::text[]", mode, []mo.Result[string]{mo.Err[string](fault)}); !errors.Is(err, fault) {
				t.Errorf("%v: a failed Result was an element: %v", mode, err)
			}
		}
	}
}

// TestUnloadedArray scans the array of an enumeration that is not loaded, in an Option like in a slice.
func TestUnloadedArray(t *testing.T) {
	c := connect(t)
	if _, err := c.Exec(t.Context(), "CREATE TYPE pg_temp.unloaded AS ENUM ('happy', 'sad')"); err != nil {
		t.Fatal(err)
	}
	for _, mode := range modes {
		ask := func(target any) error {
			return c.QueryRow(t.Context(), "SELECT '{happy,NULL}'::pg_temp.unloaded[]", mode).Scan(target)
		}
		var plain []*string
		var n mo.Option[[]string]
		var list []mo.Option[string]
		var results []mo.Result[string]
		if err := ask(&plain); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(ask(&list), ask(&results)); err != nil || !reflect.DeepEqual(list, []mo.Option[string]{mo.Some("happy"), mo.None[string]()}) || results[0].IsError() || results[1].IsOk() {
			t.Errorf("%v: %v, %v, %v", mode, list, results, err)
		}
		if err := c.QueryRow(t.Context(), "SELECT '{happy}'::pg_temp.unloaded[]", mode).Scan(&n); err != nil || !reflect.DeepEqual(n, mo.Some([]string{"happy"})) {
			t.Errorf("%v: %v, %v", mode, n, err)
		}
	}
}

// TestRowToStruct collects rows with columns of unlisted types by the names of the fields.
func TestRowToStruct(t *testing.T) {
	type row struct {
		Tags   mo.Option[[]string]
		Counts mo.Nullable[[]int]
		Span   mo.Option[pgtype.Range[int32]]
		Home   mo.Nullable[address]
		Level  mo.Option[count]
	}
	c := connect(t)
	rows, err := c.Query(t.Context(), `SELECT '{a}'::text[] AS tags, '{1,2}'::int4[] AS counts, '[1,9)'::int4range AS span, '{"street":"Main"}'::jsonb AS home, 7 AS level
		UNION ALL SELECT NULL, NULL, NULL, NULL, NULL`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	want := []row{
		{mo.Some([]string{"a"}), mo.Value([]int{1, 2}), mo.Some(pgtype.Range[int32]{Lower: 1, Upper: 9, LowerType: 'i', UpperType: 'e', Valid: true}), mo.Value(address{Street: "Main"}), mo.Some[count](7)},
		{Counts: mo.Null[[]int](), Home: mo.Null[address]()},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}
