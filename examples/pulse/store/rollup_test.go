package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// someReadings makes readings of several hosts over some hours. Some are repeated, out of order
// or incomplete.
func someReadings(r *rand.Rand, n int) (batches [][]telemetry.Reading) {
	known := map[string]telemetry.Reading{} // the first of several readings with the same time is kept
	for n > 0 {
		var batch []telemetry.Reading
		for range 1 + r.IntN(20) {
			v := telemetry.Reading{Host: string(rune('a' + r.IntN(4))), At: t0.Add(time.Duration(r.IntN(5*3600)) * time.Second).Add(time.Duration(r.IntN(2)) * time.Millisecond)}
			if r.IntN(3) > 0 {
				v.CPU = mo.Some(float64(r.IntN(400)) / 4)
			}
			if r.IntN(9) == 0 {
				v.MemoryUsed = mo.Some(r.Uint64N(1 << 40))
			}
			if r.IntN(4) == 0 {
				v.Networks = []telemetry.Network{{Name: "lo", Sent: mo.Some(1e6)}, {Name: "eth0", Sent: mo.Some(2.0)}, {Name: "lon", Sent: mo.Some(0.5)}}
				v.Disks = []telemetry.Disk{{Device: "a", Read: mo.Some(1.0)}, {Device: "a", Read: mo.Some(1.0)}, {Device: "b", Used: mo.Some[uint64](1), Total: mo.Some[uint64](4)}}
				v.Temperatures = []telemetry.Temperature{{Celsius: -20}, {Celsius: -10}}
			}
			key := fmt.Sprint(v.Host, v.At)
			if first, repeated := known[key]; repeated {
				v = first
			}
			known[key] = v
			batch = append(batch, v)
			n--
		}
		batches = append(batches, batch)
	}
	return batches
}

// A sum is the oracle of a bucket's line.
type sum struct {
	n              int
	low, high, all float64
}

// twin computes the sums from the readings, each counted once.
func twin(batches [][]telemetry.Reading, step time.Duration) map[string]sum {
	sums, seen := map[string]sum{}, map[string]bool{}
	for _, batch := range batches {
		for _, r := range batch {
			if seen[fmt.Sprint(r.Host, r.At)] {
				continue
			}
			seen[fmt.Sprint(r.Host, r.At)] = true
			for _, line := range telemetry.Lines {
				if v, ok := line.Value(&r).Get(); ok {
					key := fmt.Sprint(r.Host, " ", r.At.UnixMilli()/step.Milliseconds()*step.Milliseconds(), " ", line.Name)
					s, known := sums[key]
					if !known {
						s.low, s.high = v, v
					}
					sums[key] = sum{s.n + 1, min(s.low, v), max(s.high, v), s.all + v}
				}
			}
		}
	}
	return sums
}

