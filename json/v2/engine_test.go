package json

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// byHone skips a test of a property that only Hone's engine has: few allocations, time and memory
// proportional to the input, values before a syntax error, or native encoding of mo's types.
func byHone(t *testing.T) {
	t.Helper()
	if EngineByDefault() != HoneEngine {
		t.Skip("encoding/json/v2 is the engine")
	}
}

// TestByStd runs the tests of this package in a process whose engine is encoding/json/v2. They must
// pass.
func TestByStd(t *testing.T) {
	byHone(t)
	testkit.SkipInVariant(t)
	if !hasStandard {
		t.Skip("this release has no encoding/json/v2")
	}
	if testing.Short() {
		t.Skip("runs all tests again")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.v=true", "-test.timeout=4m")
	cmd.Env = append(os.Environ(), "HONE_JSON=std")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if n := bytes.Count(out, []byte("\n--- SKIP")); n > 24 {
		t.Errorf("%d tests were skipped", n)
	}
	if !bytes.Contains(out, []byte("--- PASS: TestEngineOption")) {
		t.Error("the tests were not run")
	}
}

// TestMissingEngine checks that releases without encoding/json/v2 report this once.
func TestMissingEngine(t *testing.T) {
	testkit.SkipInVariant(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, reports := range map[string]int{"std": 1, "": 0, "hone": 0} {
		if hasStandard {
			reports = 0
		}
		cmd := exec.Command(self, "-test.run=^TestCodec$")
		cmd.Env = append(os.Environ(), "HONE_JSON="+name)
		out, err := cmd.CombinedOutput()
		if n := strings.Count(string(out), "json/v2: HONE_JSON"); err != nil || n != reports {
			t.Errorf("HONE_JSON=%s is reported %d times: %v\n%s", name, n, err, out)
		}
	}
}

// TestEngineOption joins WithEngine with other options. GetOption must find the engine, and byStd
// must report whether it is encoding/json/v2.
func TestEngineOption(t *testing.T) {
	for e, want := range map[Engine]Engine{StdEngine: StdEngine, HoneEngine: HoneEngine, DefaultEngine: EngineByDefault()} {
		opts := JoinOptions(Deterministic(true), WithEngine(e))
		if got, ok := GetOption(opts, WithEngine); e != DefaultEngine && (got != want || !ok) {
			t.Errorf("engine %d: %d, %v", e, got, ok)
		}
		set := setOf([]Options{opts})
		if got := byStd(&set); got != (want == StdEngine && hasStandard) {
			t.Errorf("engine %d: byStd reports %v", e, got)
		}
		if set = setOf([]Options{opts, CheckMembers(true)}); byStd(&set) {
			t.Errorf("engine %d: with CheckMembers, encoding/json/v2 is used, which ignores the option", e)
		}
	}
	if _, ok := GetOption(Deterministic(true), WithEngine); ok {
		t.Error("GetOption finds an engine in options without one")
	}
}
