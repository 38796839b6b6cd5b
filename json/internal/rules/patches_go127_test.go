//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestPatches compares the answer of each probe with the releases that are known. A release
// that is not known may have a patch or not.
func TestPatches(t *testing.T) {
	linked, _, _ := strings.Cut(runtime.Version(), " ") // experiments follow
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

// TestProbeCost runs each probe once, in programs that have used encoding/json for another type.
// The first use of all costs a few microseconds more.
func TestProbeCost(t *testing.T) {
	const most = 60 * time.Microsecond // twenty are the aim; some machines are slow
	if os.Getenv("HONE_PROBE") != "" {
		var n uint
		_ = json.Unmarshal([]byte("0"), &n)
		for i := range probes {
			start := time.Now()
			probes[i].ask()
			fmt.Println("took", i, time.Since(start).Nanoseconds())
		}
		return
	}
	least := map[int]time.Duration{}
	for range 10 {
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
