package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRecipes looks for the files and folders that CONTRIBUTING.md names by a path from the
// root. A recipe that names a file which has moved is worse than none.
func TestRecipes(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, match := range regexp.MustCompile("`((?:[a-z][a-z0-9_]*/)+[A-Za-z0-9_.]*)`").FindAllStringSubmatch(string(text), -1) {
		if strings.HasPrefix(match[1], "encoding/") { // the standard library's
			continue
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(match[1]))); err != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", match[1], err)
		}
		found++
	}
	if found < 15 {
		t.Errorf("CONTRIBUTING.md names %d paths: has its form changed?", found)
	}
}
