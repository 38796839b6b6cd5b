package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// source returns the URL of an existing database of PostgreSQL.
func source() string {
	return cmp.Or(os.Getenv("HONE_POSTGRES"), "postgres://postgres@127.0.0.1:5432/test?sslmode=disable")
}

func init() {
	backends["PostgreSQL"] = func(t *testing.T, options Options) Store {
		return openPostgres(t, newDatabase(t), options)
	}
}

// newDatabase creates a database for a test and returns its URL.
func newDatabase(t testing.TB) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, source())
	if err != nil {
		if os.Getenv("HONE_REQUIRE_SERVICES") != "" {
			t.Fatalf("PostgreSQL is not reachable, and HONE_REQUIRE_SERVICES is set: %v", err)
		}
		t.Skipf("PostgreSQL is not reachable: %v", err)
	}
	defer c.Close(ctx)
	name := "pulse_test_" + strings.ToLower(rand.Text()[:12])
	if _, err := c.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		c, err := pgx.Connect(ctx, source())
		if err == nil {
			_, err = c.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
			_ = c.Close(ctx)
		}
		if err != nil {
			t.Error(err)
		}
	})
	u, err := url.Parse(source())
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func openPostgres(t testing.TB, url string, options Options) *Postgres {
	t.Helper()
	s, err := OpenPostgres(context.Background(), url, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestServersStartAtOnce starts several servers on an empty database. They write overlapping
// readings, and the sums count each reading once.
func TestServersStartAtOnce(t *testing.T) {
	url := newDatabase(t)
	var servers [4]*Postgres
	var group sync.WaitGroup
	for i := range servers {
		group.Go(func() {
			s, err := OpenPostgres(t.Context(), url, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			servers[i] = s
		})
	}
	group.Wait()
	if t.Failed() {
		return
	}
	var written sync.Map
	for i, s := range servers {
		defer s.Close()
		group.Go(func() {
			for n := range 30 {
				var batches [][]telemetry.Reading
				for host := range 5 {
					batches = append(batches, []telemetry.Reading{reading(fmt.Sprint("h", host), 40*n+10*i), reading(fmt.Sprint("h", host), 40*n+(10*i+10)%40)}) // the next server writes the last reading too
				}
				fresh, err := s.Write(t.Context(), batches)
				if err != nil {
					t.Error(err)
					return
				}
				for _, readings := range fresh {
					for _, r := range readings {
						if _, twice := written.LoadOrStore(fmt.Sprint(r.Host, r.At), true); twice {
							t.Errorf("%s at %s was new twice", r.Host, r.At)
						}
					}
				}
			}
		})
	}
	group.Wait()
	for _, tier := range []Tier{Seconds, Minutes, Hours} {
		sum := 0
		if err := servers[0].Buckets(t.Context(), tier, HostRange{}, t0.Add(-time.Hour), t0.Add(2*time.Hour), func(_ string, _ time.Time, b *telemetry.Bucket) error {
			sum += int(b.Lines[0].Count)
			return nil
		}); err != nil || sum != 5*4*30 {
			t.Errorf("tier %d counts %d readings (%v), want %d", tier, sum, err, 5*4*30)
		}
	}
}

// TestPartitions: days have tables, invented times do not.
func TestPartitions(t *testing.T) {
	s := openPostgres(t, newDatabase(t), Options{})
	now := time.Now().UTC().Truncate(time.Millisecond)
	var batch []telemetry.Reading
	for _, at := range []time.Time{now, now.AddDate(0, 0, -3), now.AddDate(0, 0, -300), time.UnixMilli(-1).UTC(), time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		batch = append(batch, telemetry.Reading{Host: "a", At: at, CPU: mo.Some(1.0)})
	}
	for i := range 2000 {
		batch = append(batch, telemetry.Reading{Host: "a", At: time.Date(1900, 1, 1+i, 0, 0, 0, 0, time.UTC)})
	}
	write(t, s, batch...)
	var tables, other int
	if err := s.read.QueryRow("SELECT count(*) FROM pg_inherits WHERE inhparent = 'readings'::regclass").Scan(&tables); err != nil || tables != 5 { // three days, tomorrow, and readings_other for all other times
		t.Errorf("%d tables, %v", tables, err)
	}
	if err := s.read.QueryRow("SELECT count(*) FROM readings_other").Scan(&other); err != nil || other != 2002 {
		t.Errorf("%d readings have no day, %v", other, err)
	}
	if got, _, err := s.Readings(t.Context(), Query{From: mo.Some(now.AddDate(0, 0, -4)), Limit: 10}); err != nil || len(got) != 3 || !got[1].At.Equal(now) {
		t.Errorf("%v, %v", got, err)
	}
	// Readings that arrived when their day was in the future stay in readings_other.
	s.days.Clear()
	if err := s.partition(t.Context(), day(time.UnixMilli(-1).UnixMilli())); err != nil {
		t.Error(err)
	}
}

// TestPostgresErrors checks the types of errors, because the reactions of clients depend on them.
func TestPostgresErrors(t *testing.T) {
	url := newDatabase(t)
	s := openPostgres(t, url, Options{})
	write(t, s, reading("a", 0))
	end := func() {
		t.Helper()
		c, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(t.Context())
		if _, err := c.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		end()
		for attempt := 0; ; attempt++ {
			_, err := s.Write(t.Context(), [][]telemetry.Reading{{reading("a", i+1)}})
			if err == nil {
				break
			}
			if !errors.Is(err, ErrUnavailable) || attempt > 10 {
				t.Fatal(err)
			}
		}
		if _, _, err := s.Hosts(t.Context(), HostQuery{Limit: 1}); err != nil && !errors.Is(err, ErrUnavailable) {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Write(ctx, [][]telemetry.Reading{{reading("a", 9)}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := s.Write(t.Context(), [][]telemetry.Reading{{reading("a\x00b", 9)}}); err == nil || errors.Is(err, ErrUnavailable) {
		t.Errorf("a name that cannot be stored: %v", err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for code, want := range map[string]error{"53100": ErrFull, "53300": ErrUnavailable, "57P01": ErrUnavailable, "40P01": ErrUnavailable, "57014": context.DeadlineExceeded, "22021": nil} {
		if got := kindPostgres(code); got != want {
			t.Errorf("%s: %v", code, got)
		}
	}
}

// TestUpgradePostgres creates a database in each of the layouts from before goose, and lets several
// servers open it at the same time. They find the host that is stored in it.
func TestUpgradePostgres(t *testing.T) {
	for version := 1; version <= 2; version++ {
		url := newDatabase(t)
		c, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		old := []string{"CREATE TABLE layout (version integer NOT NULL)", fmt.Sprintf("INSERT INTO layout VALUES (%d)", version)}
		for _, file := range []string{"001_readings", "002_admitted"}[:version] {
			text, err := migrations.ReadFile("migrations/postgres/" + file + ".sql")
			if err != nil {
				t.Fatal(err)
			}
			old = append(old, string(text))
		}
		old = append(old, "INSERT INTO hosts VALUES ('a', 1, 2, 3, '{\"host\":\"a\",\"at\":\"2026-03-01T12:00:00Z\"}')")
		for _, text := range old {
			if _, err := c.Exec(t.Context(), text); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				s, err := OpenPostgres(t.Context(), url, Options{Hosts: 1})
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				if hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 10}); err != nil || len(hosts) != 1 {
					t.Error(hosts, err)
				}
				if err := s.Admit(t.Context(), 1, []string{"b"}); err == nil {
					t.Error("the host of the old layout is not counted")
				}
			})
		}
		group.Wait()
	}
}

// TestNewerPulseMigratesFirst opens a database of an older layout while a newer pulse migrates it.
func TestNewerPulseMigratesFirst(t *testing.T) {
	url := newDatabase(t)
	newer := openPostgres(t, url, Options{}).write
	session, err := newer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := session.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	var newest int
	if err := session.QueryRowContext(t.Context(), "SELECT max(version_id) FROM goose_db_version").Scan(&newest); err != nil {
		t.Fatal(err)
	}
	exec("SELECT pg_advisory_lock($1)", int64(lockLayout))
	exec("DELETE FROM goose_db_version WHERE version_id = $1", newest)
	opened := make(chan error, 1)
	go func() {
		s, err := OpenPostgres(t.Context(), url, Options{})
		if err == nil {
			s.Close()
		}
		opened <- err
	}()
	for waiting := 0; waiting == 0; {
		const query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_try_advisory_lock%'"
		if err := session.QueryRowContext(t.Context(), query).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-opened:
			t.Fatalf("did not wait for the lock: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true), (99, true)", newest)
	exec("SELECT pg_advisory_unlock($1)", int64(lockLayout))
	if err := <-opened; err == nil || !strings.Contains(err.Error(), "newer pulse") {
		t.Errorf("opened with %v; want an error about a newer pulse", err)
	}
}

func TestOpenPostgresSaysWhatIsWrong(t *testing.T) {
	url := newDatabase(t)
	s := openPostgres(t, url, Options{})
	if _, err := s.read.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, true)"); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		url: "newer pulse",
		"postgres://u:secret@127.0.0.1:1/x?sslmode=disable": "refused",
		"postgres://u:secret@[::1/x":                        "parse",
		"postgres://u:secret@h:port/x":                      "parse",
		"postgres://u:secret@h/x?sslmode=often":             "sslmode",
	} {
		s, err := OpenPostgres(t.Context(), url, Options{})
		if err == nil {
			s.Close()
			t.Errorf("%s: opened", url)
		} else if text := err.Error(); !strings.Contains(text, want) || strings.Contains(text, "secret") {
			t.Errorf("%s: %v; want it to say %q", url, err, want)
		}
	}
}

// BenchmarkPostgresWrite stores batches of one reading in one transaction, from one server and
// from three.
func BenchmarkPostgresWrite(b *testing.B) {
	for _, servers := range []int{1, 3} {
		for _, group := range []int{1, 50, 1000} {
			b.Run(fmt.Sprint("servers=", servers, "/batches=", group), func(b *testing.B) {
				url := newDatabase(b)
				var seconds atomic.Int64
				var working sync.WaitGroup
				for server := range servers {
					s := openPostgres(b, url, Options{})
					working.Go(func() {
						for second := seconds.Add(1); second <= int64(b.N); second = seconds.Add(1) {
							batches := make([][]telemetry.Reading, group)
							for i := range batches {
								r := complete()
								r.Host, r.At = fmt.Sprint("host ", server, i), t0.Add(time.Duration(second)*time.Second)
								batches[i] = []telemetry.Reading{r}
							}
							if _, err := s.Write(b.Context(), batches); err != nil {
								b.Error(err)
							}
						}
					})
				}
				working.Wait()
				b.ReportMetric(float64(b.N*group)/b.Elapsed().Seconds(), "readings/s")
			})
		}
	}
}
