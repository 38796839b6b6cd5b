package try

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// TestShare has a handler that a replaced router calls, a dependency that encodes JSON, and other code.
func TestShare(t *testing.T) {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}}
	for _, s := range []struct {
		value int64
		stack []string // the outermost call first
	}{
		{50, []string{"net/http.serve", "github.com/labstack/echo/v5.(*Echo).ServeHTTP", "example.com/app.handle", "encoding/json.Marshal", "reflect.Value.Len"}},
		{30, []string{"net/http.serve", "example.com/dep.Log", "encoding/json.Marshal"}},
		{20, []string{"example.com/app.main", "runtime.mallocgc"}},
		{500, []string{"runtime.gcBgMarkWorker", "runtime.gcDrain"}},
	} {
		sample := &profile.Sample{Value: []int64{s.value}}
		for _, name := range s.stack {
			id := uint64(len(p.Function) + 1)
			f := &profile.Function{ID: id, Name: name}
			l := &profile.Location{ID: id, Line: []profile.Line{{Function: f}}}
			p.Function, p.Location = append(p.Function, f), append(p.Location, l)
			sample.Location = append([]*profile.Location{l}, sample.Location...)
		}
		p.Sample = append(p.Sample, sample)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	share, err := readProfile(&b, []string{"encoding/json", "github.com/labstack/echo/v5"}, func(pkg string) bool { return pkg == "example.com/app" })
	if err != nil || math.Abs(share.Replaced-0.5) > 1e-9 || math.Abs(share.Others-0.3) > 1e-9 || !share.callers["example.com/app"] {
		t.Errorf("%+v, %v", share, err)
	}
}

// TestBound prints shares. A share of nearly everything sets no bound that says anything.
func TestBound(t *testing.T) {
	for _, test := range []struct {
		replaced, most float64
		want           string
	}{
		{0, 1, "You would gain nothing"},
		{0.5, 2, "at most about 2.00 times as fast"},
		{0.96, 0, "it sets no bound"},
		{1, 0, "it sets no bound"},
	} {
		s := Share{Replaced: test.replaced, Seconds: 1}
		var b bytes.Buffer
		if s.Print(&b, "cpu.pprof", ""); s.AtMost() != test.most || !strings.Contains(b.String(), test.want) {
			t.Errorf("%v: %v, %s", test.replaced, s.AtMost(), b.String())
		}
	}
}
