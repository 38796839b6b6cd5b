package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, path string, options Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func openNew(t *testing.T, options Options) *Store {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "pulse.db"), options)
}

func appendAll(t *testing.T, s *Store, readings ...telemetry.Reading) {
	t.Helper()
	if _, err := s.Append(t.Context(), readings); err != nil {
		t.Fatal(err)
	}
}

func reading(host string, second int) telemetry.Reading {
	return telemetry.Reading{Host: host, At: t0.Add(time.Duration(second) * time.Second), CPU: mo.Some(float64(second))}
}

// complete has every field set, sparse none that may be missing.
func complete() telemetry.Reading {
	return telemetry.Reading{
		Host: "a", At: t0.Add(123 * time.Millisecond),
		CPU: mo.Some(12.5), Cores: []float64{0, 25},
		Load1: mo.Some(0.1), Load5: mo.Some(0.2), Load15: mo.Some(0.3),
		MemoryUsed: mo.Some[uint64](1 << 33), MemoryTotal: mo.Some[uint64](1 << 34),
		SwapUsed: mo.Some[uint64](0), SwapTotal: mo.Some[uint64](1<<63 - 1),
		Uptime:       mo.Some[uint64](7),
		Disks:        []telemetry.Disk{{Mount: "/", Device: "/dev/sda1", Used: mo.Some[uint64](1), Read: mo.Some(0.5)}, {Mount: "/ü", Device: "b"}},
		Networks:     []telemetry.Network{{Name: "eth0", Received: mo.Some(1e9)}},
		Temperatures: []telemetry.Temperature{{Sensor: "cpu", Celsius: -3.5}},
	}
}

func sparse() telemetry.Reading { return telemetry.Reading{Host: "b", At: t0.Add(time.Second)} }

func TestReadingsComeBackAsTheyWere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "with space, ? and #.db")
	s := open(t, path, Options{})
	want := []telemetry.Reading{complete(), sparse()}
	appendAll(t, s, want...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the write-ahead log is still there after Close (%v)", err)
	}

	s = open(t, path, Options{})
	got, next, err := s.Readings(t.Context(), Query{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) || next.IsPresent() {
		t.Errorf("got  %+v, next %v\nwant %+v", got, next, want)
	}
	if latest, err := s.Latest(t.Context(), "b"); err != nil || !reflect.DeepEqual(latest, want[1]) {
		t.Errorf("latest of b: %+v, %v", latest, err)
	}
	if _, err := s.Latest(t.Context(), "c"); !errors.Is(err, ErrUnknownHost) {
		t.Errorf("latest of an unknown host: %v", err)
	}
}

func TestRepeatsAreStoredOnce(t *testing.T) {
	var mu sync.Mutex
	published := 0
	s := openNew(t, Options{Stored: func(r []telemetry.Reading) {
		mu.Lock()
		defer mu.Unlock()
		published += len(r)
	}})
	batch := []telemetry.Reading{reading("a", 0), reading("a", 1), reading("a", 1), reading("b", 0)}
	var total int
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			stored, err := s.Append(t.Context(), batch)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			total += stored
		})
	}
	group.Wait()
	got, _, err := s.Readings(t.Context(), Query{Limit: 100})
	if err != nil || len(got) != 3 || total != 3 || published != 3 {
		t.Errorf("%d rows, %d acknowledged as new, %d published (%v); want 3 of each", len(got), total, published, err)
	}
}

func TestFilters(t *testing.T) {
	s := openNew(t, Options{})
	full, bare := complete(), sparse()
	appendAll(t, s, full, bare, reading("a", 2), reading("b", 3))
	at := func(d time.Duration) mo.Option[time.Time] { return mo.Some(t0.Add(d)) }
	ms := time.Millisecond
	for _, test := range []struct {
		name  string
		query Query
		want  string
	}{
		{"all", Query{}, "a+123ms b+1s a+2s b+3s"},
		{"host", Query{Host: mo.Some("a")}, "a+123ms a+2s"},
		{"unknown host", Query{Host: mo.Some("c")}, ""},
		{"metric", Query{Metric: mo.Some("cpu")}, "a+123ms a+2s b+3s"},
		{"metric of one", Query{Metric: mo.Some("temperatures")}, "a+123ms"},
		{"host and metric", Query{Host: mo.Some("b"), Metric: mo.Some("cpu")}, "b+3s"},
		{"from is in", Query{From: at(time.Second)}, "b+1s a+2s b+3s"},
		{"to is out", Query{To: at(2 * time.Second)}, "a+123ms b+1s"},
		{"from and to", Query{From: at(123 * ms), To: at(124 * ms)}, "a+123ms"},
		{"between two milliseconds", Query{From: at(122*ms + 1), To: at(123*ms + 1)}, "a+123ms"},
		{"just after", Query{From: at(123*ms + 1), To: at(time.Second)}, ""},
		{"host from to", Query{Host: mo.Some("b"), From: at(time.Second), To: at(3 * time.Second)}, "b+1s"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.query.Limit = 10
			got, _, err := s.Readings(t.Context(), test.query)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, r := range got {
				names = append(names, r.Host+"+"+r.At.Sub(t0).String())
			}
			if joined := strings.Join(names, " "); joined != test.want {
				t.Errorf("got %q, want %q", joined, test.want)
			}
		})
	}

	got, _, err := s.Readings(t.Context(), Query{Metric: mo.Some("memory"), Limit: 1})
	want := []telemetry.Reading{{Host: full.Host, At: full.At, MemoryUsed: full.MemoryUsed, MemoryTotal: full.MemoryTotal}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("one metric fills in %+v (%v), want %+v", got, err, want)
	}
	if _, _, err := s.Readings(t.Context(), Query{Metric: mo.Some("humour"), Limit: 1}); err == nil {
		t.Error("an unknown metric is no error")
	}
}

