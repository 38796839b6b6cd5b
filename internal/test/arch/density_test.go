package arch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// explained are the packages whose code cannot be understood without comments. They must have at
// least one line of comments for four lines of code. This test cannot judge whether the comments
// state invariants.
var explained = []string{"json/internal/decode", "json/internal/encode", "json/internal/rules", "wire/internal/program"}

// TestDensity counts lines of comments and lines of code.
func TestDensity(t *testing.T) {
	const least = 0.25
	for _, pkg := range explained {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		comments, code := 0, 0
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				switch line = strings.TrimSpace(line); {
				case strings.HasPrefix(line, "//"):
					comments++
				case line != "":
					code++
				}
			}
		}
		if code == 0 || float64(comments) < least*float64(code) {
			t.Errorf("%s has %d lines of comments for %d lines of code, less than %v", pkg, comments, code, least)
		}
	}
}
