// Package testkit has helpers for the tests of several packages.
package testkit

import (
	"os"
	"os/exec"
	"testing"
)

// SkipIfInstrumented skips a test of allocations in builds that allocate more: with -race and
// -cover, and with the tag purego, where package mem uses reflection.
func SkipIfInstrumented(t testing.TB) {
	t.Helper()
	switch {
	case raceEnabled:
		t.Skip("allocation budget: not meaningful under -race")
	case pureGo:
		t.Skip("allocation budget: not meaningful with -tags purego")
	case testing.CoverMode() != "":
		t.Skip("allocation budget: not meaningful under -cover")
	}
}

// SkipInVariant skips a long test that would do the same in each build of `.ci/run variants`.
func SkipInVariant(t testing.TB) {
	t.Helper()
	if os.Getenv("HONE_VARIANT") != "" {
		t.Skip("long, and the same in every build")
	}
}

// IsSlow reports whether tests should run their slow cases too, as in `.ci/run test`, which sets HONE_SLOW.
func IsSlow() bool { return os.Getenv("HONE_SLOW") != "" }

// SkipUnlessSlow skips a test that takes several seconds or more, unless slow tests should run.
func SkipUnlessSlow(t testing.TB) {
	t.Helper()
	if !IsSlow() {
		t.Skip("slow; .ci/run test sets HONE_SLOW=1")
	}
}

// Tool returns the path of a program that a test runs. Without the program the test is skipped, or
// fails if HONE_REQUIRE_SERVICES is set, as in CI.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
	case os.Getenv("HONE_REQUIRE_SERVICES") != "":
		t.Fatalf("%s is needed, and not on PATH", name)
	default:
		t.Skipf("%s is not on PATH", name)
	}
	return path
}
