package contest

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// promising has a contestant for each possible outcome of a probe.
func promising() Contest {
	yes := Probe{"a yes that is not kept", func() bool { return true }}
	no := Probe{"says no", func() bool { return false }}
	nothing := func() (func(int), error) { return func(n int) { time.Sleep(time.Duration(n) * time.Microsecond) }, nil }
	who := func(name string, list ...Probe) Contestant {
		return Contestant{Name: name, New: nothing, Probes: &Probes{List: list}}
	}
	return Contest{Name: "trial/promises", Promises: "answers", Contestants: []Contestant{
		who("hone", yes, yes),
		who("fails", no, yes, Probe{"panics too", func() bool { panic("it does") }}, no),
		who("dies", yes, Probe{"exits", func() bool { os.Exit(3); return true }}, no, Probe{"recurses", func() bool { return deep(0) > 0 }}, yes),
		{Name: "is not asked", New: nothing},
	}}
}

// deep recurses without an end.
func deep(n int) int {
	if runtime.NumGoroutine() < 0 {
		return n
	}
	return deep(n+1) + 1
}

func TestProbes(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := Prober{Program: self}
	c := promising()
	for i, want := range [][]string{
		nil, {"says no", "panics too (panics)"}, {"exits (the process dies)", "says no", "recurses (the process dies)"}, nil,
	} {
		for range 2 {
			if got, err := p.Probed(t.Context(), c, c.Contestants[i]); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q: %v", c.Contestants[i].Name, got, want, err)
			}
		}
	}
	if len(p.known) != 4 {
		t.Errorf("%d were probed", len(p.known))
	}
	if _, err := Probed(t.Context(), "/no/such/program", c, c.Contestants[0]); err == nil {
		t.Error("a program that does not start has no promises to break")
	}
	if _, err := Probed(t.Context(), "true", c, c.Contestants[0]); !errors.Is(err, errNoFinding) {
		t.Errorf("a program that ends without a finding: %v", err)
	}
}

func TestRunRecordsPromises(t *testing.T) {
	outcomes := Run(t.Context(), []Contest{promising()}, Options{Count: 1, Duration: time.Millisecond})
	if len(outcomes) != 1 || outcomes[0].Promises != "answers" {
		t.Fatalf("outcomes: %+v", outcomes)
	}
	for i, r := range outcomes[0].Results {
		if broken := len(r.Fewer) > 0; broken != (i == 1 || i == 2) || r.Error != "" {
			t.Errorf("%s: %q, %q", r.Contestant, strings.Join(r.Fewer, "; "), r.Error)
		}
	}
}

func TestApart(t *testing.T) {
	if Apart([]string{"48 bytes", ByHand}) != ByHand || Apart([]string{OtherEngine}) != OtherEngine || Apart([]string{"generated"}) != "" {
		t.Error("who counts is not told by the notes")
	}
}
