package store

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// TestYearOfFiftyHosts sends the page's queries to a store with a year of readings. Filling the store
// for all hosts takes minutes, so without HONE_NIGHTLY=1 only the first host has readings of a whole
// year. The limits allow for other load on the machine.
func TestYearOfFiftyHosts(t *testing.T) {
	testkit.SkipInVariant(t)
	testkit.SkipIfInstrumented(t) // an instrumented build exceeds the limits of time
	const hosts, day = 50, 24 * time.Hour
	options := Options{Retention: day}
	s := open(t, filepath.Join(t.TempDir(), "pulse.db"), options)
	now := time.Now().UTC().Truncate(time.Second)
	nightly := os.Getenv("HONE_NIGHTLY") != ""
	fillYear(t, s, hosts, now, nightly)

	var bucket telemetry.Bucket
	r := complete()
	bucket.Add(&r)
	bound := time.Second
	if nightly {
		bound = 200 * time.Millisecond
	}
	ask := func(what string, query func() (rows int, err error)) {
		t.Helper()
		best := time.Hour // the shortest time of a few runs, because other tests run at the same time
		for range 5 {
			start := time.Now()
			rows, err := query()
			if err != nil || rows == 0 {
				t.Fatalf("%s: %d rows, %v", what, rows, err)
			}
			best = min(best, time.Since(start))
		}
		t.Logf("%-12s %s", what, best.Round(100*time.Microsecond))
		if best > bound {
			t.Errorf("%s takes %s", what, best)
		}
	}
	for _, span := range []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, day, 7 * day, 30 * day, 365 * day} {
		ask(span.String(), func() (int, error) {
			series, err := LoadSeries(t.Context(), s, options, Span{"host 00", now.Add(-span), now, 600})
			return len(series.At), err
		})
	}
	ask("hosts", func() (int, error) {
		hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 1000})
		return len(hosts), err
	})
	ask("last hour", func() (rows int, err error) {
		err = s.Buckets(t.Context(), Minutes, HostRange{}, now.Add(-time.Hour), now, func(string, time.Time, *telemetry.Bucket) error { rows++; return nil })
		return rows, err
	})
	ask("latest", func() (int, error) {
		_, err := s.Latest(t.Context(), "host 49")
		return 1, err
	})
	ask("readings", func() (int, error) {
		page, _, err := s.Readings(t.Context(), Query{Host: mo.Some("host 00"), From: mo.Some(now.Add(-time.Hour)), Limit: 1000})
		return len(page), err
	})
	ask("metric", func() (int, error) {
		_, _, err := s.Readings(t.Context(), Query{Metric: mo.Some("swap"), Limit: 1000})
		return 1, err
	})
}

var insertReading = "INSERT INTO readings (" + names("", "") + ") VALUES (?" + strings.Repeat(", ?", len(telemetry.Columns)-1) + ") ON CONFLICT (host, at) DO NOTHING"

// fillYear writes rows directly. Write, which computes the sums, would take hours.
func fillYear(t *testing.T, s *SQLite, hosts int, now time.Time, all bool) {
	t.Helper()
	const day = 24 * time.Hour
	tx, err := s.write.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	exec := func(statement *sql.Stmt, args ...any) {
		if _, err := statement.Exec(args...); err != nil {
			t.Fatal(err)
		}
	}
	prepare := func(text string) *sql.Stmt {
		statement, err := tx.Prepare(text)
		if err != nil {
			t.Fatal(err)
		}
		return statement
	}
	insert, host := prepare(insertReading), prepare("INSERT INTO hosts (host, oldest, newest, heard, reading) VALUES (?, ?, ?, ?, ?)")
	for i := range hosts {
		spans := map[Tier]time.Duration{Seconds: day, Minutes: 31 * day, Hours: 365 * day}
		if i > 0 && !all {
			spans = map[Tier]time.Duration{Seconds: time.Minute, Minutes: 2 * time.Hour, Hours: 2 * day}
		}
		r := complete()
		r.Host, r.SwapUsed, r.SwapTotal = fmt.Sprintf("host %02d", i), mo.None[uint64](), mo.None[uint64]()
		for r.At = now.Add(-spans[Seconds]); r.At.Before(now); r.At = r.At.Add(time.Second) {
			exec(insert, allFields(&r)...)
		}
		var bucket telemetry.Bucket
		for range 60 {
			bucket.Add(&r)
		}
		data, err := wire.Marshal(&bucket)
		if err != nil {
			t.Fatal(err)
		}
		for tier := range tables {
			statement := prepare("INSERT INTO " + tables[tier] + " (host, at, summary) VALUES (?, ?, ?)")
			for at := now.Add(-spans[tier]).Truncate(tier.Step()); at.Before(now); at = at.Add(tier.Step()) {
				exec(statement, r.Host, at.UnixMilli(), data)
			}
		}
		text, err := json.Marshal(&r)
		if err != nil {
			t.Fatal(err)
		}
		exec(host, r.Host, now.Add(-365*day).UnixMilli(), now.UnixMilli(), now.UnixMilli(), text)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkWrite stores one reading of each of fifty hosts, in one transaction and in fifty.
func BenchmarkWrite(b *testing.B) {
	for _, group := range []int{1, 50} {
		b.Run(fmt.Sprint("batches=", group), func(b *testing.B) {
			s, err := Open(b.Context(), filepath.Join(b.TempDir(), "pulse.db"), Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			var readings int
			for second := 0; b.Loop(); second++ {
				batches := make([][]telemetry.Reading, group)
				for i := range batches {
					r := complete()
					r.Host, r.At = fmt.Sprint("host ", i), t0.Add(time.Duration(second)*time.Second)
					batches[i] = []telemetry.Reading{r}
				}
				fresh, err := s.Write(b.Context(), batches)
				if err != nil || len(fresh[0]) != 1 {
					b.Fatal(err)
				}
				readings += group
			}
			b.ReportMetric(float64(readings)/b.Elapsed().Seconds(), "readings/s")
		})
	}
}
