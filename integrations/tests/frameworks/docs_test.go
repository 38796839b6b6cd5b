package frameworks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs checks that each line of Go in docs/integrations.md is also in a test file of an
// integration. So each line compiles. Indentation and a comment at the end of a line may differ.
func TestDocs(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../*/*.go", "../../*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
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
	doc, err := os.ReadFile("../../../docs/integrations.md")
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
				t.Errorf("no test file contains the line %q", strings.TrimSpace(line))
			}
		}
	}
	if seen < 40 {
		t.Errorf("docs/integrations.md has only %d lines of Go", seen)
	}
}

// code returns a line without its indentation and its comment.
func code(line string) string {
	line, _, _ = strings.Cut(line, " // ")
	line = strings.Join(strings.Fields(line), " ")
	if strings.HasPrefix(line, "//") {
		return ""
	}
	return line
}