func TestPagesHoldEveryRowOnce(t *testing.T) {
	s := openNew(t, Options{})
	var rows []telemetry.Reading
	for second := range 20 {
		for _, host := range []string{"b", "a", "c"} { // three at each moment, so that pages break between equal times
			rows = append(rows, reading(host, second))
		}
	}
	appendAll(t, s, rows...)
	for _, host := range []mo.Option[string]{mo.None[string](), mo.Some("b")} {
		for _, limit := range []int{1, 2, 7, 20, 60, 1000} {
			query := Query{Host: host, Limit: limit}
			var got []telemetry.Reading
			for pages := 0; ; pages++ {
				page, next, err := s.Readings(t.Context(), query)
				if err != nil || len(page) > limit || pages > 60 {
					t.Fatalf("page %d has %d rows (%v)", pages, len(page), err)
				}
				got = append(got, page...)
				if pages == 0 {
					// Rows before the cursor must not move the ones behind it.
					appendAll(t, s, reading(fmt.Sprint("early ", limit), -1))
				}
				if !next.IsPresent() {
					break
				}
				query.Cursor = next
			}
			seen := map[string]bool{}
			for i, r := range got {
				if r.At.Before(t0) {
					continue
				}
				seen[r.Host+r.At.String()] = true
				if i > 0 {
					if before := got[i-1]; before.At.After(r.At) || before.At.Equal(r.At) && before.Host >= r.Host {
						t.Errorf("limit %d: row %d is out of order", limit, i)
					}
				}
			}
			if _, err := s.write.Exec("DELETE FROM readings WHERE at < ?", t0.UnixMilli()); err != nil {
				t.Fatal(err)
			}
			want := 60
			if host.IsPresent() {
				want = 20
			}
			if len(seen) != want {
				t.Errorf("host %v, limit %d: %d different rows, want %d", host, limit, len(seen), want)
			}
		}
	}
}

func TestBadCursors(t *testing.T) {
	s := openNew(t, Options{})
	for _, cursor := range []string{"", "!", "AAAA", "////////", strings.Repeat("A", 4000)} {
		_, _, err := s.Readings(t.Context(), Query{Cursor: mo.Some(cursor), Limit: 1})
		if err != nil && !errors.Is(err, ErrBadCursor) {
			t.Errorf("cursor %.10q: %v", cursor, err)
		}
		if cursor == "" || cursor == "!" {
			if err == nil {
				t.Errorf("cursor %q is accepted", cursor)
			}
		}
	}
}

func TestHosts(t *testing.T) {
	s := openNew(t, Options{})
	if hosts, err := s.Hosts(t.Context()); err != nil || hosts == nil || len(hosts) != 0 {
		t.Errorf("an empty database has the hosts %v (%v)", hosts, err)
	}
	appendAll(t, s, reading("b", 5), reading("a", 1), reading("b", 2), reading("ab", 3))
	hosts, err := s.Hosts(t.Context())
	second := func(n int) time.Time { return t0.Add(time.Duration(n) * time.Second) }
	want := []Host{{"a", second(1), second(1)}, {"ab", second(3), second(3)}, {"b", second(2), second(5)}}
	if err != nil || !reflect.DeepEqual(hosts, want) {
		t.Errorf("got %v (%v), want %v", hosts, err, want)
	}
}

