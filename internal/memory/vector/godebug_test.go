//go:build (amd64 || arm64) && !purego

package vector

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

func TestAllowed(t *testing.T) {
	for settings, want := range map[string]bool{
		"":                              true,
		"cpu.all=off":                   false,
		"cpu.avx2=off":                  false,
		"http2client=0,cpu.bmi2=off":    false,
		"cpu.avx2=on":                   true,
		"cpu.sse3=off":                  true,
		"cpu.all=off,cpu.avx2=on":       false,
		"cpu.all=off,cpu.all=on":        true,
		"cpu.avx2=off,cpu.all=on":       true,
		"cpu.avx2=0":                    true,
		"xcpu.avx2=off,cpu.avx2=off ,=": true,
		"cpu.all=off,cpu.avx2=on,cpu.avx=on,cpu.bmi2=on": true,
	} {
		if got := allowedBy(settings, []string{"avx", "avx2", "bmi2"}); got != want {
			t.Errorf("GODEBUG=%s: %v, want %v", settings, got, want)
		}
	}
}

// TestGODEBUG starts a process with GODEBUG=cpu.all=off. In this process Enabled must be false.
func TestGODEBUG(t *testing.T) {
	if os.Getenv("HONE_VECTOR") != "" {
		fmt.Printf("enabled: %v\n", Enabled)
		return
	}
	testkit.SkipInVariant(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestGODEBUG$")
	cmd.Env = append(os.Environ(), "HONE_VECTOR=1", "GODEBUG=cpu.all=off")
	out, err := cmd.Output()
	if err != nil || !strings.HasPrefix(string(out), "enabled: false\n") {
		t.Errorf("%q, %v", out, err)
	}
}
