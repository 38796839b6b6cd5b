package agent

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

var quiet = slog.New(slog.DiscardHandler)

// post checks a batch against the limits in its tags, as a server does.
func post(t *testing.T, batch telemetry.Batch) *httptest.ResponseRecorder {
	t.Helper()
	mux := http.NewServeMux()
	api.Handle(api.Mux(mux), "POST /{$}", func(context.Context, *telemetry.Batch) (*struct{}, error) { return nil, nil })
	body, err := wire.Marshal(&batch)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/", bytes.NewReader(body))
	r.Header.Set("Content-Type", api.MediaTypeWire)
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w
}

// TestSampleOfThisMachine checks facts that are true on every machine.
func TestSampleOfThisMachine(t *testing.T) {
	s := NewSampler("here", Selection{}, Selection{}, quiet)
	first := s.Sample(t.Context())
	time.Sleep(50 * time.Millisecond)
	second := s.Sample(t.Context())

	for _, r := range []telemetry.Reading{first, second} {
		if answer := post(t, telemetry.Batch{Readings: []telemetry.Reading{r}}); answer.Code != http.StatusNoContent {
			t.Errorf("a server would refuse it: %s", answer.Body)
		}
		if name, reason := r.Fault(t.Context(), time.Time{}); name != "" {
			t.Errorf("a server would refuse its %s: it %s", name, reason)
		}
		cpu, ok := r.CPU.Get()
		if !ok || cpu < 0 || cpu > 100 || len(r.Cores) == 0 {
			t.Errorf("cpu %v of cores %v", r.CPU, r.Cores)
		}
		used, total := r.MemoryUsed.OrEmpty(), r.MemoryTotal.OrEmpty()
		if used == 0 || used > total {
			t.Errorf("%d of %d bytes of memory used", used, total)
		}
		if r.Uptime.OrEmpty() == 0 {
			t.Error("no uptime")
		}
	}
	for _, n := range first.Networks {
		if n.Received.IsPresent() {
			t.Errorf("%s has a rate in the first sample", n.Name)
		}
	}
	for _, n := range second.Networks {
		if !n.Received.IsPresent() || !n.Sent.IsPresent() {
			t.Errorf("%s has no rates in the second sample", n.Name)
		}
	}
	if !second.At.After(first.At) {
		t.Errorf("second sample at %v, first at %v", second.At, first.At)
	}
}

func TestHangingSensorStallsNothing(t *testing.T) {
	s := NewSampler("here", Selection{}, Selection{}, quiet)
	let := make(chan struct{})
	starts := make(chan struct{}, 10)
	s.uptime = newProbe(quiet, "uptime", func(context.Context) (uint64, error) { // ignores its context
		starts <- struct{}{}
		<-let
		return 42, nil
	})
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		r := s.Sample(ctx)
		cancel()
		if r.Uptime.IsPresent() || !r.CPU.IsPresent() || !r.MemoryUsed.IsPresent() {
			t.Errorf("uptime %v, cpu %v, memory %v; want all but uptime", r.Uptime, r.CPU, r.MemoryUsed)
		}
	}
	if n := len(starts); n != 1 {
		t.Errorf("the hanging sensor was started %d times", n)
	}
	close(let)
	for s.uptime.running.Load() {
		time.Sleep(time.Millisecond)
	}
	if r := s.Sample(t.Context()); r.Uptime != mo.Some[uint64](42) {
		t.Errorf("uptime %v after the sensor came back", r.Uptime)
	}
}

func TestFailingSensorIsReportedOnce(t *testing.T) {
	var log strings.Builder
	err := errors.New("no such file")
	p := newProbe(slog.New(slog.NewTextHandler(&log, nil)), "load", func(context.Context) (int, error) {
		if err == nil {
			return 1, nil
		}
		if err == io.EOF {
			panic("index out of range")
		}
		return 1, err
	})
	get := func() mo.Option[int] { return p.start(t.Context())() }
	for _, err = range []error{err, err, io.EOF} {
		if v := get(); v.IsPresent() {
			t.Errorf("%v: value %v", err, v)
		}
	}
	err = nil
	if v := get(); v != mo.Some(1) {
		t.Errorf("value %v after recovery", v)
	}
	if lines := strings.Split(strings.TrimSpace(log.String()), "\n"); len(lines) != 2 ||
		!strings.Contains(lines[0], "no such file") || !strings.Contains(lines[1], "works again") {
		t.Errorf("log:\n%s", log.String())
	}
}

func TestRates(t *testing.T) {
	var r rates
	at := time.Now()
	for _, step := range []struct {
		name  string
		after time.Duration
		value uint64
		want  mo.Option[float64]
	}{
		{"first", 0, 100, mo.None[float64]()},
		{"grows", 2 * time.Second, 300, mo.Some(100.0)},
		{"rests", time.Second, 300, mo.Some(0.0)},
		{"in whole units", 3 * time.Second, 301, mo.Some(0.0)},
		{"starts again", time.Second, 50, mo.None[float64]()},
		{"and goes on", time.Second, 60, mo.Some(10.0)},
		{"no time has passed", 0, 70, mo.None[float64]()},
	} {
		at = at.Add(step.after)
		r.begin(at)
		if got := r.perSecond("eth0", step.value); got != step.want {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
	}
	r.begin(at.Add(time.Second)) // the interface is gone for a while
	r.begin(at.Add(2 * time.Second))
	if got := r.perSecond("eth0", 80); got.IsPresent() {
		t.Errorf("a rate of %v over a gap", got)
	}
}
