package contest

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// documents returns a contest with three documents. Their work takes 100 µs, 400 µs and 1 ms.
func documents() Contest {
	spin := func(each time.Duration) func(int) {
		return Loop(func() {
			for start := time.Now(); time.Since(start) < each; {
			}
			kept = make([]byte, 100)
		})
	}
	prepare := func(factor int) func(int) (func(int), error) {
		return func(i int) (func(int), error) {
			return spin(time.Duration(factor*[]int{100, 400, 1000}[i]) * time.Microsecond), nil
		}
	}
	return Contest{Name: "many/documents", Documents: []string{"small", "medium", "large"}, Contestants: []Contestant{
		{Name: "hone", Prepare: prepare(1)},
		{Name: "slow", Prepare: prepare(2)},
		{Name: "fails", Prepare: func(i int) (func(int), error) {
			switch i {
			case 0:
				return nil, errors.New("wrong output")
			case 1:
				panic("out of range")
			}
			return prepare(1)(i)
		}},
		{Name: "fails in all", Prepare: func(int) (func(int), error) { return nil, errors.New("no output") }},
	}}
}

// TestDocuments measures a contest with documents.
func TestDocuments(t *testing.T) {
	outcomes := Run(context.Background(), []Contest{documents()}, Options{Count: 3, Duration: 2 * time.Millisecond})
	if len(outcomes) != 1 || len(outcomes[0].Results) != 4 || strings.Join(outcomes[0].Documents, " ") != "small medium large" {
		t.Fatalf("%+v", outcomes)
	}
	// The work cannot take less time. It may take more, because other programs use the processor.
	atLeast := func(who string, got, want float64) {
		t.Helper()
		if got < want {
			t.Errorf("%s: %v ns, want at least %v", who, got, want)
		}
	}
	for i, want := range [][]float64{{100e3, 400e3, 1000e3}, {200e3, 800e3, 2000e3}, {0, 0, 1000e3}} {
		r := outcomes[0].Results[i]
		if r.Error != "" || len(r.Documents) != 3 || len(r.Samples) != 3 {
			t.Fatalf("%+v", r)
		}
		product, n := 1.0, 0
		for k, ns := range want {
			atLeast(r.Contestant, r.Documents[k], ns)
			if ns > 0 {
				product *= ns
				n++
			}
		}
		atLeast(r.Contestant, r.Center, math.Pow(product, 1/float64(n)))
		if r.Allocs < 0.9 || r.Bytes < 90 {
			t.Errorf("%s: %v allocations, %v bytes", r.Contestant, r.Allocs, r.Bytes)
		}
	}
	if f := outcomes[0].Results[2].Failed; len(f) != 2 || f["small"] != "wrong output" || f["medium"] != "panic: out of range" {
		t.Errorf("failed documents: %v", f)
	}
	if r := outcomes[0].Results[3]; !strings.Contains(r.Error, "large: no output") || r.Samples != nil {
		t.Errorf("a contestant that fails in all documents: %+v", r)
	}
	if source := documents().Contestants[0].Source(); !strings.Contains(source, "contest/documents_test.go:") {
		t.Errorf("the source is %q", source)
	}
}

// TestDocumentsTime checks that the expected time of a run includes the longer samples of documents.
func TestDocumentsTime(t *testing.T) {
	c := []Contest{documents()}
	o := Fit(c, Options{Count: 10}, 10*time.Second)
	if got := Expected(c, o); got < 9*time.Second || got > 10*time.Second {
		t.Errorf("samples of %v, %v in all", o.Duration, got)
	}
}
