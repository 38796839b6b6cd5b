package store

import (
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
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, path string, options Options) *SQLite {
	t.Helper()
	s, err := Open(t.Context(), path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A backend makes an empty store.
type backend func(t *testing.T, options Options) Store

// backends are the databases that the tests of this package run on.
var backends = map[string]backend{"SQLite": func(t *testing.T, options Options) Store {
	return open(t, filepath.Join(t.TempDir(), "pulse.db"), options)
}}

// onEach runs a test with each database.
func onEach(t *testing.T, test func(t *testing.T, openNew backend)) {
	for name, b := range backends {
		t.Run(name, func(t *testing.T) { test(t, b) })
	}
}

// write stores a batch and returns the number of new readings.
func write(t *testing.T, s Store, readings ...telemetry.Reading) int {
	t.Helper()
	fresh, err := s.Write(t.Context(), [][]telemetry.Reading{readings})
	if err != nil {
		t.Fatal(err)
	}
	return len(fresh[0])
}

func reading(host string, second int) telemetry.Reading {
	return telemetry.Reading{Host: host, At: t0.Add(time.Duration(second) * time.Second), CPU: mo.Some(float64(second))}
}

// complete returns a reading with every field, and sparse returns a reading without optional fields.
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
	write(t, s, want...)
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
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		batch := []telemetry.Reading{reading("a", 0), reading("a", 1), reading("a", 1), reading("b", 0)}
		var total atomic.Int64
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				fresh, err := s.Write(t.Context(), [][]telemetry.Reading{batch, batch})
				if err != nil || len(fresh) != 2 {
					t.Error(len(fresh), err)
					return
				}
				total.Add(int64(len(fresh[0]) + len(fresh[1])))
			})
		}
		group.Wait()
		got, _, err := s.Readings(t.Context(), Query{Limit: 100})
		if err != nil || len(got) != 3 || total.Load() != 3 {
			t.Errorf("%d rows, %d reported as new (%v); want 3 of each", len(got), total.Load(), err)
		}
	})
}

func TestFilters(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		full, bare := complete(), sparse()
		write(t, s, full, bare, reading("a", 2), reading("b", 3))
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
			t.Errorf("a query for one metric returned %+v (%v), want %+v", got, err, want)
		}
		if _, _, err := s.Readings(t.Context(), Query{Metric: mo.Some("humour"), Limit: 1}); err == nil {
			t.Error("an unknown metric is not an error")
		}
	})
}

func TestPagesHoldEveryRowOnce(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		var rows []telemetry.Reading
		for second := range 20 {
			for _, host := range []string{"b", "a", "c"} { // three at each moment, so that pages break between equal times
				rows = append(rows, reading(host, second))
			}
		}
		write(t, s, rows...)
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
						// New rows before the cursor must not move the rows after it.
						write(t, s, reading(fmt.Sprint("early ", host, limit), -1))
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
				want := 60
				if host.IsPresent() {
					want = 20
				}
				if len(seen) != want {
					t.Errorf("host %v, limit %d: %d different rows, want %d", host, limit, len(seen), want)
				}
			}
		}
	})
}

// TestLargeReadings checks that a page of large readings has fewer readings than the query allows, and that
// every reading fits in a page.
func TestLargeReadings(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		name := strings.Repeat("x", 255)
		disks := make([]telemetry.Disk, 1024)
		for i := range disks {
			disks[i] = telemetry.Disk{Mount: name, Device: name}
		}
		const all = 40
		for second := range all {
			r := reading("a", second)
			r.Disks = disks
			write(t, s, r)
		}
		most := 1 + maxPage/(len(disks)*2*len(name))
		for _, query := range []Query{{Limit: 1000}, {Limit: 1000, Metric: mo.Some("disks")}} {
			read, pages := 0, 0
			for {
				page, next, err := s.Readings(t.Context(), query)
				if err != nil || len(page) == 0 || len(page) > most {
					t.Fatalf("a page of %d, want 1 to %d (%v)", len(page), most, err)
				}
				pages++
				read += len(page)
				if query.Cursor = next; next.IsNone() {
					break
				}
			}
			if read != all || pages < 2 {
				t.Errorf("%d readings on %d pages", read, pages)
			}
		}
	})
}

