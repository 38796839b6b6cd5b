package migrate

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// The page lists all rules.
func TestRulesOnPage(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/migrating/migrate.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\|[^|]*\\| `([a-z0-9-]+)` \\| ").FindAllSubmatch(page, -1) {
		listed = append(listed, string(m[1]))
	}
	want := slices.Sorted(slices.Values(diagnostics))
	if slices.Sort(listed); !slices.Equal(listed, want) {
		t.Errorf("the page lists %q, the code has %q", listed, want)
	}
}
