package frameworks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs holds that every line of Go in docs/integrations.md is one that a test of an
// integration compiles, but for its indentation and a comment behind it.
func TestDocs(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	compiled := map[string]bool{"": true}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if code := code(line); code != "" {
				compiled[code] = true
			}
		}
	}
	doc, err := os.ReadFile("../../docs/integrations.md")
	if err != nil {
		t.Fatal(err)
	}
	inside, seen := false, 0
	for line := range strings.Lines(string(doc)) {
		if strings.HasPrefix(line, "```") {
			inside = strings.HasPrefix(line, "```go")
			continue
		}
		if inside {
			seen++
			if !compiled[code(line)] {
				t.Errorf("no test compiles the line %q", strings.TrimSpace(line))
			}
		}
	}
	if seen < 40 {
		t.Errorf("there are %d lines of Go", seen)
	}
}

// code returns a line without what does not count.
func code(line string) string {
	line, _, _ = strings.Cut(line, " // ")
	line = strings.Join(strings.Fields(line), " ")
	if strings.HasPrefix(line, "//") {
		return ""
	}
	return line
}
