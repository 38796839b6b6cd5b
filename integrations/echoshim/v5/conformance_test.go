package echo_test

import (
	"os"
	"os/exec"
	"testing"
)

// TestConformance runs the tests of module conformance, which use libraries with this module. That
// module is outside the workspace, because it has many dependencies.
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
