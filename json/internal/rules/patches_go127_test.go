//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	"encoding/json"
	"fmt"
	"go/version"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPatches checks the results of the probes for known releases. For an unknown release any
// result is allowed.
func TestPatches(t *testing.T) {
	linked, _, _ := strings.Cut(runtime.Version(), " ") // without the names of experiments after the version
	if !version.IsValid(linked) {
		t.Skipf("%s is not a release", linked)
	}
	if linked == version.Lang(linked) {
		linked += ".0"
	}
	for i := range probes {
		p := &probes[i]
		switch got := Patch(i).Applied(); {
		case got && version.Compare(linked, p.missing) <= 0:
			t.Errorf("patch %d is in %s, and was missing in %s", i, linked, p.missing)
		case !got && version.Compare(linked, p.applied) >= 0:
			t.Errorf("patch %d is missing in %s, and was in %s", i, linked, p.applied)
		}
	}
}

// TestProbeCost measures each probe in a new process. No probe may take longer than the limit. The
// process uses encoding/json for another struct before, because the first use loads code from disk
// or from the page cache, which takes up to half a millisecond on some machines.
func TestProbeCost(t *testing.T) {
	const most = 60 * time.Microsecond // the aim is 20 µs, but some machines are slow
	if os.Getenv("HONE_PROBE") != "" {
		var other struct {
			N uint   `json:"n,omitempty"`
			S string `json:",string"`
		}
		if err := json.Unmarshal([]byte(`{"n":1,"S":"\"text\""}`), &other); err != nil {
			t.Fatal(err)
		}
		for i := range probes {
			start := time.Now()
			probes[i].test()
			fmt.Println("took", i, time.Since(start).Nanoseconds())
		}
		return
	}
	// Use the shortest time of several processes. A busy machine needs more of them.
	least := map[int]time.Duration{}
	for runs := 0; runs < 10 || runs < 200 && slices.Max(slices.Collect(maps.Values(least))) > most; runs++ {
		cmd := exec.Command(os.Args[0], "-test.run=^TestProbeCost$")
		cmd.Env = append(os.Environ(), "HONE_PROBE=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			var i int
			var took time.Duration
			if n, _ := fmt.Sscanf(line, "took %d %d", &i, &took); n == 2 && (least[i] == 0 || took < least[i]) {
				least[i] = took
			}
		}
	}
	if len(least) != len(probes) {
		t.Fatalf("%d of %d probes ran", len(least), len(probes))
	}
	for i, took := range least {
		if t.Logf("probe %d: %v", i, took); took > most {
			t.Errorf("probe %d takes %v, more than %v", i, took, most)
		}
	}
}
