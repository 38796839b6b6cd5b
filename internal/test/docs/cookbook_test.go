package docs

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCookbook fails if the page about the cookbook does not link one of its thirteen programs, or if
// a program has no test or has 120 lines or more.
func TestCookbook(t *testing.T) {
	dir := filepath.Join(root, "examples", "cookbook")
	page, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Glob(filepath.Join(dir, "*", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	programs = append(programs, filepath.Join(root, "integrations", "grpc", "examples", "prices", "main.go"))
	for _, program := range programs {
		text, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(text, []byte("\n")); lines >= 120 {
			t.Errorf("%s has %d lines", program, lines)
		}
		if _, err := os.Stat(strings.TrimSuffix(program, ".go") + "_test.go"); err != nil {
			t.Errorf("%s has no test: %v", program, err)
		}
		rel, err := filepath.Rel(dir, program)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), "("+filepath.ToSlash(rel)+")") {
			t.Errorf("the page does not link %s", program)
		}
	}
	if len(programs) != 13 {
		t.Errorf("%d programs, and the page says thirteen", len(programs))
	}
}
