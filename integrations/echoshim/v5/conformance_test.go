package echo_test

import (
	"os"
	"os/exec"
	"testing"
)

// TestConformance runs the tests of libraries on this module. They are in a separate module,
// outside the workspace, since they have many dependencies.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("runs another module's tests")
	}
	cmd := exec.Command("go", "test", "./...")
	cmd.Dir = "../conformance"
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	t.Logf("go test ./... in %s\n%s", cmd.Dir, out)
	if err != nil {
		t.Fatal(err)
	}
}
