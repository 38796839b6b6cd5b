package contest

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// alwaysQuiet returns a yardstick for which every core is quiet. For the yardstick of neverQuiet no
// core is quiet.
func alwaysQuiet() *yardstick { return &yardstick{factor: 1e9} }
func neverQuiet() *yardstick  { return &yardstick{factor: 1e-9} }

func TestYardstick(t *testing.T) {
	y := &yardstick{factor: slowed}
	if !y.quiet() || y.shortest <= 0 {
		t.Error("the first time is not the shortest")
	}
	first := y.shortest
	for range 20 {
		y.quiet()
	}
	if y.shortest > first {
		t.Errorf("the shortest time grew from %s to %s", first, y.shortest)
	}
	if !(&yardstick{shortest: 1}).quiet() {
		t.Error("without a factor some time is too long")
	}
	if neverQuiet().quiet() {
		t.Error("a core on which the work takes longer than it may is quiet")
	}
	start := time.Now()
	if neverQuiet().await(start.Add(3*time.Millisecond)) || time.Since(start) < 3*time.Millisecond {
		t.Error("await did not wait, or found quiet")
	}
	if start = time.Now(); !alwaysQuiet().await(start.Add(time.Minute)) || time.Since(start) > 30*time.Second {
		t.Error("await waited on a quiet core")
	}
	if got := calibrate(); got <= 0 || got > time.Second {
		t.Errorf("calibrated to %s", got)
	}
}

// TestQuietly checks which parts of a sample count.
func TestQuietly(t *testing.T) {
	const d = 4 * time.Millisecond
	spin := func(n int) {
		for range n {
			for start := time.Now(); time.Since(start) < 20*time.Microsecond; {
			}
			kept = make([]byte, 100)
		}
	}
	for _, c := range []struct {
		name   string
		y      *yardstick
		slowed bool
	}{{"quiet", alwaysQuiet(), false}, {"slowed", neverQuiet(), true}, {"not looked at", &yardstick{}, true}, {"on all cores", nil, false}} {
		m := meter{run: spin, yardstick: c.y}
		start := time.Now()
		s, err := m.sample(d)
		if err != nil || s.Slowed != c.slowed || s.Value < 20_000 || s.Allocs < 0.9 || s.Bytes < 90 {
			t.Errorf("%s: %+v, %v", c.name, s, err)
		}
		if took := time.Since(start); c.name == "slowed" && took < mostWaiting*d {
			t.Errorf("%s: gave up after %s", c.name, took)
		}
	}
	panics := meter{run: func(int) { panic("late") }, yardstick: neverQuiet()}
	if _, err := panics.sample(d); err == nil {
		t.Error("a panic was not reported")
	}
}

func TestMean(t *testing.T) {
	var m mean
	m.add(Sample{Value: 10, Allocs: 1, Bytes: 8}, 10)
	m.add(Sample{Value: 20, Allocs: 4, Bytes: 80}, 90)
	if got, want := m.sample(), (Sample{Value: 19, Allocs: 3.7, Bytes: 72.8}); got.Value != want.Value || got.Allocs != want.Allocs || got.Bytes != want.Bytes {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestColdOnQuiet: the sample of a first use says whether the core was slowed.
func TestColdOnQuiet(t *testing.T) {
	c := Contest{Way: Cold}
	who := Contestant{New: func() (func(int), error) { return func(int) {}, nil }}
	for _, slowed := range []bool{false, true} {
		y := alwaysQuiet()
		if slowed {
			y = neverQuiet()
		}
		sample, err := prepare(c, who, y)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := sample(0); err != nil || s.Slowed != slowed {
			t.Errorf("%+v, %v, want slowed %v", s, err, slowed)
		}
	}
}

// TestCollector counts collections: as many as the garbage requires, and none by the runtime.
func TestCollector(t *testing.T) {
	count := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumGC
	}
	var c collector
	defer c.leave()
	c.collect()
	first, room := count(), c.room
	if room < leastHeap/2 {
		t.Fatalf("room for %v bytes", room)
	}
	for i := range 3 {
		kept = make([]byte, int(0.6*room))
		if ns := c.record(0.6 * room); (ns > 0) != (i == 1) {
			t.Errorf("part %d: %v ns", i, ns)
		}
	}
	if got := count() - first; got != 1 {
		t.Errorf("%d collections, want 1", got)
	}
	if c.record(1e12); c.off != 0 {
		t.Error("the runtime does not collect what a part allocates")
	}
	if was := debug.SetGCPercent(100); was != 100 {
		t.Errorf("left at %d percent", was)
	}
}

func TestEnough(t *testing.T) {
	for count, want := range map[int]int{1: 1, 5: 5, 7: 6, 10: 6, 16: 8, 21: 11} {
		if got := enough(count); got != want {
			t.Errorf("%d of %d samples, want %d", got, count, want)
		}
	}
}
