// Package testkit has helpers for the tests of several packages.
package testkit

import (
	"os"
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
