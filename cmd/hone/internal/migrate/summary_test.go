package migrate

import (
	"strings"
	"testing"
)

// TestSummaryNotBuilt checks that the summary counts the tests that are missing because their package does
// not compile, apart from tests that fail.
func TestSummaryNotBuilt(t *testing.T) {
	trial := &Trial{Differences: []Difference{
		{Package: "example.com/a", Test: "TestFirst", Before: "pass", Output: "FAIL\texample.com/a [build failed]"},
		{Package: "example.com/a", Test: "TestSecond", Before: "pass"},
		{Package: "example.com/a", Test: "TestThird", Before: "pass", GoLine: true},
		{Package: "example.com/b", Test: "TestFails", Before: "pass", After: "fail", Output: "--- FAIL: TestFails"},
	}}
	var b strings.Builder
	trial.Summary(&b)
	want := "4 tests differ\n2 are in packages that do not compile after the change, or that import one\n1 is caused by the new go line alone"
	if got := b.String(); !strings.Contains(got, want) {
		t.Fatalf("got\n%swithout\n%s", got, want)
	}
}