func TestBadCursors(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		zero, err := position{Host: "a\x00"}.cursor()
		if err != nil {
			t.Fatal(err)
		}
		for _, cursor := range []string{"", "!", "AAAA", "////////", strings.Repeat("A", 4000), zero} {
			_, _, err := s.Readings(t.Context(), Query{Cursor: mo.Some(cursor), Limit: 1})
			if err != nil && !errors.Is(err, ErrBadCursor) {
				t.Errorf("cursor %.10q: %v", cursor, err)
			}
			if cursor == "" || cursor == "!" || cursor == zero {
				if err == nil {
					t.Errorf("cursor %q is accepted", cursor)
				}
			}
		}
	})
}

func TestHosts(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		if hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 1000}); err != nil || hosts == nil || len(hosts) != 0 {
			t.Errorf("an empty database has the hosts %v (%v)", hosts, err)
		}
		write(t, s, reading("b", 5), reading("a", 1), reading("b", 2), reading("ab", 3))
		hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 1000})
		second := func(n int) time.Time { return t0.Add(time.Duration(n) * time.Second) }
		for i := range hosts {
			if since := time.Since(hosts[i].Heard); since < -time.Second || since > time.Minute {
				t.Errorf("%s was heard %s ago", hosts[i].Name, since)
			}
			hosts[i].Heard = time.Time{}
		}
		want := []Host{{Name: "a", First: second(1), Last: second(1), Reading: reading("a", 1)}, {Name: "ab", First: second(3), Last: second(3), Reading: reading("ab", 3)},
			{Name: "b", First: second(2), Last: second(5), Reading: reading("b", 2)}} // the reading of b that arrived last is older than the one before
		if err != nil || !reflect.DeepEqual(hosts, want) {
			t.Errorf("got %v (%v), want %v", hosts, err, want)
		}
	})
}

// TestHistory imports readings that are older than a host's last reading, and readings that are
// newer. Only a newer one becomes the last reading.
func TestHistory(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{History: true})
		for _, step := range []struct{ second, last int }{{100, 100}, {50, 100}, {200, 200}, {150, 200}} {
			write(t, s, reading("a", step.second))
			hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 1000})
			if want := reading("a", step.last); err != nil || len(hosts) != 1 || !reflect.DeepEqual(hosts[0].Reading, want) || !hosts[0].Heard.Equal(want.At) {
				t.Errorf("after %d: %+v (%v), want second %d", step.second, hosts, err, step.last)
			}
		}
		hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 1000})
		if err != nil || !hosts[0].First.Equal(reading("a", 50).At) || !hosts[0].Last.Equal(reading("a", 200).At) {
			t.Errorf("%+v, %v", hosts, err)
		}
	})
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
	if _, err := s.write.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)"); err != nil {
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

// TestEscapedNames: the size of a page is its size in JSON. Some characters take six bytes there.
func TestEscapedNames(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		name := strings.Repeat("<", 255)
		for second := range 10 {
			r := reading("a", second)
			for range 1024 {
				r.Disks = append(r.Disks, telemetry.Disk{Mount: name, Device: name})
			}
			write(t, s, r)
		}
		page, next, err := s.Readings(t.Context(), Query{Limit: 1000})
		if err != nil || next.IsNone() {
			t.Fatalf("%d readings on one page (%v)", len(page), err)
		}
		whole, err := json.Marshal(page)
		if err != nil {
			t.Fatal(err)
		}
		if most := maxPage + len(whole)/len(page); len(whole) > most {
			t.Errorf("a page of %d bytes, want at most %d", len(whole), most)
		}
	})
}
