package telemetry

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/testkit"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// batch is what an agent on a machine of some size sends when it has three
// seconds to catch up on.
func batch() *Batch {
	b := &Batch{}
	for second := range 3 {
		b.Readings = append(b.Readings, Reading{
			Host: "workstation", At: now.Add(time.Duration(second) * time.Second),
			CPU: mo.Some(12.37), Cores: []float64{0, 25.25, 99.01, 3},
			Load1: mo.Some(0.52), Load5: mo.Some(0.4), Load15: mo.Some(0.13),
			MemoryUsed: mo.Some[uint64](7_516_192_768), MemoryTotal: mo.Some[uint64](17_179_869_184),
			Uptime: mo.Some[uint64](86_400), // no swap
			Disks: []Disk{
				{Mount: "/", Device: "/dev/nvme0n1p2", Used: mo.Some[uint64](1 << 37), Total: mo.Some[uint64](1 << 39), Read: mo.Some(0.0), Write: mo.Some(20_480.0)},
				{Mount: "/home", Device: "/dev/sda1", Used: mo.Some[uint64](1 << 40), Total: mo.Some[uint64](1 << 41)},
			},
			Networks:     []Network{{Name: "lo", Received: mo.Some(512.0), Sent: mo.Some(512.0)}, {Name: "enp3s0", Received: mo.Some(1_048_576.0), Sent: mo.Some(4096.0)}},
			Temperatures: []Temperature{{"coretemp_package_id_0", 54}, {"nvme_composite", 41.85}},
		})
	}
	return b
}

func TestBatchSurvivesBothFormats(t *testing.T) {
	for _, want := range []*Batch{batch(), {}, {Readings: []Reading{{}}}} {
		data, err := wire.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Batch
		if err := wire.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(&got, want) {
			t.Errorf("wire: %v\ngot  %+v\nwant %+v", err, got, want)
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got = Batch{}
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(&got, want) {
			t.Errorf("JSON: %v\ngot  %+v\nwant %+v", err, got, want)
		}
		t.Logf("%d readings: %d bytes, %d as JSON", len(want.Readings), len(data), len(text))
	}
}

func TestBatchAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	b, buf := batch(), make([]byte, 0, 8<<10)
	var err error
	for name, run := range map[string]func(){
		"wire.Append": func() { buf, err = wire.Append(buf[:0], b) },
		"json.Append": func() { buf, err = json.Append(buf[:0], b) },
		"Validate":    func() { err = b.Validate(now, now) },
	} {
		if n := testing.AllocsPerRun(100, run); n > 0 || err != nil {
			t.Errorf("%s: %v allocs, budget 0 (%v)", name, n, err)
		}
	}
	if len(buf) == 0 {
		t.Error("nothing was encoded")
	}
}

func BenchmarkAppendBatch(b *testing.B) {
	batch, buf := batch(), make([]byte, 0, 8<<10)
	b.Run("wire", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf, _ = wire.Append(buf[:0], batch)
		}
		b.SetBytes(int64(len(buf)))
	})
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf, _ = json.Append(buf[:0], batch)
		}
		b.SetBytes(int64(len(buf)))
	})
}

func TestValidate(t *testing.T) {
	long := strings.Repeat("x", MaxName+1)
	for _, test := range []struct {
		name   string
		change func(r *Reading)
		want   string // "" if it is valid
	}{
		{"complete", func(*Reading) {}, ""},
		{"hardly anything", func(r *Reading) { *r = Reading{Host: "a", At: now} }, ""},
		{"any language", func(r *Reading) { r.Host = "büro 2 – 部屋" }, ""},
		{"a clock a little ahead", func(r *Reading) { r.At = now.Add(MaxAhead) }, ""},
		{"as old as is kept", func(r *Reading) { r.At = now.Add(-time.Hour) }, ""},

		{"no host", func(r *Reading) { r.Host = "" }, "readings[1].host is empty"},
		{"long host", func(r *Reading) { r.Host = long }, "readings[1].host is longer than 255 bytes"},
		{"slash in host", func(r *Reading) { r.Host = "a/b" }, "readings[1].host contains a slash"},
		{"dots for a host", func(r *Reading) { r.Host = ".." }, `readings[1].host is "..", which has another meaning`},
		{"line break in host", func(r *Reading) { r.Host = "a\nb" }, "unprintable character U+000A"},
		{"not UTF-8", func(r *Reading) { r.Host = "\xff" }, "readings[1].host is not valid UTF-8"},
		{"no time", func(r *Reading) { r.At = time.Time{} }, "readings[1].at is missing"},
		{"future", func(r *Reading) { r.At = now.Add(MaxAhead + 1) }, "ahead of this server's clock"},
		{"too old", func(r *Reading) { r.At = now.Add(-time.Hour - 1) }, "older than"},
		{"NaN", func(r *Reading) { r.CPU = mo.Some(math.NaN()) }, "readings[1].cpu is NaN"},
		{"infinite core", func(r *Reading) { r.Cores[2] = math.Inf(1) }, "readings[1].cores[2] is +Inf"},
		{"too much memory", func(r *Reading) { r.MemoryUsed = mo.Some[uint64](1 << 63) }, "readings[1].memory_used is 9223372036854775808"},
		{"nameless disk", func(r *Reading) { r.Disks[1].Mount = "" }, "readings[1].disks[1].mount is empty"},
		{"infinite rate", func(r *Reading) { r.Networks[0].Sent = mo.Some(math.Inf(-1)) }, "readings[1].networks[0].sent is -Inf"},
		{"nameless sensor", func(r *Reading) { r.Temperatures[0].Sensor = "" }, "temperatures[0].sensor is empty"},
		{"many cores", func(r *Reading) { r.Cores = make([]float64, MaxList+1) }, "readings[1].cores has 1025 entries"},
	} {
		b := batch()
		test.change(&b.Readings[1])
		err := b.Validate(now, now.Add(-time.Hour))
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v; want it to say %q", test.name, err, test.want)
		}
	}
	for n, want := range map[int]string{0: "readings is empty", MaxBatch + 1: "at most 1000"} {
		b := &Batch{Readings: make([]Reading, n)}
		if err := b.Validate(now, time.Time{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d readings: %v", n, err)
		}
	}
}
