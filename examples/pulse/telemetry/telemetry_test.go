package telemetry

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// batch returns the post of an agent on a large machine after an interruption of three seconds.
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

// TestLimits posts batches in the binary format, which can have values that JSON cannot express.
func TestLimits(t *testing.T) {
	mux := http.NewServeMux()
	api.Handle(api.Mux(mux), "POST /{$}", func(context.Context, *Batch) (*struct{}, error) { return nil, nil })
	post := func(b *Batch) []api.FieldProblem {
		body, err := wire.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("POST", "/", bytes.NewReader(body))
		r.Header.Set("Content-Type", api.MediaTypeWire)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		var p api.Problem
		if w.Code != http.StatusNoContent {
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != http.StatusUnprocessableEntity || p.Errors == nil {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
		return p.Errors
	}
	long := strings.Repeat("ö", 256)
	for _, test := range []struct {
		name   string
		change func(r *Reading)
		want   []string // fields of the reading that are refused
	}{
		{name: "complete", change: func(*Reading) {}},
		{name: "hardly anything", change: func(r *Reading) { *r = Reading{Host: "a", At: now} }},
		{name: "any language", change: func(r *Reading) { r.Host = "büro 2 – 部屋" }},
		{name: "a long name", change: func(r *Reading) { r.Host = long[2:] }},
		{name: "no host", change: func(r *Reading) { r.Host = "" }, want: []string{".host"}},
		{name: "long host", change: func(r *Reading) { r.Host = long }, want: []string{".host"}},
		{name: "slash in host", change: func(r *Reading) { r.Host = "a/b" }, want: []string{".host"}},
		{name: "line break in host", change: func(r *Reading) { r.Host = "a\nb" }, want: []string{".host"}},
		{name: "line separator in host", change: func(r *Reading) { r.Host = "a\u2028b" }, want: []string{".host"}},
		{name: "not UTF-8", change: func(r *Reading) { r.Host = "\xff" }, want: []string{".host"}},
		{name: "NaN", change: func(r *Reading) { r.CPU = mo.Some(math.NaN()) }, want: []string{".cpu"}},
		{name: "infinite core", change: func(r *Reading) { r.Cores[2] = math.Inf(1) }, want: []string{".cores[2]"}},
		{name: "too much memory", change: func(r *Reading) { r.MemoryUsed = mo.Some[uint64](1 << 63) }, want: []string{".memory_used"}},
		{name: "implausible", change: func(r *Reading) {
			r.Load1, r.Uptime, r.Disks[0].Total = mo.Some(1e6+1), mo.Some[uint64](1e10+1), mo.Some[uint64](1<<60+1)
			r.Networks[1].Sent, r.Temperatures[0].Celsius, r.Temperatures[1].Celsius = mo.Some(1.1e13), -101, 1001
		}, want: []string{".load1", ".uptime", ".disks[0].total", ".networks[1].sent", ".temperatures[0].celsius", ".temperatures[1].celsius"}},
		{name: "infinite rate", change: func(r *Reading) { r.Networks[0].Sent = mo.Some(math.Inf(-1)) }, want: []string{".networks[0].sent"}},
		{name: "many cores", change: func(r *Reading) { r.Cores = make([]float64, 1025) }, want: []string{".cores"}},
		{name: "several", change: func(r *Reading) { r.Disks[1].Mount, r.Temperatures[0].Sensor, r.Host = "", "", "" },
			want: []string{".host", ".disks[1].mount", ".temperatures[0].sensor"}},
	} {
		b := batch()
		test.change(&b.Readings[1])
		var got []string
		for _, p := range post(b) {
			got = append(got, strings.TrimPrefix(p.Name, ".readings[1]"))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	for _, n := range []int{0, MaxBatch + 1} {
		if p := post(&Batch{Readings: slices.Repeat([]Reading{{Host: "a", At: now}}, n)}); len(p) != 1 || p[0].Name != ".readings" {
			t.Errorf("%d readings: %v", n, p)
		}
	}
}

func TestFault(t *testing.T) {
	for _, test := range []struct {
		name   string
		r      Reading
		field  string
		reason string
	}{
		{name: "a clock a little ahead", r: Reading{Host: "a", At: now.Add(MaxAhead)}},
		{name: "as old as is kept", r: Reading{Host: "a", At: now.Add(-time.Hour)}},
		{name: "dots for a host", r: Reading{Host: "..", At: now}, field: ".host", reason: `is "..", which has another meaning`},
		{name: "no time", r: Reading{Host: "a"}, field: ".at", reason: "is missing"},
		{name: "a time that JSON cannot write", r: Reading{Host: "a", At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, field: ".at", reason: "years"},
		{name: "a time before all years", r: Reading{Host: "a", At: time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC)}, field: ".at", reason: "years"},
		{name: "a time that overflows", r: Reading{Host: "a", At: time.Unix(1<<63-1, 0)}, field: ".at", reason: "years"},
		{name: "a limit of a tag", r: Reading{Host: "a", At: now, CPU: mo.Some(101.0)}, field: ".cpu", reason: "at most 100"},
		{name: "too old", r: Reading{Host: "a", At: now.Add(-time.Hour - 1)}, field: ".at", reason: "older than"},
		{name: "full memory", r: Reading{Host: "a", At: now, MemoryUsed: mo.Some[uint64](8), MemoryTotal: mo.Some[uint64](8), SwapUsed: mo.Some[uint64](1)}},
		{name: "more memory than there is", r: Reading{Host: "a", At: now, MemoryUsed: mo.Some[uint64](9), MemoryTotal: mo.Some[uint64](8)}, field: ".memory_used", reason: "more than there is"},
		{name: "more swap than there is", r: Reading{Host: "a", At: now, SwapUsed: mo.Some[uint64](1), SwapTotal: mo.Some[uint64](0)}, field: ".swap_used", reason: "more than there is"},
		{name: "a disk more than full", r: Reading{Host: "a", At: now, Disks: []Disk{{Mount: "/", Device: "a"}, {Mount: "/b", Device: "b", Used: mo.Some[uint64](9), Total: mo.Some[uint64](8)}}}, field: ".disks[1].used", reason: "more than there is"},
	} {
		if field, reason := test.r.Fault(t.Context(), now.Add(-time.Hour)); field != test.field || !strings.Contains(reason, test.reason) {
			t.Errorf("%s: %s %s", test.name, field, reason)
		}
	}
}

func TestAhead(t *testing.T) {
	for ahead, want := range map[time.Duration]string{MaxAhead: "", MaxAhead + 1: "ahead of this server's clock", -48 * time.Hour: ""} {
		r := Reading{Host: "a", At: now.Add(ahead)}
		if got := r.Ahead(now); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", ahead, got, want)
		}
	}
}
