package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// withoutExample lists packages without an example that a test runs, with reasons.
var withoutExample = map[string]string{
	".":                                   "it has no code",
	"integrations/nats":                   "its example needs a server",
	"integrations/redis":                  "its example needs a server",
	"integrations/echoshim/v5/echotest":   "the example of echo uses it",
	"integrations/echoshim/v5/middleware": "the example of echo uses it",
}

// TestExamples fails if a package that other modules can import has no example that a test runs,
// and is not listed in withoutExample.
func TestExamples(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	public, shown := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			apart := []string{"bench", "cmd", "docs", "integrations/tests", "integrations/echoshim/conformance"}
			if slices.Contains(apart, rel) || slices.Contains([]string{"examples", "internal", "testdata", "node_modules"}, d.Name()) || strings.HasPrefix(d.Name(), ".") && rel != "." {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(rel) != ".go" {
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(rel))
		switch {
		case !strings.HasSuffix(rel, "_test.go"):
			public[pkg] = true
		case exampleWithOutput.Match(data):
			shown[pkg] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(public) < 30 {
		t.Errorf("found %d packages: is this the root?", len(public))
	}
	for pkg := range public {
		if shown[pkg] == (withoutExample[pkg] != "") {
			t.Errorf("%s: has an example that a test runs: %v; listed as a package without one: %q", pkg, shown[pkg], withoutExample[pkg])
		}
	}
}

// exampleWithOutput finds an example that go test runs.
var exampleWithOutput = regexp.MustCompile(`(?s)\nfunc Example\w*\(\) \{.*?\n\t// (Unordered o|O)utput:`)