// stored returns a store's sums, in the form of the result of twin.
func stored(t *testing.T, s Store, tier Tier, host string, from, to time.Time) map[string]sum {
	t.Helper()
	sums, last := map[string]sum{}, ""
	err := s.Buckets(t.Context(), tier, OneHost(host), from, to, func(host string, at time.Time, b *telemetry.Bucket) error {
		if key := fmt.Sprint(host, at.UnixMilli()); key <= last {
			return fmt.Errorf("%s after %s", key, last)
		} else {
			last = key
		}
		for i, line := range b.Lines {
			if line.Count > 0 {
				sums[fmt.Sprint(host, " ", at.UnixMilli(), " ", telemetry.Lines[i].Name)] = sum{int(line.Count), float64(line.Min), float64(line.Max), line.Sum}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// compareSums compares sums. The lowest and highest values are float32s.
func compareSums(t *testing.T, got, want map[string]sum) {
	t.Helper()
	close := func(a, b float64) bool { return a == b || (a-b)/b < 1e-6 && (a-b)/b > -1e-6 }
	for key, w := range want {
		if g := got[key]; g.n != w.n || !close(g.low, w.low) || !close(g.high, w.high) || !close(g.all, w.all) {
			t.Errorf("%s: %+v, want %+v", key, g, w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d sums, want %d", len(got), len(want))
	}
}

// TestRollUpAgainstTwin writes from several senders at once, and compares the stored sums with
// the oracle.
func TestRollUpAgainstTwin(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		batches := someReadings(rand.New(rand.NewPCG(1, 2)), 3000)
		var group sync.WaitGroup
		for i := range 4 {
			group.Go(func() {
				for j := i; j+1 < len(batches); j += 3 { // some batches are sent twice
					if _, err := s.Write(t.Context(), batches[j:j+2]); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		group.Wait()
		end := t0.Add(6 * time.Hour)
		for _, tier := range []Tier{Minutes, Hours} {
			compareSums(t, stored(t, s, tier, "", t0, end), twin(batches, tier.Step()))
		}
		if got := stored(t, s, Minutes, "b", t0.Add(time.Hour), t0.Add(time.Hour+time.Minute)); len(got) == 0 {
			t.Error("nothing in a minute of a host")
		} else {
			for key := range got {
				if key[0] != 'b' || !contains(key, t0.Add(time.Hour)) {
					t.Errorf("a minute of b holds %s", key)
				}
			}
		}
		stop := errors.New("stop")
		if err := s.Buckets(t.Context(), Seconds, HostRange{}, t0, end, func(string, time.Time, *telemetry.Bucket) error { return stop }); err != stop {
			t.Errorf("yield's error became %v", err)
		}
		series(t, s, batches)
	})
}

func contains(key string, at time.Time) bool {
	return len(key) > 15 && key[2:15] == fmt.Sprint(at.UnixMilli())
}

// series compares series of various steps with the oracle.
func series(t *testing.T, s Store, batches [][]telemetry.Reading) {
	now := t0.Add(5 * time.Hour)
	for _, span := range []time.Duration{time.Minute, 2 * time.Hour, 3 * time.Hour, 5 * time.Hour, 300 * 24 * time.Hour} {
		for _, points := range []int{1, 7, 200} {
			from := now.Add(-span)
			got, err := LoadSeries(t.Context(), s, Options{Retention: 24 * time.Hour}, Span{"a", from, now, points})
			if err != nil {
				t.Fatal(err)
			}
			step := time.Duration(got.Step) * time.Millisecond
			if most := points + 2; len(got.At) > most {
				t.Errorf("%s in %d points: %d", span, points, len(got.At))
			}
			want := map[string]sum{}
			for key, w := range twin(batches, step) {
				want[key] = w
			}
			checked := 0
			for i, at := range got.At {
				if i == 0 || i == len(got.At)-1 {
					continue // the first and the last step may extend beyond the span
				}
				for _, line := range got.Lines {
					w, ok := want[fmt.Sprint("a ", at, " ", line.Name)]
					if mean, has := line.Mean[i].Get(); has != ok {
						t.Fatalf("%s in %d points: %s at %d: %v, want %v", span, points, line.Name, at, has, ok)
					} else if ok && (math.Abs(float64(mean)-w.all/float64(w.n)) > 1e-6*math.Abs(w.high)+1e-9 || float64(line.Max[i].MustGet()) != float64(float32(w.high)) || float64(line.Min[i].MustGet()) != float64(float32(w.low))) {
						t.Errorf("%s in %d points: %s at %d: %v %v %v, want %+v", span, points, line.Name, at, line.Min[i], mean, line.Max[i], w)
					}
					checked++
				}
			}
			if checked == 0 && points > 7 && span > time.Minute && span < 24*time.Hour {
				t.Errorf("%s in %d points: nothing was compared", span, points)
			}
		}
	}
}

// TestTiers checks that the finest tier with data for the start of the span is chosen.
func TestTiers(t *testing.T) {
	const day = 24 * time.Hour
	now := t0
	for _, test := range []struct {
		ago, span time.Duration
		tier      Tier
		step      time.Duration
	}{
		{5 * time.Minute, 5 * time.Minute, Seconds, time.Second},
		{time.Hour, time.Hour, Seconds, 5 * time.Second},
		{2 * day, time.Hour, Minutes, time.Minute},
		{6 * time.Hour, 6 * time.Hour, Minutes, time.Minute},
		{day, day, Minutes, 2 * time.Minute},
		{7 * day, 7 * day, Minutes, 14 * time.Minute},
		{30 * day, 30 * day, Hours, time.Hour},
		{60 * day, time.Hour, Hours, time.Hour},
		{365 * day, 365 * day, Hours, 13 * time.Hour},
	} {
		from := now.Add(-test.ago)
		tier, step := Options{Retention: day}.tier(Span{"a", from, from.Add(test.span), 720}, now)
		if tier != test.tier || step != test.step {
			t.Errorf("%s ago for %s: tier %d by %s, want %d by %s", test.ago, test.span, tier, step, test.tier, test.step)
		}
	}
}

// TestPrune checks that the rows of each tier are deleted when they have expired, and that a host is
// deleted with its last row.
func TestPrune(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		const day = 24 * time.Hour
		options := Options{Retention: day}
		s := openNew(t, options)
		now := time.Now().UTC().Truncate(time.Hour).Add(30 * time.Minute) // so that 300 seconds belong to one hour
		ages := []time.Duration{0, 20 * time.Hour, 50 * time.Hour, 32 * day, 733 * day}
		var batch []telemetry.Reading
		for _, age := range ages {
			for i := range 300 {
				batch = append(batch, telemetry.Reading{Host: "a", At: now.Add(-age - time.Duration(i)*time.Second), CPU: mo.Some(1.0)})
			}
		}
		write(t, s, batch...)
		for more, rounds := true, 0; more; rounds++ {
			var err error
			if more, err = s.Prune(t.Context()); err != nil || rounds > 100 {
				t.Fatal(rounds, err)
			}
		}
		count := func(tier Tier) (ages map[time.Duration]int) {
			ages = map[time.Duration]int{}
			if err := s.Buckets(t.Context(), tier, OneHost("a"), now.Add(-1000*day), now.Add(day), func(_ string, at time.Time, b *telemetry.Bucket) error {
				ages[now.Sub(at).Round(2*time.Hour)] += int(b.Lines[0].Count)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			return ages
		}
		for tier, want := range map[Tier]map[time.Duration]int{
			Minutes: {0: 300, 20 * time.Hour: 300, 50 * time.Hour: 300},
			Hours:   {0: 300, 20 * time.Hour: 300, 50 * time.Hour: 300, 32 * day: 300},
		} {
			if got := count(tier); !reflect.DeepEqual(got, want) {
				t.Errorf("tier %d has %v, want %v", tier, got, want)
			}
		}
		if got := count(Seconds); got[0] != 300 || got[20*time.Hour] != 300 || got[32*day] != 0 {
			t.Errorf("readings: %v", got)
		}
		if hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 1000}); err != nil || len(hosts) != 1 {
			t.Errorf("%d hosts, %v", len(hosts), err)
		}
	})
}

// TestUpgrade creates a database in each of the layouts from before goose, with readings in it, and
// opens it. The sums are equal to the sums of the readings.
func TestUpgrade(t *testing.T) {
	batches := someReadings(rand.New(rand.NewPCG(3, 4)), 500)
	for version := 1; version <= 4; version++ { // the versions before goose
		path := filepath.Join(t.TempDir(), "pulse.db")
		db, err := openFile(path, 4, "_txlock=immediate")
		if err != nil {
			t.Fatal(err)
		}
		for v := 1; v <= version; v++ {
			files, err := fs.Glob(migrations, fmt.Sprintf("migrations/sqlite*/%03d_*.sql", v))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			text, err := migrations.ReadFile(files[0])
			if err == nil {
				_, err = db.Exec(string(text))
			}
			if err != nil {
				t.Fatal(files, err)
			}
		}
		if _, err := db.Exec(fmt.Sprint("PRAGMA user_version = ", version)); err != nil {
			t.Fatal(err)
		}
		old := &SQLite{base: base{dialect: sqliteDialect, options: Options{History: true}, write: db}}
		if version > 2 {
			// The programs of these versions could not rename hosts, so their databases have no table
			// renames.
			db.SetMaxOpenConns(1)
			if _, err := db.Exec("CREATE TEMP TABLE renames (old TEXT, new TEXT)"); err != nil {
				t.Fatal(err)
			}
			if _, err := old.Write(t.Context(), batches); err != nil {
				t.Fatal(err)
			}
		}
		for _, batch := range batches {
			for i := range batch {
				if _, err := old.write.Exec(insertReading, allFields(&batch[i])...); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
		s := open(t, path, Options{Hosts: 4})
		for _, tier := range []Tier{Minutes, Hours} {
			compareSums(t, stored(t, s, tier, "", t0, t0.Add(6*time.Hour)), twin(batches, tier.Step()))
		}
		hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 1000})
		if err != nil || len(hosts) != 4 || hosts[0].Reading.Host != "a" || version < 3 && !hosts[0].Reading.At.Equal(hosts[0].Last) || !hosts[0].Heard.Equal(hosts[0].Last) {
			t.Errorf("hosts: %+v, %v", hosts, err)
		}
		if err := s.Admit(t.Context(), 1, []string{"a", "b", "c", "d"}); err != nil {
			t.Error(err)
		}
		if err := s.Admit(t.Context(), 1, []string{"e"}); err == nil {
			t.Error("the hosts of the old layout are not counted")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFileShrinks deletes most readings of a file, which then has at most a quarter of its size.
func TestFileShrinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pulse.db")
	s := open(t, path, Options{})
	for i := range 20 {
		var batch []telemetry.Reading
		for j := range 1000 {
			r := complete()
			r.At = t0.Add(time.Duration(1000*i+j) * time.Millisecond)
			batch = append(batch, r)
		}
		write(t, s, batch...)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	size := func() int64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	s = open(t, path, Options{Retention: time.Second})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for more := true; more; {
		var err error
		if more, err = s.Prune(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after := size(); after > before/4 {
		t.Errorf("the file had %d bytes and now has %d", before, after)
	}
}
