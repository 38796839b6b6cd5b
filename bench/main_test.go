package main

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// TestSuite runs the tests of the suite, which is a module outside the
// workspace and would be passed over by `go test work`.
func TestSuite(t *testing.T) {
	if os.Getenv("HONE_VARIANT") != "" {
		t.Skip("the suite is built by itself, and in one way")
	}
	if strconv.IntSize < 64 {
		t.Skip("one of the peers (sonic) refuses to be built for 32 bits")
	}
	dir, err := suiteDir()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	t.Logf("go test ./... in %s\n%s", dir, out)
	if err != nil {
		t.Fatal(err)
	}
}
