package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// TestFullDisk limits the pages of SQLite, as if the disk were full. Batches and checks return
// ErrFull, and work again when the limit is raised.
func TestFullDisk(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "pulse.db"), Options{})
	write(t, s, complete())
	limit := func(pages string) {
		t.Helper()
		if _, err := s.write.Exec("PRAGMA max_page_count = " + pages); err != nil {
			t.Fatal(err)
		}
	}
	limit("1") // fewer pages than the file has, so it cannot grow
	var refused telemetry.Reading
	for i := range 10_000 {
		refused = complete()
		refused.At = refused.At.Add(time.Duration(i+1) * time.Second)
		if _, err := s.Write(t.Context(), [][]telemetry.Reading{{refused}}); errors.Is(err, ErrFull) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Latest(t.Context(), "a"); err != nil {
		t.Errorf("reading on a full disk: %v", err)
	}
	limit("100000")
	if n := write(t, s, refused); n != 1 {
		t.Errorf("after the limit was raised, %d readings were stored", n)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check: %v", err)
	}
}

// TestCheck writes and reads a row, and fails when it cannot.
func TestCheck(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "pulse.db"), Options{})
	for range 3 {
		if err := s.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.write.Exec("DROP TABLE health"); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err == nil {
		t.Error("no error without the table")
	}
}

// TestMetricsAgainstTwin compares queries for a metric with a search through all readings.
func TestMetricsAgainstTwin(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		r := rand.New(rand.NewPCG(1, 2))
		var all []telemetry.Reading
		for i := range 400 {
			v := telemetry.Reading{Host: string(rune('a' + r.IntN(3))), At: t0.Add(time.Duration(i/2) * time.Second)}
			if r.IntN(2) == 0 {
				v.CPU = mo.Some(1.0)
			}
			if r.IntN(3) == 0 {
				v.Load5 = mo.Some(2.0)
			}
			if r.IntN(20) == 0 {
				v.Temperatures = []telemetry.Temperature{{Sensor: "x", Celsius: 1}}
			}
			if write(t, s, v) == 1 {
				all = append(all, v)
			}
		}
		has := func(v telemetry.Reading, metric string) bool {
			switch metric {
			case "cpu":
				return v.CPU.IsSome()
			case "load":
				return v.Load5.IsSome()
			case "temperatures":
				return len(v.Temperatures) > 0
			}
			return false
		}
		for range 80 {
			q := Query{Metric: mo.Some([]string{"cpu", "load", "temperatures", "swap"}[r.IntN(4)]), Limit: 1 + r.IntN(30)}
			if r.IntN(2) == 0 {
				q.Host = mo.Some(string(rune('a' + r.IntN(4))))
			}
			if r.IntN(2) == 0 {
				q.From = mo.Some(t0.Add(time.Duration(r.IntN(150)) * time.Second))
			}
			if r.IntN(2) == 0 {
				q.To = mo.Some(t0.Add(time.Duration(r.IntN(250)) * time.Second))
			}
			want := map[string]int{}
			for _, v := range all {
				if has(v, q.Metric.MustGet()) && v.Host == q.Host.OrElse(v.Host) && !v.At.Before(q.From.OrElse(v.At)) && (q.To.IsNone() || v.At.Before(q.To.MustGet())) {
					want[fmt.Sprint(v.At, v.Host)]++
				}
			}
			last := ""
			for pages := 0; ; pages++ {
				page, next, err := s.Readings(t.Context(), q)
				if err != nil || pages > 400 {
					t.Fatal(pages, err)
				}
				for _, v := range page {
					key := v.At.Format(time.RFC3339) + v.Host
					if key <= last {
						t.Fatalf("%+v: %s after %s", q, key, last)
					}
					last = key
					want[fmt.Sprint(v.At, v.Host)]--
				}
				if next.IsNone() {
					break
				}
				q.Cursor = next
			}
			for key, n := range want {
				if n != 0 {
					t.Fatalf("%+v: %s is missing %d times", q, key, n)
				}
			}
		}
	})
}

// TestMetricThatNobodyHas: a query for a metric that no reading has returns at once, and other
// queries do not wait for it.
func TestMetricThatNobodyHas(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "pulse.db"), Options{})
	batch := make([]telemetry.Reading, 1000)
	for i := range 12 {
		for j := range batch {
			batch[j] = reading(fmt.Sprint("h", j%50), i*20+j/50)
		}
		write(t, s, batch...)
	}
	for _, q := range []Query{
		{Metric: mo.Some("swap"), Limit: 1000}, {Metric: mo.Some("swap"), Host: mo.Some("h7"), Limit: 1000},
		{Metric: mo.Some("swap"), From: mo.Some(t0), Limit: 1}, {Metric: mo.Some("cpu"), Limit: 1},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		page, _, err := s.Readings(ctx, q)
		cancel()
		if err != nil || len(page) > q.Limit {
			t.Errorf("%+v: %d readings, %v", q, len(page), err)
		}
		// The time depends on the machine, the query plan does not: it must not scan a whole table.
		has, err := s.valuesWith(t.Context(), q.Metric.MustGet(), q.Host)
		if err != nil || len(has) == 0 {
			continue
		}
		text, args, err := q.sql(has)
		if err != nil {
			t.Fatal(err)
		}
		if readsAll(t, s, text, args) {
			t.Errorf("%+v: reads all readings", q)
		}
	}
}

// readsAll reports whether SQLite scans the whole table for a query.
func readsAll(t *testing.T, s *SQLite, query string, args []any) (all bool) {
	t.Helper()
	rows, err := s.read.Query("EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		all = all || detail == "SCAN readings"
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
