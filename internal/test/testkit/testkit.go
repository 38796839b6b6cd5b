// Package testkit has the helpers that tests of several rooms share.
package testkit

import (
	"os"
	"testing"
)

// SkipIfInstrumented skips an allocation test when the build counts or checks
// memory in ways that add allocations of their own: under -race and -cover, and
// in the purego build, whose twin of package mem is built on reflection.
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

// SkipInVariant skips a long test that would do the same in each build that
// `.ci/run variants` makes.
func SkipInVariant(t testing.TB) {
	t.Helper()
	if os.Getenv("HONE_VARIANT") != "" {
		t.Skip("long, and the same in every build")
	}
}