// stalled returns a store whose writer waits after its first transaction until
// release is called, and the number of readings in each transaction.
func stalled(t *testing.T, queue int) (s *Store, release func(), sizes func() []int) {
	entered, released := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	var transactions []int
	s = openNew(t, Options{Queue: queue, Stored: func(r []telemetry.Reading) {
		mu.Lock()
		transactions = append(transactions, len(r))
		first := len(transactions) == 1
		mu.Unlock()
		if first {
			close(entered)
			<-released
		}
	}})
	go func() { _, _ = s.Append(context.Background(), []telemetry.Reading{reading("first", 0)}) }()
	<-entered
	release = sync.OnceFunc(func() { close(released) })
	t.Cleanup(release)
	return s, release, func() []int {
		mu.Lock()
		defer mu.Unlock()
		return append([]int(nil), transactions...)
	}
}

func TestFullQueueIsBusy(t *testing.T) {
	s, release, _ := stalled(t, 2)
	ctx, giveUp := context.WithCancel(t.Context())
	giveUp()
	for i := range 2 {
		if _, err := s.Append(ctx, []telemetry.Reading{reading("a", i)}); !errors.Is(err, context.Canceled) {
			t.Fatalf("batch %d: %v", i, err)
		}
	}
	if _, err := s.Append(t.Context(), []telemetry.Reading{reading("a", 2)}); !errors.Is(err, ErrBusy) {
		t.Errorf("a third batch: %v, want ErrBusy", err)
	}
	release()
	for err := s.Check(t.Context()); err != nil; err = s.Check(t.Context()) {
		if !errors.Is(err, ErrBusy) { // the writer may still be on its way back
			t.Fatal(err)
		}
	}
	if latest, err := s.Latest(t.Context(), "a"); err != nil || !latest.At.Equal(reading("a", 1).At) {
		t.Errorf("latest %v (%v): what was queued must be stored though nobody waits for it", latest.At, err)
	}
}

func TestWaitingBatchesShareATransaction(t *testing.T) {
	s, release, sizes := stalled(t, 100)
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			if stored, err := s.Append(t.Context(), []telemetry.Reading{reading("a", 2*i), reading("a", 2*i+1)}); stored != 2 || err != nil {
				t.Errorf("batch %d: %d, %v", i, stored, err)
			}
		})
	}
	for len(s.queue) < 50 {
		time.Sleep(time.Millisecond)
	}
	release()
	group.Wait()
	if got := sizes(); !reflect.DeepEqual(got, []int{1, 100}) {
		t.Errorf("transactions of %v readings, want 1 and 100", got)
	}
}

func TestCloseStoresWhatIsQueued(t *testing.T) {
	s, release, sizes := stalled(t, 100)
	ctx, giveUp := context.WithCancel(t.Context())
	giveUp()
	for i := range 20 {
		if _, err := s.Append(ctx, []telemetry.Reading{reading("a", i)}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	release()
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	if got := sizes(); !reflect.DeepEqual(got, []int{1, 20}) {
		t.Errorf("transactions of %v readings, want 1 and 20", got)
	}
	if _, err := s.Append(t.Context(), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Append after Close: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestOldReadingsArePruned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pulse.db")
	s := open(t, path, Options{})
	now := time.Now().UTC()
	var batch []telemetry.Reading
	for i := range 3 * pruneSize { // more than one step
		batch = append(batch, telemetry.Reading{Host: "a", At: now.Add(-time.Hour - time.Duration(i)*time.Second)})
	}
	young := telemetry.Reading{Host: "a", At: now.Truncate(time.Millisecond)}
	appendAll(t, s, append(batch, young)...)
	s.Close()

	s = open(t, path, Options{Retention: time.Hour})
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		got, _, err := s.Readings(t.Context(), Query{Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) == 1 && got[0].At.Equal(young.At) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("old readings are still there")
		}
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	newer := filepath.Join(dir, "newer.db")
	s := open(t, newer, Options{})
	if _, err := s.write.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for path, want := range map[string]string{
		filepath.Join(dir, "missing", "pulse.db"):                 "there is no directory",
		write("letter.db", strings.Repeat("Dear database, ", 99)): "not a database",
		newer: "newer pulse",
	} {
		if s, err := Open(t.Context(), path, Options{}); err == nil {
			s.Close()
			t.Errorf("%s: opened", path)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want it to say %q", path, err, want)
		}
	}
}

// BenchmarkAppend stores batches of one reading from several senders at once:
// what sharing a transaction saves is the difference between 1 and 64.
func BenchmarkAppend(b *testing.B) {
	for _, senders := range []int{1, 8, 64} {
		b.Run(fmt.Sprint("senders=", senders), func(b *testing.B) {
			s, err := Open(b.Context(), filepath.Join(b.TempDir(), "pulse.db"), Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			var next atomic.Int64
			var group sync.WaitGroup
			b.ResetTimer()
			for range senders {
				group.Go(func() {
					for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
						if _, err := s.Append(b.Context(), []telemetry.Reading{reading("a", int(n))}); err != nil {
							b.Error(err)
						}
					}
				})
			}
			group.Wait()
		})
	}
}
